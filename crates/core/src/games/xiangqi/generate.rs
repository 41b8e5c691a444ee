//! Legal moves, generated without trying each: only a piece between its general and an enemy needs a second check.

use super::board::Board;
use super::piece::{Kind, Square, Step};
use crate::bits::{Bits, shifted_up};

/// What the side to move must heed to keep its general safe. Positions store it, since moves are listed and tried in parts.
#[derive(Clone, Copy, Debug)]
pub struct Safety {
    /// Whether the general is in check: then every move is tried.
    pub in_check: bool,
    danger: Danger,
}

/// Moves that may expose a general that is not in check.
#[derive(Clone, Copy, Debug, Default)]
struct Danger {
    /// Pieces that may open a line by leaving.
    from: u128,
    /// Empty squares where any piece would be a cannon's missing screen.
    to: u128,
}

/// The legal moves of a position: the destinations of every piece that can move.
#[derive(Clone, Debug)]
pub struct Moves {
    pieces: [(Square, u128); 16],
    count: usize,
}

impl Moves {
    /// No moves.
    pub const NONE: Self = Self { pieces: [(Square::from_index(0), 0); 16], count: 0 };

    /// The pieces that can move, and their destinations.
    #[inline]
    pub fn pieces(&self) -> &[(Square, u128)] {
        &self.pieces[..self.count]
    }

    /// All moves, piece by piece from Red's left corner on.
    pub fn into_iter(self) -> impl Iterator<Item = Step> {
        let Self { pieces, count } = self;
        pieces
            .into_iter()
            .take(count)
            .flat_map(|(from, targets)| targets.iter().map(move |to| Step { from, to: Square::from_index(to) }))
    }

    /// How many there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.pieces().iter().map(|(_, targets)| targets.count()).sum()
    }

    /// The `n`-th, counted from 0; there must be more than `n`.
    #[inline]
    pub fn nth(&self, mut n: u32) -> Step {
        for &(from, targets) in self.pieces() {
            let count = targets.count();
            if n < count {
                return Step { from, to: Square::from_index(targets.nth(n)) };
            }
            n -= count;
        }
        unreachable!("there are more than n moves")
    }
}

impl Board {
    /// What the side to move must heed to keep its general safe.
    #[inline]
    pub fn safety(&self) -> Safety {
        let in_check = self.in_check();
        let danger = if in_check { Danger::default() } else { self.danger(self.general(self.turn())) };
        Safety { in_check, danger }
    }

    /// The legal moves of the side to move to the given squares.
    #[inline]
    pub fn legal_moves(&self, safety: &Safety, squares: u128) -> Moves {
        let mut moves = Moves::NONE;
        self.each_piece(safety, squares, |from, targets| {
            moves.pieces[moves.count] = (from, targets);
            moves.count += 1;
            true
        });
        moves
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_legal_move(&self, safety: &Safety) -> bool {
        let mut found = false;
        self.each_piece(safety, u128::MAX, |_, _| {
            found = true;
            false
        });
        found
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self, safety: &Safety) -> u64 {
        let mut count = 0;
        self.each_piece(safety, u128::MAX, |_, targets| {
            count += u64::from(targets.count());
            true
        });
        count
    }

    /// Calls `found` for every piece of the side to move that has legal moves to the given squares, until it returns false.
    #[inline(always)]
    fn each_piece(&self, safety: &Safety, squares: u128, mut found: impl FnMut(Square, u128) -> bool) {
        let side = self.turn();
        let Safety { in_check, danger } = *safety;
        let mut rest = self.side(side);
        while rest != 0 {
            let from = Square::from_index(rest.trailing_zeros());
            rest &= rest - 1;
            let Some(man) = self.man(from) else { continue };
            let mut targets = self.targets(from, man) & squares;
            if in_check || man.kind() == Kind::General || danger.from & from.bit() != 0 {
                targets = self.safe_targets(from, targets);
            } else {
                targets &= !danger.to;
            }
            if targets != 0 && !found(from, targets) {
                return;
            }
        }
    }

    /// As [`Board::is_legal`], with the safety known.
    pub fn is_legal_knowing(&self, safety: &Safety, step: Step) -> bool {
        let Safety { in_check, danger } = *safety;
        let Some(man) = self.man(step.from).filter(|man| man.side() == self.turn()) else { return false };
        let mind = in_check
            || man.kind() == Kind::General
            || danger.from & step.from.bit() != 0
            || danger.to & step.to.bit() != 0;
        self.targets(step.from, man).has(step.to.index() as u32) && (!mind || self.is_safe(step))
    }

    /// The targets that leave the general safe, each tried.
    fn safe_targets(&self, from: Square, targets: u128) -> u128 {
        let safe = |to: &u32| self.is_safe(Step { from, to: Square::from_index(*to) });
        targets.iter().filter(safe).fold(0, |set, to| set | u128::single(to))
    }

    /// What may expose a general that is not in check.
    #[inline]
    fn danger(&self, general: Square) -> Danger {
        let mut danger = Danger::default();
        let (side, enemy) = (self.turn(), self.turn().other());
        let own = self.side(side);
        let occupancy = self.occupancy();

        // Horses that only a piece on their blocking point keeps from giving check.
        let horses = self.set(enemy, Kind::Horse);
        if horses != 0 {
            danger.from |= self.horse_blocks(general, horses) & own;
        }

        let (rooks, cannons) = (self.set(enemy, Kind::Rook), self.set(enemy, Kind::Cannon));
        let facing = self.set(enemy, Kind::General);
        let reach = occupancy.rook(general);
        // The first piece in each direction.
        let first = reach & occupancy.all;
        if first & cannons != 0 {
            for cannon in (first & cannons).iter() {
                danger.to |= between(general, Square::from_index(cannon));
            }
        }
        // The second piece: what a cannon on the general's square would capture.
        let second = occupancy.cannon(general);
        for index in (second & (rooks | facing)).iter() {
            let at = Square::from_index(index);
            if facing & at.bit() == 0 || at.file() == general.file() {
                danger.from |= between(general, at) & first & own;
            }
        }
        // The third piece: a cannon with two pieces between it and the general.
        if cannons != 0 {
            for cannon in cannons.iter().map(Square::from_index) {
                let line = between(general, cannon) & occupancy.all;
                if line != 0 && line.count() == 2 {
                    danger.from |= line & own;
                }
            }
        }
        danger
    }

    /// The blocking points of horses that could attack a square.
    fn horse_blocks(&self, square: Square, horses: u128) -> u128 {
        let mut blocks = 0;
        for horse in horses.iter().map(Square::from_index) {
            let right = i32::from(horse.file()) - i32::from(square.file());
            let up = i32::from(horse.rank()) - i32::from(square.rank());
            if right.abs() * up.abs() == 2 {
                let block = i32::from(square.rank()) * 9 + i32::from(square.file()) + up.signum() * 9 + right.signum();
                blocks |= 1 << block;
            }
        }
        blocks
    }
}

/// The squares strictly between two on one rank or file; none if they are not on one.
#[inline]
fn between(a: Square, b: Square) -> u128 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let inside = (high.bit() - 1) & !(low.bit() | (low.bit() - 1));
    if low.rank() == high.rank() {
        inside
    } else if low.file() == high.file() {
        inside & shifted_up(FILE_A, low.file().into())
    } else {
        0
    }
}

const FILE_A: u128 = {
    let mut set = 0;
    let mut rank = 0;
    while rank < 10 {
        set |= 1 << (9 * rank);
        rank += 1;
    }
    set
};
