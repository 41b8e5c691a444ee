//! What a node of the tree remembers.

use crate::position::Side;
use crate::search::Bounds;

/// Counts and proof of a node, from the first player's view.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Simulations that passed through.
    pub visits: u32,
    /// Of these, the first player's wins.
    pub wins: u32,
    /// Of these, draws.
    pub draws: u32,
    /// Sum of scores.
    pub total: i32,
    /// sqrt(2 ln visits): kept here, where it is computed beside other work, because selection would have to wait for it.
    pub reach: f32,
    /// Once a win or loss is proven: plies to the end of the game on the line that proves it.
    pub distance: u16,
    /// Proven: the score is at least this.
    pub lo: i8,
    /// Proven: the score is at most this.
    pub hi: i8,
}

impl Record {
    /// The record of a node that no simulation has passed through.
    pub fn new(limit: i8) -> Self {
        Self { visits: 0, wins: 0, draws: 0, total: 0, reach: 0.0, distance: 0, lo: -limit, hi: limit }
    }

    #[inline]
    pub fn is_solved(&self) -> bool {
        self.lo == self.hi
    }

    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds { lo: self.lo.into(), hi: self.hi.into() }
    }

    /// The bounds from a side's view.
    #[inline]
    pub fn seen_from(&self, side: Side) -> (i8, i8) {
        if side == Side::First { (self.lo, self.hi) } else { (-self.hi, -self.lo) }
    }
}
