//! Adapters: the generic searches of positions with codes as engines of the game.

use serde::{Deserialize, Serialize};

use super::mcts::CodePlayout;
use super::negamax::search_wins_first;
use super::searcher::GomokuSearcher;
use super::{CodedPosition, Gomoku, Move};
use crate::parameters::{Invalid, Parameter};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::{Budget, Control, Engine, Limits, Report, Retained, Task};

/// A generic search on positions with codes, with the same options.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OnCodes<E>(E);

/// Alpha-beta search that knows threats, and first searches for wins by them.
pub type Negamax = OnCodes<AlphaBeta<GomokuSearcher>>;

/// Monte-Carlo tree search that knows threats.
pub type MonteCarlo = OnCodes<Mcts<CodePlayout>>;

/// What precedes a generic search.
pub trait Prelude {
    /// Whether wins by fours and by threats are searched for first.
    const WINS_FIRST: bool;
}

impl Prelude for AlphaBeta<GomokuSearcher> {
    const WINS_FIRST: bool = true;
}

impl Prelude for Mcts<CodePlayout> {
    const WINS_FIRST: bool = false;
}

impl<const LINES: usize, E: Engine<CodedPosition<LINES>> + Prelude> Engine<Gomoku<LINES>> for OnCodes<E> {
    const NAME: &'static str = E::NAME;
    const REUSE_COPIES: bool = E::REUSE_COPIES;
    const LIMITS: Limits = E::LIMITS;

    fn parameters() -> Vec<Parameter> {
        E::parameters()
    }

    fn check(&self) -> Result<(), Invalid> {
        Engine::<CodedPosition<LINES>>::check(&self.0)
    }

    fn completed(self) -> Self {
        Self(Engine::<CodedPosition<LINES>>::completed(self.0))
    }

    fn resolved(self, position: &Gomoku<LINES>) -> Self {
        Self(self.0.resolved(&CodedPosition::new(position)))
    }

    type Shared = E::Shared;

    fn share(&self, task: &Task<'_, Gomoku<LINES>>, workers: u32) -> Self::Shared {
        self.0.share(&coded_task(task, &CodedPosition::new(task.position), task.budget), workers)
    }

    fn search(
        &self,
        task: &Task<'_, Gomoku<LINES>>,
        control: &Control<'_, Move>,
        shared: &Self::Shared,
    ) -> Report<Move> {
        let position = CodedPosition::new(task.position);
        match E::WINS_FIRST {
            true => search_wins_first(&self.0, task, &position, control, shared),
            false => self.0.search(&coded_task(task, &position, task.budget), control, shared),
        }
    }

    fn merge(&self, position: &Gomoku<LINES>, reports: Vec<Report<Move>>, shared: &Self::Shared) -> Report<Move> {
        self.0.merge(&CodedPosition::new(position), reports, shared)
    }

    fn has_independent_workers(&self) -> bool {
        Engine::<CodedPosition<LINES>>::has_independent_workers(&self.0)
    }

    fn reuse(
        &self,
        task: &Task<'_, Gomoku<LINES>>,
        workers: u32,
        retained: Self::Shared,
        line: &[Move],
    ) -> Option<(Self::Shared, u64)> {
        self.0.reuse(&coded_task(task, &CodedPosition::new(task.position), task.budget), workers, retained, line)
    }

    fn retain(&self, position: &Gomoku<LINES>, shared: Self::Shared) -> Option<Retained<Self::Shared, Move>> {
        self.0.retain(&CodedPosition::new(position), shared)
    }
}

/// The same task for the generic search, with another budget.
pub(super) fn coded_task<'a, const LINES: usize>(
    task: &Task<'a, Gomoku<LINES>>,
    position: &'a CodedPosition<LINES>,
    budget: Budget,
) -> Task<'a, CodedPosition<LINES>> {
    let Task { moves, seed, worker, branches, graded, .. } = *task;
    Task { position, moves, budget, seed, worker, branches, graded }
}
