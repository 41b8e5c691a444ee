//! The statistics and the proof of a node of the tree.

use super::proof::Proof;
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
    /// Sum of scores, or of residuals in a game without points (see `Sample`); saturates.
    pub total: i32,
    /// sqrt(2 ln visits): stored when it can be computed beside other work, because selection would have to wait for it.
    pub sqrt_2_ln: f32,
    /// The packed proof.
    proof: u32,
}

impl Record {
    /// The record of a node that no simulation has passed through.
    pub fn new(limit: i16) -> Self {
        Self { visits: 0, wins: 0, draws: 0, total: 0, sqrt_2_ln: 0.0, proof: Proof::unknown(limit).pack() }
    }

    #[inline]
    pub fn proof(&self) -> Proof {
        Proof::unpack(self.proof)
    }

    #[inline]
    pub fn prove(&mut self, proof: Proof) {
        self.proof = proof.pack();
    }

    #[inline]
    pub fn is_solved(&self) -> bool {
        self.proof().is_solved()
    }

    #[inline]
    pub fn bounds(&self) -> Bounds {
        self.proof().bounds()
    }

    /// The bounds from a side's view.
    #[inline]
    pub fn seen_from(&self, side: Side) -> (i16, i16) {
        self.proof().seen_from(side)
    }
}
