//! The solver of Connect Four: exact on public sets and on a set of the project's own, honest under every budget.

use std::time::Duration;

use serde::Deserialize;
use tesuji_core::games::Game;
use tesuji_core::games::connect_four::{ConnectFour, Oracle, Solver, Standard, UseOfBook};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::{Bound, Budget, Child, Control, Engine, Report, Signals, StopReason, Task, Verdict};

use crate::data;
use crate::searches::{search, search_moves};

type Board = ConnectFour<Standard>;
type Found = Report<<Board as Position>::Move>;

const WITHOUT_BOOK: Solver = Solver { book: UseOfBook::None };

fn after(moves: &str) -> Board {
    let mut position = Board::start(&Default::default());
    if !moves.is_empty() {
        position.replay(moves).expect("the moves are legal");
    }
    position
}

/// How many plies after a position a game ends that is worth `score` in Pons' units to its side to move; 0 for a draw.
fn distance(position: &Board, score: i32) -> u32 {
    let plies = match score {
        0 => return 0,
        1.. => (1..=42).step_by(2).find(|plies| (44 - position.ply() as i32 - plies) / 2 == score),
        _ => (2..=42).step_by(2).find(|plies| (44 - position.ply() as i32 - plies) / 2 == -score),
    };
    plies.expect("the score is possible") as u32
}

/// The report must be exact for every move, its lines must end as it says, and the root must be worth `score`.
fn check(position: &Board, report: &Found, score: i32) {
    assert_eq!(report.stop, StopReason::Proven, "{position}");
    let value = score.signum() as i16 * position.turn().sign();
    assert_eq!(report.root.bounds.exact(), Some(value), "{position}");
    assert_eq!(report.root.distance.unwrap_or(0), distance(position, score), "{position}");
    assert_eq!(report.children.len(), position.moves().count());
    assert_eq!(report.children[0].evaluation, report.root, "{position}");
    for child in &report.children {
        let evaluation = child.evaluation;
        assert!(evaluation.bounds.exact().is_some(), "{position} {}", child.mv);
        let mut end = position.clone();
        for &mv in &child.pv {
            assert!(end.outcome().is_none(), "{position} {:?}", child.pv);
            end.play(mv);
        }
        if let Some(outcome) = end.outcome() {
            assert_eq!(Some(outcome.score()), evaluation.bounds.exact(), "{position} {:?}", child.pv);
            let plies = evaluation.distance.unwrap_or(42 - position.ply());
            assert_eq!(child.pv.len() as u32, plies, "{position} {:?}", child.pv);
        }
    }
}

#[test]
fn the_public_sets_are_exact() {
    // Without the book, and only as many of the long ones as a test may take; `cargo bench --bench connect_four` runs all.
    for (set, count) in [("L3_R1", 500), ("L2_R1", 500), ("L1_R1", 300), ("L2_R2", 15), ("L1_R2", 2)] {
        let Some(text) = data::public(&format!("connect-four/Test_{set}.txt")) else { return };
        let mut oracle = Oracle::new(16 << 20);
        for (moves, score) in text.lines().filter_map(|line| line.split_once(' ')).take(count) {
            assert_eq!(oracle.score(&after(moves)), score.trim().parse().ok(), "{set}: {moves}");
        }
    }
}

#[test]
fn the_public_sets_agree_with_the_book() {
    for set in ["L1_R1", "L1_R2", "L1_R3"] {
        let Some(text) = data::public(&format!("connect-four/Test_{set}.txt")) else { return };
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        // With fewer than twelve stones all that follows is in the book, too.
        let early: Vec<_> = lines.filter(|(moves, _)| moves.len() < 12).collect();
        assert!(early.len() > 100);
        for (moves, score) in early {
            let position = after(moves);
            let report = search(&Solver::default(), &position, Budget::default(), 0, 1);
            check(&position, &report, score.trim().parse().expect("a number"));
            // A line continues as long as the book does.
            let goes_on = |child: &Child<_>| child.pv.len() > 1 || child.evaluation.distance == Some(1);
            assert!(moves.len() == 11 || report.children.iter().all(goes_on), "{moves}");
        }
    }
}

