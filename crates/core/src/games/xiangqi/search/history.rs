//! What moves have been worth elsewhere in the search and in the searches before: the order in which others are tried follows
//! from it, and how deep.

use super::super::board::Board;
use super::super::piece::{SQUARES, Step};
use super::LONGEST;
use crate::position::Side;

/// Kinds and squares: what moves, and where to.
pub const SLOTS: usize = 7 * SQUARES;
/// The largest size of a value.
pub const MOST: i32 = 16_384;
/// Positions by their pawns that share a correction, and by their other pieces.
const CORRECTIONS: usize = 1 << 14;
/// The largest size of a correction, in [`CORRECTION_UNIT`]s of the evaluation's.
const MOST_CORRECTION: i32 = 1024;
const CORRECTION_UNIT: i32 = 12;

/// Kind and square of a move, for the tables by slot.
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
    /// By the slots of the other side's last move and of the own one before it (continuation history).
    after: [Continuation; 2],
    /// By the slot of a capture and the kind that it takes.
    captures: Box<[[i16; 7]; SLOTS]>,
    /// By ply: codes of the last two quiet moves that refuted a position (killers; Akl and Newborn 1977).
    killers: Box<[[u16; 2]; LONGEST as usize + 2]>,
    /// By the side to move, and by pawns or by other pieces: by how much searches found more than the evaluation says.
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

/// Moves a value towards the bonus's side, the less the nearer it is to the limit: so old merits fade.
#[inline]
fn step(value: &mut i16, bonus: i32, most: i32) {
    let now = i32::from(*value);
    *value = (now + bonus - now * bonus.abs() / most) as i16;
}

/// The slots of the last two moves: the other side's, and the own one before that.
pub type Before = [Option<usize>; 2];

impl History {
    /// Another search begins: what refuted at a ply did so in other positions.
    pub fn begin(&mut self) {
        self.killers.fill([0; 2]);
    }

    #[inline]
    pub fn killers(&self, ply: u32) -> [u16; 2] {
        self.killers[ply as usize]
    }

    /// Forgets what refuted two plies below.
    #[inline]
    pub fn forget_killers(&mut self, ply: u32) {
        self.killers[ply as usize] = [0; 2];
    }

    /// What a quiet move has been worth after the last two.
    #[inline]
    pub fn after(&self, slot: usize, before: Before) -> i32 {
        let of = |number: usize| before[number].map_or(0, |before| i32::from(self.after[number][before][slot]));
        of(0) + of(1)
    }

    /// What a quiet move has been worth wherever it was played.
    #[inline]
    pub fn plain(&self, side: Side, step: Step) -> i32 {
        self.plain[side.index()][index(step)].into()
    }

    /// What a capture has been worth.
    #[inline]
    pub fn capture(&self, slot: usize, victim: usize) -> i32 {
        self.captures[slot][victim].into()
    }

    /// A quiet move has refuted a position, or has not.
    #[inline]
    pub fn learn_quiet(&mut self, side: Side, mv: (Step, usize), before: Before, bonus: i32) {
        step(&mut self.plain[side.index()][index(mv.0)], bonus, MOST);
        self.learn_after(mv.1, before, bonus);
    }

    /// The same, of the moves before it alone.
    #[inline]
    pub fn learn_after(&mut self, slot: usize, before: Before, bonus: i32) {
        for (table, before) in self.after.iter_mut().zip(before) {
            if let Some(before) = before {
                step(&mut table[before][slot], bonus, MOST);
            }
        }
    }

    #[inline]
    pub fn learn_capture(&mut self, slot: usize, victim: usize, bonus: i32) {
        step(&mut self.captures[slot][victim], bonus, MOST);
    }

    #[inline]
    pub fn learn_killer(&mut self, ply: u32, code: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// By how much positions like this one are worth more than the evaluation says.
    #[inline]
    pub fn correction(&self, board: &Board) -> i32 {
        let side = &self.corrections[board.turn().index()];
        let [pawns, pieces] = correction_indices(board);
        (i32::from(side[0][pawns]) + i32::from(side[1][pieces])) / (2 * CORRECTION_UNIT)
    }

    /// A search of some depth has found so much more than the evaluation says.
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
