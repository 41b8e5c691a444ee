//! The interface of all searches (budgets, tasks, reports), and the two generic searches.
//!
//! An [`Engine`] is a set of search options; it searches a [`Task`] under a [`Control`] and returns a [`Report`]. Monte-Carlo
//! tree search ([`mcts`]) and alpha-beta search ([`deepening`], over any [`searcher`]) are the generic engines; some games have
//! dedicated ones. Generic searches depend neither on a specific game nor on JSON.

mod branches;
mod control;
mod core_sharing;
pub mod deepening;
mod evaluation;
mod lines;
pub mod mcts;
pub mod plain;
mod report;
pub mod searcher;
pub(crate) mod table;
pub mod techniques;
pub mod value;

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use smallvec::SmallVec;

use crate::clock::ThreadTime;
use crate::parameters::{Invalid, Parameter};
use crate::position::Position;

pub use branches::Branches;
pub use control::{Control, CoreSharing, Pace, Signals, Tick};
pub use core_sharing::{MakeCoreSharing, SharingSuspended, core_sharing, replace_core_sharing, suspend_core_sharing};
pub use evaluation::{Bound, Bounds, Evaluation, Outlook, Verdict};
use lines::Lines;
pub use report::{Below, Child, Chosen, Report, StopReason, losses};

/// The longest principal variation that a report carries, in plies.
pub const LONGEST_LINE: usize = 64;

/// The limits of a search. The first one reached stops it; `None`: unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time from the search's start.
    pub time: Option<Duration>,
    /// CPU time of all workers together.
    pub cpu: Option<Duration>,
    /// Time after which no new iteration starts, in iterative deepening: longer while the best move keeps changing, shorter
    /// once it has been stable.
    pub soft: Option<Duration>,
    /// Monte-Carlo simulations.
    pub simulations: Option<u64>,
    /// Positions visited. Monte-Carlo search counts a position on its first visit, and again on the first one after it was
    /// recycled.
    pub nodes: Option<u64>,
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Bytes of tree or transposition table. A full tree is recycled.
    pub memory: Option<u64>,
}

impl Budget {
    /// The share of worker `worker` of `workers`: countable limits are divided, the first workers taking the remainder.
    #[must_use]
    pub fn share(&self, worker: u32, workers: u32) -> Self {
        let (worker, workers) = (u64::from(worker), u64::from(workers));
        let part = |total: u64| total / workers + u64::from(worker < total % workers);
        Self {
            simulations: self.simulations.map(part),
            nodes: self.nodes.map(part),
            memory: self.memory.map(part),
            cpu: self.cpu.map(|cpu| cpu / workers as u32),
            ..*self
        }
    }

    /// The longest time that a worker with this share of a budget can search: the smaller of its time and CPU limits.
    #[must_use]
    pub fn shortest_time(&self) -> Option<Duration> {
        self.time.into_iter().chain(self.cpu).min()
    }
}

/// The limits that an engine supports, and its scaling.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether it counts simulations.
    pub simulations: bool,
    /// Whether it counts nodes.
    pub nodes: bool,
    /// Whether it deepens ply by ply.
    pub depth: bool,
    /// Whether it can use more than one thread.
    pub threads: bool,
    /// Default bytes of memory.
    pub default_memory: u64,
    /// Bytes of memory to provide per node or simulation of a budget.
    pub bytes_per_node: u64,
}

/// A search task for one worker.
#[derive(Debug)]
pub struct Task<'a, P: Position> {
    /// The position to search; the game is not over.
    pub position: &'a P,
    /// The root moves to consider: all legal moves, or a filtered subset. Never empty.
    pub moves: &'a [P::Move],
    /// This worker's budget.
    pub budget: Budget,
    /// Seed of the whole search; each worker mixes in its number.
    pub seed: u64,
    /// This worker's number, from 0.
    pub worker: u32,
    /// How much the report includes below the root's children.
    pub branches: Branches,
    /// Root moves to search as deeply as the best one, for comparison with it.
    pub graded: &'a [P::Move],
}

impl<'a, P: Position> Task<'a, P> {
    /// A task for a single worker, with seed 0 and the default report.
    #[must_use]
    pub fn new(position: &'a P, moves: &'a [P::Move], budget: Budget) -> Self {
        Self { position, moves, budget, seed: 0, worker: 0, branches: Branches::default(), graded: &[] }
    }

