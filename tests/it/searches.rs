//! Searches against the oracle: what they prove is true, what they choose is right, and equal seeds give equal answers.

mod alpha_beta;
mod memory;
mod options;
mod reuse;
mod truth;

use std::collections::HashSet;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tesuji_core::bits::Bits;
use tesuji_core::games::connect_four::{self, ConnectFour, ConnectFourVariant, Custom};
use tesuji_core::games::dots_and_boxes::{DotsAndBoxes, DotsSearcher};
use tesuji_core::games::reversi::{Board, Eight, Reversi, ReversiSearcher, Six, Ten};
use tesuji_core::games::tic_tac_toe::{self, TicTacToe};
use tesuji_core::games::{Game, Variant};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::mcts::Mcts;
use tesuji_core::search::plain::{Evaluator, Plain, RulesOnly};
use tesuji_core::search::searcher::Searcher;
use tesuji_core::search::{Bound, Bounds, Budget, Control, Engine, Report, Signals, StopReason, Task};

use crate::data;
use crate::minimax::{Exact, Minimax, Toy};

/// An evaluator whose values are noise: proofs must not depend on it.
#[derive(Clone, Copy, Debug, Default)]
struct Noise;
impl<P: Position> Evaluator<P> for Noise {
    const EVALUATES: bool = true;
    fn value(&self, position: &P) -> i32 {
        (position.key() % 2001) as i32 - 1000
    }
    fn priority(&self, position: &P, _: P::Move) -> i32 {
        (position.key() >> 32) as i32 % 10
    }
}

fn simulations(count: u64) -> Budget {
    Budget { simulations: Some(count), ..Budget::default() }
}

pub fn search<P: Position, E: Engine<P>>(
    engine: &E,
    position: &P,
    budget: Budget,
    seed: u64,
    workers: u32,
) -> Report<P::Move> {
    let moves: Vec<P::Move> = position.moves().collect();
    search_moves(engine, position, &moves, budget, seed, workers)
}

/// Like [`search`], for some of the moves only.
pub fn search_moves<P: Position, E: Engine<P>>(
    engine: &E,
    position: &P,
    moves: &[P::Move],
    budget: Budget,
    seed: u64,
    workers: u32,
) -> Report<P::Move> {
    let signals = Signals::default();
    let whole = Task { seed, ..Task::new(position, moves, budget) };
    let shared = engine.share(&whole, workers);
    let reports = (0..workers).map(|worker| {
        let task = Task { budget: budget.share(worker, workers), worker, ..whole };
        engine.search(&task, &Control::new(&signals, budget.time, Duration::from_secs(60)), &shared)
    });
    engine.merge(position, reports.collect(), &shared)
}

/// Every claim of a report must be true: bounds of root and children contain the exact values, exact bounds are exact, and the
/// line after a move that MCTS has solved keeps the move's value to its end. A root whose value is proven must also choose a
/// move that reaches it.
fn check_claims<P: Position>(oracle: &mut Minimax, position: &P, report: &Report<P::Move>) {
    let holds = |bounds: Bounds, score: i16| (bounds.lo..=bounds.hi).contains(&score);
    let exact = oracle.value(position);
    assert!(holds(report.root.bounds, exact.score), "{position}: {:?}, truly {exact:?}", report.root.bounds);
    truth::check_bound::<P>(position, &report.root, exact);
    assert_eq!(report.children.len(), position.moves().count());
    for child in &report.children {
        let mut next = position.clone();
        next.play(child.mv);
        let truth = oracle.value(&next);
        let bounds = child.evaluation.bounds;
        assert!(holds(bounds, truth.score), "{position} {}: {bounds:?}, truly {truth:?}", child.mv);
        assert_eq!(child.pv.first(), Some(&child.mv));
        let from_here = Exact { distance: truth.distance + 1, ..truth };
        truth::check_bound::<P>(&format!("{position} {}", child.mv), &child.evaluation, from_here);
        let solved = report.visits.is_some() && bounds.exact().is_some();
        truth::check_line(oracle, position, child);
        let mut walked = position.clone();
        for mv in &child.pv {
            assert!(walked.moves().any(|legal| legal == *mv), "{position}: the line {:?} is not legal", child.pv);
            walked.play(*mv);
            let value = oracle.value(&walked).score;
            assert!(!solved || value == truth.score, "{position}: the line {:?} gives it away", child.pv);
        }
        if let Some(outlook) = child.evaluation.outlook {
            assert!((outlook.win + outlook.draw + outlook.loss - 1.0).abs() < 1e-9);
            assert!(outlook.value().is_finite());
        }
    }
    if report.root.bounds.exact().is_some() {
        let mut next = position.clone();
        next.play(report.children[0].mv);
        assert_eq!(oracle.value(&next).score, exact.score, "{position}: {} gives it away", report.children[0].mv);
    }
    if let Some(visits) = report.visits {
        let best = &report.children[0].evaluation;
        assert_eq!((report.root.outlook, report.root.score), (best.outlook, best.score), "{position}: {report:?}");
        assert_eq!(report.children.iter().filter_map(|child| child.visits).sum::<u64>(), visits);
    }
}

