//! All moves of one position: their exact scores one after the other in one table, or as much as the budget allows.

use super::super::Column;
use super::book::Book;
use super::grid::Grid;
use super::search::{Node, Search, Watch, centre_first};
use super::table::Table;
use crate::search::{Control, LONGEST_LINE, Look, Pace, StopReason};

/// Nodes between two looks at the clock's pace.
const STRIDE: u64 = 64;
/// A principal variation may cost so many nodes beyond a share of those spent before.
const LINE_NODES: u64 = 2000;
const LINE_SHARE: u64 = 32;

/// A position of the solver: any that is not over.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub own: u64,
    pub filled: u64,
    /// Free cells.
    pub left: i32,
}

impl Place {
    pub fn after<R: Grid>(self, grid: R, cell: u64) -> Self {
        let other = (self.own ^ self.filled) & !grid.blocked();
        Self { own: other, filled: grid.filled_with(self.filled, cell), left: self.left - 1 }
    }

    /// The cells that complete a line: of the side to move, and of the other.
    pub fn wins<R: Grid>(self, grid: R) -> (u64, u64) {
        let other = (self.own ^ self.filled) & !grid.blocked();
        (grid.wins(self.own, self.filled), grid.wins(other, self.filled))
    }
}

/// A root move and what is known of it: bounds of its score for the side that makes it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub column: Column,
    pub cell: u64,
    pub lo: i32,
    pub hi: i32,
    /// The line expected, this move first.
    pub line: Vec<Column>,
}

impl RootMove {
    pub fn exact(&self) -> Option<i32> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Best first: what is won, what may yet be, what is lost; in each the greater bounds.
    pub fn rank(&self) -> (bool, bool, i32) {
        (self.lo > 0, self.hi >= 0, self.lo + self.hi)
    }
}

