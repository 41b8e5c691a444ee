//! What the pieces of both sides reach: looked up once, used by all terms.

use super::super::attacks::{ADVISOR, GENERAL};
use super::super::board::Board;
use super::super::piece::{Kind, Square};
use crate::bits::Bits;
use crate::position::Side;

/// Squares of file a, and of file i.
pub const FILE_A: u128 = 0x0002_0100_8040_2010_0804_0201;
const FILE_I: u128 = FILE_A << 8;
/// The squares beyond the river, by side.
pub const ACROSS: [u128; 2] = [((1 << 45) - 1) << 45, (1 << 45) - 1];

/// What one side's pieces reach, friends included.
#[derive(Clone, Copy, Default)]
pub struct Reach {
    /// By piece, of at most two each. Cannons: where they would capture.
    pub rook: [u128; 2],
    pub horse: [u128; 2],
    pub cannon: [u128; 2],
    /// Where cannons go without capturing, and their blockers.
    pub cannon_moves: [u128; 2],
    pub elephant: [u128; 2],
    /// Of all pawns.
    pub pawns: u128,
    /// Of all guards and the general.
    pub guards: u128,
    /// Of all horses, cannons and rooks.
    pub horses: u128,
    pub cannons: u128,
    pub rooks: u128,
}

impl Reach {
    #[inline]
    fn of(board: &Board, side: Side) -> Self {
        let occupancy = board.occupancy();
        let squares = |kind| board.set(side, kind).iter();
        let mut reach = Self { guards: GENERAL[board.general(side).index()], ..Self::default() };
        for square in squares(Kind::Advisor) {
            reach.guards |= ADVISOR[square as usize];
        }
        for (square, to) in squares(Kind::Elephant).zip(&mut reach.elephant) {
            *to = occupancy.elephant(Square::from_index(square));
            reach.guards |= *to;
        }
        for (square, to) in squares(Kind::Horse).zip(&mut reach.horse) {
            *to = occupancy.horse(Square::from_index(square));
            reach.horses |= *to;
        }
        for (square, to) in squares(Kind::Rook).zip(&mut reach.rook) {
            *to = occupancy.rook(Square::from_index(square));
            reach.rooks |= *to;
        }
        let cannons = reach.cannon.iter_mut().zip(&mut reach.cannon_moves);
        for (square, (to, moves)) in squares(Kind::Cannon).map(Square::from_index).zip(cannons) {
            *to = occupancy.cannon(square);
            *moves = occupancy.rook(square);
            reach.cannons |= *to;
        }
        let pawns = board.set(side, Kind::Pawn);
        let crossed = pawns & ACROSS[side.index()];
        let ahead = match side {
            Side::First => pawns << 9 & ((1 << 90) - 1),
            Side::Second => pawns >> 9,
        };
        reach.pawns = ahead | (crossed & !FILE_A) >> 1 | (crossed & !FILE_I) << 1;
        reach
    }

    /// All squares reached.
    #[inline]
    pub fn all(&self) -> u128 {
        self.pawns | self.guards | self.horses | self.cannons | self.rooks
    }
}

/// A board, and the squares reached on it.
pub struct Sight<'a> {
    pub board: &'a Board,
    pub reach: [Reach; 2],
    /// Everything that a side reaches.
    pub all: [u128; 2],
}

impl<'a> Sight<'a> {
    #[inline]
    pub fn of(board: &'a Board) -> Self {
        let reach = [Reach::of(board, Side::First), Reach::of(board, Side::Second)];
        let all = [reach[0].all(), reach[1].all()];
        Self { board, reach, all }
    }

    #[inline]
    pub fn reach(&self, side: Side) -> &Reach {
        &self.reach[side.index()]
    }

    #[inline]
    pub fn set(&self, side: Side, kind: Kind) -> u128 {
        self.board.set(side, kind)
    }

    #[inline]
    pub fn count(&self, side: Side, kind: Kind) -> i32 {
        self.board.set(side, kind).count() as i32
    }

    /// A side's pawns beyond the river.
    #[inline]
    pub fn crossed(&self, side: Side) -> u128 {
        self.board.set(side, Kind::Pawn) & ACROSS[side.index()]
    }

    /// The squares of a set whose right neighbour is in the set too.
    #[inline]
    pub fn side_by_side(set: u128) -> u128 {
        set & (set & !FILE_A) >> 1
    }
}
