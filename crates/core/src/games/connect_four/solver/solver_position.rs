//! Positions as the solver sees them.

use super::grid::Grid;

/// An unfinished position in the solver's representation.
#[derive(Clone, Copy, Debug)]
pub struct SolverPosition {
    pub own: u64,
    pub filled: u64,
    /// Free cells.
    pub left: i32,
}

impl SolverPosition {
    pub fn after<R: Grid>(self, grid: R, cell: u64) -> Self {
        let other = (self.own ^ self.filled) & !grid.blocked();
        Self { own: other, filled: grid.filled_with(self.filled, cell), left: self.left - 1 }
    }

    /// The cells that complete a line: for the side to move, and for the other.
    pub fn wins<R: Grid>(self, grid: R) -> (u64, u64) {
        let other = (self.own ^ self.filled) & !grid.blocked();
        (grid.wins(self.own, self.filled), grid.wins(other, self.filled))
    }
}