/// When to stop, and when to tell.
pub struct Watcher<'a> {
    pace: Pace,
    control: &'a Control<'a, Column>,
    most_nodes: u64,
    /// Nodes after which the present piece of work is given up.
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
    fn next_look(&mut self, nodes: u64) -> Option<u64> {
        if nodes >= self.most_nodes {
            self.stop.get_or_insert(StopReason::Nodes);
            return None;
        }
        match self.pace.tick(self.control) {
            Look::Stop(reason) => {
                self.stop.get_or_insert(reason);
                None
            }
            _ if nodes >= self.allowed => None,
            Look::Tell if self.allowed == u64::MAX => {
                self.progress_due = true;
                None
            }
            _ => Some((nodes + STRIDE).min(self.most_nodes).min(self.allowed)),
        }
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

/// A search of one root.
pub struct Solving<R, W, const LANES: usize> {
    pub grid: R,
    pub table: Table,
    pub watcher: W,
    pub nodes: u64,
    /// On the standard board only.
    book: Option<&'static Book<'static>>,
    memory: u64,
    written: u64,
    room: u64,
}

impl<R: Grid, W: Watch, const LANES: usize> Solving<R, W, LANES> {
    pub fn new(grid: R, book: Option<&'static Book<'static>>, memory: u64, watcher: W) -> Self {
        let table = Table::first(memory);
        let room = table.room();
        Self { grid, table, watcher, nodes: 0, book, memory, written: 0, room }
    }

    /// The root moves in the order in which they are searched, with what a glance shows.
    pub fn moves(&self, place: Place, columns: &[Column]) -> Vec<RootMove> {
        let landing = self.grid.landing(place.filled);
        let (wins, threats) = place.wins(self.grid);
        let safe = self.grid.safe(landing, threats);
        let mut moves: Vec<_> = centre_first(self.grid.columns())
            .filter_map(|column| {
                let column = *columns.iter().find(|open| u32::from(open.0) == column)?;
                let cell = landing & self.grid.column(column.0.into());
                // A win now, a loss at the next ply, or neither.
                let (lo, hi) = match () {
                    () if wins & cell != 0 => ((place.left + 1) / 2, (place.left + 1) / 2),
                    () if place.left == 1 => (0, 0),
                    () if safe & cell == 0 => (-(place.left / 2), -(place.left / 2)),
                    () => (-((place.left - 2) / 2), (place.left - 1) / 2),
                };
                Some(RootMove { column, cell, lo, hi, line: vec![column] })
            })
            .collect();
        // What threatens most first, as everywhere; a stable sort, so that the centre comes first among equals.
        let promise = |cell: u64| self.grid.wins(place.own | cell, place.filled | cell).count_ones();
        moves.sort_by_key(|entry| std::cmp::Reverse(promise(entry.cell)));
        moves
    }

    /// Narrows a move's bounds to its score. Ends early when the search must stop or progress is due.
    pub fn settle(&mut self, place: Place, entry: &mut RootMove) {
        // From here on the other side moves.
        let after = place.after(self.grid, entry.cell);
        let mut guess = None;
        if let Some(book) = self.book.filter(|_| entry.lo < entry.hi) {
            if let Some(score) = book.score(after) {
                (entry.lo, entry.hi) = (-score, -score);
            } else if let Some(least) = book.score_at_least(after) {
                // Often it is not only a bound but the score.
                entry.hi = entry.hi.min(-least);
                guess = Some(entry.hi - 1);
            }
        }
        while entry.lo < entry.hi {
            let alpha = guess.take().filter(|&guess| guess >= entry.lo).unwrap_or(outside_in(entry.lo, entry.hi));
            let Some(found) = self.visit(after, -alpha - 1) else { return };
            if -found > alpha {
                entry.lo = entry.lo.max(-found).min(entry.hi);
            } else {
                entry.hi = entry.hi.min(-found).max(entry.lo);
            }
        }
    }

    /// The score of a position that is not over; nothing when the search broke off.
    pub fn score(&mut self, place: Place) -> Option<i32> {
        let (wins, _) = place.wins(self.grid);
        if wins & self.grid.landing(place.filled) != 0 {
            return Some((place.left + 1) / 2);
        }
        let (mut lo, mut hi) = (-(place.left / 2), (place.left - 1) / 2);
        while lo < hi {
            let alpha = outside_in(lo, hi);
            let found = self.visit(place, alpha)?;
            (lo, hi) = if found > alpha { (lo.max(found), hi) } else { (lo, hi.min(found)) };
        }
        Some(lo)
    }

    /// Searches a position whose side to move cannot win at once; nothing when the search broke off.
    fn visit(&mut self, place: Place, alpha: i32) -> Option<i32> {
        if !self.watcher.may_begin(self.nodes) {
            return None;
        }
        let Place { own, filled, left } = place;
        let (_, threats) = place.wins(self.grid);
        loop {
            let done = (self.nodes, self.written, self.room);
            let mut search = Search::<R, W, LANES>::new(self.grid, &self.table, &mut self.watcher, done);
            let hash = search.hash(own, filled);
            let found = search.visit(Node { own, filled, threats, left }, alpha, hash);
            let Search { nodes, written, stopped, .. } = search;
            (self.nodes, self.written) = (nodes, written);
            if !stopped {
                return Some(found);
            }
            if self.written < self.room {
                return None;
            }
            // The table is full enough; the search begins again with a larger one, which holds what was found.
            self.room = match self.table.grown(self.memory) {
                Some(larger) => {
                    self.table = larger;
                    self.written = 0;
                    self.table.room()
                }
                None => u64::MAX,
            };
        }
    }

    /// The line expected after a move whose score is known, to the end of the game if that costs little.
    pub fn line(&mut self, root: Place, entry: &RootMove) -> Vec<Column> {
        let mut line = vec![entry.column];
        let Some(score) = entry.exact() else { return line };
        // Where all was looked up, a line ends with the book: the answer shall come at once.
        let looked_up = self.nodes == 0;
        self.watcher.allow(self.nodes + LINE_NODES + self.nodes / LINE_SHARE);
        let (mut place, mut score) = (root.after(self.grid, entry.cell), -score);
        let mut over = place.left == 0 || score == -((root.left + 1) / 2);
        while !over && line.len() < LONGEST_LINE {
            let Some(cell) = self.best_reply(place, score, looked_up) else { break };
            line.push(Column((cell.trailing_zeros() / self.grid.height()) as u8));
            over = score == (place.left + 1) / 2 || place.left == 1;
            (place, score) = (place.after(self.grid, cell), -score);
        }
        self.watcher.allow(u64::MAX);
        line
    }

    /// A move that keeps the score; nothing when it is too dear to find, or `looked_up` forbids a search.
    fn best_reply(&mut self, place: Place, score: i32, looked_up: bool) -> Option<u64> {
        let landing = self.grid.landing(place.filled);
        let (wins, threats) = place.wins(self.grid);
        if landing & wins != 0 {
            return Some(lowest(landing & wins));
        }
        let safe = self.grid.safe(landing, threats);
        if safe == 0 || place.left == 1 {
            // All moves lose as soon; one that stops a line at least looks sensible.
            return Some(lowest(if landing & threats != 0 { landing & threats } else { landing }));
        }
        let cells = centre_first(self.grid.columns()).map(|column| safe & self.grid.column(column));
        let mut cells: Vec<_> = cells.filter(|&cell| cell != 0).collect();
        cells.sort_by_key(|cell| std::cmp::Reverse(self.grid.wins(place.own | cell, place.filled | cell).count_ones()));
        // No reply is worth more than the score, so whatever is worth as much keeps it.
        for &cell in &cells {
            let after = place.after(self.grid, cell);
            let found = match self.book.and_then(|book| book.score(after)) {
                Some(score) => score,
                None if looked_up => return None,
                None => self.visit(after, -score)?,
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

/// Where to cut an interval of scores in two: far from 0 first, since quick wins and losses are proven or excluded quickly
/// (Pons).
fn outside_in(lo: i32, hi: i32) -> i32 {
    let middle = lo + (hi - lo) / 2;
    if middle <= 0 && lo / 2 < middle {
        lo / 2
    } else if middle >= 0 && hi / 2 > middle {
        hi / 2
    } else {
        middle
    }
}
