//! Static move ordering: few replies, corners, and the squares beside them.

use super::board::Board;
use super::{Reversi, Square};
use crate::bits::Bits;
use crate::position::Position;

/// All squares beside a set, the set included.
#[inline]
pub fn grown<B: Board>(set: B::Set) -> B::Set {
    let (not_first, not_last) = (B::INNER_FILES | B::INNER_FILES << 1, B::INNER_FILES | B::INNER_FILES >> 1);
    let wide = set | (set & not_last) << 1 | (set & not_first) >> 1;
    (wide | wide << B::STRIDE | wide >> B::STRIDE) & B::ALL
}

/// The empty corners and their neighbours.
#[inline]
pub fn beside_empty_corners<B: Board>(occupied: B::Set) -> B::Set {
    grown::<B>(B::CORNERS & !occupied)
}

/// The priority of a move, the greatest first.
pub fn priority<B: Board>(position: &Reversi<B>, mv: Square<B>) -> i32 {
    if mv == Square::PASS {
        return 0;
    }
    // Fewest replies first (Edax and others call it fastest-first), corners before all.
    let mut next = position.clone();
    next.play(mv);
    let replies = if next.turn() == position.turn() { 0 } else { next.legal.count() as i32 };
    let square = u32::from(mv.index);
    let exposed = beside_empty_corners::<B>(position.own | position.other);
    let place = match () {
        () if B::CORNERS.has(square) => 12,
        () if (B::X_SQUARES & exposed).has(square) => -8,
        () if (B::C_SQUARES & exposed).has(square) => -3,
        () => 0,
    };
    let corners_given = (next.legal & B::CORNERS).count() as i32;
    place - replies - 6 * corners_given
}
