//! Solves all moves of one position with one table: exact scores, or bounds when the budget runs out.
//!
//! Each worker solves one move after another. Workers start at different moves and meet at the slow ones.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::Column;
use super::book::Book;
use super::grid::Grid;
use super::search::{Common, Goal, Interrupt, Node, Search, Watch, centre_first};
use super::shared::SharedBounds;
use super::solver_position::SolverPosition;
use crate::search::{Control, LONGEST_LINE, Pace, StopReason, Tick};

/// Nodes between two clock checks.
const STRIDE: u64 = 64;
/// Node budget of a principal variation: this number, plus a share (one in `LINE_SHARE`) of the nodes already searched.
const LINE_NODES: u64 = 2000;
const LINE_SHARE: u64 = 32;

/// A root move and what the workers know of it.
#[derive(Debug)]
pub struct RootMove {
    pub column: Column,
    pub cell: u64,
    /// Bounds of its score for the side that makes it.
    pub bounds: SharedBounds,
    /// The principal variation, beginning with this move.
    line: OnceLock<Vec<Column>>,
    /// Whether a worker has taken on finding the line.
    claimed: AtomicBool,
}

impl RootMove {
    fn new(column: Column, cell: u64, (lo, hi): (i32, i32)) -> Self {
        Self { column, cell, bounds: SharedBounds::new(lo, hi), line: OnceLock::new(), claimed: AtomicBool::new(false) }
    }

    pub fn line(&self) -> Vec<Column> {
        self.line.get().cloned().unwrap_or_else(|| vec![self.column])
    }

    /// Sort key, best greatest: won moves, then open and drawn ones, then lost ones; within each group by the sum of the
    /// bounds.
    pub fn rank(&self) -> (bool, bool, i32) {
        let (lo, hi) = self.bounds.get();
        (lo > 0, hi >= 0, lo + hi)
    }
}

/// The root position, and what the workers know of it.
#[derive(Debug)]
pub struct Root {
    pub position: SolverPosition,
    /// Moves with the most threats first.
    pub moves: Vec<RootMove>,
    /// Index of the move that is solved last.
    last: Option<usize>,
    /// The score, if the book has it and the search covers all legal moves: then no move is worth more, and at least one equals
    /// it.
    score: Option<i32>,
    /// Whether the book gives upper bounds of move scores; often such a bound is the score.
    is_bounded: bool,
}

impl Root {
    /// A root with bounds from the next two plies and from the book.
    pub fn new<R: Grid>(grid: R, position: SolverPosition, columns: &[Column], book: Option<&Book<'_>>) -> Self {
        let moves = moves(grid, position, columns);
        let is_whole = grid.landing(position.filled).count_ones() as usize == moves.len();
        let score = book.filter(|_| is_whole).and_then(|book| book.score(position));
        let mut is_bounded = false;
        if let Some(book) = book {
            for entry in moves.iter().filter(|entry| entry.bounds.exact().is_none()) {
                let after = position.after(grid, entry.cell);
                if let Some(score) = book.score(after) {
                    entry.bounds.at_least(-score);
                    entry.bounds.at_most(-score);
                } else if let Some(least) = book.score_at_least(after) {
                    entry.bounds.at_most(-least);
                    is_bounded = true;
                }
            }
        }
        // The move most likely to be best comes last: if no other move reaches the score, this one must, and needs no proof.
        let last = score.and_then(|score| {
            moves.iter().for_each(|entry| entry.bounds.at_most(score));
            moves.iter().position(|entry| entry.bounds.get().1 == score)
        });
        Self { position, moves, last, score, is_bounded }
    }

    /// The moves in the order in which a worker solves them; each worker starts at a different one.
    pub fn order(&self, worker: usize, workers: usize) -> impl Iterator<Item = &RootMove> {
        let count = self.moves.len();
        let from = worker * count / workers;
        let first = (from..from + count).map(move |index| index % count).filter(|&index| Some(index) != self.last);
        first.chain(self.last).map(|index| &self.moves[index])
    }

    /// Whether this is the only move left that can be worth the score.
    fn is_only_candidate(&self, entry: &RootMove) -> bool {
        let may_be = |other: &RootMove| self.score.is_some_and(|score| other.bounds.get().1 >= score);
        self.score.is_some() && self.moves.iter().all(|other| other.column == entry.column || !may_be(other))
    }
}

