//! Generic alpha-beta search: negamax with iterative deepening, principal variation search (Marsland and Campbell 1982) and a
//! transposition table, sharpened by what a game's [`Evaluator`] knows.
//!
//! - A win counts by its distance, so that the shortest win and the longest resistance are found.
//! - A value is *complete* when no unfinished game had a part in it. A complete root value is exact, whatever the evaluator
//!   thinks; so small games are solved without one.
//! - Moves are left out or searched less deep only where a loss is not claimed by it: a proven win or loss is proven, whatever
//!   techniques are in force. Only its distance may then be too long; before it is called exact, it is looked at again at full
//!   width.
//! - Players need not alternate: a value changes sign only where the side to move changes.
//! - Several workers search the same root with one table (Lazy SMP), and the deepest result counts.

mod report;
mod root;
mod root_move;
mod survey;
mod verify;

use std::cmp::Reverse;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::plain::{Evaluator, Table};
use super::techniques::Options;
use super::{Bound, Control, Engine, Evaluation, Left, Limits, Line, Report, StopReason, Task};
use crate::parameters::{Invalid, Parameter};
use crate::position::Position;
use crate::sorting;

/// Alpha-beta search; `J` evaluates unfinished positions and orders moves. The options switch techniques off, each by itself:
/// to measure what it is worth. All are in force where the game's evaluator has what they need.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AlphaBeta<J> {
    options: Options,
    #[serde(skip)]
    evaluator: PhantomData<J>,
}

/// What the workers of one search have in common.
#[derive(Debug)]
pub struct Shared<J> {
    table: Table,
    /// What each worker begins with a clone of.
    evaluator: J,
}

impl<J> Default for AlphaBeta<J> {
    fn default() -> Self {
        Self { options: Options::default(), evaluator: PhantomData }
    }
}

/// Fewer entries are sooner found again than looked up.
const WORTH_KEEPING: u64 = 1000;

/// So many moves of a position, the first in the evaluator's order, lead to positions that a later search may begin with.
const LIKELY: usize = 60;

/// The lines to the positions in which a game may be searched next: the same, a move on, and two.
fn lines<P: Position, J: Evaluator<P>>(position: &P, evaluator: &J) -> Vec<Line<P::Move>> {
    let likely = |position: &P| -> Vec<P::Move> {
        let mut moves: Vec<_> = position.moves().collect();
        if moves.len() > LIKELY {
            sorting::by_key(&mut moves, |&mv| [-i64::from(evaluator.priority(position, mv)), 0]);
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

impl<P: Position, J: Evaluator<P>> Engine<P> for AlphaBeta<J> {
    const NAME: &'static str = "negamax";
    const GOING_ON_COPIES: bool = false;
    // An entry has 16 bytes, and a table serves well while it is not full.
    const LIMITS: Limits = Limits {
        simulations: false,
        nodes: true,
        depth: true,
        threads: true,
        default_memory: 64 << 20,
        bytes_per_node: 64,
    };

    fn parameters() -> Vec<Parameter> {
        Options::parameters::<P, J>()
    }

    fn check(&self) -> Result<(), Invalid> {
        self.options.check::<P, J>()
    }

    fn completed(self) -> Self {
        Self { options: self.options.completed::<P, J>(), evaluator: PhantomData }
    }

    type Shared = Shared<J>;

    fn share(&self, task: &Task<'_, P>, _: u32) -> Shared<J> {
        let memory = task.budget.memory.unwrap_or(<Self as Engine<P>>::LIMITS.default_memory);
        let mut evaluator = J::default();
        let own = evaluator.begin(task.position, memory);
        let table = Table::new(memory.saturating_sub(own));
        Shared { table, evaluator }
    }

    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, shared: &Shared<J>) -> Report<P::Move> {
        root::deepen::<P, J>(self.options.techniques::<P, J>(), task, control, shared)
    }

    fn go_on(&self, task: &Task<'_, P>, _: u32, left: Shared<J>, _: &[P::Move]) -> Option<(Shared<J>, u64)> {
        let memory = task.budget.memory.unwrap_or(<Self as Engine<P>>::LIMITS.default_memory);
        let Shared { table, mut evaluator } = left;
        let own = evaluator.begin(task.position, memory);
        // What is known of positions holds wherever a search of them begins; but the tables keep their sizes.
        let entries = table.entries() + evaluator.entries();
        (own + table.bytes() <= memory).then(|| (Shared { table, evaluator }, entries))
    }

    fn leave(&self, position: &P, shared: Shared<J>) -> Option<Left<Shared<J>, P::Move>> {
        (shared.table.entries() + shared.evaluator.entries() >= WORTH_KEEPING).then(|| {
            let (position, evaluator) = (position.clone(), shared.evaluator.clone());
            let bytes = shared.table.used_bytes() + shared.evaluator.bytes();
            Left { shared, bytes, lines: Box::new(move || lines(&position, &evaluator)) }
        })
    }

    fn merge(&self, _: &P, mut reports: Vec<Report<P::Move>>, _: &Shared<J>) -> Report<P::Move> {
        let nodes = reports.iter().map(|report| report.nodes).sum();
        // A worker that another one's proof stopped has proven nothing itself.
        let stop = reports.iter().map(|report| report.stop).find(|&stop| stop != StopReason::Proven);
        let is_proven = reports.iter().any(|report| report.stop == StopReason::Proven);
        let worth = |report: &Report<P::Move>| {
            let depth = report.children.first().map_or(0, |best| best.depth);
            let Evaluation { bounds, bound, distance, .. } = report.root;
            // Of proofs, the one that excludes a sooner end, or else limits it most.
            let end = bounds.exact().map(|_| (bound == Bound::Exact, Reverse(distance)));
            (end, report.stop == StopReason::Proven, report.depth, depth)
        };
        // Of equals the first.
        let best = (0..reports.len()).rev().max_by_key(|&index| worth(&reports[index])).unwrap_or(0);
        let best = reports.swap_remove(best);
        let proven = best.root.bounds.exact().is_some() && is_proven;
        // Only under a time budget does one worker's proof stop the others; it may be missing here.
        let stop = if proven { StopReason::Proven } else { stop.unwrap_or(StopReason::Time) };
        Report { nodes, stop, ..best }
    }
}