    /// Whether the search continues for the graded moves after the best move is proven: when the values of all moves are
    /// requested.
    #[must_use]
    pub fn finishes_grades(&self) -> bool {
        self.branches.all && !self.graded.is_empty()
    }
}

/// A search algorithm for a game. The value holds its options.
pub trait Engine<P: Position>: Serialize + DeserializeOwned + Default + Clone + Send + Sync + 'static {
    /// Its name in the API.
    const NAME: &'static str;
    /// The limits that it supports.
    const LIMITS: Limits;
    /// Its options, as clients see them.
    fn parameters() -> Vec<Parameter>;

    /// The same options with defaults filled in, as responses report them.
    #[must_use]
    fn completed(self) -> Self {
        self
    }

    /// The same options with automatic choices resolved for this position.
    #[must_use]
    fn resolved(self, _position: &P) -> Self {
        self
    }

    /// Whether resuming from the state of an earlier search moves part of it. Moving a subtree takes time that grows with its
    /// size; a transposition table serves any position of the game unchanged.
    const REUSE_COPIES: bool = true;

    /// The workers' shared state: a table or a tree; `()` for independent workers.
    type Shared: Send + Sync + 'static;

    /// Checks the options' ranges.
    ///
    /// # Errors
    /// Names the first option outside its range.
    fn check(&self) -> Result<(), Invalid>;

    /// Creates the state that `workers` workers share. Called once per search, by the first worker to run; `task` has the
    /// undivided budget.
    fn share(&self, task: &Task<'_, P>, workers: u32) -> Self::Shared;

    /// Searches until the budget is spent, the result is proven, or the control stops it.
    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, shared: &Self::Shared) -> Report<P::Move>;

    /// Merges the reports of workers that searched the same root with different seeds.
    /// There is at least one; an engine that runs on one thread gets one.
    fn merge(&self, position: &P, reports: Vec<Report<P::Move>>, shared: &Self::Shared) -> Report<P::Move>;

    /// Whether reports are independent of shared state. If so, each worker can run in a separate process, and [`Engine::merge`]
    /// needs only their reports and a newly created [`Engine::Shared`].
    fn has_independent_workers(&self) -> bool {
        false
    }

    /// Resumes from the state that an earlier search with the same options left, whose position was the task's before `line`
    /// was played. Returns the shared state and the number of visits, or of table entries, that it starts with; `None` if
    /// nothing is reusable. The budget covers new work only.
    fn reuse(
        &self,
        _task: &Task<'_, P>,
        _workers: u32,
        _retained: Self::Shared,
        _line: &[P::Move],
    ) -> Option<(Self::Shared, u64)> {
        None
    }

    /// The state that a finished search of `position` leaves for later searches; `None` if it is not worth its memory.
    fn retain(&self, _position: &P, _shared: Self::Shared) -> Option<Retained<Self::Shared, P::Move>> {
        None
    }
}

/// Searches a position, in which the game must not be over, on the calling thread. This is the simplest way to use an engine;
/// [`Engine::search`] supports several workers, progress reports and cancellation.
///
/// Without a limit on time, CPU time, simulations, nodes or depth, the search ends only when the result is proven, or after an
/// hour.
#[must_use]
pub fn alone<P: Position, E: Engine<P>>(engine: &E, position: &P, budget: Budget, seed: u64) -> Report<P::Move> {
    let moves: Vec<P::Move> = position.moves().collect();
    let budget = Budget { memory: budget.memory.or(Some(E::LIMITS.default_memory)), ..budget };
    let task = Task { seed, ..Task::new(position, &moves, budget) };
    let shared = engine.share(&task, 1);
    let signals = Signals::default();
    let control = Control::new(&signals, budget.time, LONGEST_ALONE).with_cpu(budget.cpu, ThreadTime::now());
    let report = engine.search(&task, &control, &shared);
    engine.merge(position, vec![report], &shared)
}

/// Time limit of every search by [`alone`].
const LONGEST_ALONE: Duration = Duration::from_secs(3600);

/// A tree or table for later searches.
pub struct Retained<S, M> {
    /// The workers' shared state.
    pub shared: S,
    /// Bytes of memory in use.
    pub bytes: u64,
    /// Lists the lines of moves to well-explored positions, including the searched position itself (no moves). Evaluated
    /// lazily, since it can take milliseconds and is not always needed.
    pub lines: Box<dyn FnOnce() -> Vec<Line<M>> + Send>,
}

/// A short line of moves, as played between two searches of one player's game.
pub type Line<M> = SmallVec<[M; 2]>;
