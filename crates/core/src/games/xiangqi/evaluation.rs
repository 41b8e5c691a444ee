//! What an unfinished position is worth: pieces and places, mobility, cannons that face a general, guards that are missing
//! while the other side can use it, and attacks on the palace. All terms are linear: `tesuji fit xiangqi` has fitted their
//! weights to self-played games (`weights.txt`; docs/strength.md). The scale is a hundredth of an uncrossed pawn.

use super::Xiangqi;
use super::attacks::{PAWN, STANDS};
use super::board::Board;
use super::piece::{FILES, Kind, SQUARES, Square};
use crate::bits::Bits;
use crate::position::Side;
use crate::weights::numbers;

/// Places of one kind: both wings count alike.
const PLACES: usize = 50;
/// The terms other than places.
const ROOK: usize = 7 * PLACES;
const CANNON: usize = ROOK + 1;
const HORSE: usize = ROOK + 2;
/// A cannon on the general's file with nothing between them.
const HOLLOW: usize = ROOK + 3;
/// A cannon on the other side's last rank, while advisors and elephants are at home.
const BOTTOM: usize = ROOK + 4;
/// By rooks of the other side: advisors that are missing.
const BARE: usize = ROOK + 5;
/// By cannons of the other side: advisors that are there.
const SCREENS: usize = ROOK + 6;
/// Horses that cannot leave their place in most directions.
const STUCK: usize = ROOK + 7;
/// Two horses or cannons in place of one of each.
const EVEN_MINORS: usize = ROOK + 8;
/// Being to move.
const TEMPO: usize = ROOK + 9;
/// Squares of the other side's palace that a rook reaches, that a horse reaches, and pieces there that a cannon would take.
const ROOK_PALACE: usize = ROOK + 10;
const HORSE_PALACE: usize = ROOK + 11;
const CANNON_PALACE: usize = ROOK + 12;
/// Pieces after the first that reach into the other side's palace: they attack together.
const TOGETHER: usize = ROOK + 13;
/// Terms of the sum.
pub const TERMS: usize = ROOK + 14;

/// The place of a square, as its owner sees it.
#[inline]
const fn place(side: Side, square: usize) -> usize {
    let own = match side {
        Side::First => square,
        Side::Second => SQUARES - 1 - square,
    };
    let (file, rank) = (own % FILES as usize, own / FILES as usize);
    let wing = if file > 4 { 8 - file } else { file };
    5 * rank + wing
}

/// Calls `add` with the terms of a position, and how often each counts: what the first player has, less what the second has.
pub fn each_term(board: &Board, mut add: impl FnMut(usize, i32)) {
    for side in [Side::First, Side::Second] {
        let sign = i32::from(side.sign());
        for kind in Kind::ALL {
            for square in board.set(side, kind).iter() {
                add(kind as usize * PLACES + place(side, square as usize), sign);
            }
        }
        side_terms(board, side, |term, count| add(term, sign * count));
    }
    add(TEMPO, i32::from(board.turn().sign()));
}

