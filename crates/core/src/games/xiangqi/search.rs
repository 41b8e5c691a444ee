//! Xiangqi's own search below the root: principal variation search on a board on which moves are played and taken back.
//!
//! - `path`: the board, and how it was come to: repetitions, and the way to the draw without captures.
//! - `visit`: the recursion over `node`s; `selectivity`: what it leaves out, and what it searches deeper or less deep.
//! - `quiescence`: captures and answers to checks, below the horizon.
//! - `moves`: the order in which moves are tried, in stages; `history`: what it learns from.
//! - `table`: what is known of positions.
//!
//! A win or a loss is a proof: moves are left out only beside one that does not lose for certain. What a repetition decides is
//! none here, since it holds on one path alone: the root's own search claims those. Distances are limits.

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

/// A win by a rule about repetitions, far beyond any advantage and no proof: the loop has not been closed as often as the
/// rules ask.
pub(super) const FORBIDDEN: i32 = 20_000;
/// No line is followed further.
const LONGEST: u32 = 240;

/// What a move is called in tables, never 0.
#[inline]
pub(super) fn code(step: Step) -> u16 {
    (step.from.index() * SQUARES + step.to.index() + 1) as u16
}

/// The move of that code, wherever it is legal.
#[inline]
pub(super) fn of_code(code: u16) -> Option<Step> {
    let index = u32::from(code).checked_sub(1)?;
    let squares = SQUARES as u32;
    let step = Step { from: Square::from_index(index / squares), to: Square::from_index(index % squares) };
    (index < squares * squares).then_some(step)
}

/// What a worker remembers from search to search, apart from the table that all share.
#[derive(Debug, Default)]
pub(super) struct Memory {
    history: History,
    stack: Vec<ScoredMove>,
}

impl Memory {
    /// Another search begins.
    pub fn begin(&mut self) {
        self.history.begin();
    }
}

/// No move.
const NOWHERE: Step = Step { from: Square::from_index(0), to: Square::from_index(0) };

/// What is remembered of a position on the way.
#[derive(Clone, Copy, Debug, Default)]
struct Ply {
    /// Its value without search for the side to move; none in check.
    standing: Option<i32>,
    /// The slot of the move that is tried there; none for a pass.
    slot: Option<usize>,
    /// The code of the one move that is excluded; 0: none.
    excluded: u16,
    /// How often its children were refuted.
    refuted: u32,
}

/// A search of one worker.
pub(super) struct Search<'a, T> {
    path: Path,
    table: &'a Table,
    memory: &'a mut Memory,
    techniques: Techniques,
    /// Counts nodes; the search stops when it answers false.
    tick: T,
    stopped: bool,
    /// The depth that was asked for: nothing is extended much beyond it.
    depth: u32,
    /// Until so many plies below the root no pass is tried, while one is verified.
    no_pass_until: u32,
    /// The code of the best move of the position that was asked about; 0: none is known.
    best: u16,
    steps: Vec<Ply>,
}

impl<'a, T: FnMut(u64) -> bool> Search<'a, T> {
    pub fn new(path: Path, (table, memory): (&'a Table, &'a mut Memory), techniques: Techniques, tick: T) -> Self {
        let steps = vec![Ply::default(); LONGEST as usize + 2];
        memory.stack.clear();
        Self { path, table, memory, techniques, tick, stopped: false, depth: 0, no_pass_until: 0, best: 0, steps }
    }

    /// The value of the position for the side to move, searched so many plies deep: exact within (`alpha`, `beta`), else a
    /// bound on that side. `None` when the search has to stop.
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

    /// The same by captures and answers to checks alone: what Monte-Carlo tree search asks of a leaf.
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
        // The memory comes while the move is made. Where the past counts, the key is another one, which is seldom.
        let key = self.path.board.key_after(step);
        self.table.prefetch(key);
        self.path.play(step);
        debug_assert_eq!(self.path.board.key(), key);
    }
}