/// The root moves in search order, with bounds from the next two plies.
fn moves<R: Grid>(grid: R, position: SolverPosition, columns: &[Column]) -> Vec<RootMove> {
    let landing = grid.landing(position.filled);
    let (wins, threats) = position.wins(grid);
    let safe = grid.safe(landing, threats);
    let mut moves: Vec<_> = centre_first(grid.columns())
        .filter_map(|column| {
            let column = *columns.iter().find(|open| u32::from(open.0) == column)?;
            let cell = landing & grid.column(column.0.into());
            // A win now, a loss at the next ply, or neither.
            let bounds = match () {
                () if wins & cell != 0 => ((position.left + 1) / 2, (position.left + 1) / 2),
                () if position.left == 1 => (0, 0),
                () if safe & cell == 0 => (-(position.left / 2), -(position.left / 2)),
                () => (-((position.left - 2) / 2), (position.left - 1) / 2),
            };
            Some(RootMove::new(column, cell, bounds))
        })
        .collect();
    // Most threats first, as in the search; the sort is stable, so that the centre comes first among equals.
    let promise = |cell: u64| grid.wins(position.own | cell, position.filled | cell).count_ones();
    moves.sort_by_key(|entry| std::cmp::Reverse(promise(entry.cell)));
    moves
}

/// Decides when to stop, and when to report progress.
pub struct Watcher<'a> {
    pace: Pace,
    control: &'a Control<'a, Column>,
    most_nodes: u64,
    /// Node count at which the current piece of work is abandoned.
    allowed: u64,
    pub stop: Option<StopReason>,
    pub progress_due: bool,
}

impl<'a> Watcher<'a> {
    pub fn new(control: &'a Control<'a, Column>, nodes: Option<u64>) -> Self {
        let most_nodes = nodes.unwrap_or(u64::MAX);
        Self { pace: Pace::default(), control, most_nodes, allowed: u64::MAX, stop: None, progress_due: false }
    }
}

impl Watch for Watcher<'_> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        if nodes >= self.most_nodes {
            self.stop.get_or_insert(StopReason::Nodes);
            return None;
        }
        match self.pace.tick(self.control) {
            Tick::Stop(reason) => {
                self.stop.get_or_insert(reason);
                None
            }
            _ if nodes >= self.allowed => None,
            Tick::Report if self.allowed == u64::MAX => {
                self.progress_due = true;
                None
            }
            _ => Some((nodes + STRIDE).min(self.most_nodes).min(self.allowed)),
        }
    }

    fn must_stop(&mut self) -> bool {
        match self.pace.tick(self.control) {
            Tick::Stop(reason) => {
                self.stop.get_or_insert(reason);
            }
            Tick::Report => self.progress_due = true,
            Tick::Continue => {}
        }
        self.stop.is_some()
    }

    fn may_begin(&mut self, nodes: u64) -> bool {
        if nodes >= self.most_nodes {
            self.stop.get_or_insert(StopReason::Nodes);
        }
        self.stop.is_none() && nodes < self.allowed
    }

    fn allow(&mut self, nodes: u64) {
        self.allowed = nodes;
    }
}

/// One worker at one root.
pub struct RootWorker<'a, R, W, const LANES: usize> {
    grid: R,
    common: &'a Common,
    pub watcher: W,
    pub nodes: u64,
    /// On the standard board only.
    book: Option<&'static Book<'static>>,
}

impl<'a, R: Grid, W: Watch, const LANES: usize> RootWorker<'a, R, W, LANES> {
    pub fn new(grid: R, book: Option<&'static Book<'static>>, common: &'a Common, watcher: W) -> Self {
        Self { grid, common, watcher, nodes: 0, book }
    }

    /// Narrows a move's bounds to its score. Ends early when the search must stop or progress is due.
    pub fn solve_move(&mut self, root: &Root, entry: &RootMove) {
        if let Some(score) = root.score.filter(|_| root.is_only_candidate(entry)) {
            entry.bounds.at_least(score);
        }
        // The other side moves next.
        let after = root.position.after(self.grid, entry.cell);
        let guess = root.is_bounded.then_some(entry.bounds.get().1 - 1);
        self.narrow(&entry.bounds, guess, |root_worker, alpha, goal| {
            Ok(-root_worker.visit(after, -alpha - 1, Some(goal))?)
        });
    }

    /// Narrows `bounds` to the score of a position, as [`RootWorker::solve_move`] does for a move.
    pub fn score(&mut self, position: SolverPosition, bounds: &SharedBounds) {
        let (wins, _) = position.wins(self.grid);
        if wins & self.grid.landing(position.filled) != 0 {
            bounds.at_least((position.left + 1) / 2);
        } else {
            bounds.at_most((position.left - 1) / 2);
        }
        self.narrow(bounds, None, |root_worker, alpha, goal| root_worker.visit(position, alpha, Some(goal)));
    }

