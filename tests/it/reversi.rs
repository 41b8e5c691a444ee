//! Reversi's endgames against known scores: the public FFO positions.

use std::time::Duration;

use tesuji_core::games::Game;
use tesuji_core::games::reversi::{Reversi, ReversiSearcher};
use tesuji_core::position::{Position, Side};
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::{Bounds, Budget, Control, Engine, Report, Signals, StopReason, Task, Verdict};

use crate::data;

/// A position and the margin of each listed move, for the side to move.
type Case = (Reversi, Vec<(String, i16)>);

fn cases(file: &str) -> Option<Vec<Case>> {
    let text = data::public(file)?;
    let read = |line: &str| {
        let (position, moves) = line.split_once(';').expect("a position and its moves");
        let position = <Reversi>::parse(&Default::default(), position.trim()).expect("a position");
        let moves = moves.split(';').filter_map(|entry| entry.trim().split_once(':'));
        let read = |(mv, score): (&str, &str)| (mv.to_lowercase(), score.parse().expect("a score"));
        (position, moves.map(read).collect())
    };
    Some(text.lines().filter(|line| !line.trim().is_empty()).map(read).collect())
}

fn solve(position: &Reversi, budget: Budget) -> Report<<Reversi as Position>::Move> {
    let moves: Vec<_> = position.moves().collect();
    let task = Task::new(position, &moves, budget);
    let (engine, signals) = (AlphaBeta::<ReversiSearcher>::default(), Signals::default());
    let shared = engine.share(&task, 1);
    engine.search(&task, &Control::new(&signals, None, Duration::from_secs(600)), &shared)
}

/// The best margin for the side to move, and for Black.
fn best(position: &Reversi, moves: &[(String, i16)]) -> (i16, i16) {
    let best = moves.iter().map(|(_, score)| *score).max().expect("moves are listed");
    (best, if position.turn() == Side::First { best } else { -best })
}

fn is_solved(position: &Reversi, moves: &[(String, i16)]) {
    let (best, margin) = best(position, moves);
    let report = solve(position, Budget { memory: Some(64 << 20), ..Budget::default() });
    assert_eq!(report.stop, StopReason::Proven, "{position}");
    assert_eq!(report.root.bounds.exact(), Some(margin), "{position}");
    let chosen = report.children[0].mv.to_string();
    assert!(moves.contains(&(chosen.clone(), best)), "{position}: {chosen} is not the best");
    // The line keeps the margin to its end.
    let mut end = position.clone();
    report.children[0].pv.iter().for_each(|&mv| end.play(mv));
    let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
    let kept = end.outcome().map_or_else(|| solve(&end, budget).root.bounds.exact(), |outcome| outcome.margin);
    assert_eq!(kept, Some(margin), "{position}: {:?}", report.children[0].pv);
}

#[test]
fn known_endgames_are_solved() {
    for (file, count) in [("reversi/fforum-20-39.obf", 8), ("reversi/hard-20.obf", 12)] {
        let Some(cases) = cases(file) else { return };
        cases.iter().take(count).for_each(|(position, moves)| is_solved(position, moves));
    }
}

/// With any budget, claims about a known position and its moves are true.
#[test]
fn claims_about_known_endgames_are_true() {
    let Some(cases) = cases("reversi/fforum-20-39.obf") else { return };
    for (position, moves) in cases.iter().skip(1).take(6) {
        let sign = if position.turn() == Side::First { 1 } else { -1 };
        let (_, margin) = best(position, moves);
        for nodes in [100, 3000, 20_000, 100_000, 250_000, 300_000, 400_000] {
            let report = solve(position, Budget { nodes: Some(nodes), memory: Some(1 << 20), ..Budget::default() });
            let is_true = |bounds: Bounds, truth: i16| (bounds.lo..=bounds.hi).contains(&truth);
            assert!(is_true(report.root.bounds, margin), "{position}: {:?}, truly {margin}", report.root.bounds);
            for child in &report.children {
                let name = child.mv.to_string();
                let Some((_, truth)) = moves.iter().find(|(mv, _)| *mv == name) else { continue };
                let bounds = child.evaluation.bounds;
                assert!(is_true(bounds, truth * sign), "{position} {name}: {bounds:?}, truly {truth}");
            }
        }
    }
}

/// The winner is known before the margin.
#[test]
fn a_budget_too_small_for_the_margin_still_proves_the_winner() {
    let Some(cases) = cases("reversi/fforum-20-39.obf") else { return };
    // The third and the fourth: won by two and four discs.
    for ((position, moves), nodes) in cases[2..4].iter().zip([500_000, 360_000]) {
        let (_, margin) = best(position, moves);
        let report = solve(position, Budget { nodes: Some(nodes), memory: Some(64 << 20), ..Budget::default() });
        let bounds = report.root.bounds;
        assert_eq!(report.stop, StopReason::Nodes, "{position}");
        assert_eq!(bounds.exact(), None, "{position}");
        let winner = bounds.verdict().map(|verdict| match verdict {
            Verdict::Wins(side) => side.sign(),
            Verdict::Draw => 0,
        });
        assert_eq!(winner, Some(margin.signum()), "{position}: {bounds:?}");
        let chosen = report.children[0].mv.to_string();
        let (_, score) = moves.iter().find(|(mv, _)| *mv == chosen).expect("it is listed");
        assert!(*score > 0, "{position}: {chosen} does not win");
    }
}
