//! History tables: how moves did elsewhere in this search and in earlier ones. Move ordering and reductions follow from them.

use super::super::board::Board;
use super::super::piece::{SQUARES, Step};
use super::LONGEST;
use crate::position::Side;

/// Slots of moves: kind and destination.
pub const SLOTS: usize = 7 * SQUARES;
/// The largest absolute value of an entry.
pub const MAX_HISTORY: i32 = 16_384;
/// The size of each correction table, by pawns and by other pieces.
const CORRECTIONS: usize = 1 << 14;
/// The largest absolute correction; its unit is 1 / [`CORRECTION_UNIT`] of the evaluation's.
const MOST_CORRECTION: i32 = 1024;
const CORRECTION_UNIT: i32 = 12;

/// The slot of a move.
#[inline]
pub fn slot(board: &Board, step: Step) -> usize {
    board.man(step.from).map_or(0, |man| man.kind() as usize) * SQUARES + step.to.index()
}

type Continuation = Box<[[i16; SLOTS]; SLOTS]>;

/// The tables of one worker.
#[derive(Debug)]
pub struct History {
    /// By side, from and to (history heuristic; Schaeffer 1983).
    plain: Box<[[i16; SQUARES * SQUARES]; 2]>,
    /// By the slots of the opponent's last move and of the own one before it (continuation history).
    after: [Continuation; 2],
    /// By the slot of a capture and the captured kind.
    captures: Box<[[i16; 7]; SLOTS]>,
    /// By ply: codes of the last two quiet moves that refuted a position (killers; Akl and Newborn 1977).
    killers: Box<[[u16; 2]; LONGEST as usize + 2]>,
    /// By the side to move, and by pawns or by other pieces: by how much searches exceeded the evaluation.
    corrections: Box<[[[i16; CORRECTIONS]; 2]; 2]>,
}

impl Default for History {
    fn default() -> Self {
        use bytemuck::allocation::zeroed_box;
        Self {
            plain: zeroed_box(),
            after: [zeroed_box(), zeroed_box()],
            captures: zeroed_box(),
            killers: zeroed_box(),
            corrections: zeroed_box(),
        }
    }
}

/// Moves a value towards the bonus's sign, the less the nearer it is to the limit, so that old results fade.
#[inline]
fn step(value: &mut i16, bonus: i32, most: i32) {
    let now = i32::from(*value);
    *value = (now + bonus - now * bonus.abs() / most) as i16;
}

/// The slots of the last two moves: the opponent's, and the own one before that.
pub type Before = [Option<usize>; 2];

impl History {
    /// Begins another search: killers belong to the positions of one search.
    pub fn begin(&mut self) {
        self.killers.fill([0; 2]);
    }

    #[inline]
    pub fn killers(&self, ply: u32) -> [u16; 2] {
        self.killers[ply as usize]
    }

    /// Clears the killers of a ply.
    #[inline]
    pub fn forget_killers(&mut self, ply: u32) {
        self.killers[ply as usize] = [0; 2];
    }

    /// The continuation history of a quiet move after the last two.
    #[inline]
    pub fn after(&self, slot: usize, before: Before) -> i32 {
        let of = |number: usize| before[number].map_or(0, |before| i32::from(self.after[number][before][slot]));
        of(0) + of(1)
    }

    /// The history of a quiet move in all positions.
    #[inline]
    pub fn plain(&self, side: Side, step: Step) -> i32 {
        self.plain[side.index()][index(step)].into()
    }

    /// The history of a capture.
    #[inline]
    pub fn capture(&self, slot: usize, victim: usize) -> i32 {
        self.captures[slot][victim].into()
    }

    /// Learns that a quiet move has refuted a position, or has not (a negative bonus).
    #[inline]
    pub fn learn_quiet(&mut self, side: Side, mv: (Step, usize), before: Before, bonus: i32) {
        step(&mut self.plain[side.index()][index(mv.0)], bonus, MAX_HISTORY);
        self.learn_after(mv.1, before, bonus);
    }

    /// The same in the continuation history alone.
    #[inline]
    pub fn learn_after(&mut self, slot: usize, before: Before, bonus: i32) {
        for (table, before) in self.after.iter_mut().zip(before) {
            if let Some(before) = before {
                step(&mut table[before][slot], bonus, MAX_HISTORY);
            }
        }
    }

    #[inline]
    pub fn learn_capture(&mut self, slot: usize, victim: usize, bonus: i32) {
        step(&mut self.captures[slot][victim], bonus, MAX_HISTORY);
    }

    #[inline]
    pub fn learn_killer(&mut self, ply: u32, code: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// By how much searches of positions like this one exceeded the evaluation.
    #[inline]
    pub fn correction(&self, board: &Board) -> i32 {
        let side = &self.corrections[board.turn().index()];
        let [pawns, pieces] = correction_indices(board);
        (i32::from(side[0][pawns]) + i32::from(side[1][pieces])) / (2 * CORRECTION_UNIT)
    }

    /// Learns that a search of this depth exceeded the evaluation by `difference`.
    #[inline]
    pub fn learn_correction(&mut self, board: &Board, difference: i32, depth: i32) {
        let bonus = (difference * CORRECTION_UNIT * depth / 96).clamp(-MOST_CORRECTION / 4, MOST_CORRECTION / 4);
        let side = &mut self.corrections[board.turn().index()];
        let [pawns, pieces] = correction_indices(board);
        step(&mut side[0][pawns], bonus, MOST_CORRECTION);
        step(&mut side[1][pieces], bonus, MOST_CORRECTION);
    }
}

#[inline]
fn correction_indices(board: &Board) -> [usize; 2] {
    [board.pawns_key() as usize % CORRECTIONS, board.minors_key() as usize % CORRECTIONS]
}

#[inline]
fn index(step: Step) -> usize {
    step.from.index() * SQUARES + step.to.index()
}