#[derive(Deserialize)]
struct Solved {
    moves: String,
    score: i32,
}

#[test]
fn the_own_set_is_exact() {
    for Solved { moves, score } in data::own::<Solved>("connect_four.jsonl") {
        let position = after(&moves);
        check(&position, &search(&WITHOUT_BOOK, &position, Budget::default(), 0, 1), score);
        assert_eq!(Oracle::new(1 << 20).score(&position), Some(score), "{moves}");
    }
}

/// A random position with `stones` stones that is not decided at a glance.
fn random(stones: u32, rng: &mut Rng) -> Board {
    loop {
        let mut position = Board::start(&Default::default());
        while position.outcome().is_none() && position.ply() < stones {
            position.play(position.random_move(rng));
        }
        let wins = |position: &Board| {
            position.moves().any(|mv| {
                let mut next = position.clone();
                next.play(mv);
                next.outcome().is_some()
            })
        };
        if position.outcome().is_none() && !wins(&position) {
            return position;
        }
    }
}

#[test]
fn random_positions_of_the_book_are_solved_again() {
    let mut rng = Rng::new(11, 0);
    let mut oracle = Oracle::new(64 << 20);
    for _ in 0..6 {
        let position = random(11, &mut rng);
        let report = search(&Solver::default(), &position, Budget::default(), 0, 1);
        assert_eq!(report.nodes, 0, "all is looked up");
        let chosen = &report.children[rng.below(report.children.len() as u32) as usize];
        let mut next = position.clone();
        next.play(chosen.mv);
        if let Some(score) = oracle.score(&next) {
            let evaluation = chosen.evaluation;
            let value = score.signum() as i16 * next.turn().sign();
            assert_eq!(evaluation.bounds.exact(), Some(value), "{next}");
            assert_eq!(evaluation.distance.map_or(0, |plies| plies - 1), distance(&next, score), "{next}");
        }
    }
}

#[test]
fn just_past_the_book_it_changes_no_value() {
    let mut rng = Rng::new(12, 0);
    for _ in 0..4 {
        let position = random(12, &mut rng);
        let truth = search(&WITHOUT_BOOK, &position, Budget::default(), 0, 1);
        let evaluation_of = |mv| truth.children.iter().find(|child| child.mv == mv).map(|child| child.evaluation);
        let mut moves: Vec<_> = position.moves().collect();
        // All moves, and then without the best one: the rest need not have the book's value of the position.
        for _ in 0..2 {
            let report = search_moves(&Solver::default(), &position, &moves, Budget::default(), 0, 2);
            assert_eq!((report.stop, report.children.len()), (StopReason::Proven, moves.len()), "{position}");
            for child in &report.children {
                assert_eq!(Some(child.evaluation), evaluation_of(child.mv), "{position} {}", child.mv);
            }
            moves.retain(|&mv| mv != truth.children[0].mv);
        }
    }
}

#[test]
fn the_empty_board_is_known() {
    let position = after("");
    let report = search(&Solver::default(), &position, Budget::default(), 0, 1);
    check(&position, &report, 1);
    let values: Vec<_> = (1..=7)
        .map(|column| {
            let child = report.children.iter().find(|child| child.mv.to_string() == column.to_string());
            child.expect("every column is open").evaluation.bounds.exact()
        })
        .collect();
    // Allen and Allis, 1988.
    assert_eq!(values, [-1, -1, 0, 1, 0, -1, -1].map(Some));
}

