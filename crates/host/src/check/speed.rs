//! The speed of a game's functions.

use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_core::custom::{Custom, CustomVariant, Fault, Knowledge, guarded};
use tesuji_core::games::Game as _;
use tesuji_core::position::Position as _;
use tesuji_core::search::mcts::{Mcts, Playout};
use tesuji_core::search::plain::Evaluator;
use tesuji_core::search::{Budget, alone};

use super::call_results::CallResults;

/// The time of one measurement of calls.
const CALLS: Duration = Duration::from_millis(10);
/// The time of the search.
const SEARCH: Duration = Duration::from_millis(100);
/// Bytes of the search's tree.
const MEMORY: u64 = 32 << 20;

/// Nanoseconds per call, on positions of random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Nanoseconds {
    /// Of `moves`.
    pub moves: f64,
    /// Of `play`.
    pub play: f64,
    /// Of `playout`, where the game has it.
    pub playout: Option<f64>,
}

/// Simulations per second from the start, and the cost of calls on these positions.
pub(super) fn measure<const POINTS: bool, const EVALUATES: bool>(
    variant: &CustomVariant,
    answers: &[CallResults],
) -> Result<(f64, Nanoseconds), Fault>
where
    Knowledge<EVALUATES>: Playout<Custom<POINTS, EVALUATES>> + Evaluator<Custom<POINTS, EVALUATES>>,
{
    let rules = &*variant.rules;
    let running: Vec<&CallResults> = answers.iter().filter(|answers| !answers.played.is_empty()).collect();
    let mut moves = Vec::new();
    let has_playout = running.iter().any(|answers| answers.playouts.iter().any(Option::is_some));
    let nanoseconds = Nanoseconds {
        moves: per_call(&running, |answers| {
            moves.clear();
            rules.moves(&answers.state.bytes, &mut moves)
        })?,
        play: per_call(&running, |answers| rules.play(&answers.state.bytes, answers.played[0].mv).map(drop))?,
        playout: if has_playout {
            Some(per_call(&running, |answers| rules.playout(&answers.state.bytes, 1).map(drop))?)
        } else {
            None
        },
    };
    let search = || {
        let start = Custom::<POINTS, EVALUATES>::start(variant);
        if start.outcome().is_some() {
            return 0.0;
        }
        let budget = Budget { time: Some(SEARCH), memory: Some(MEMORY), ..Budget::default() };
        let begin = Instant::now();
        let report = alone(&Mcts::<Knowledge<EVALUATES>>::default(), &start, budget, 1);
        report.visits.unwrap_or(0) as f64 / begin.elapsed().as_secs_f64()
    };
    Ok((guarded(search)?, nanoseconds))
}

fn per_call(answers: &[&CallResults], mut call: impl FnMut(&CallResults) -> Result<(), Fault>) -> Result<f64, Fault> {
    let (begin, mut calls) = (Instant::now(), 0u32);
    for answers in answers.iter().cycle() {
        call(answers)?;
        calls += 1;
        if begin.elapsed() >= CALLS {
            break;
        }
    }
    Ok(begin.elapsed().as_nanos() as f64 / f64::from(calls.max(1)))
}
