//! The shared state of a search's workers, and its reuse by the next search.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use super::graph::Graph;
use super::graph::worker::Worker;
use super::{Mcts, Parallel, Playout, Session};
use crate::position::Position;
use crate::search::{Retained, Task};

/// The shared state of a search's workers.
#[derive(Debug)]
pub enum Shared<P: Position> {
    /// Nothing: each worker has a separate tree. The slots hold the trees that an earlier search has left, if any, and
    /// afterwards those of this search.
    Trees(Vec<Slot<P>>),
    /// One graph for all workers, or one for each.
    Graphs(Vec<RwLock<Graph<P::Move>>>),
}

/// One worker's tree, while the worker does not use it.
pub type Slot<P> = Mutex<Option<Session<P>>>;

/// The tree in a slot.
pub fn tree<P: Position>(slot: &Slot<P>) -> MutexGuard<'_, Option<Session<P>>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// With fewer simulations, searching again is faster than a lookup.
const WORTH_KEEPING: u64 = 500;

/// Positions with fewer than one in this many simulations are not listed: little would be left of the tree.
const PART: u64 = 256;

impl<P: Position> Shared<P> {
    /// The new shared state of `workers` workers.
    pub fn new<F: Playout<P>>(options: &Mcts<F>, task: &Task<'_, P>, workers: u32) -> Self {
        let transpositions = options.shares(task.position);
        if options.parallel == Parallel::Root && !transpositions {
            return Self::Trees((0..workers).map(|_| Mutex::default()).collect());
        }
        // Separate graphs depend on the seed alone, as trees do.
        let graphs = if options.parallel == Parallel::Root { workers } else { 1 };
        let new_graph = |number| {
            let part = Task { budget: task.budget.share(number, graphs), worker: number, ..*task };
            RwLock::new(Worker::new(options, &part).new_graph(transpositions))
        };
        Self::Graphs((0..graphs).map(new_graph).collect())
    }

    /// The state for the task's position, `line` later, and its visits; `None` if there are none.
    pub fn reuse<F: Playout<P>>(
        self,
        options: &Mcts<F>,
        task: &Task<'_, P>,
        workers: u32,
        line: &[P::Move],
    ) -> Option<(Self, u64)> {
        match self {
            Self::Trees(slots) => {
                let advance = |slot: Slot<P>| {
                    let session = slot.into_inner().unwrap_or_else(PoisonError::into_inner)?;
                    let mut line = line.iter();
                    line.try_fold(session, |session, &mv| session.advance(mv))?.if_fits(task)
                };
                let trees: Vec<_> = slots.into_iter().filter_map(advance).take(workers as usize).collect();
                let visits = trees.iter().map(Session::visits).sum();
                (visits > 0).then(|| {
                    let mut trees = trees.into_iter();
                    let slots = (0..workers).map(|_| Mutex::new(trees.next()));
                    (Self::Trees(slots.collect()), visits)
                })
            }
            Self::Graphs(graphs) => {
                let wanted = if options.parallel == Parallel::Root { workers } else { 1 };
                let mut graphs =
                    graphs.into_iter().map(|graph| graph.into_inner().unwrap_or_else(PoisonError::into_inner));
                let transpositions = options.shares(task.position);
                let mut visits = 0;
                let mut reroot = |number| {
                    let part = Task { budget: task.budget.share(number, wanted), worker: number, ..*task };
                    let mut worker = Worker::new(options, &part);
                    let graph = graphs.find_map(|graph| worker.reroot(graph, line));
                    visits += graph.as_ref().map_or(0, Graph::root_visits);
                    RwLock::new(graph.unwrap_or_else(|| worker.new_graph(transpositions)))
                };
                let graphs: Vec<_> = (0..wanted).map(&mut reroot).collect();
                (visits > 0).then_some((Self::Graphs(graphs), visits))
            }
        }
    }

    /// The state to keep when the search has ended; `None` if it is not worth its memory.
    pub fn retain(self) -> Option<Retained<Self, P::Move>> {
        let (bytes, visits, lines) = match &self {
            Self::Trees(slots) => {
                let mut sums = (0, 0, Vec::new());
                for slot in slots {
                    if let Some(session) = tree(slot).as_mut() {
                        session.shrink();
                        sums.0 += session.bytes();
                        sums.1 += session.visits();
                        if sums.2.is_empty() {
                            sums.2 = session.lines(WORTH_KEEPING.max(session.visits() / PART));
                        }
                    }
                }
                sums
            }
            Self::Graphs(graphs) => {
                let mut sums = (0, 0, Vec::new());
                for graph in graphs {
                    let graph = graph.read().unwrap_or_else(PoisonError::into_inner);
                    let visits = graph.root_visits();
                    (sums.0, sums.1) = (sums.0 + graph.bytes(), sums.1 + visits);
                    if sums.2.is_empty() {
                        sums.2 = graph.lines(WORTH_KEEPING.max(visits / PART));
                    }
                }
                sums
            }
        };
        (visits >= WORTH_KEEPING).then_some(Retained { shared: self, bytes, lines: Box::new(move || lines) })
    }
}
