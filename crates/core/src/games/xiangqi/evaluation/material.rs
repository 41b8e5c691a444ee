//! Combinations of material: pairs, guards against attackers, pawns.

use super::super::piece::{Kind, Square};
use super::layout::{CONNECTED, GUARDS, MISSING, NEAR, PAIRS, PAWNS, SCREENS, SUPPORTED};
use super::sight::Sight;
use crate::bits::Bits;
use crate::position::Side;

#[inline]
pub fn terms(sight: &Sight<'_>, side: Side, add: &mut impl FnMut(usize, i32)) {
    let enemy = side.other();
    let own = |kind| sight.count(side, kind);
    let (rooks, horses, cannons) = (own(Kind::Rook), own(Kind::Horse), own(Kind::Cannon));
    let (advisors, elephants) = (own(Kind::Advisor), own(Kind::Elephant));
    for (pair, count) in [rooks, horses, cannons].into_iter().enumerate() {
        add(PAIRS + pair, i32::from(count == 2));
    }
    add(PAIRS + 3, i32::from(horses != 0 && cannons != 0));
    add(PAIRS + 4, i32::from(rooks != 0 && sight.set(enemy, Kind::Rook) == 0));
    add(PAWNS + own(Kind::Pawn).min(5) as usize, 1);
    add(GUARDS + (3 * advisors.min(2) + elephants.min(2)) as usize, 1);
    let crossed = sight.crossed(side);
    let missing = [2 - sight.count(enemy, Kind::Advisor), 2 - sight.count(enemy, Kind::Elephant)];
    for (attacker, count) in [rooks, horses, cannons, crossed.count() as i32].into_iter().enumerate() {
        add(MISSING + attacker, count * missing[0]);
        add(MISSING + 4 + attacker, count * missing[1]);
    }
    add(SCREENS, cannons * advisors);
    add(SCREENS + 1, cannons * elephants);
    add(CONNECTED, Sight::side_by_side(crossed).count() as i32);
    add(SUPPORTED, (crossed & sight.all[side.index()]).count() as i32);
    let general = sight.board.general(enemy);
    for pawn in crossed.iter().map(Square::from_index) {
        let distance = pawn.file().abs_diff(general.file()) + pawn.rank().abs_diff(general.rank());
        add(NEAR + distance.min(13) as usize, 1);
    }
}
