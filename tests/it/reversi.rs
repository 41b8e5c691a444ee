//! Reversi's endgames against known scores: the public FFO positions.

use std::time::Duration;

use tesuji_core::games::Game;
use tesuji_core::games::reversi::{Reversi, ReversiEvaluator};
use tesuji_core::position::{Position, Side};
use tesuji_core::search::alpha_beta::AlphaBeta;
use tesuji_core::search::{Budget, Control, Engine, Report, Signals, StopReason, Task};

use crate::data;

/// A position and the margin of each listed move, for the side to move.
type Case = (Reversi, Vec<(String, i16)>);

fn cases(file: &str) -> Option<Vec<Case>> {
    let text = data::public(file)?;
    let read = |line: &str| {
        let (position, moves) = line.split_once(';').expect("a position and its moves");
        let position = Reversi::parse(&Default::default(), position.trim()).expect("a position");
        let moves = moves.split(';').filter_map(|entry| entry.trim().split_once(':'));
        let read = |(mv, score): (&str, &str)| (mv.to_lowercase(), score.parse().expect("a score"));
        (position, moves.map(read).collect())
    };
    Some(text.lines().filter(|line| !line.trim().is_empty()).map(read).collect())
}

fn solve(position: &Reversi, budget: Budget) -> Report<<Reversi as Position>::Move> {
    let moves: Vec<_> = position.moves().collect();
    let task = Task { position, moves: &moves, budget, seed: 0, worker: 0, branches: Default::default() };
    let (engine, signals) = (AlphaBeta::<ReversiEvaluator>::default(), Signals::default());
    let shared = engine.share(&task, 1);
    engine.search(&task, &Control::new(&signals, None, Duration::from_secs(600)), &shared)
}

#[test]
fn known_endgames_are_solved() {
    let Some(cases) = cases("reversi/fforum-20-39.obf") else { return };
    for (position, moves) in cases.iter().take(8) {
        let budget = Budget { memory: Some(64 << 20), ..Budget::default() };
        let report = solve(position, budget);
        let best = moves.iter().map(|(_, score)| *score).max().expect("moves are listed");
        let sign = if position.turn() == Side::First { 1 } else { -1 };
        assert_eq!(report.stop, StopReason::Proven, "{position}");
        assert_eq!(report.root.bounds.exact(), Some(best * sign), "{position}");
        let chosen = report.children[0].mv.to_string();
        assert!(moves.contains(&(chosen.clone(), best)), "{position}: {chosen} is not the best");
        // The line keeps the margin as far as it goes.
        let mut end = position.clone();
        report.children[0].pv.iter().for_each(|&mv| end.play(mv));
        let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
        let margin = end.outcome().map_or_else(|| solve(&end, budget).root.bounds.exact(), |outcome| outcome.margin);
        assert_eq!(margin, Some(best * sign), "{position}: {:?}", report.children[0].pv);
    }
}

/// Whatever the budget, what is claimed of a known position is true.
#[test]
fn claims_about_known_endgames_are_true() {
    let Some(cases) = cases("reversi/fforum-20-39.obf") else { return };
    for (position, moves) in cases.iter().skip(1).take(5) {
        let best = moves.iter().map(|(_, score)| *score).max().expect("moves are listed");
        let best = if position.turn() == Side::First { best } else { -best };
        for nodes in [100, 3000, 20_000, 100_000] {
            let budget = Budget { nodes: Some(nodes), memory: Some(1 << 20), ..Budget::default() };
            let bounds = solve(position, budget).root.bounds;
            assert!((bounds.lo..=bounds.hi).contains(&best), "{position}: {bounds:?}, truly {best}");
        }
    }
}
