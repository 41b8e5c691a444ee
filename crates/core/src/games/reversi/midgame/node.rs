//! A position as the search sees it.

use super::super::endgame::flips;
use super::super::patterns::{Numbers, Patterns};

/// Discs and pattern numbers, for the side to move.
#[derive(Clone, Debug)]
pub struct Node {
    pub own: u64,
    pub other: u64,
    pub numbers: Numbers,
}

impl Node {
    /// Counts the numbers anew.
    pub fn new(patterns: &Patterns, own: u64, other: u64) -> Self {
        Self { own, other, numbers: patterns.numbers(own, other) }
    }

    /// Empty squares.
    #[inline]
    pub fn empty(&self) -> u32 {
        (!(self.own | self.other)).count_ones()
    }

    /// The position after a legal move, and whether the other side has no disc left.
    #[inline]
    pub fn play(&self, patterns: &Patterns, square: u32) -> (Self, bool) {
        let turned = flips(self.own, self.other, square);
        let (own, other) = (self.other & !turned, self.own | turned | 1 << square);
        (Self { own, other, numbers: patterns.after(&self.numbers, square, turned) }, own == 0)
    }

    /// The position after a pass.
    pub fn passed(&self) -> Self {
        Self { own: self.other, other: self.own, numbers: self.numbers.turned() }
    }
}
