//! Scores of many positions of the standard board, one after the other.

use super::super::{ConnectFour, Standard};
use super::grid::Usual;
use super::root::{Place, Solving};
use super::search::Unwatched;
use crate::position::Position;

/// Gives the exact score of any position of the standard board that is not over, without a book, and keeps what it learns for
/// the next.
pub struct Oracle {
    solving: Solving<Usual, Unwatched, 8>,
}

impl std::fmt::Debug for Oracle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Oracle").field("nodes", &self.solving.nodes).finish_non_exhaustive()
    }
}

impl Oracle {
    /// Its table grows to `memory` bytes at most.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        Self { solving: Solving::new(Usual, None, memory, Unwatched) }
    }

    /// The score for the side to move, in Pascal Pons' units: a win with the very last stone counts 1, and one more for each
    /// two plies sooner; a loss the negative; a draw 0. `None` when the game is over.
    pub fn score(&mut self, position: &ConnectFour<Standard>) -> Option<i32> {
        if position.outcome().is_some() {
            return None;
        }
        Some(self.score_of(position.place().1))
    }

    /// The score of a position that is not over.
    pub(super) fn score_of(&mut self, place: Place) -> i32 {
        self.solving.score(place).unwrap_or_default()
    }

    /// Positions visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.solving.nodes
    }

    /// Forgets all positions, but keeps the memory.
    pub fn forget(&mut self) {
        self.solving.table.clear();
    }
}