/// Alpha-beta must find the exact value, with the exact distance.
fn check_alpha_beta<P: Position, S: Searcher<P>>(oracle: &mut Minimax, position: &P) {
    let report = search(&AlphaBeta::<S>::default(), position, Budget::default(), 0, 1);
    check_claims(oracle, position, &report);
    let exact = oracle.value(position);
    assert_eq!(report.stop, StopReason::Proven, "{position}");
    assert_eq!(report.root.bounds, Bounds::exactly(exact.score), "{position}");
    if !P::POINTS && exact.score != 0 {
        assert_eq!((report.root.distance, report.root.bound), (Some(exact.distance), Bound::Exact), "{position}");
    }
}

/// MCTS may not solve it, but every claim must be true, with every budget; with enough it must solve it.
fn check_mcts<P: Position>(oracle: &mut Minimax, position: &P, budgets: &[u64], enough: u64) {
    for (seed, &budget) in budgets.iter().enumerate() {
        check_claims(oracle, position, &search(&<Mcts>::default(), position, simulations(budget), seed as u64, 1));
        check_claims(oracle, position, &search(&<Mcts>::default(), position, simulations(budget), seed as u64, 3));
    }
    let report = search(&<Mcts>::default(), position, simulations(enough), 1, 1);
    check_claims(oracle, position, &report);
    assert_eq!(report.root.bounds.exact(), Some(oracle.value(position).score), "{position} is not proven: {report:?}");
}

/// A position `left` plies before the end of a random game, or earlier if the game is shorter.
fn late<G: Game<Variant: Variant>>(variant: &G::Variant, left: usize, seed: u64) -> G {
    let mut rng = Rng::new(seed, 1);
    let mut history = vec![G::start(variant)];
    while let Some(last) = history.last().filter(|last| last.outcome().is_none()) {
        let mut next = last.clone();
        next.play(last.random_move(&mut rng));
        history.push(next);
    }
    history.swap_remove(history.len().saturating_sub(left + 1))
}

#[test]
fn toy_games_are_solved() {
    let mut oracle = Minimax::default();
    for seed in 0..400 {
        let plain = Toy::<false>::new(seed);
        check_alpha_beta::<_, Plain<RulesOnly>>(&mut oracle, &plain);
        check_alpha_beta::<_, Plain<Noise>>(&mut oracle, &plain);
        check_mcts(&mut oracle, &plain, &[1, 2, 3, 10, 50], 20_000);
    }
    let mut oracle = Minimax::default();
    for seed in 0..400 {
        let points = Toy::<true>::new(seed);
        check_alpha_beta::<_, Plain<RulesOnly>>(&mut oracle, &points);
        check_alpha_beta::<_, Plain<Noise>>(&mut oracle, &points);
        check_mcts(&mut oracle, &points, &[1, 2, 3, 10, 50], 100_000);
    }
}

/// All positions reachable from a start, except finished games.
fn reachable<P: Position>(start: &P) -> (usize, Vec<P>) {
    let (mut seen, mut open, mut found) = (HashSet::from([start.to_string()]), vec![start.clone()], Vec::new());
    while let Some(position) = open.pop() {
        for mv in position.moves() {
            let mut next = position.clone();
            next.play(mv);
            if seen.insert(next.to_string()) {
                open.push(next);
            }
        }
        if position.outcome().is_none() {
            found.push(position);
        }
    }
    (seen.len(), found)
}

