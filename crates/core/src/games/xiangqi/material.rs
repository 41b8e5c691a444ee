//! Static move ordering: piece values and piece-square bonuses.
//!
//! The unit is a hundredth of an uncrossed pawn. The weights are set by hand from the common teaching of the game (a rook is
//! two cannons, a pawn doubles when it crosses the river, horses want the middle and cannons the central file).

use super::Xiangqi;
use super::piece::{Kind, SQUARES, Step};
use crate::position::{Position, Side};

/// Piece values regardless of the square, in the order of the kinds.
pub const WORTH: [i32; 7] = [0, 200, 200, 400, 900, 450, 100];

/// By kind and square, seen from Red's side: value and square bonus together.
static PLACED: [[i32; SQUARES]; 7] = {
    let mut table = [[0; SQUARES]; 7];
    let mut index = 0;
    while index < 7 * SQUARES {
        let (kind, square) = (index / SQUARES, index % SQUARES);
        let (file, rank) = ((square % 9) as i32, (square / 9) as i32);
        table[kind][square] = WORTH[kind] + place(Kind::ALL[kind], file, rank);
        index += 1;
    }
    table
};

/// The square bonus of a red piece.
const fn place(kind: Kind, file: i32, rank: i32) -> i32 {
    let middle = 4 - (file - 4).abs();
    match kind {
        Kind::General => -25 * rank - 10 * (4 - middle),
        Kind::Advisor => {
            if middle == 4 {
                8
            } else {
                0
            }
        }
        Kind::Elephant => {
            if middle == 4 {
                12
            } else if rank == 0 {
                4
            } else {
                -4
            }
        }
        Kind::Horse => match rank {
            0 => -25,
            1 => -10,
            8 | 9 => 4 * middle,
            _ => 6 * middle + 4 * rank,
        },
        Kind::Rook => {
            let forward = if rank == 0 {
                -12
            } else if rank >= 5 {
                12
            } else {
                0
            };
            forward + 3 * middle
        }
        Kind::Cannon => {
            let central = if middle == 4 { 18 } else { 2 * middle };
            central + if rank == 9 { 15 } else { 0 }
        }
        Kind::Pawn => match rank {
            0..=4 => 3 * middle + if rank == 4 { 5 } else { 0 },
            // A pawn on the last rank can only go sideways.
            9 => 30,
            7 | 8 => 100 + 25 * middle,
            _ => 90 + 15 * middle,
        },
    }
}

/// A square as its owner sees it.
#[inline]
fn seen_from(side: Side, square: u32) -> usize {
    match side {
        Side::First => square as usize,
        Side::Second => SQUARES - 1 - square as usize,
    }
}

/// How early to try a move: the largest first.
pub fn priority(position: &Xiangqi, mv: Step) -> i32 {
    let board = &position.board;
    let Some(man) = board.man(mv.from) else { return 0 };
    let worth = |kind: Kind| WORTH[kind as usize];
    if let Some(victim) = board.man(mv.to) {
        // Most valuable victim first, then least valuable attacker.
        return 10_000 + 16 * worth(victim.kind()) - worth(man.kind());
    }
    let placed =
        |square: super::piece::Square| PLACED[man.kind() as usize][seen_from(position.turn(), square.index() as u32)];
    placed(mv.to) - placed(mv.from)
}