/// The terms of one side that are no places.
#[inline]
fn side_terms(board: &Board, side: Side, mut add: impl FnMut(usize, i32)) {
    let enemy = side.other();
    let occupancy = board.occupancy();
    let own = board.side(side);
    let general = board.general(enemy);
    let palace = STANDS[enemy.index()][Kind::General as usize];
    let mut attackers = 0;
    for rook in board.set(side, Kind::Rook).iter() {
        let reach = occupancy.rook(Square::from_index(rook)) & !own;
        add(ROOK, reach.count() as i32);
        let attacked = (reach & palace).count() as i32;
        add(ROOK_PALACE, attacked);
        attackers += i32::from(attacked != 0);
    }
    let at_home = board.set(enemy, Kind::Advisor).count() as i32;
    for square in board.set(side, Kind::Cannon).iter().map(Square::from_index) {
        add(CANNON, (occupancy.rook(square) & !occupancy.all).count() as i32);
        let attacked = (occupancy.cannon(square) & palace & !own).count() as i32;
        add(CANNON_PALACE, attacked);
        attackers += i32::from(attacked != 0);
        if square.file() == general.file() && occupancy.file_of_rook(square) & general.bit() != 0 {
            add(HOLLOW, 1);
        }
        let last = if enemy == Side::First { 0 } else { 9 };
        if square.rank() == last {
            add(BOTTOM, at_home);
        }
    }
    for horse in board.set(side, Kind::Horse).iter() {
        let targets = occupancy.horse(Square::from_index(horse)) & !own;
        let reach = targets.count() as i32;
        add(HORSE, reach);
        if reach <= 1 {
            add(STUCK, 1);
        }
        let attacked = (targets & palace).count() as i32;
        add(HORSE_PALACE, attacked);
        attackers += i32::from(attacked != 0);
    }
    for pawn in board.set(side, Kind::Pawn).iter() {
        attackers += i32::from(PAWN[side.index()][pawn as usize] & palace != 0);
    }
    add(TOGETHER, (attackers - 1).max(0));
    let count = |side: Side, kind: Kind| board.set(side, kind).count() as i32;
    add(BARE, count(side, Kind::Rook) * (2 - at_home));
    add(SCREENS, count(side, Kind::Cannon) * at_home);
    add(EVEN_MINORS, i32::from(count(side, Kind::Horse) != 0 && count(side, Kind::Cannon) != 0));
}

/// The weights, in the order of the terms.
const WEIGHTS: [i32; TERMS] = numbers(include_str!("weights.txt"));

/// What a man adds to the value for the first player by standing on a square; a board keeps the sum.
pub static PLACED: [[i32; SQUARES]; 14] = {
    let mut placed = [[0; SQUARES]; 14];
    let mut index = 0;
    while index < 14 * SQUARES {
        let (kind, second, square) = (index / (2 * SQUARES), !(index / SQUARES).is_multiple_of(2), index % SQUARES);
        let side = if second { Side::Second } else { Side::First };
        let weight = WEIGHTS[kind * PLACES + place(side, square)];
        placed[index / SQUARES][square] = if second { -weight } else { weight };
        index += 1;
    }
    placed
};

/// As [`each_term`], of a whole position.
pub fn terms_of(position: &Xiangqi, add: &mut dyn FnMut(usize, i32)) {
    each_term(&position.board, add);
}

/// All weights, in the order of the terms.
pub fn all_weights() -> Vec<i32> {
    WEIGHTS.to_vec()
}

/// Weights as the text of their file: a block for each kind, its first rank first, edge to middle; then the other terms.
pub fn write(weights: &[i32]) -> String {
    let line = |row: &[i32]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n";
    let (placed, others) = weights.split_at(ROOK);
    let block =
        |(kind, rows): (Kind, &[i32])| format!("# {}\n", kind.name()) + &rows.chunks(5).map(line).collect::<String>();
    let blocks: String = Kind::ALL.into_iter().zip(placed.chunks(PLACES)).map(block).collect();
    blocks + "# other terms\n" + &line(others)
}

/// The value for the first player.
pub fn value(board: &Board) -> i32 {
    let mut value = board.placed() + WEIGHTS[TEMPO] * i32::from(board.turn().sign());
    for side in [Side::First, Side::Second] {
        let sign = i32::from(side.sign());
        side_terms(board, side, |term, count| value += sign * count * WEIGHTS[term]);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::position::Position;
    use crate::rng::Rng;

    /// The value is the sum of the terms, and changes its sign with the colours.
    #[test]
    fn values_are_the_sum_of_the_terms() {
        let mut rng = Rng::new(3, 0);
        let mut position = Xiangqi::start(&Default::default());
        for _ in 0..2000 {
            if position.outcome().is_some() {
                position = Xiangqi::start(&Default::default());
            }
            let mut sum = 0;
            each_term(&position.board, |term, count| sum += count * WEIGHTS[term]);
            assert_eq!(value(&position.board), sum, "{position}");
            position.play(position.random_move(&mut rng));
        }
    }
}
