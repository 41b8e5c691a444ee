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

    /// The discs that a move turns.
    #[inline]
    pub fn turned(&self, square: u32) -> u64 {
        flips(self.own, self.other, square)
    }

    /// The discs after a move that turns these: those of the side then to move, and the other's.
    #[inline]
    pub fn discs_after(&self, square: u32, turned: u64) -> (u64, u64) {
        (self.other & !turned, self.own | turned | 1 << square)
    }

    /// The position after a move that turns these discs.
    #[inline]
    pub fn after(&self, patterns: &Patterns, square: u32, turned: u64) -> Self {
        let (own, other) = self.discs_after(square, turned);
        Self { own, other, numbers: patterns.after(&self.numbers, square, turned) }
    }

    /// The position after a pass.
    pub fn passed(&self) -> Self {
        Self { own: self.other, other: self.own, numbers: self.numbers.turned() }
    }
}
