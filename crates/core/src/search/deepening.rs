//! The root of alpha-beta search: iterative deepening over any [`Searcher`], aspiration windows, values of all root moves, and
//! exact distances.
//!
//! - Wins are scored by distance, so that the shortest win and the longest resistance are found.
//! - A value is *complete* when no evaluation of an unfinished game contributed to it. A complete root value is exact, so small
//!   games are solved without an evaluation.
//! - Pruning and reductions never claim a loss, so proven wins and losses hold with any combination of techniques. Only their
//!   distances may be too long; a distance is searched again at full width before it is reported as exact.
//! - Players need not alternate: a value changes sign only where the side to move changes.
//! - Several workers search the same root with one table (Lazy SMP), and the deepest result counts.

mod line;
mod report;
mod root;
mod root_move;
mod survey;
mod verify;

use std::cmp::Reverse;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::searcher::Searcher;
use super::techniques::Options;
use super::{Bound, Control, Engine, Evaluation, Limits, Line, Report, Retained, StopReason, Task};
use crate::parameters::{Invalid, Parameter};
use crate::position::Position;
use crate::sorting;

/// Alpha-beta search; `S` searches below the root. Each option switches one technique off, to measure its value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AlphaBeta<S> {
    options: Options,
    #[serde(skip)]
    searcher: PhantomData<S>,
}

impl<S> Default for AlphaBeta<S> {
    fn default() -> Self {
        Self { options: Options::default(), searcher: PhantomData }
    }
}

/// Default bytes of memory.
const DEFAULT_MEMORY: u64 = 64 << 20;

/// The bytes that a search may use.
fn memory<P: Position>(task: &Task<'_, P>) -> u64 {
    task.budget.memory.unwrap_or(DEFAULT_MEMORY)
}

/// With fewer entries, searching again is faster than a lookup.
const WORTH_KEEPING: u64 = 1000;

/// The number of moves per position, first in the searcher's order, whose positions are listed for later searches.
const LIKELY: usize = 60;

/// The lines to the positions that are likely to be searched next: this one, and those one or two moves on.
fn lines<P: Position, S: Searcher<P>>(position: &P, searcher: &S) -> Vec<Line<P::Move>> {
    let likely = |position: &P| -> Vec<P::Move> {
        let mut moves: Vec<_> = position.moves().collect();
        if moves.len() > LIKELY {
            sorting::by_key(&mut moves, |&mv| [-i64::from(searcher.priority(position, mv)), 0]);
            moves.truncate(LIKELY);
        }
        moves
    };
    let mut lines = vec![Line::new()];
    for mv in likely(position) {
        lines.push(Line::from_slice(&[mv]));
        let mut next = position.clone();
        next.play(mv);
        lines.extend(likely(&next).into_iter().map(|reply| Line::from_slice(&[mv, reply])));
    }
    lines
}

impl<P: Position, S: Searcher<P>> Engine<P> for AlphaBeta<S> {
    const NAME: &'static str = "negamax";
    const REUSE_COPIES: bool = false;
    // An entry has 16 bytes, and a table works best while it is not full.
    const LIMITS: Limits = Limits {
        simulations: false,
        nodes: true,
        depth: true,
        threads: true,
        default_memory: DEFAULT_MEMORY,
        bytes_per_node: 64,
    };

    fn parameters() -> Vec<Parameter> {
        Options::parameters(S::SUPPORTED)
    }

    fn check(&self) -> Result<(), Invalid> {
        self.options.check(S::SUPPORTED)
    }

    fn completed(self) -> Self {
        Self { options: self.options.completed(S::SUPPORTED), searcher: PhantomData }
    }

    type Shared = S;

    fn share(&self, task: &Task<'_, P>, _: u32) -> S {
        let mut searcher = S::default();
        searcher.begin(task.position, memory(task));
        searcher
    }

    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, searcher: &S) -> Report<P::Move> {
        root::deepen(self.options.techniques(S::SUPPORTED), task, control, searcher.clone())
    }

    fn reuse(&self, task: &Task<'_, P>, _: u32, mut retained: S, _: &[P::Move]) -> Option<(S, u64)> {
        // Table entries hold for searches from any root, but the tables keep their sizes.
        let bytes = retained.begin(task.position, memory(task));
        let entries = retained.entries();
        (bytes <= memory(task)).then_some((retained, entries))
    }

    fn retain(&self, position: &P, shared: S) -> Option<Retained<S, P::Move>> {
        (shared.entries() >= WORTH_KEEPING).then(|| {
            let (position, searcher) = (position.clone(), shared.clone());
            let bytes = shared.used_bytes();
            Retained { shared, bytes, lines: Box::new(move || lines(&position, &searcher)) }
        })
    }

    fn merge(&self, _: &P, mut reports: Vec<Report<P::Move>>, _: &S) -> Report<P::Move> {
        let nodes = reports.iter().map(|report| report.nodes).sum();
        let stop = StopReason::of_workers(reports.iter().map(|report| report.stop));
        let is_proven = reports.iter().any(|report| report.stop == StopReason::Proven);
        let worth = |report: &Report<P::Move>| {
            let depth = report.children.first().map_or(0, |best| best.depth);
            let Evaluation { bounds, bound, distance, .. } = report.root;
            // Among proofs, an exact distance is best, then the shortest.
            let end = bounds.exact().map(|_| (bound == Bound::Exact, Reverse(distance)));
            (end, report.stop == StopReason::Proven, report.depth, depth)
        };
        // The first among equals.
        let best = (0..reports.len()).rev().max_by_key(|&index| worth(&reports[index])).unwrap_or(0);
        let best = reports.swap_remove(best);
        let proven = best.root.bounds.exact().is_some() && is_proven;
        // Only under a time budget does one worker's proof stop the others; that proof may be missing here.
        let stop = if proven { StopReason::Proven } else { stop.unwrap_or(StopReason::Time) };
        Report { nodes, stop, ..best }
    }
}
