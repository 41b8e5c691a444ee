//! Proofs of a search that continues an earlier tree or table are as true as those of a fresh one.

use std::time::Duration;

use serde_json::{Value, json};
use tesuji_core::games::connect_four::{ConnectFour, Custom};
use tesuji_core::games::dots_and_boxes::DotsAndBoxes;
use tesuji_core::games::tic_tac_toe::{self, TicTacToe};
use tesuji_core::games::{Game, Variant};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::mcts::{Mcts, Playout, Uniform};
use tesuji_core::search::plain::Plain;
use tesuji_core::search::{Budget, Control, Engine, Line, Report, Signals, Task};

use super::{Noise, check_claims, simulations};
use crate::minimax::Minimax;

/// Searches with the tree left over, if it is reusable; returns the report, the tree left now, and how many visits were reused.
fn search<P: Position, E: Engine<P>>(
    engine: &E,
    task: &Task<'_, P>,
    workers: u32,
    left: Option<(E::Shared, Line<P::Move>)>,
) -> (Report<P::Move>, E::Shared, u64) {
    let found = left.and_then(|(shared, line)| engine.reuse(task, workers, shared, &line));
    let (shared, reused) = found.unwrap_or_else(|| (engine.share(task, workers), 0));
    let signals = Signals::default();
    let reports = (0..workers).map(|worker| {
        let task = Task { budget: task.budget.share(worker, workers), worker, ..*task };
        engine.search(&task, &Control::new(&signals, None, Duration::from_secs(60)), &shared)
    });
    let report = engine.merge(task.position, reports.collect(), &shared);
    (report, shared, reused)
}

/// Plays a game along reported lines, and checks every search. Returns how many searches reused a tree.
fn check<G: Game<Variant: Variant>, F: Playout<G>>(
    oracle: &mut Minimax,
    variant: &str,
    options: &Value,
    seed: u64,
    memory: Option<u64>,
) -> usize {
    let engine: &Mcts<F> = &serde_json::from_value(options.clone()).expect("options of the right form");
    if Engine::<G>::check(engine).is_err() {
        return 0;
    }
    let variant = serde_json::from_str(variant).expect("a valid variant");
    let mut position = G::start(&variant);
    let workers = 1 + seed as u32 % 2;
    let (mut left, mut count) = (None, 0);
    while position.outcome().is_none() {
        let moves: Vec<_> = position.moves().collect();
        let budget = Budget { memory, ..simulations(1500) };
        let task = Task { seed, ..Task::new(&position, &moves, budget) };
        let (report, shared, reused) = search(engine, &task, workers, left.take());
        check_claims(oracle, &position, &report);
        let visits = report.visits.expect("simulations are counted");
        assert!(visits >= reused && visits - reused <= 1500, "{visits} visits, {reused} of them from before");
        count += usize::from(reused > 0);
        match Engine::<G>::retain(engine, &position, shared) {
            None => position.play(report.children[seed as usize % report.children.len()].mv),
            Some(leaves) => {
                let lines = (leaves.lines)();
                assert!(leaves.bytes > 0 && lines[0].is_empty());
                // Sometimes the same position again, but not forever.
                let line = lines[(seed as usize * 7 + position.ply() as usize + count) % lines.len()].clone();
                if line.is_empty() && reused > 0 {
                    position.play(report.children[0].mv);
                    continue;
                }
                line.iter().for_each(|&mv| position.play(mv));
                left = Some((leaves.shared, line));
            }
        }
    }
    count
}

#[test]
fn games_that_go_on_with_their_trees_are_proven_truly() {
    let mut oracle = Minimax::default();
    let mut count = 0;
    for seed in 0..8 {
        for options in
            [json!({}), json!({"selection": "rave"}), json!({"parallel": "tree"}), json!({"transpositions": "shared"})]
        {
            for memory in [None, Some(30_000)] {
                let columns = r#"{"columns":4,"rows":4,"connect":3}"#;
                count += check::<ConnectFour<Custom<u64>>, Uniform>(&mut oracle, columns, &options, seed, memory);
                count += check::<TicTacToe<u64>, tic_tac_toe::Decisive>(&mut oracle, "{}", &options, seed, memory);
                let boxes = r#"{"columns":2,"rows":2}"#;
                count += check::<DotsAndBoxes, Uniform>(&mut oracle, boxes, &options, seed, memory);
            }
        }
    }
    assert!(count > 60, "{count} searches went on");
}

/// Plays a game by alpha-beta with the same table, and checks every search of it.
fn check_tables<G: Game<Variant: Variant>>(oracle: &mut Minimax, variant: &str, seed: u64) -> usize {
    let variant = serde_json::from_str(variant).expect("a valid variant");
    let engine = AlphaBeta::<Plain<Noise>>::default();
    let (mut position, mut rng, mut left, mut count) = (G::start(&variant), Rng::new(seed, 3), None, 0);
    while position.outcome().is_none() {
        let moves: Vec<_> = position.moves().collect();
        let budget = Budget { nodes: Some(5000), memory: Some(300_000), ..Budget::default() };
        let task = Task { seed, ..Task::new(&position, &moves, budget) };
        let (report, shared, reused) = search(&engine, &task, 1 + seed as u32 % 2, left.take());
        check_claims(oracle, &position, &report);
        count += usize::from(reused > 0);
        let line: Line<G::Move> = match Engine::<G>::retain(&engine, &position, shared) {
            None => Line::from_slice(&moves[..1]),
            Some(leaves) => {
                let lines = (leaves.lines)();
                let longer: Vec<_> = lines.iter().filter(|line| !line.is_empty()).collect();
                let line = longer[rng.below(longer.len() as u32) as usize].clone();
                left = Some((leaves.shared, line.clone()));
                line
            }
        };
        line.iter().for_each(|&mv| position.play(mv));
    }
    count
}

#[test]
fn games_that_go_on_with_their_tables_are_proven_truly() {
    let mut oracle = Minimax::default();
    let mut count = 0;
    for seed in 0..40 {
        count += check_tables::<ConnectFour<Custom<u64>>>(&mut oracle, r#"{"columns":4,"rows":4,"connect":4}"#, seed);
        count += check_tables::<DotsAndBoxes>(&mut oracle, r#"{"columns":3,"rows":2}"#, seed);
    }
    assert!(count > 40, "{count} searches went on");
}
