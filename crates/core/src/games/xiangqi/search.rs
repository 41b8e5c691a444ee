//! Xiangqi's search below the root: principal variation search on a board on which moves are made and taken back.
//!
//! - `path`: the board and the moves that led to it: repetitions, and progress towards the draw without captures.
//! - `visit`: the recursion over `node`s; `selectivity`: pruning, extensions and reductions.
//! - `quiescence`: captures and answers to checks, below the horizon.
//! - `moves`: move ordering, in stages; `history`: what it learns from.
//! - `table`: the transposition table.
//!
//! A win or a loss is a proof: moves are pruned only once another one does not lose for certain. A result by repetition is not
//! a proof here, since it holds on one path alone: the root's search claims those. Distances are upper bounds.

mod history;
mod moves;
mod node;
mod path;
mod quiescence;
mod selectivity;
mod table;
mod visit;

use super::piece::{SQUARES, Square, Step};
use crate::search::techniques::Techniques;
use crate::search::value::narrow::{INFINITY, UNDECIDED, is_decided};

use self::history::{Before, History};
use self::moves::ScoredMove;

pub(super) use crate::search::value::narrow::{WIN, WON};

pub(super) use self::path::{Path, damped};
pub(super) use self::table::Table;

/// A win by a repetition rule: far beyond any advantage, but not a proof, since the loop has not been closed as often as the
/// rules require.
pub(super) const FORBIDDEN: i32 = 20_000;
/// The longest line searched, in plies.
const LONGEST: u32 = 240;

/// The code of a move in tables, never 0.
#[inline]
pub(super) fn code(step: Step) -> u16 {
    (step.from.index() * SQUARES + step.to.index() + 1) as u16
}

/// The move with this code, legal or not.
#[inline]
pub(super) fn of_code(code: u16) -> Option<Step> {
    let index = u32::from(code).checked_sub(1)?;
    let squares = SQUARES as u32;
    let step = Step { from: Square::from_index(index / squares), to: Square::from_index(index % squares) };
    (index < squares * squares).then_some(step)
}

/// A worker's memory from search to search, apart from the shared table.
#[derive(Debug, Default)]
pub(super) struct Memory {
    history: History,
    stack: Vec<ScoredMove>,
}

impl Memory {
    /// Begins another search.
    pub fn begin(&mut self) {
        self.history.begin();
    }
}

/// No move.
const NOWHERE: Step = Step { from: Square::from_index(0), to: Square::from_index(0) };

/// A position on the current line.
#[derive(Clone, Copy, Debug, Default)]
struct Ply {
    /// Its static evaluation for the side to move; none in check.
    static_eval: Option<i32>,
    /// The slot of the move being tried there; none for a pass.
    slot: Option<usize>,
    /// The code of the excluded move; 0: none.
    excluded: u16,
    /// How often a position at this ply was refuted, since the node before it was entered.
    refuted: u32,
}

/// A search of one worker.
pub(super) struct Search<'a, T> {
    path: Path,
    table: &'a Table,
    memory: &'a mut Memory,
    techniques: Techniques,
    /// Counts nodes; the search stops when it returns false.
    tick: T,
    stopped: bool,
    /// The requested depth, which limits extensions.
    depth: u32,
    /// While a null-move cutoff is verified: the ply from which passes are tried again; otherwise 0.
    no_pass_until: u32,
    /// The code of the best move in the position searched; 0: none is known.
    best: u16,
    steps: Vec<Ply>,
}

impl<'a, T: FnMut(u64) -> bool> Search<'a, T> {
    pub fn new(path: Path, (table, memory): (&'a Table, &'a mut Memory), techniques: Techniques, tick: T) -> Self {
        let steps = vec![Ply::default(); LONGEST as usize + 2];
        memory.stack.clear();
        Self { path, table, memory, techniques, tick, stopped: false, depth: 0, no_pass_until: 0, best: 0, steps }
    }

    /// The value of the position for the side to move, searched `depth` plies deep: exact within (`alpha`, `beta`), otherwise a
    /// bound. `None` if the search was stopped.
    pub fn run(&mut self, depth: u32, (alpha, beta): (i32, i32)) -> Option<i32> {
        self.depth = depth;
        let (alpha, beta) = (alpha.max(-INFINITY), beta.min(INFINITY));
        let value = if beta - alpha <= 1 {
            self.visit::<false>(depth as i32, alpha, beta, 0, true)
        } else {
            self.visit::<true>(depth as i32, alpha, beta, 0, false)
        };
        (!self.stopped).then_some(value)
    }

    /// The value by captures and answers to checks alone, for leaves of Monte-Carlo tree search.
    pub fn quiescence(&mut self) -> i32 {
        self.quiesce(true, -INFINITY, INFINITY, 0)
    }

    /// The best move of the last run, if one is known.
    pub fn best(&self) -> Option<Step> {
        of_code(self.best)
    }

    /// Counts a node.
    #[inline]
    fn count(&mut self) {
        if !(self.tick)(1) {
            self.stopped = true;
        }
    }

    /// The slots of the two moves before a ply.
    #[inline]
    fn before(&self, ply: u32) -> Before {
        let of = |back: u32| ply.checked_sub(back).and_then(|ply| self.steps[ply as usize].slot);
        [of(1), of(2)]
    }

    #[inline]
    fn play(&mut self, step: Step) {
        // Prefetches the table entry while the move is made. Where the past counts, which is rare, the key differs.
        let key = self.path.board.key_after(step);
        self.table.prefetch(key);
        self.path.play(step);
        debug_assert_eq!(self.path.board.key(), key);
    }
}