#[test]
fn all_of_tic_tac_toe_is_solved() {
    let (count, positions) = reachable(&TicTacToe::<u64>::start(&Default::default()));
    assert_eq!(count, 5478);
    let mut oracle = Minimax::default();
    for position in &positions {
        check_alpha_beta::<_, Plain<tic_tac_toe::CentreEvaluator>>(&mut oracle, position);
        let report = search(&<Mcts>::default(), position, simulations(100_000), 1, 1);
        check_claims(&mut oracle, position, &report);
        assert_eq!(report.stop, StopReason::Proven, "{position}");
    }
}

fn check_connect_four<B: Bits>(variant: &str, left: usize, count: u64) {
    let variant: ConnectFourVariant = serde_json::from_str(variant).expect("the variant is valid");
    let cells = (variant.columns * variant.rows) as usize;
    let mut oracle = Minimax::default();
    for seed in 0..count {
        let position = late::<ConnectFour<Custom<B>>>(&variant, left, seed);
        // Games that ended early have too much open for the oracle.
        if position.outcome().is_none() && position.ply() as usize + left + 1 >= cells {
            check_alpha_beta::<_, Plain<connect_four::CentreEvaluator>>(&mut oracle, &position);
            check_mcts(&mut oracle, &position, &[1, 20, 300], 200_000);
            if variant.columns * (variant.rows + 1) <= 64 {
                check_solver(&mut oracle, &position);
            }
        }
    }
}

/// The solver must find the exact value of every move, with the exact distance.
fn check_solver<B: Bits>(oracle: &mut Minimax, position: &ConnectFour<Custom<B>>) {
    let report = search(&connect_four::Solver::default(), position, Budget::default(), 0, 1);
    check_claims(oracle, position, &report);
    assert_eq!(report.stop, StopReason::Proven, "{position}");
    for child in &report.children {
        let mut next = position.clone();
        next.play(child.mv);
        let exact = oracle.value(&next);
        assert_eq!(child.evaluation.bounds, Bounds::exactly(exact.score), "{position} {}", child.mv);
        let distance = (exact.score != 0).then_some(exact.distance + 1);
        assert_eq!(child.evaluation.distance, distance, "{position} {}", child.mv);
    }
}

