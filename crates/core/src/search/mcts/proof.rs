//! A node's proof, packed into 32 bits: a record and an atomic word have no room for more.

use super::distance::Distance;
use crate::position::Side;
use crate::search::Bounds;

/// The largest absolute score that a proof can hold.
pub const WIDEST: i16 = 511;

/// A node's proof: bounds of its score and, once they meet on a win or loss, the plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    pub lo: i16,
    pub hi: i16,
    pub distance: Distance,
}

impl Proof {
    /// Nothing is proven in a game whose scores lie within `limit`.
    ///
    /// # Panics
    /// When scores are wider than a proof can hold.
    pub fn unknown(limit: i16) -> Self {
        assert!(limit <= WIDEST, "MCTS proves scores of at most {WIDEST} points, not {limit}");
        Self { lo: -limit, hi: limit, distance: Distance::END }
    }

    pub fn exactly(score: i16) -> Self {
        Self { lo: score, hi: score, distance: Distance::END }
    }

    #[inline]
    pub fn is_solved(self) -> bool {
        self.lo == self.hi
    }

    #[inline]
    pub fn bounds(self) -> Bounds {
        Bounds { lo: self.lo, hi: self.hi }
    }

    /// The bounds from a side's view.
    #[inline]
    pub fn seen_from(self, side: Side) -> (i16, i16) {
        if side == Side::First { (self.lo, self.hi) } else { (-self.hi, -self.lo) }
    }

    /// Whether a child can no longer change the value of its parent, where `turn` is to move and has `floor` for certain.
    #[inline]
    pub fn is_closed(self, floor: i16, turn: Side) -> bool {
        self.is_solved() || self.seen_from(turn).1 <= floor
    }

    /// Ten bits for each bound, two's complement, and twelve for the distance.
    #[inline]
    pub fn pack(self) -> u32 {
        (self.lo as u32) << 22 | (self.hi as u32 & 0x3ff) << 12 | u32::from(self.distance.to_word())
    }

    #[inline]
    pub fn unpack(word: u32) -> Self {
        let lo = (word as i32 >> 22) as i16;
        let hi = ((word << 10) as i32 >> 22) as i16;
        Self { lo, hi, distance: Distance::from_word(word as u16 & 0xfff) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for lo in -WIDEST..=WIDEST {
            for hi in [lo, WIDEST, (lo + WIDEST) / 2] {
                for word in [0, 1, 0x7ff, 0x800, 0xfff] {
                    let proof = Proof { lo, hi, distance: Distance::from_word(word) };
                    assert_eq!(Proof::unpack(proof.pack()), proof);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "at most 511 points, not 512")]
    fn wider_scores_are_refused() {
        Proof::unknown(WIDEST + 1);
    }
}
