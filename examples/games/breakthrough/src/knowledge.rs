//! The knowledge of Breakthrough for searches, besides the rules.

use tesuji_game::{Evaluate, Priority, Side};

use super::Breakthrough;

impl Breakthrough {
    /// Whether a move captures.
    pub(super) fn captures(&self, mv: u32) -> bool {
        self.pawns[self.turn.other() as usize] >> (mv % 64) & 1 == 1
    }

    /// How many rows a side's square is from that side's edge.
    fn advance(&self, side: Side, square: u32) -> i32 {
        let row = (square / u32::from(self.columns)) as i32;
        if side == Side::First { i32::from(self.rows) - 1 - row } else { row }
    }
}

impl Evaluate for Breakthrough {
    /// A pawn is worth 100, and a tenth of that for each row that it has advanced.
    fn evaluate(&self) -> i32 {
        let value = |side: Side| {
            let squares = (0..64).filter(|square| self.pawns[side as usize] >> square & 1 == 1);
            squares.map(|square| 100 + 10 * self.advance(side, square)).sum::<i32>()
        };
        value(Side::First) - value(Side::Second)
    }
}

impl Priority for Breakthrough {
    fn priority(&self, mv: u32) -> i32 {
        self.advance(self.turn, mv % 64) * 10 + if self.captures(mv) { 25 } else { 0 }
    }
}
