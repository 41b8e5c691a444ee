//! How promising moves are before any search: few replies, corners, and the squares beside them.

use super::{Reversi, Square};
use crate::position::Position;

pub const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The edge squares beside a corner.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;

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

/// How early to try a move: the largest first.
pub fn priority(position: &Reversi, mv: Square) -> i32 {
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
