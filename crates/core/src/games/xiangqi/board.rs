//! The board: moves made and unmade in place, with an incremental key.

use super::attacks::{ADVISOR, GENERAL, Occupancy, PAWN, PAWN_TO};
use super::piece::{Kind, Man, SQUARES, Square, Step};
use crate::bits::Bits;
use crate::position::Side;
use crate::rng::mix;

/// Pieces, occupancy and side to move. Both generals are on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// By side and kind.
    sets: [[u128; 7]; 2],
    sides: [u128; 2],
    men: [Option<Man>; SQUARES],
    occupancy: Occupancy,
    generals: [Square; 2],
    turn: Side,
    key: u64,
    /// The parts of the key for pawns, and for advisors, elephants, horses and cannons.
    parts: [u64; 2],
}

/// A random number for every man on every square, and one for the turn.
static KEYS: [[u64; SQUARES]; 14] = {
    let mut keys = [[0; SQUARES]; 14];
    let mut index = 0;
    while index < 14 * SQUARES {
        keys[index / SQUARES][index % SQUARES] = mix(0x7869_616e_6771_6900 + index as u64);
        index += 1;
    }
    keys
};
const BLACK_TO_MOVE: u64 = mix(0x626c_6163_6b00);

impl Board {
    /// A board without pieces. Put a general of each side on it before any query.
    pub fn empty(turn: Side) -> Self {
        Self {
            sets: [[0; 7]; 2],
            sides: [0; 2],
            men: [None; SQUARES],
            occupancy: Occupancy::EMPTY,
            generals: [Square::new(4, 0), Square::new(4, 9)],
            turn,
            key: if turn == Side::Second { BLACK_TO_MOVE } else { 0 },
            parts: [0; 2],
        }
    }

    /// Puts a man on an empty square.
    pub fn put(&mut self, square: Square, man: Man) {
        if man.kind() == Kind::General {
            self.generals[man.side().index()] = square;
        }
        self.flip(square, man);
        self.men[square.index()] = Some(man);
        self.occupancy.toggle(square);
    }

    /// Who is to move.
    #[inline]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The Zobrist hash of pieces and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key after a pseudo-legal move.
    #[inline]
    pub fn key_after(&self, Step { from, to }: Step) -> u64 {
        let hash = |square: Square, man: Option<Man>| man.map_or(0, |man| KEYS[man.index()][square.index()]);
        let (man, captured) = (self.men[from.index()], self.men[to.index()]);
        self.key ^ BLACK_TO_MOVE ^ hash(from, man) ^ hash(to, man) ^ hash(to, captured)
    }

    /// A hash of the pawns.
    #[inline]
    pub fn pawns_key(&self) -> u64 {
        self.parts[0]
    }

    /// A hash of the advisors, elephants, horses and cannons.
    #[inline]
    pub fn minors_key(&self) -> u64 {
        self.parts[1]
    }

    /// What stands on a square.
    #[inline]
    pub fn man(&self, square: Square) -> Option<Man> {
        self.men[square.index()]
    }

    /// A side's pieces of one kind.
    #[inline]
    pub fn set(&self, side: Side, kind: Kind) -> u128 {
        self.sets[side.index()][kind as usize]
    }

    /// A side's pieces.
    #[inline]
    pub fn side(&self, side: Side) -> u128 {
        self.sides[side.index()]
    }

    /// The occupied squares.
    #[inline]
    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Where a side's general stands.
    #[inline]
    pub fn general(&self, side: Side) -> Square {
        self.generals[side.index()]
    }

    /// Updates the sets and the key when a man enters or leaves a square.
    #[inline]
    fn flip(&mut self, square: Square, man: Man) {
        let side = man.side().index();
        self.sets[side][man.kind() as usize] ^= square.bit();
        self.sides[side] ^= square.bit();
        let key = KEYS[man.index()][square.index()];
        self.key ^= key;
        match man.kind() {
            Kind::Pawn => self.parts[0] ^= key,
            Kind::General | Kind::Rook => {}
            _ => self.parts[1] ^= key,
        }
    }

    /// Makes a pseudo-legal move; returns what it captured.
    #[inline]
    pub fn make(&mut self, step: Step) -> Option<Man> {
        let Step { from, to } = step;
        let man = self.men[from.index()].expect("a move starts where a piece stands");
        let captured = self.men[to.index()];
        match captured {
            Some(captured) => self.flip(to, captured),
            None => self.occupancy.toggle(to),
        }
        self.occupancy.toggle(from);
        self.relocate(man, from, to);
        self.men[from.index()] = None;
        captured
    }

