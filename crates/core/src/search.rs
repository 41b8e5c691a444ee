//! What any search may spend and reports, and the two generic searches.
//!
//! An [`Engine`] is a set of options that can search a [`Task`] under a [`Control`] and ends with a [`Report`]. Generic
//! Monte-Carlo tree search ([`mcts`]) and alpha-beta search ([`deepening`], over any [`searcher`]) have this shape; so has
//! every engine that only one game has. Searches know no game by name and nothing of JSON.

mod branches;
mod control;
pub mod deepening;
mod evaluation;
mod lines;
pub mod mcts;
pub mod plain;
mod report;
pub mod searcher;
pub(crate) mod table;
pub mod techniques;
mod turns;
pub mod value;

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use smallvec::SmallVec;

use crate::clock::ThreadTime;
use crate::parameters::{Invalid, Parameter};
use crate::position::Position;

pub use branches::Branches;
pub use control::{Control, Pace, Signals, Tick, Turns};
pub use evaluation::{Bound, Bounds, Evaluation, Outlook, Verdict};
use lines::Lines;
pub use report::{Below, Child, Chosen, Report, StopReason, losses};
pub use turns::{MakeTurns, Suspended, replace_turns, suspend_turns, turns};

/// The longest principal variation that a report carries, in plies.
pub const LONGEST_LINE: usize = 64;

/// The limits of a search. The first one reached stops it; `None`: unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time from the search's start.
    pub time: Option<Duration>,
    /// CPU time of all workers together.
    pub cpu: Option<Duration>,
    /// Time after which no further iteration is begun; a search that is not sure of its move yet takes more of it, one that has
    /// long been sure less. Iterative deepening only.
    pub soft: Option<Duration>,
    /// Monte-Carlo simulations.
    pub simulations: Option<u64>,
    /// Positions visited; in Monte-Carlo search, for the first time or for the first time since they were recycled.
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

    /// The longest that a worker searches, of the share that this budget is.
    #[must_use]
    pub fn shortest_time(&self) -> Option<Duration> {
        self.time.into_iter().chain(self.cpu).min()
    }
}

/// Which limits an engine understands, and how far it scales.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether it counts simulations.
    pub simulations: bool,
    /// Whether it counts nodes.
    pub nodes: bool,
    /// Whether it deepens ply by ply.
    pub depth: bool,
    /// Whether more than one thread helps it.
    pub threads: bool,
    /// Default bytes of memory.
    pub default_memory: u64,
    /// Bytes that one position visited may take of them.
    pub bytes_per_node: u64,
}

/// One worker's piece of work.
#[derive(Debug)]
pub struct Task<'a, P: Position> {
    /// The position to search; the game is not over.
    pub position: &'a P,
    /// The root moves to consider: all legal ones, or those a filter left. Never empty.
    pub moves: &'a [P::Move],
    /// This worker's budget.
    pub budget: Budget,
    /// Seed of the whole search; a worker mixes its number in.
    pub seed: u64,
    /// This worker's number, from 0.
    pub worker: u32,
    /// How much the report includes below the root's children.
    pub branches: Branches,
    /// Root moves that are searched as deep as the best one, so that they can be compared with it.
    pub graded: &'a [P::Move],
}

impl<'a, P: Position> Task<'a, P> {
    /// The work of a single worker, with seed 0 and the default report.
    #[must_use]
    pub fn new(position: &'a P, moves: &'a [P::Move], budget: Budget) -> Self {
        Self { position, moves, budget, seed: 0, worker: 0, branches: Branches::default(), graded: &[] }
    }

    /// Whether the search goes on for the graded moves once the best one is proven: where every move's value is wanted.
    #[must_use]
    pub fn settles_grades(&self) -> bool {
        self.branches.all && !self.graded.is_empty()
    }
}

/// A way to search a game. The value itself is the engine's options.
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

    /// The same options with choices that depend on the position decided.
    #[must_use]
    fn settled(self, _position: &P) -> Self {
        self
    }

    /// Whether going on with what another search has left moves a part of it: that of a tree below the position reached. It
    /// takes longer the larger that is. A table serves as it is, in every position of the game.
    const GOING_ON_COPIES: bool = true;

    /// The workers' shared state: a table or a tree; `()` for independent workers.
    type Shared: Send + Sync + 'static;

    /// Checks the options' ranges.
    ///
    /// # Errors
    /// Names the first option outside its range.
    fn check(&self) -> Result<(), Invalid>;

    /// Makes what `workers` workers will share. Called once for a search, by the first worker to run; `task` holds the whole
    /// search's budget, before it is divided.
    fn share(&self, task: &Task<'_, P>, workers: u32) -> Self::Shared;

    /// Searches until the budget is spent, the result is proven, or the control stops it.
    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, shared: &Self::Shared) -> Report<P::Move>;

    /// Merges the reports of workers that searched the same root with different seeds.
    /// There is at least one; an engine that runs on one thread gets one.
    fn merge(&self, position: &P, reports: Vec<Report<P::Move>>, shared: &Self::Shared) -> Report<P::Move>;

    /// Whether reports depend on no shared state: then each worker can run in a separate process, and
    /// [`Engine::merge`] makes the result of their reports alone, with what [`Engine::share`] has just made.
    fn works_apart(&self) -> bool {
        false
    }

    /// Goes on with what an earlier search with the same options has left: its position was the task's before `line` was
    /// played. What the workers share then, and from how many visits, or entries of a table, it begins; `None` where nothing
    /// of it is of use. The budget is for what is new.
    fn go_on(
        &self,
        _task: &Task<'_, P>,
        _workers: u32,
        _left: Self::Shared,
        _line: &[P::Move],
    ) -> Option<(Self::Shared, u64)> {
        None
    }

    /// What a search of `position` that has ended leaves to later ones; `None` where that would not be worth its memory.
    fn leave(&self, _position: &P, _shared: Self::Shared) -> Option<Left<Self::Shared, P::Move>> {
        None
    }
}

/// Searches a position on the calling thread and returns what was found; the game must not be over. The shortest way to use an
/// engine; [`Engine::search`] is the long one, with several workers, progress and cancellation.
///
/// A budget without time, CPU time, simulations, nodes and depth ends only when the result is proven, or after an hour.
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

/// Where nothing else ends a search on the calling thread.
const LONGEST_ALONE: Duration = Duration::from_secs(3600);

/// A tree or table for later searches.
pub struct Left<S, M> {
    /// What its workers shared.
    pub shared: S,
    /// Bytes of memory in use.
    pub bytes: u64,
    /// Lists lines of moves to the positions that much is known of, the searched one (no moves) among them. That may take
    /// milliseconds, and not everyone asks.
    pub lines: Box<dyn FnOnce() -> Vec<Line<M>> + Send>,
}

/// A few moves: as many as lie between two searches of one player's game.
pub type Line<M> = SmallVec<[M; 2]>;
