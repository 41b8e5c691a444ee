//! Alpha-beta search of Gomoku: its proofs agree with a search of all moves that only knows the rules, a win by fours is found
//! at once, and threats are answered.

use std::time::Duration;

use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::plain::{Plain, RulesOnly};
use tesuji_core::search::{Branches, Budget, Control, Engine, Report, Signals, StopReason, Task, Verdict};

use super::vcf::{assert_wins, crowded};
use super::{Any, after, named, parse};
use crate::data;
use crate::gomoku::problems::Problem;
use tesuji_core::games::gomoku::Negamax;

type Move = <Any as Position>::Move;

fn search<E: Engine<Any>>(engine: &E, position: &Any, moves: &[Move], budget: Budget) -> Report<Move> {
    search_with(engine, position, moves, (budget, Branches::default()))
}

fn search_with<E: Engine<Any>>(
    engine: &E,
    position: &Any,
    moves: &[Move],
    (budget, branches): (Budget, Branches),
) -> Report<Move> {
    let task = Task { seed: 1, branches, ..Task::new(position, moves, budget) };
    let signals = Signals::default();
    let shared = engine.share(&task, 1);
    let report = engine.search(&task, &Control::new(&signals, None, Duration::from_secs(60)), &shared);
    engine.merge(position, vec![report], &shared)
}

fn negamax(position: &Any, budget: Budget) -> Report<Move> {
    let moves: Vec<Move> = position.moves().collect();
    search(&Negamax::default(), position, &moves, budget)
}

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), memory: Some(4 << 20), ..Budget::default() }
}

#[test]
fn what_is_proven_holds_for_a_search_of_all_moves() {
    let mut rng = Rng::new(21, 0);
    let mut proofs = [[0; 2]; 3];
    for (number, rule) in ["freestyle", "standard", "renju"].into_iter().enumerate() {
        let mut checked = 0;
        while checked < 60 {
            let stones = 14 + rng.below(12);
            let Some(position) = crowded(rule, 6, stones, &mut rng) else { continue };
            checked += 1;
            let moves: Vec<Move> = position.moves().collect();
            let slow = search(&AlphaBeta::<Plain<RulesOnly>>::default(), &position, &moves, nodes(300_000));
            let fast = negamax(&position, nodes(20_000));
            for child in &fast.children {
                let same = slow.children.iter().find(|other| other.mv == child.mv).expect("both have all moves");
                let proven = (child.evaluation.bounds, same.evaluation.bounds);
                let both = proven.0.meet(proven.1);
                assert!(both.lo <= both.hi, "{rule}: {position}, {}: {proven:?}", child.mv);
            }
            if let Some(Verdict::Wins(side)) = fast.root.bounds.verdict() {
                proofs[number][usize::from(side != position.turn())] += 1;
                let both = fast.root.bounds.meet(slow.root.bounds);
                assert!(both.lo <= both.hi, "{rule}: {position}");
            }
        }
    }
    // Wins were proven under every rule, and losses too.
    assert!(proofs.iter().all(|[wins, _]| *wins > 2) && proofs.iter().any(|[_, losses]| *losses > 2), "{proofs:?}");
}

#[test]
fn a_win_by_fours_is_reported_with_its_line() {
    let Some(text) = data::public("gomoku/vcf_freestyle.jsonl") else { return };
    for line in text.lines().skip(1).step_by(40) {
        let problem = Problem::read(line);
        let position = parse(&named("freestyle", 15), &problem.text());
        let report = negamax(&position, nodes(400_000));
        assert_eq!(report.stop, StopReason::Proven, "{}", problem.id);
        let best = &report.children[0];
        let expected = Some(Verdict::Wins(position.turn()));
        assert_eq!((report.root.bounds.verdict(), best.evaluation.bounds), (expected, report.root.bounds));
        let distance = best.evaluation.distance.expect("a win by fours has its length") as usize;
        assert_eq!(problem.freestyle_vcf_plies, Some(distance), "{}", problem.id);
        assert_eq!(best.pv.len(), distance.min(64));
        if distance <= 64 {
            assert_wins(&position, &best.pv.iter().map(ToString::to_string).collect::<Vec<_>>());
        }
        // Without its first move, another win is found, or at least an answer.
        let others: Vec<Move> = position.moves().filter(|&mv| mv != best.mv).collect();
        let report = search(&Negamax::default(), &position, &others, nodes(5_000));
        assert_eq!(report.children.len(), others.len());
        assert!(report.children.iter().all(|child| child.mv != best.mv));
    }
}

