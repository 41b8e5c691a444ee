//! A first plain evaluator for Xiangqi: what the pieces are worth, and where they stand well.
//!
//! The scale is a hundredth of an uncrossed pawn. The weights are hand-set from the common teaching of the game (a rook is two
//! cannons, a pawn doubles when it crosses the river, horses want the middle and cannons the central file).

use super::Xiangqi;
use super::piece::{Kind, SQUARES, Step};
use crate::bits::Bits;
use crate::position::{Position, Side};
use crate::search::Outlook;
use crate::search::plain::Evaluator;

/// What a piece is worth wherever it stands, in the order of the kinds.
pub const WORTH: [i32; 7] = [0, 200, 200, 400, 900, 450, 100];

/// By kind and square, seen from Red's side: worth and place together.
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

/// What a place adds for a piece of Red's.
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

/// The first player's pieces and places, less the second's.
pub fn balance(position: &Xiangqi) -> i32 {
    let total = |side: Side| {
        let kind = |kind: Kind| {
            let squares = position.board.set(side, kind).iter();
            squares.map(|square| PLACED[kind as usize][seen_from(side, square)]).sum::<i32>()
        };
        Kind::ALL.map(kind).into_iter().sum::<i32>()
    };
    total(Side::First) - total(Side::Second)
}

/// MaterialEvaluator and places.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaterialEvaluator;

impl Evaluator<Xiangqi> for MaterialEvaluator {
    const EVALUATES: bool = true;

    fn value(&self, position: &Xiangqi) -> i32 {
        balance(position)
    }

    fn outlook(&self, _: &Xiangqi, value: i32) -> Outlook {
        // Hand-set: a pawn is a slight edge, a horse usually wins.
        Outlook::logistic(value, 120, 150.0)
    }

    fn priority(&self, position: &Xiangqi, mv: Step) -> i32 {
        let board = &position.board;
        let Some(man) = board.man(mv.from) else { return 0 };
        let worth = |kind: Kind| WORTH[kind as usize];
        if let Some(victim) = board.man(mv.to) {
            // The most valuable victim first, by the least valuable attacker.
            return 10_000 + 16 * worth(victim.kind()) - worth(man.kind());
        }
        let placed = |square: super::piece::Square| {
            PLACED[man.kind() as usize][seen_from(position.turn(), square.index() as u32)]
        };
        placed(mv.to) - placed(mv.from)
    }
}
