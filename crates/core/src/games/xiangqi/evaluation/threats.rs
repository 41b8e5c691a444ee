//! Attacked pieces: by attacker, protection, and side to move.

use super::super::piece::{Kind, Square};
use super::layout::THREATS;
use super::sight::Sight;
use crate::bits::Bits;
use crate::position::Side;

/// The terms of the attacking side.
#[inline]
pub fn terms(sight: &Sight<'_>, side: Side, add: &mut impl FnMut(usize, i32)) {
    let (board, enemy) = (sight.board, side.other());
    let own = sight.reach(side);
    let men = board.side(enemy) & !board.general(enemy).bit();
    let to_move = usize::from(board.turn() == side);
    for (attacker, to) in [own.pawns, own.horses, own.cannons, own.rooks].into_iter().enumerate() {
        for square in (to & men).iter() {
            let Some(man) = board.man(Square::from_index(square)) else { continue };
            let protected = usize::from(sight.all[enemy.index()].has(square));
            add(
                THREATS + 24 * attacker + 4 * (man.kind() as usize - Kind::Advisor as usize) + 2 * protected + to_move,
                1,
            );
        }
    }
}