/// Two open threes at once win in five plies where the opponent has no four, and the line continues to the five.
#[test]
fn two_open_threes_are_reported_with_their_line() {
    let black = "o13o/15/15/15/15/15/15/5xx8/7x7/7x7/15/15/15/15/o13o x";
    let white = "x1x11x/15/15/15/15/15/15/5oo8/7o7/7o7/15/15/15/15/x13x o";
    for (rule, text) in [("freestyle", black), ("standard", black), ("renju", white)] {
        let position = parse(&named(rule, 15), text);
        for budget in [nodes(2_000), Budget { depth: Some(3), ..nodes(100_000) }] {
            let report = negamax(&position, budget);
            let best = &report.children[0];
            assert_eq!(report.root.bounds.verdict(), Some(Verdict::Wins(position.turn())), "{rule}");
            assert_eq!((best.mv.to_string().as_str(), best.evaluation.distance), ("h8", Some(5)), "{rule}");
            assert_eq!(best.pv.len(), 5, "{rule}: {:?}", best.pv);
            let mut end = position.clone();
            best.pv.iter().for_each(|&mv| end.play(mv));
            let winner = end.outcome().and_then(|outcome| outcome.winner);
            assert_eq!(winner, Some(position.turn()), "{rule}: {:?}", best.pv);
        }
    }
    // An opponent who also has an open three makes a four first.
    let threatened = "o14/15/15/15/15/15/15/5xx8/7x7/7x7/15/15/15/15/2ooo10 x";
    let report = negamax(&parse(&named("freestyle", 15), threatened), nodes(2_000));
    assert_ne!(report.root.bounds.verdict(), Some(Verdict::Wins(Side::First)));
}

/// An open three is stopped next to it or at its far ends, and the answer costs no deep search.
#[test]
fn an_open_three_is_answered() {
    for rule in ["freestyle", "standard", "renju"] {
        let position = after(&named(rule, 15), "h8 a1 i8 a15 j8");
        let report = negamax(&position, nodes(20_000));
        let best = report.children[0].mv.to_string();
        assert!(["g8", "k8", "f8", "l8"].contains(&best.as_str()), "{rule}: {best}");
    }
}

