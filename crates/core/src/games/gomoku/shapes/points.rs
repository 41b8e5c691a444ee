//! Sets of points on the board.

use super::super::lines::Point;
use super::super::variant::LARGEST;

/// Cells in a row: 32, so that row and column are bit fields of a cell.
pub const ROW: usize = 32;
/// Cells of the largest board.
pub const CELLS: usize = ROW * LARGEST as usize;
/// A set of points, two rows per word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points(pub(super) [u64; LARGEST as usize / 2]);

impl Points {
    #[inline]
    pub fn flip(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }

    #[inline]
    pub fn add(&mut self, at: Point) {
        let cell = cell(at);
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub fn has(&self, at: Point) -> bool {
        let cell = cell(at);
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                bit.map(|bit| at(64 * index + bit))
            })
        })
    }

    #[inline]
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }

    /// Keeps the points that satisfy `suits`.
    pub fn retain(&mut self, suits: impl Fn(Point) -> bool) {
        for at in self.iter().filter(|&at| !suits(at)) {
            self.flip(cell(at));
        }
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> u32 {
        (self.0[row / 2] >> (32 * (row % 2))) as u32
    }
}

#[inline]
pub fn cell(at: Point) -> usize {
    ROW * usize::from(at.row) + usize::from(at.column)
}

#[inline]
pub(super) fn at(cell: usize) -> Point {
    Point { column: (cell % ROW) as u8, row: (cell / ROW) as u8 }
}