    /// Takes a move back.
    #[inline]
    pub fn unmake(&mut self, step: Step, captured: Option<Man>) {
        let Step { from, to } = step;
        let man = self.men[to.index()].expect("the piece that moved stands where it went");
        self.relocate(man, to, from);
        self.men[to.index()] = captured;
        self.occupancy.toggle(from);
        match captured {
            Some(captured) => self.flip(to, captured),
            None => self.occupancy.toggle(to),
        }
    }

    #[inline]
    fn relocate(&mut self, man: Man, from: Square, to: Square) {
        self.flip(from, man);
        self.flip(to, man);
        self.men[to.index()] = Some(man);
        if man.kind() == Kind::General {
            self.generals[man.side().index()] = to;
        }
        self.turn = self.turn.other();
        self.key ^= BLACK_TO_MOVE;
    }

    /// Passes the turn to the other side.
    #[inline]
    pub fn pass(&mut self) {
        self.turn = self.turn.other();
        self.key ^= BLACK_TO_MOVE;
    }

    /// The board with the other side to move.
    pub fn passed(&self) -> Self {
        let mut board = self.clone();
        board.pass();
        board
    }

    /// Whether a side has rooks, horses or cannons.
    #[inline]
    pub fn is_strong(&self, side: Side) -> bool {
        [Kind::Rook, Kind::Horse, Kind::Cannon].iter().any(|&kind| self.set(side, kind) != 0)
    }

    /// Whether any piece is left that can attack.
    #[inline]
    pub fn can_attack(&self) -> bool {
        let attacks = |side| self.is_strong(side) || self.set(side, Kind::Pawn) != 0;
        attacks(Side::First) || attacks(Side::Second)
    }

    /// Where the man on a square may go, considering blockers but not its general's safety.
    #[inline]
    pub fn targets(&self, from: Square, man: Man) -> u128 {
        let side = man.side();
        let reach = match man.kind() {
            Kind::General => GENERAL[from.index()],
            Kind::Advisor => ADVISOR[from.index()],
            Kind::Elephant => self.occupancy.elephant(from),
            Kind::Horse => self.occupancy.horse(from),
            Kind::Rook => self.occupancy.rook(from),
            Kind::Cannon => {
                (self.occupancy.rook(from) & !self.occupancy.all)
                    | (self.occupancy.cannon(from) & self.side(side.other()))
            }
            Kind::Pawn => PAWN[side.index()][from.index()],
        };
        reach & !self.side(side)
    }

    /// Whether `by` would attack a general on a square of the other side's palace.
    #[inline]
    pub fn attacks_general(&self, by: Side, square: Square) -> bool {
        self.attacks_general_with(by, square, &self.occupancy, 0)
    }

    /// The same with another occupancy, and without the attackers in `gone`.
    #[inline]
    fn attacks_general_with(&self, by: Side, square: Square, occupancy: &Occupancy, gone: u128) -> bool {
        let sets = &self.sets[by.index()];
        let set = |kind: Kind| sets[kind as usize] & !gone;
        occupancy.rook(square) & set(Kind::Rook) != 0
            || occupancy.cannon(square) & set(Kind::Cannon) != 0
            || occupancy.horse_to(square) & set(Kind::Horse) != 0
            || PAWN_TO[by.index()][square.index()] & set(Kind::Pawn) != 0
            || occupancy.file_of_rook(square) & set(Kind::General) != 0
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.attacks_general(self.turn.other(), self.general(self.turn))
    }

    /// Whether a move gives check.
    pub fn gives_check(&self, step: Step) -> bool {
        let Step { from, to } = step;
        let (side, square) = (self.turn, self.general(self.turn.other()));
        let Some(man) = self.man(from) else { return false };
        let occupancy = self.occupancy.moved(from, to);
        let sets = &self.sets[side.index()];
        let set = |kind: Kind| {
            let there = if man.kind() == kind { to.bit() } else { 0 };
            sets[kind as usize] & !from.bit() | there
        };
        occupancy.rook(square) & set(Kind::Rook) != 0
            || occupancy.cannon(square) & set(Kind::Cannon) != 0
            || occupancy.horse_to(square) & set(Kind::Horse) != 0
            || PAWN_TO[side.index()][square.index()] & set(Kind::Pawn) != 0
    }

    /// Whether a pseudo-legal move leaves the mover's general safe.
    #[inline]
    pub fn is_safe(&self, step: Step) -> bool {
        let Step { from, to } = step;
        let general = self.general(self.turn);
        let general = if from == general { to } else { general };
        !self.attacks_general_with(self.turn.other(), general, &self.occupancy.moved(from, to), to.bit())
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, step: Step) -> bool {
        let moves = |man: Man| man.side() == self.turn && self.targets(step.from, man).has(step.to.index() as u32);
        self.man(step.from).is_some_and(moves) && self.is_safe(step)
    }
}