/// If only the best move is requested, few others are searched deeper than one ply; if two are, or pruning is off, all are.
#[test]
fn late_root_moves_are_left_out_where_only_the_best_is_asked_for() {
    let position = after(&named("renju", 15), "h8 i9 g9 i7 i8 g8");
    let moves: Vec<Move> = position.moves().collect();
    let deep = |options: &str, multipv: u32| {
        let engine: Negamax = serde_json::from_str(options).expect("those are options");
        let branches = Branches { multipv, ..Branches::default() };
        let report = search_with(&engine, &position, &moves, (Budget { depth: Some(3), ..nodes(1_000_000) }, branches));
        assert_eq!((report.stop, report.children[0].depth), (StopReason::Depth, 3));
        // Moves proven to lose need no search.
        let open = report.children.iter().filter(|child| child.evaluation.bounds.verdict().is_none());
        let (deep, late): (Vec<_>, Vec<_>) = open.partition(|child| child.depth > 1);
        (deep.len(), late.len())
    };
    let (few, late) = deep("{}", 1);
    assert!(few > 10 && few <= 1 + 10 + 3 * 3 && late > 100, "{few} and {late}");
    // A move that was the best one in an iteration keeps its value from it.
    assert!(deep("{}", 2).1 < 4);
    assert!(deep(r#"{"pruning":false}"#, 1).1 < 4);
}

/// The same nodes give the same report, and no more of them are visited than allowed.
#[test]
fn counted_work_repeats_itself() {
    let position = after(&named("freestyle", 15), "h8 i9 g9 i7 i8 g8");
    let first = negamax(&position, nodes(30_000));
    assert_eq!(negamax(&position, nodes(30_000)), first);
    assert!(first.nodes <= 30_000 + 1000, "{}", first.nodes);
}

/// A win found above the window is a proof, and is reported even if the search ends before searching the win again.
#[test]
fn a_proof_that_ends_the_search_is_reported() {
    let variant = named("freestyle", 15);
    let line = "f8 j4 j5 i4 h4 k4 h6 k5 h5 h7 g5 k3 k6 l4 m4 k2 k1 j2 i5 f5 h2";
    let position = after(&variant, line);
    for most in [60_000, 100_000, 300_000] {
        let report = negamax(&position, nodes(most));
        assert_eq!(report.stop, StopReason::Proven);
        assert_eq!(report.root.bounds.verdict(), Some(Verdict::Wins(position.turn())), "{most}");
        assert_eq!(report.children[0].evaluation.bounds, report.root.bounds);
        assert!(report.root.distance.is_some());
    }
}

/// The end of a game is searched to its end, under every rule: drawn positions are proven to be drawn, and no search stops
/// because it is deep.
#[test]
fn late_positions_are_proven() {
    let check = |rule: &str, position: &Any| {
        let moves: Vec<Move> = position.moves().collect();
        let slow = search(&AlphaBeta::<Plain<RulesOnly>>::default(), position, &moves, nodes(u64::MAX));
        let fast = negamax(position, nodes(1_000_000));
        assert_eq!((slow.stop, fast.stop), (StopReason::Proven, StopReason::Proven), "{rule}: {position}");
        assert_eq!(slow.root.bounds, fast.root.bounds, "{rule}: {position}");
        let best = slow.children.iter().find(|child| child.mv == fast.children[0].mv).expect("both have all moves");
        assert!(best.evaluation.bounds.meet(fast.root.bounds) == fast.root.bounds, "{rule}: {position}: {best:?}");
        fast.root.bounds.verdict()
    };
    let drawn = check("renju", &parse(&named("renju", 5), "1x1o1/xxoox/1oxxo/1ooo1/3xx x"));
    assert_eq!(drawn, Some(Verdict::Draw));
    let mut rng = Rng::new(23, 0);
    for rule in ["freestyle", "standard", "renju", "caro"] {
        let (mut draws, mut others) = (0, 0);
        while draws + others < 60 {
            let size = 5 + rng.below(2);
            let empty = 1 + rng.below(9);
            let Some(position) = crowded(rule, size, size * size - empty, &mut rng) else { continue };
            match check(rule, &position) {
                Some(Verdict::Draw) => draws += 1,
                _ => others += 1,
            }
        }
        assert!(draws > 20 && others > 2, "{rule}: {draws} draws, {others} others");
    }
}

/// On the usual board too, where no five fits any more.
#[test]
fn a_dead_board_is_a_proven_draw() {
    // Pairs of stones that change colour every row, and nine holes far from each other.
    let point = |row: usize, column: usize| match (row % 5, column % 5) {
        (2, 4) => '1',
        _ if (column / 2 + row).is_multiple_of(2) => 'x',
        _ => 'o',
    };
    let rows: Vec<String> = (0..15).map(|row| (0..15).map(|column| point(row, column)).collect()).collect();
    let [black, white] = ['x', 'o'].map(|stone| rows.concat().matches(stone).count());
    let turn = if black == white { 'x' } else { 'o' };
    for rule in ["freestyle", "standard", "renju", "caro"] {
        let position = parse(&named(rule, 15), &format!("{} {turn}", rows.join("/")));
        let report = negamax(&position, nodes(100_000));
        assert_eq!(report.stop, StopReason::Proven, "{rule}: {report:?}");
        assert_eq!(report.root.bounds.verdict(), Some(Verdict::Draw), "{rule}");
    }
}