#[test]
fn connect_four_endings_are_solved() {
    check_connect_four::<u64>(r#"{"columns":5,"rows":4}"#, 9, 200);
    check_connect_four::<u64>(r#"{"columns":5,"rows":5,"connect":3,"blocked":"c2"}"#, 9, 300);
    check_connect_four::<u64>(r#"{"columns":8,"rows":7,"blocked":"d7"}"#, 7, 100);
    check_connect_four::<u128>(r#"{"columns":9,"rows":9,"blocked":"e9"}"#, 5, 200);
}

#[test]
fn reversi_endings_are_solved_to_the_disc() {
    check_reversi::<Eight>(60);
    check_reversi::<Six>(30);
    check_reversi::<Ten>(30);
}

fn check_reversi<B: Board>(seeds: u64) {
    let mut oracle = Minimax::default();
    for seed in 0..seeds {
        let position = late::<Reversi<B>>(&Default::default(), 7, seed);
        check_alpha_beta::<_, Plain<Noise>>(&mut oracle, &position);
        check_alpha_beta::<_, ReversiSearcher<B>>(&mut oracle, &position);
        check_mcts(&mut oracle, &position, &[1, 30, 500], 200_000);
    }
}

#[test]
fn dots_and_boxes_endings_are_solved_to_the_box() {
    let variant = serde_json::from_str(r#"{"columns":3,"rows":3}"#).expect("the variant is valid");
    let mut oracle = Minimax::default();
    for seed in 0..60 {
        let position = late::<DotsAndBoxes>(&variant, 9, seed);
        check_alpha_beta::<_, DotsSearcher>(&mut oracle, &position);
        check_mcts(&mut oracle, &position, &[1, 30, 500], 300_000);
    }
}

#[derive(Deserialize)]
struct Whole {
    game: String,
    variant: Value,
    score: i16,
}

/// Whole games through the catalog: the values of `tests/data/values.jsonl`.
#[test]
fn small_boards_have_their_values() {
    use tesuji_core::catalog::{Catalog, Policy, SearchSpec, Setup, WorkerContext};
    let catalog = Catalog::standard();
    for Whole { game, variant, score } in data::own::<Whole>("values.jsonl") {
        let session = catalog.open(&game, Setup { variant: Some(&variant), ..Setup::default() }).expect("a valid case");
        let policy = Policy::default();
        let budget = tesuji_core::catalog::BudgetRequest { time_ms: Some(policy.most.time_ms), ..Default::default() };
        for engine in if game == "connect-four" { &["negamax", "solver"][..] } else { &["negamax"] } {
            let engine = Value::from(*engine);
            let spec = SearchSpec { engine: Some(&engine), budget, ..SearchSpec::default() };
            let search = session.search(&spec, &policy).expect("a valid order");
            search.run(0, WorkerContext::new(&Signals::default()));
            let report = search.finish().expect("the worker ran");
            assert_eq!(report.root.bounds.exact(), Some(score), "{game} {variant} {engine}");
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw_for_both_engines() {
    let start = TicTacToe::<u64>::start(&Default::default());
    let alpha_beta =
        search(&AlphaBeta::<Plain<tic_tac_toe::CentreEvaluator>>::default(), &start, Budget::default(), 0, 1);
    assert_eq!(alpha_beta.root.bounds, Bounds::exactly(0));
    for seed in 0..20 {
        let mcts = search(&<Mcts>::default(), &start, simulations(60_000), seed, 1);
        assert_eq!((mcts.stop, mcts.root.bounds), (StopReason::Proven, Bounds::exactly(0)), "seed {seed}");
    }
}

#[test]
fn equal_seeds_give_equal_reports() {
    let position = ConnectFour::<connect_four::Standard>::start(&Default::default());
    for workers in [1, 2, 5] {
        let run = |seed| search(&<Mcts>::default(), &position, simulations(5000), seed, workers);
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
        assert_eq!(run(7).visits, Some(5000));
    }
    let nodes = Budget { nodes: Some(20_000), ..Budget::default() };
    let run = || search(&AlphaBeta::<Plain<connect_four::CentreEvaluator>>::default(), &position, nodes, 0, 1);
    assert_eq!(run(), run());
}

/// A forced move is returned at once, not after the whole budget.
#[test]
fn a_forced_move_is_not_thought_about() {
    let small = serde_json::from_str(r#"{"columns":4,"rows":4,"connect":4}"#).expect("a valid variant");
    let mut found = 0;
    for seed in 0..300 {
        let position = late::<ConnectFour<Custom<u64>>>(&small, 3, seed);
        if position.moves().count() == 1 {
            found += 1;
            let report = search(&<Mcts>::default(), &position, simulations(1_000_000), 1, 1);
            assert!(matches!(report.stop, StopReason::SingleMove | StopReason::Proven), "{:?}", report.stop);
            assert!(report.visits <= Some(1000));
        }
    }
    assert!(found > 0, "no position with a single move came up");
}

/// With a filter, both engines search only the moves it leaves.
#[test]
fn only_the_moves_given_are_searched() {
    let position = ConnectFour::<connect_four::Standard>::start(&Default::default());
    let moves: Vec<_> = position.moves().filter(|mv| mv.to_string() != "4").collect();
    let mcts = search_moves(&<Mcts>::default(), &position, &moves, simulations(2000), 1, 1);
    assert!(mcts.children.len() == 6 && mcts.children.iter().all(|child| child.mv.to_string() != "4"));
    assert_eq!(position.turn(), Side::First);
}

/// Where nothing but the best mean counts, and that mean is 0 or 1 but for rounding, idle lanes and dead arms stay out of it.
#[test]
fn zero_exploration_works() {
    let variant = serde_json::from_str(r#"{"columns":12,"rows":12,"connect":6}"#).expect("a valid variant");
    let mut position = ConnectFour::<Custom<tesuji_core::bits::Wide<3>>>::start(&variant);
    position.replay("6 1 7 1 8 c 9 c 5").expect("legal moves");
    let moves: Vec<_> = position.moves().take(1).collect();
    let engine: Mcts = serde_json::from_str(r#"{"exploration":0.0}"#).expect("valid options");
    for seed in 0..40 {
        let report = search_moves(&engine, &position, &moves, simulations(3000), seed, 1);
        assert!(report.visits == Some(3000) || report.stop == StopReason::Proven, "{report:?}");
    }
}
