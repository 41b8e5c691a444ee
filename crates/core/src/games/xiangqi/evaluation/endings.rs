//! Endings closer to a draw than their material suggests: the better side has too little left to win.
//!
//! Guards hold against a lone cannon, horse or pawn, and all four of them against a lone rook (theoretical draws). The factors
//! follow the results of such endings in self-play (docs/measurements/xiangqi-learning.md).

use super::super::board::Board;
use super::super::piece::Kind;
use crate::bits::Bits;
use crate::position::Side;

/// A factor of one.
pub const WHOLE: i32 = 16;
/// The highest phase at which a factor may be less than one: that of a rook and a horse or cannon against a rook.
const LATEST: i32 = 5;

/// The pieces that a side has left.
#[derive(Clone, Copy)]
struct Material {
    rooks: u32,
    horses: u32,
    cannons: u32,
    pawns: u32,
    advisors: u32,
    elephants: u32,
}

impl Material {
    fn of(board: &Board, side: Side) -> Self {
        let count = |kind| board.set(side, kind).count();
        Self {
            rooks: count(Kind::Rook),
            horses: count(Kind::Horse),
            cannons: count(Kind::Cannon),
            pawns: count(Kind::Pawn),
            advisors: count(Kind::Advisor),
            elephants: count(Kind::Elephant),
        }
    }

    fn minors(&self) -> u32 {
        self.horses + self.cannons
    }

    fn guards(&self) -> u32 {
        self.advisors + self.elephants
    }
}

/// The factor to apply to a value for the first player, in parts of [`WHOLE`].
#[inline]
pub fn factor(board: &Board, phase: i32, value: i32) -> i32 {
    if phase > LATEST {
        return WHOLE;
    }
    let better = if value >= 0 { Side::First } else { Side::Second };
    of(Material::of(board, better), Material::of(board, better.other()))
}

fn of(better: Material, other: Material) -> i32 {
    let guards = other.guards();
    match (better.rooks, better.minors(), better.pawns) {
        (0, 0, 0) => 0,
        (0, 0, 1) => match guards {
            0 => 12,
            1 => 8,
            _ => 2,
        },
        (0, 0, 2) if other.elephants == 2 => 6,
        (0, 1, 0) if better.cannons == 1 => 2,
        // Any piece beside the general stops a horse, except one advisor.
        (0, 1, 0) => match (other.rooks + other.minors(), other.pawns, other.advisors, other.elephants) {
            (0, 0, 0, 0) => WHOLE,
            (0, 0, 1, 0) => 14,
            (0, 0, 0, 1) | (0, _, 0, 0) => 7,
            _ => 3,
        },
        (0, 1, 1) if other.minors() > 0 && guards >= 2 => 6,
        (0, 1, 1) if better.cannons == 1 && other.minors() > 0 && guards == 1 => 8,
        (0, 1, 1) if other.rooks + other.minors() == 0 && guards == 4 => 10,
        (1, 0, 0) if other.rooks > 0 => 5,
        (1, 0, 0) => match (guards, other.elephants, other.minors()) {
            (4, ..) => 2,
            (3, _, 1..) => 3,
            (3, 2, _) => 9,
            (2, 2, 0) => 11,
            (1 | 2, 0 | 1, 1..) => 10,
            _ => WHOLE,
        },
        // A rook stops a rook and a cannon as long as it has guards.
        (1, 1, 0) if better.cannons == 1 && other.rooks > 0 => match guards {
            0 => 13,
            1 | 2 => 8,
            _ => 4,
        },
        (1, 0, 1) if other.rooks > 0 => match guards {
            0 | 1 => WHOLE,
            2 | 3 => 8,
            _ => 4,
        },
        _ => WHOLE,
    }
}
