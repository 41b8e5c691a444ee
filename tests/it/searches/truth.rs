//! Exact bounds are exact: the distance of a win or loss is that of plain minimax, a proven margin is the margin.

use std::fmt::Display;

use serde_json::json;
use tesuji_core::games::tic_tac_toe::CentreEvaluator;
use tesuji_core::search::{Bound, Child, Evaluation, Verdict};

use super::*;

/// Checks the report of a position against the truth, if its winner is proven. The distance or margin must be present; it is
/// the true one if the bound is exact, and else a limit of it.
pub fn check_bound<P: Position>(place: &impl Display, reported: &Evaluation, truth: Exact) {
    let Some(Verdict::Wins(side)) = reported.bounds.verdict() else { return };
    assert_eq!(
        reported.outlook.map(|outlook| outlook.value()),
        Some(truth.score.signum().into()),
        "{place}: {reported:?}"
    );
    let limit = Bound::of_win(side);
    if P::POINTS {
        let (score, margin) = (reported.score.expect("a margin is reported"), f64::from(truth.score));
        let holds = match reported.bound {
            Bound::Exact => score == margin,
            bound => bound == limit && if side == Side::First { score <= margin } else { score >= margin },
        };
        assert!(holds && reported.distance.is_none(), "{place}: {reported:?}, truly {truth:?}");
    } else {
        let distance =
            reported.distance.unwrap_or_else(|| panic!("{place} has no distance: {reported:?}, truly {truth:?}"));
        let holds = match reported.bound {
            Bound::Exact => distance == truth.distance,
            bound => bound == limit && distance >= truth.distance,
        };
        assert!(holds, "{place}: {reported:?}, truly {truth:?}");
    }
}

/// No line is longer than the distance beside it. Where that is exact, each move of the line is best play, so that a line
/// to the end of the game has just that length.
pub fn check_line<P: Position>(oracle: &mut Minimax, position: &P, child: &Child<P::Move>) {
    let Some(distance) = child.evaluation.distance else { return };
    let (length, mut walked) = (child.pv.len() as u32, position.clone());
    assert!(length <= distance, "{position}: {child:?}");
    for (left, &mv) in (0..distance).rev().zip(&child.pv) {
        walked.play(mv);
        let truth = oracle.value(&walked);
        assert_eq!(Some(truth.score), child.evaluation.bounds.exact(), "{position}: {child:?} gives it away");
        assert!(child.evaluation.bound != Bound::Exact || truth.distance == left, "{position}: {child:?}, {walked}");
    }
}

/// How many proven wins and losses a report has, and how many of them are exact.
fn count<M>(report: &Report<M>) -> (u32, u32) {
    let all = report.children.iter().map(|child| &child.evaluation).chain([&report.root]);
    let won = all.filter(|reported| matches!(reported.bounds.verdict(), Some(Verdict::Wins(_))));
    won.fold((0, 0), |(all, exact), reported| (all + 1, exact + u32::from(reported.bound == Bound::Exact)))
}

/// All positions of tic-tac-toe with at least two stones, at every depth of alpha-beta and several budgets of simulations.
#[test]
fn tic_tac_toe_ends_within_the_reported_distance() {
    let (_, positions) = reachable(&TicTacToe::<u64>::start(&Default::default()));
    let mut oracle = Minimax::default();
    let (mut searched, mut sampled) = ((0, 0), (0, 0));
    let add = |sums: &mut (u32, u32), (all, exact)| *sums = (sums.0 + all, sums.1 + exact);
    for position in positions.iter().filter(|position| position.ply() >= 2).step_by(3) {
        for depth in 1..=7 {
            let budget = Budget { depth: Some(depth), ..Budget::default() };
            let report = search(&AlphaBeta::<Plain<CentreEvaluator>>::default(), position, budget, 0, 1);
            check_claims(&mut oracle, position, &report);
            add(&mut searched, count(&report));
            // The bound of a won or lost root is exact, once the search has proven it.
            if report.stop == StopReason::Proven && oracle.value(position).score != 0 {
                assert_eq!(report.root.bound, Bound::Exact, "{position} at depth {depth}");
            }
        }
        for options in [json!({}), json!({"transpositions": "shared"})] {
            let engine: Mcts = serde_json::from_value(options).expect("valid options");
            for budget in [20, 300] {
                let report = search(&engine, position, simulations(budget), 1, 1);
                check_claims(&mut oracle, position, &report);
                add(&mut sampled, count(&report));
            }
        }
    }
    assert!(searched.1 > 3000 && searched.0 > searched.1, "{searched:?}");
    assert!(sampled.1 > 1000 && sampled.0 > sampled.1, "{sampled:?}");
}

/// The requested exact values have exact distances too, if these were searched.
#[test]
fn requested_moves_end_within_the_reported_distance() {
    let mut oracle = Minimax::default();
    let mut reported = (0, 0);
    for seed in 0..600 {
        let position = Toy::<false>::new(seed);
        let moves: Vec<u8> = position.moves().collect();
        let branches = tesuji_core::search::Branches { multipv: 4, ..Default::default() };
        for depth in [1, 2, 3, 5, 9] {
            let budget = Budget { depth: Some(depth), ..Budget::default() };
            let task = Task { seed, branches, ..Task::new(&position, &moves, budget) };
            let (engine, signals) = (AlphaBeta::<Plain<Noise>>::default(), Signals::default());
            let shared = engine.share(&task, 1);
            let report = engine.search(&task, &Control::new(&signals, None, Duration::from_secs(60)), &shared);
            check_claims(&mut oracle, &position, &report);
            let (all, exact) = count(&report);
            reported = (reported.0 + all, reported.1 + exact);
        }
    }
    assert!(reported.1 > 1000, "{reported:?}");
}
