//! Gomoku's search below the root: principal variation search on a board whose codes are updated stone by stone.
//!
//! - `visit`: the recursion. The codes show fives, open fours and what has to be stopped without searching; a side threatened
//!   with a five only answers it, at no cost in depth.
//! - `tries`: the moves of a node: order, depth and pruning.
//! - `known`: what is known without trying moves.
//! - `ending`: late positions, searched to the end of the game.
//! - `moves`: move generation and ordering.
//! - `values`: static evaluations.
//! - `vcf`: victory by continuous fours, at the root and at the horizon.
//! - `vct`: victory by continuous threats, at the root.
//!
//! A win or a loss is a proof: moves are pruned only once another one does not lose, and a loss is claimed only where all
//! unsearched moves lose for certain. Distances are upper bounds.

mod ending;
mod known;
mod moves;
mod tries;
mod values;
mod vcf;
mod vct;
mod visit;

use super::lines::Point;
use super::shapes::Board;
use super::variant::LARGEST;
use crate::search::plain::Table;
use crate::search::techniques::Techniques;
use crate::search::value::narrow::{INFINITY, UNDECIDED, WIN, WON, is_decided};

pub(super) use known::{Fives, by_fours, expected, proven_by_codes, table_proof};
pub(super) use moves::{History, Order};
pub use vcf::{Vcf, VcfAnswer};
pub use vct::{Vct, VctWin};

/// The longest line searched, in plies.
const LONGEST: u32 = 400;

/// A proven result: the most plies until the game ends, and the winning move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Win(u32, Point),
    Loss(u32),
}

/// The code of a point in tables, never 0.
#[inline]
pub(super) fn code(at: Point) -> u16 {
    1 + (u32::from(at.column) + LARGEST * u32::from(at.row)) as u16
}

/// The point with this code, if there is one.
#[inline]
pub(super) fn point(code: u16) -> Option<Point> {
    let place = u32::from(code).checked_sub(1)?;
    (place < LARGEST * LARGEST).then(|| Point::new(place % LARGEST, place / LARGEST))
}

/// A worker's memory from search to search, apart from the shared table.
#[derive(Debug)]
pub(super) struct Memory {
    pub history: History,
    pub vcf: Vcf,
    log: Vec<super::shapes::SavedPoint>,
    stack: Vec<moves::ScoredMove>,
    /// The sort keys of the moves on the stack.
    keys: Vec<u32>,
    values: values::Values,
}

impl Memory {
    /// An empty memory; the table of the search for fours takes at most `bytes` bytes.
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

/// A position on the current line.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// Its static evaluation, unless a threat has to be answered.
    value: Option<i32>,
    /// The code of the excluded move; 0: none.
    excluded: u16,
}

/// A search of one worker.
pub(super) struct Search<'a, const LINES: usize, T> {
    pub board: Board<LINES>,
    pub table: &'a Table,
    pub memory: &'a mut Memory,
    pub techniques: Techniques,
    /// Counts nodes; the search stops when it returns false.
    pub tick: T,
    pub stopped: bool,
    /// The requested depth, which limits extensions.
    pub depth: u32,
    path: Vec<Step>,
    /// The moves of the current line.
    line: Vec<Point>,
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

    /// The value of the position for the side to move, searched `depth` plies deep: exact within (`alpha`, `beta`), otherwise a
    /// bound. `None` if the search was stopped.
    pub fn run(&mut self, depth: u32, (alpha, beta): (i32, i32)) -> Option<i32> {
        self.depth = depth;
        let (alpha, beta) = (alpha.max(-INFINITY), beta.min(INFINITY));
        let value = if beta - alpha <= 1 {
            // Root moves other than the best are expected to be refuted.
            self.visit::<false>(depth as i32, alpha, beta, 0, true)
        } else {
            self.visit::<true>(depth as i32, alpha, beta, 0, false)
        };
        (!self.stopped).then_some(value)
    }

    /// The static evaluation for the side to move.
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
