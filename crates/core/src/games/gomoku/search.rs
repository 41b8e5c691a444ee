//! Gomoku's own search below the root: principal variation search over the codes of a board that is brought up to date stone by
//! stone.
//!
//! - `visit`: the recursion. A five, an open four and what has to be stopped are known from the codes, without searching; who
//!   is threatened with a five answers it and nothing else, at no cost in depth.
//! - `tries`: how a node's moves are tried: in which order, how deep, and which not at all.
//! - `known`: what is known without trying moves.
//! - `ending`: the end of a game, searched to its end.
//! - `moves`: which moves are tried, and in which order.
//! - `values`: the values of positions without search.
//! - `vcf`: victory by continuous fours, at the root and at the horizon.
//! - `vct`: victory by continuous threats, at the root.
//!
//! A win or a loss is a proof: moves are left out only beside one that does not lose, and a loss is claimed only where all
//! moves that are not searched lose for certain. Distances are limits.

mod ending;
mod known;
mod moves;
mod tries;
mod values;
mod vcf;
mod vct;
mod visit;

use super::lines::At;
use super::shapes::Board;
use super::variant::LARGEST;
use crate::search::plain::Table;
use crate::search::techniques::Techniques;
use crate::search::value::narrow::{INFINITY, UNDECIDED, WIN, WON, is_decided};

pub(super) use known::{Fives, by_fours, expected, remembered, sure};
pub(super) use moves::{History, Order};
pub use vcf::{Vcf, VcfAnswer};
pub use vct::{Vct, VctWin};

/// No line is followed further.
const LONGEST: u32 = 400;

/// What is known for certain without trying the moves: within how many plies the game ends, and how it is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Win(u32, At),
    Loss(u32),
}

/// What a point is called in tables, never 0.
#[inline]
pub(super) fn code(at: At) -> u16 {
    1 + (u32::from(at.column) + LARGEST * u32::from(at.row)) as u16
}

/// The point of that code, if there is one.
#[inline]
pub(super) fn point(code: u16) -> Option<At> {
    let place = u32::from(code).checked_sub(1)?;
    (place < LARGEST * LARGEST).then(|| At::new(place % LARGEST, place / LARGEST))
}

/// What a worker remembers from search to search, apart from the table that all share.
#[derive(Debug)]
pub(super) struct Memory {
    pub history: History,
    pub vcf: Vcf,
    log: Vec<super::shapes::Was>,
    stack: Vec<moves::ScoredMove>,
    /// What the moves on the stack are picked by.
    keys: Vec<u32>,
    values: values::Values,
}

impl Memory {
    /// Nothing is remembered yet; the table of the search for fours takes so many bytes.
    pub fn new(bytes: u64) -> Self {
        Self {
            history: History::default(),
            vcf: Vcf::new(bytes),
            log: Vec::new(),
            stack: Vec::new(),
            keys: Vec::new(),
            values: values::Values::default(),
        }
    }
}

/// What is remembered of a position on the way.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// Its value without search, where that says something.
    value: Option<i32>,
    /// The code of the one move that is excluded; 0: none.
    excluded: u16,
}

/// A search of one worker.
pub(super) struct Search<'a, const LINES: usize, T> {
    pub board: Board<LINES>,
    pub table: &'a Table,
    pub memory: &'a mut Memory,
    pub techniques: Techniques,
    /// Counts nodes; the search stops when it answers false.
    pub tick: T,
    pub stopped: bool,
    /// The depth that was asked for: nothing is extended much beyond it.
    pub depth: u32,
    path: Vec<Step>,
    /// The points of the moves on the way.
    line: Vec<At>,
}

impl<'a, const LINES: usize, T: FnMut(u64) -> bool> Search<'a, LINES, T> {
    pub fn new(
        board: Board<LINES>,
        (table, memory): (&'a Table, &'a mut Memory),
        techniques: Techniques,
        tick: T,
    ) -> Self {
        let path = vec![Step::default(); LONGEST as usize + 2];
        memory.log.clear();
        memory.stack.clear();
        memory.values.begin();
        Self { board, table, memory, techniques, tick, stopped: false, depth: 0, path, line: Vec::new() }
    }

    /// The value of the position for the side to move, searched so many plies deep: exact within (`alpha`, `beta`), else a
    /// bound on that side. `None` when the search has to stop.
    pub fn run(&mut self, depth: u32, (alpha, beta): (i32, i32)) -> Option<i32> {
        self.depth = depth;
        let (alpha, beta) = (alpha.max(-INFINITY), beta.min(INFINITY));
        let value = if beta - alpha <= 1 {
            // All moves but the best are expected to be refuted.
            self.visit::<false>(depth as i32, alpha, beta, 0, true)
        } else {
            self.visit::<true>(depth as i32, alpha, beta, 0, false)
        };
        (!self.stopped).then_some(value)
    }

    /// What the board is worth to the side to move without search.
    #[inline]
    fn value(&mut self) -> i32 {
        self.memory.values.get(&self.board, self.line.len(), &self.memory.log)
    }

    /// Counts nodes.
    #[inline]
    fn count(&mut self, nodes: u64) {
        if !(self.tick)(nodes) {
            self.stopped = true;
        }
    }
}