    /// Repeats null-window searches until the score is known or the search must stop.
    fn narrow(
        &mut self,
        bounds: &SharedBounds,
        mut guess: Option<i32>,
        mut ask: impl FnMut(&mut Self, i32, Goal<'_>) -> Result<i32, Interrupt>,
    ) {
        loop {
            let (lo, hi) = bounds.get();
            if lo >= hi {
                return;
            }
            let alpha = guess.take().filter(|&guess| guess >= lo).unwrap_or(next_window(lo, hi));
            match ask(self, alpha, Goal { bounds, alpha }) {
                Ok(found) if found > alpha => bounds.at_least(found),
                Ok(found) => bounds.at_most(found),
                Err(Interrupt::Stopped) => return,
                Err(_) => {}
            }
        }
    }

    /// Searches a position whose side to move cannot win at once.
    fn visit(&mut self, position: SolverPosition, alpha: i32, goal: Option<Goal<'_>>) -> Result<i32, Interrupt> {
        if !self.watcher.may_begin(self.nodes) {
            return Err(Interrupt::Stopped);
        }
        let SolverPosition { own, filled, left } = position;
        let (_, threats) = position.wins(self.grid);
        loop {
            let mut search = Search::<R, W, LANES>::new(self.grid, self.common, &mut self.watcher, goal, self.nodes);
            let hash = search.hash(own, filled);
            let found = search.visit(Node { own, filled, threats, left }, alpha, hash);
            search.report_written();
            self.nodes = search.nodes;
            match search.interrupt {
                None => return Ok(found),
                // The search restarts with a larger table, which keeps the entries.
                Some(Interrupt::Outgrown) => self.common.tables.grow(|| self.watcher.must_stop()),
                Some(interrupt) => return Err(interrupt),
            }
        }
    }

    /// Finds the lines of solved moves that no other worker has claimed.
    pub fn find_lines(&mut self, root: &Root) {
        for entry in &root.moves {
            if entry.bounds.exact().is_some() && !entry.claimed.swap(true, Ordering::Relaxed) {
                drop(entry.line.set(self.line(root.position, entry)));
            }
        }
    }

    /// The principal variation of a solved move, to the end of the game if the node budget allows.
    fn line(&mut self, root: SolverPosition, entry: &RootMove) -> Vec<Column> {
        let mut line = vec![entry.column];
        let Some(score) = entry.bounds.exact() else { return line };
        // If the book alone gave the scores, a line ends with the book, so that the answer comes at once.
        let looked_up = self.nodes == 0;
        self.watcher.allow(self.nodes + LINE_NODES + self.nodes / LINE_SHARE);
        let (mut position, mut score) = (root.after(self.grid, entry.cell), -score);
        let mut over = position.left == 0 || score == -((root.left + 1) / 2);
        while !over && line.len() < LONGEST_LINE {
            let Some(cell) = self.best_reply(position, score, looked_up) else { break };
            line.push(Column((cell.trailing_zeros() / self.grid.height()) as u8));
            over = score == (position.left + 1) / 2 || position.left == 1;
            (position, score) = (position.after(self.grid, cell), -score);
        }
        self.watcher.allow(u64::MAX);
        line
    }

    /// A move that keeps the score; `None` when it costs too much to find, or needs a search that `looked_up` forbids.
    fn best_reply(&mut self, position: SolverPosition, score: i32, looked_up: bool) -> Option<u64> {
        let landing = self.grid.landing(position.filled);
        let (wins, threats) = position.wins(self.grid);
        if landing & wins != 0 {
            return Some(lowest(landing & wins));
        }
        let safe = self.grid.safe(landing, threats);
        if safe == 0 || position.left == 1 {
            // All moves lose equally soon; one that blocks a line at least looks sensible.
            return Some(lowest(if landing & threats != 0 { landing & threats } else { landing }));
        }
        let cells = centre_first(self.grid.columns()).map(|column| safe & self.grid.column(column));
        let mut cells: Vec<_> = cells.filter(|&cell| cell != 0).collect();
        cells.sort_by_key(|cell| {
            std::cmp::Reverse(self.grid.wins(position.own | cell, position.filled | cell).count_ones())
        });
        // No reply is worth more than the score, so any that equals it keeps it.
        for &cell in &cells {
            let after = position.after(self.grid, cell);
            let found = match self.book.and_then(|book| book.score(after)) {
                Some(score) => score,
                None if looked_up => return None,
                None => self.visit(after, -score, None).ok()?,
            };
            if found <= -score {
                return Some(cell);
            }
        }
        None
    }
}

fn lowest(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

/// The next null window between two bounds: far from 0 first, since quick wins and losses are proven or excluded quickly
/// (Pons).
fn next_window(lo: i32, hi: i32) -> i32 {
    let middle = lo + (hi - lo) / 2;
    if middle <= 0 && lo / 2 < middle {
        lo / 2
    } else if middle >= 0 && hi / 2 > middle {
        hi / 2
    } else {
        middle
    }
}
