//! Danger to the general: attackers of the palace with the squares they attack and its guards, possible checks, and pieces in
//! line with the general. It grows faster than its parts, so it is tabulated.

use super::super::attacks::{GENERAL, PAWN, STANDS};
use super::super::piece::{Kind, Square};
use super::layout::{ACROSS, ATTACK, BOTTOM, DEFENCE, FACED, HOLLOW, HORSE_CHECKS, LOADED, ROOK_CHECKS, STEPS, XRAY};
use super::sight::{self, FILE_A, Sight};
use crate::bits::Bits;
use crate::position::Side;

/// The terms of the attacking side.
#[inline]
pub fn terms(sight: &Sight<'_>, side: Side, add: &mut impl FnMut(usize, i32)) {
    let (board, enemy) = (sight.board, side.other());
    let (own, friends) = (sight.reach(side), board.side(side));
    let occupancy = board.occupancy();
    let general = board.general(enemy);
    let palace = STANDS[enemy.index()][Kind::General as usize];
    let (mut attackers, mut attacked) = (0, 0);
    for to in own.rook.iter().chain(&own.horse).chain(&own.cannon) {
        let there = (to & palace & !friends).count();
        attackers += usize::from(there != 0);
        attacked += there as usize;
    }
    for pawn in (sight.crossed(side) & NEAR_PALACE[enemy.index()]).iter() {
        let there = (PAWN[side.index()][pawn as usize] & palace).count();
        attackers += usize::from(there != 0);
        attacked += there as usize;
    }
    let guards = (sight.count(enemy, Kind::Advisor) + sight.count(enemy, Kind::Elephant)).min(4) as usize;
    add(ATTACK + 8 * attackers.min(4) + attacked.min(7), 1);
    add(DEFENCE + 5 * attackers.min(4) + guards, 1);
    let theirs = sight.all[enemy.index()];
    let line = occupancy.rook(general);
    let safe = !friends & !theirs;
    add(ROOK_CHECKS + ((own.rooks & line & safe).count() as usize).min(3), 1);
    add(HORSE_CHECKS + ((own.horses & occupancy.horse_to(general) & safe).count() as usize).min(3), 1);
    let left = GENERAL[general.index()] & !board.side(enemy) & !sight.all[side.index()];
    add(STEPS + left.count() as usize, 1);
    let file = FILE_A << general.file();
    let behind = occupancy.cannon(general);
    let rooks = sight.set(side, Kind::Rook) & behind;
    add(XRAY, (rooks & file).count() as i32);
    add(XRAY + 1, (rooks & !file).count() as i32);
    let cannons = sight.set(side, Kind::Cannon);
    let hollow = cannons & line;
    add(HOLLOW, (hollow & file).count() as i32);
    add(HOLLOW + 1, (hollow & !file).count() as i32);
    let last = general_rank(enemy);
    for cannon in cannons.iter().map(Square::from_index) {
        if cannon.file() == general.file() {
            let between = between(occupancy.files[cannon.file() as usize], cannon.rank(), general.rank());
            add(LOADED, i32::from(between == 2));
        } else if cannon.rank() == general.rank() {
            let between = between(occupancy.ranks[cannon.rank() as usize], cannon.file(), general.file());
            add(LOADED + 1, i32::from(between == 2));
        }
        if cannon.rank() == last {
            add(BOTTOM + guards, 1);
        }
    }
    let strong = sight.set(side, Kind::Rook) | sight.set(side, Kind::Horse) | cannons;
    add(ACROSS + ((strong & sight::ACROSS[side.index()]).count() as usize).min(6), 1);
    let facing = behind & file & board.general(side).bit() != 0;
    add(FACED, i32::from(facing && pins(sight, side, general)));
}

/// Whether the only piece between the generals is the other side's.
fn pins(sight: &Sight<'_>, side: Side, general: Square) -> bool {
    let first = sight.board.occupancy().file_of_rook(general);
    let ahead = match side {
        // The other side's general stands above.
        Side::First => first & (general.bit() - 1),
        Side::Second => first & !(general.bit() - 1),
    };
    ahead & sight.board.side(side.other()) != 0
}

/// How many pieces stand between two squares of a line.
#[inline]
fn between(line: u16, one: u8, other: u8) -> u32 {
    let (low, high) = (one.min(other), one.max(other));
    (line & ((1u16 << high) - 1) & !((2u16 << low) - 1)).count_ones()
}

/// The rank where a side's general starts.
#[inline]
fn general_rank(side: Side) -> u8 {
    if side == Side::First { 0 } else { 9 }
}

/// Squares from which a pawn may step into a side's palace, or within it.
static NEAR_PALACE: [u128; 2] = {
    let low = 0b0_0111_1100 | 0b0_0111_1100 << 9 | 0b0_0111_1100 << 18 | 0b0_0011_1000 << 27;
    let high = 0b0_0111_1100 << 81 | 0b0_0111_1100 << 72 | 0b0_0111_1100 << 63 | 0b0_0011_1000 << 54;
    [low, high]
};
