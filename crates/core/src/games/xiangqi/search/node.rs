//! A node of Xiangqi's search, and the results of its moves.

use super::moves::ScoredMove;
use super::table::Entry;
use super::{INFINITY, NOWHERE};

/// The most moves whose history is lowered when a later one refutes, of quiet moves and of captures each.
const TRIED: usize = 32;

/// A node whose moves are being tried.
pub(super) struct Node {
    /// Whether it lies on the principal variation: its window is open.
    pub pv: bool,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub ply: u32,
    /// Whether it is expected to be refuted.
    pub cut: bool,
    /// Its table entry, and the entry's value at this ply.
    pub known: Option<Entry>,
    pub known_value: i32,
    /// Its uncorrected evaluation, as in the table; [`Entry::NOTHING`] in check.
    pub raw: i32,
    /// The same corrected by the past and by history: its static evaluation; none in check.
    pub static_eval: Option<i32>,
    /// The static evaluation refined by the table.
    pub guess: i32,
    /// Whether the static evaluation is higher than two plies ago.
    pub improving: bool,
    /// Whether it is or has been on a principal variation.
    pub principal: bool,
    /// Whether no move is excluded.
    pub whole: bool,
}

impl Node {
    /// A node before its evaluation.
    #[inline]
    pub fn new(pv: bool, depth: i32, (alpha, beta): (i32, i32), ply: u32, known: Option<Entry>) -> Self {
        Self {
            pv,
            depth,
            alpha,
            beta,
            ply,
            cut: false,
            known,
            known_value: known.map_or(0, |entry| entry.value_at(ply)),
            raw: Entry::NOTHING.into(),
            static_eval: None,
            guess: -INFINITY,
            improving: false,
            principal: pv || known.is_some_and(|entry| entry.principal),
            whole: true,
        }
    }
}

/// The results of the moves tried so far.
pub(super) struct Tried {
    /// Their number, including those pruned.
    pub number: i32,
    pub best: i32,
    /// The code of the best move, if it exceeds the window's lower end.
    pub best_code: u16,
    /// The value that the next move has to exceed.
    pub floor: i32,
    pub left_out: bool,
    pub quiet: FailedMoves,
    pub captures: FailedMoves,
}

/// Moves tried in vain.
pub(super) struct FailedMoves {
    moves: [ScoredMove; TRIED],
    count: usize,
}

impl Tried {
    #[inline]
    pub fn new(alpha: i32) -> Self {
        let none =
            || FailedMoves { moves: [ScoredMove { step: NOWHERE, score: 0, slot: 0, victim: None }; TRIED], count: 0 };
        let (quiet, captures) = (none(), none());
        Self { number: 0, best: -INFINITY, best_code: 0, floor: alpha, left_out: false, quiet, captures }
    }

    /// Records a move's value. Returns whether it refutes the node.
    #[inline]
    pub fn add(&mut self, choice: ScoredMove, code: u16, value: i32, beta: i32) -> bool {
        self.best = self.best.max(value);
        if value > self.floor {
            (self.floor, self.best_code) = (value, code);
            return value >= beta;
        }
        let failed = if choice.victim.is_some() { &mut self.captures } else { &mut self.quiet };
        if let Some(place) = failed.moves.get_mut(failed.count) {
            *place = choice;
            failed.count += 1;
        }
        false
    }
}

impl FailedMoves {
    pub fn all(&self) -> &[ScoredMove] {
        &self.moves[..self.count]
    }
}
