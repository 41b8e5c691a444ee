//! The mobility of the pieces.

use super::super::piece::{Kind, Square};
use super::layout::{
    CANNON_MOVES, ELEPHANT_MOVES, ELEPHANTS_TOGETHER, HORSE_BEHIND, HORSE_MOVES, OPEN_FILE, ROOK_MOVES,
};
use super::sight::{FILE_A, Sight};
use crate::bits::Bits;
use crate::position::Side;

#[inline]
pub fn terms(sight: &Sight<'_>, side: Side, add: &mut impl FnMut(usize, i32)) {
    let (own, other) = (sight.reach(side), sight.reach(side.other()));
    let friends = sight.board.side(side);
    let by_pawns = other.pawns | other.guards;
    let by_lesser = by_pawns | other.horses | other.cannons;
    let pawns = sight.set(side, Kind::Pawn);
    let all_pawns = pawns | sight.set(side.other(), Kind::Pawn);
    for (square, to) in sight.set(side, Kind::Rook).iter().zip(own.rook) {
        add(ROOK_MOVES + (to & !friends & !by_lesser).count() as usize, 1);
        let file = FILE_A << Square::from_index(square).file();
        if file & pawns == 0 {
            add(OPEN_FILE + usize::from(file & all_pawns != 0), 1);
        }
    }
    let taken = sight.board.occupancy().all;
    for (_, to) in sight.set(side, Kind::Cannon).iter().zip(own.cannon_moves) {
        add(CANNON_MOVES + (to & !taken & !by_pawns).count() as usize, 1);
    }
    for (_, to) in sight.set(side, Kind::Horse).iter().zip(own.horse) {
        add(HORSE_MOVES + (to & !friends & !by_pawns).count() as usize, 1);
    }
    add(ELEPHANT_MOVES, ((own.elephant[0] & !friends).count() + (own.elephant[1] & !friends).count()) as i32);
    let elephants = sight.set(side, Kind::Elephant);
    add(ELEPHANTS_TOGETHER, i32::from((own.elephant[0] | own.elephant[1]) & elephants != 0));
    let ahead = |set: u128| match side {
        Side::First => set << 9,
        Side::Second => set >> 9,
    };
    let uncrossed = pawns & !sight.crossed(side);
    add(HORSE_BEHIND, (ahead(sight.set(side, Kind::Horse)) & uncrossed).count() as i32);
}