#[test]
fn a_short_budget_leaves_true_bounds() {
    // Pons' first position of the hardest set, worth 3 to the second player.
    let position = after("13712");
    let exact = search(&Solver::default(), &position, Budget::default(), 0, 1);
    for nodes in [1, 10, 1000, 100_000] {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let report = search(&WITHOUT_BOOK, &position, budget, 0, 1);
        assert_eq!(report.stop, StopReason::Nodes);
        assert!(report.nodes <= nodes, "{} of {nodes} nodes", report.nodes);
        assert!(report.root.bounds.lo <= -1 && report.root.bounds.hi >= -1);
        for child in &report.children {
            let truth = exact.children.iter().find(|other| other.mv == child.mv).expect("it has all moves").evaluation;
            let (value, bounds) = (truth.bounds.exact().expect("it is exact"), child.evaluation.bounds);
            assert!(bounds.lo <= value && value <= bounds.hi, "{} {bounds:?} {value}", child.mv);
            let (distance, bound) = (child.evaluation.distance, child.evaluation.bound);
            assert_eq!(
                distance.is_some(),
                bounds.verdict().is_some_and(|verdict| verdict != Verdict::Draw),
                "{}",
                child.mv
            );
            assert!(
                distance
                    .is_none_or(|_| distance == truth.distance || (bound != Bound::Exact && distance > truth.distance))
            );
        }
        let again = search(&WITHOUT_BOOK, &position, budget, 7, 1);
        assert_eq!(again, report, "the same nodes give the same result");
    }
}

/// One worker's part of a search, on the thread that it is called on.
fn part(
    position: &Board,
    budget: Budget,
    worker: u32,
    signals: &Signals,
    shared: &<Solver as Engine<Board>>::Shared,
) -> Found {
    let moves: Vec<_> = position.moves().collect();
    let task = Task { worker, ..Task::new(position, &moves, budget) };
    WITHOUT_BOOK.search(&task, &Control::new(signals, None, Duration::from_secs(3600)), shared)
}

#[test]
fn several_workers_find_the_same() {
    let Some(text) = data::public("connect-four/Test_L2_R2.txt") else { return };
    for (moves, score) in text.lines().filter_map(|line| line.split_once(' ')).take(12) {
        let (position, score) = (after(moves), score.trim().parse().expect("a number"));
        // As the program runs them: each worker on its own thread with one table, for any memory.
        for (workers, memory) in [(2, 64 << 20), (3, 1 << 20)] {
            let open: Vec<_> = position.moves().collect();
            let budget = Budget { memory: Some(memory), ..Budget::default() };
            let task = Task::new(&position, &open, budget);
            let shared = WITHOUT_BOOK.share(&task, workers);
            let signals = Signals::default();
            let mut reports = Vec::new();
            std::thread::scope(|scope| {
                let (position, signals, shared) = (&position, &signals, &shared);
                let mut threads = Vec::new();
                for worker in 0..workers {
                    threads.push(scope.spawn(move || part(position, budget, worker, signals, shared)));
                }
                reports.extend(threads.into_iter().map(|thread| thread.join().expect("it does not panic")));
            });
            let report = WITHOUT_BOOK.merge(&position, reports, &shared);
            check(&position, &report, score);
            assert!(report.bytes <= memory);
        }
        assert_eq!(Oracle::with_threads(1 << 20, 3).score(&position), Some(score), "{moves}");
    }
}

#[test]
fn workers_share_a_budget_of_nodes() {
    let position = after("13712");
    let budget = Budget { nodes: Some(100_000), ..Budget::default() };
    for workers in 1..4 {
        let report = search(&WITHOUT_BOOK, &position, budget, 0, workers);
        assert_eq!(report.stop, StopReason::Nodes);
        assert!((90_000..=100_000).contains(&report.nodes), "{} nodes of {workers} workers", report.nodes);
    }
}

#[test]
fn the_table_grows_within_its_memory() {
    let position = after("13712");
    for mb in [1, 3, 20] {
        let budget = Budget { nodes: Some(2_000_000), memory: Some(mb << 20), ..Budget::default() };
        let report = search(&WITHOUT_BOOK, &position, budget, 0, 1);
        assert!(report.bytes <= mb << 20, "{} bytes of {mb} MiB", report.bytes);
        assert!(report.bytes >= mb << 18, "{} bytes of {mb} MiB", report.bytes);
    }
}

#[test]
fn it_stops_on_request() {
    let position = after("13712");
    let moves: Vec<_> = position.moves().collect();
    let task = Task::new(&position, &moves, Budget::default());
    let signals = Signals::default();
    let control = Control::new(&signals, None, Duration::from_secs(3600));
    signals.cancel();
    let report = WITHOUT_BOOK.search(&task, &control, &WITHOUT_BOOK.share(&task, 1));
    assert_eq!(report.stop, StopReason::Cancelled);
}
