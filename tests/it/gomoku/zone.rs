//! Sets of cells, as what a tree of the slow solver depends on.

use super::grid::Cell;

/// A set of cells.
#[derive(Clone, Copy)]
pub struct Zone([u64; 8]);

impl Zone {
    pub const NOTHING: Self = Self([0; 8]);
    pub const ALL: Self = Self([u64::MAX; 8]);

    pub fn of(cells: &[Cell]) -> Self {
        let mut zone = Self::NOTHING;
        cells.iter().for_each(|&cell| zone.insert(cell));
        zone
    }

    pub fn insert(&mut self, cell: Cell) {
        self.0[usize::from(cell / 64)] |= 1 << (cell % 64);
    }

    pub fn contains(&self, cell: Cell) -> bool {
        self.0[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
    }

    pub fn extend(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, more)| *own |= more);
    }
}
