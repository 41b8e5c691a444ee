//! Scores of many positions of the standard board, one after the other.

use super::super::{ConnectFour, Standard};
use super::grid::StandardGrid;
use super::root::RootWorker;
use super::search::{Common, Unwatched};
use super::shared::SharedBounds;
use super::solver_position::SolverPosition;
use crate::position::Position;

/// Computes the exact score of any unfinished position of the standard board without a book, and keeps its table for the next
/// position.
#[derive(Debug)]
pub struct Oracle {
    common: Common,
    threads: u32,
    nodes: u64,
}

impl Oracle {
    /// An oracle whose table grows to at most `memory` bytes.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        Self::with_threads(memory, 1)
    }

    /// As [`Oracle::new`], with `threads` threads per position.
    #[must_use]
    pub fn with_threads(memory: u64, threads: u32) -> Self {
        Self { common: Common::new(memory, threads), threads, nodes: 0 }
    }

    /// The score for the side to move, in Pascal Pons' units: a win with the very last stone counts 1, plus one for every two
    /// plies sooner; a loss is the negative, a draw 0. `None` when the game is over.
    pub fn score(&mut self, position: &ConnectFour<Standard>) -> Option<i32> {
        if position.outcome().is_some() {
            return None;
        }
        Some(self.score_of(position.solver_position().1))
    }

    /// The score of a position that is not over.
    pub(super) fn score_of(&mut self, position: SolverPosition) -> i32 {
        let bounds = SharedBounds::new(-(position.left / 2), (position.left + 1) / 2);
        let work = || {
            let mut root_worker = RootWorker::<_, _, 8>::new(StandardGrid, None, &self.common, Unwatched);
            root_worker.score(position, &bounds);
            root_worker.nodes
        };
        self.nodes += if self.threads > 1 {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
                workers.into_iter().map(|worker| worker.join().unwrap_or_default()).sum()
            })
        } else {
            work()
        };
        // Nothing stops the search, so the bounds are exact.
        bounds.get().0
    }

    /// Positions visited so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Clears the table, but keeps its memory.
    pub fn forget(&mut self) {
        self.common.tables.clear();
    }
}
