//! A first plain evaluator for Reversi: mobility, corners and the squares beside them, parity.
//!
//! These are the terms that every early Othello program found to matter (Rosenbloom 1982, IAGO: edge stability and mobility).
//! The weights are hand-set, in hundredths of a disc; the evaluation's are fitted.

use super::{Reversi, Square, legal_moves};
use crate::position::Position;
use crate::search::Outlook;
use crate::search::plain::Evaluator;

pub const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The edge squares beside a corner.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;

/// One legal move more than the other side has.
const MOVE: i32 = 90;
/// One empty square beside an own disc less than the other side has: a move that the other will have.
const FRONTIER: i32 = 25;
const CORNER: i32 = 900;
/// An own disc diagonally beside an empty corner.
const X_SQUARE: i32 = -420;
/// An own disc on the edge beside an empty corner.
const C_SQUARE: i32 = -160;
/// Having the last move of an even number of empty squares.
const PARITY: i32 = 120;

/// MobilityEvaluator, corners, parity.
#[derive(Clone, Copy, Debug, Default)]
pub struct MobilityEvaluator;

/// All squares beside a set, the set included.
#[inline]
pub fn grown(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let wide = set | (set & NOT_H) << 1 | (set & NOT_A) >> 1;
    wide | wide << 8 | wide >> 8
}

/// The corners' neighbours whose corner is empty.
#[inline]
pub fn beside_empty_corners(occupied: u64) -> u64 {
    grown(CORNERS & !occupied)
}

impl Evaluator<Reversi> for MobilityEvaluator {
    const EVALUATES: bool = true;

    fn value(&self, position: &Reversi) -> i32 {
        let (own, other) = (position.own, position.other);
        let count = |set: u64| set.count_ones() as i32;
        let empty = position.empty();
        let balance = |set: u64| count(own & set) - count(other & set);
        let exposed = beside_empty_corners(own | other);
        let mut value = MOVE * (count(position.legal) - count(legal_moves(other, own)))
            + FRONTIER * (count(grown(other) & empty) - count(grown(own) & empty))
            + CORNER * balance(CORNERS)
            + X_SQUARE * balance(X_SQUARES & exposed)
            + C_SQUARE * balance(C_SQUARES & exposed);
        value += if count(empty) % 2 == 0 { -PARITY } else { PARITY };
        // A margin is never more than 64 discs.
        value.clamp(-6300, 6300) * i32::from(position.turn().sign())
    }

    fn outlook(&self, position: &Reversi, value: i32) -> Outlook {
        // The more squares are empty, the less a lead is worth. Hand-set, like the weights.
        Outlook::logistic(value, 50, 300.0 + 30.0 * f64::from(position.empty().count_ones()))
    }

    fn priority(&self, position: &Reversi, mv: Square) -> i32 {
        if mv == Square::PASS {
            return 0;
        }
        // Fewest replies first (Edax and others call it fastest-first), corners before all.
        let mut next = position.clone();
        next.play(mv);
        let replies = if next.turn() == position.turn() { 0 } else { next.legal.count_ones() as i32 };
        let bit = 1u64 << mv.0;
        let exposed = beside_empty_corners(position.own | position.other);
        let place = match () {
            () if bit & CORNERS != 0 => 12,
            () if bit & X_SQUARES & exposed != 0 => -8,
            () if bit & C_SQUARES & exposed != 0 => -3,
            () => 0,
        };
        let corners_given = (next.legal & CORNERS).count_ones() as i32;
        place - replies - 6 * corners_given
    }
}
