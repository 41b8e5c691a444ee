//! Dots and Boxes: exact margins against a slow solver and against known values, on boards of both widths.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::json;
use tesuji_core::bits::Bits;
use tesuji_core::games::Game;
use tesuji_core::games::dots_and_boxes::{DotsAndBoxes, DotsSearcher, DotsVariant};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::{Branches, Budget, Control, Engine, Report, Signals, StopReason, Task};

fn variant(columns: u32, rows: u32) -> DotsVariant {
    serde_json::from_value(json!({ "columns": columns, "rows": rows })).expect("it is a variant")
}

/// A position with `left` edges left, after random moves.
fn late<B: Bits>(columns: u32, rows: u32, left: u64, seed: u64) -> DotsAndBoxes<B> {
    let (mut position, mut rng) = (DotsAndBoxes::start(&variant(columns, rows)), Rng::new(seed, 0));
    while position.count_moves() > left {
        let mv = position.random_move(&mut rng);
        position.play(mv);
    }
    position
}

/// The first player's margin with best play by both: tries every move of every position.
fn margin<B: Bits>(position: &DotsAndBoxes<B>, known: &mut HashMap<String, i16>) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.score();
    }
    let text = position.to_string();
    if let Some(&margin) = known.get(&text) {
        return margin;
    }
    let sign = position.turn().sign();
    let margins = position.moves().map(|mv| margin(&played(position, mv), known) * sign);
    let best = margins.max().expect("a position that is not over has a move") * sign;
    known.insert(text, best);
    best
}

fn played<P: Position>(position: &P, mv: P::Move) -> P {
    let mut after = position.clone();
    after.play(mv);
    after
}

/// A search of all moves, each for its own value.
fn search<P: Position>(position: &P, budget: Budget) -> Report<P::Move>
where
    DotsSearcher: tesuji_core::search::searcher::Searcher<P>,
{
    let (engine, moves, signals) =
        (AlphaBeta::<DotsSearcher>::default(), position.moves().collect::<Vec<_>>(), Signals::default());
    let branches = Branches { all: true, multipv: moves.len() as u32, ..Branches::default() };
    let task = Task { branches, ..Task::new(position, &moves, budget) };
    engine.search(&task, &Control::new(&signals, None, Duration::from_secs(600)), &engine.share(&task, 1))
}

/// Every child of random positions, with chains and loops to open, boxes to take, control to keep.
fn every_child_is_exact<B: Bits>(columns: u32, rows: u32, left: u64, seeds: u64) {
    for seed in 0..seeds {
        let (position, mut known) = (late::<B>(columns, rows, left, seed), HashMap::new());
        let report = search(&position, Budget::default());
        assert_eq!(report.stop, StopReason::Proven, "{position}");
        for child in &report.children {
            let exact = margin(&played(&position, child.mv), &mut known);
            assert_eq!(child.evaluation.bounds.exact(), Some(exact), "{position} {}", child.mv);
        }
    }
}

#[test]
fn the_last_edges_are_played_to_the_box() {
    every_child_is_exact::<u64>(5, 5, 8, 60);
    every_child_is_exact::<u64>(3, 3, 9, 60);
    every_child_is_exact::<u64>(4, 4, 10, 10);
    every_child_is_exact::<u64>(1, 6, 9, 20);
    every_child_is_exact::<u128>(10, 10, 8, 10);
    every_child_is_exact::<u128>(3, 2, 9, 20);
}

/// Two chains of three boxes: the lines end with the game, and in the margin found.
#[test]
fn lines_of_chains_reach_the_end() {
    let mut position = DotsAndBoxes::<u64>::start(&variant(3, 2));
    let horizontal = |position: &DotsAndBoxes<u64>| position.moves().find(|mv| mv.to_string().starts_with('h'));
    while let Some(mv) = horizontal(&position) {
        position.play(mv);
    }
    for child in search(&position, Budget::default()).children {
        let end = child.pv.iter().fold(position.clone(), |before, &mv| played(&before, mv));
        let margin = end.outcome().map(|outcome| outcome.score());
        assert!(margin.is_some() && margin == child.evaluation.bounds.exact(), "{:?}", child.pv);
    }
}

/// Whole games: margins known from full retrograde analysis.
#[test]
fn small_boards_have_their_margins() {
    let known =
        [((1, 1), -1), ((2, 1), 0), ((3, 1), -1), ((4, 1), 0), ((2, 2), 2), ((3, 2), -2), ((4, 2), 2), ((3, 3), -3)];
    for ((columns, rows), margin) in known {
        let report = search(&DotsAndBoxes::<u64>::start(&variant(columns, rows)), Budget::default());
        assert_eq!(report.root.bounds.exact(), Some(margin), "{columns}x{rows}");
    }
}

/// Positions as in games: safe moves as long as there are any. The budget is a tenth of the nodes that a second has room for.
#[test]
fn half_of_a_large_board_is_solved_at_once() {
    for seed in 0..20 {
        let (mut position, mut rng) = (DotsAndBoxes::<u64>::start(&variant(5, 5)), Rng::new(seed, 0));
        while position.count_moves() > 25 {
            let gives = |mv| {
                played(&position, mv)
                    .moves()
                    .any(|reply| played(&played(&position, mv), reply).turn() != position.turn())
            };
            let safe: Vec<_> = position.moves().filter(|&mv| !gives(mv)).collect();
            let mv = if safe.is_empty() {
                position.random_move(&mut rng)
            } else {
                safe[rng.below(safe.len() as u32) as usize]
            };
            position.play(mv);
        }
        let report = search(&position, Budget { nodes: Some(100_000), ..Budget::default() });
        assert_eq!(report.stop, StopReason::Proven, "{position}");
    }
}
