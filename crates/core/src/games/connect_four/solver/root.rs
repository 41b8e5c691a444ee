//! All moves of one position: their exact scores in one table, or as much as the budget allows.
//!
//! Each worker settles one move after the other. They begin at different ones, and meet at those that take long.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::Column;
use super::book::Book;
use super::grid::Grid;
use super::search::{Broken, Common, Goal, Node, Search, Watch, centre_first};
use super::together::Narrowing;
use crate::search::{Control, LONGEST_LINE, Pace, StopReason, Tick};

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

/// A root move and what the workers know of it.
#[derive(Debug)]
pub struct RootMove {
    pub column: Column,
    pub cell: u64,
    /// Of its score for the side that makes it.
    pub bounds: Narrowing,
    /// The line expected, this move first.
    line: OnceLock<Vec<Column>>,
    /// Whether a worker has taken it upon itself to find the line.
    claimed: AtomicBool,
}

impl RootMove {
    fn new(column: Column, cell: u64, (lo, hi): (i32, i32)) -> Self {
        Self { column, cell, bounds: Narrowing::new(lo, hi), line: OnceLock::new(), claimed: AtomicBool::new(false) }
    }

    pub fn line(&self) -> Vec<Column> {
        self.line.get().cloned().unwrap_or_else(|| vec![self.column])
    }

    /// Best first: what is won, what may yet be, what is lost; in each the greater bounds.
    pub fn rank(&self) -> (bool, bool, i32) {
        let (lo, hi) = self.bounds.get();
        (lo > 0, hi >= 0, lo + hi)
    }
}

/// The position in question, and what the workers know of it.
#[derive(Debug)]
pub struct Root {
    pub place: Place,
    /// Those that threaten most first.
    pub moves: Vec<RootMove>,
    /// Which of them comes last.
    last: Option<usize>,
    /// The score, if the book has it and all legal moves are asked for: then no move is worth more, and one is worth as much.
    score: Option<i32>,
    /// Whether the book bounds scores from above; often such a bound is the score.
    is_bounded: bool,
}

impl Root {
    /// What a glance shows, and the book.
    pub fn new<R: Grid>(grid: R, place: Place, columns: &[Column], book: Option<&Book<'_>>) -> Self {
        let moves = moves(grid, place, columns);
        let is_whole = grid.landing(place.filled).count_ones() as usize == moves.len();
        let score = book.filter(|_| is_whole).and_then(|book| book.score(place));
        let mut is_bounded = false;
        if let Some(book) = book {
            for entry in moves.iter().filter(|entry| entry.bounds.exact().is_none()) {
                let after = place.after(grid, entry.cell);
                if let Some(score) = book.score(after) {
                    entry.bounds.at_least(-score);
                    entry.bounds.at_most(-score);
                } else if let Some(least) = book.score_at_least(after) {
                    entry.bounds.at_most(-least);
                    is_bounded = true;
                }
            }
        }
        // The move that is most likely to be the best comes last: if no other one is worth the score, it needs no proof.
        let last = score.and_then(|score| {
            moves.iter().for_each(|entry| entry.bounds.at_most(score));
            moves.iter().position(|entry| entry.bounds.get().1 == score)
        });
        Self { place, moves, last, score, is_bounded }
    }

    /// The moves in the order in which one of the workers settles them: each begins elsewhere.
    pub fn order(&self, worker: usize, workers: usize) -> impl Iterator<Item = &RootMove> {
        let count = self.moves.len();
        let from = worker * count / workers;
        let first = (from..from + count).map(move |index| index % count).filter(|&index| Some(index) != self.last);
        first.chain(self.last).map(|index| &self.moves[index])
    }

    /// Whether this is the only move left that can be worth the score.
    fn is_the_only_best(&self, entry: &RootMove) -> bool {
        let may_be = |other: &RootMove| self.score.is_some_and(|score| other.bounds.get().1 >= score);
        self.score.is_some() && self.moves.iter().all(|other| other.column == entry.column || !may_be(other))
    }
}

/// The root moves in the order in which they are searched, with what a glance shows.
fn moves<R: Grid>(grid: R, place: Place, columns: &[Column]) -> Vec<RootMove> {
    let landing = grid.landing(place.filled);
    let (wins, threats) = place.wins(grid);
    let safe = grid.safe(landing, threats);
    let mut moves: Vec<_> = centre_first(grid.columns())
        .filter_map(|column| {
            let column = *columns.iter().find(|open| u32::from(open.0) == column)?;
            let cell = landing & grid.column(column.0.into());
            // A win now, a loss at the next ply, or neither.
            let bounds = match () {
                () if wins & cell != 0 => ((place.left + 1) / 2, (place.left + 1) / 2),
                () if place.left == 1 => (0, 0),
                () if safe & cell == 0 => (-(place.left / 2), -(place.left / 2)),
                () => (-((place.left - 2) / 2), (place.left - 1) / 2),
            };
            Some(RootMove::new(column, cell, bounds))
        })
        .collect();
    // What threatens most first, as everywhere; a stable sort, so that the centre comes first among equals.
    let promise = |cell: u64| grid.wins(place.own | cell, place.filled | cell).count_ones();
    moves.sort_by_key(|entry| std::cmp::Reverse(promise(entry.cell)));
    moves
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
pub struct Solving<'a, R, W, const LANES: usize> {
    grid: R,
    common: &'a Common,
    pub watcher: W,
    pub nodes: u64,
    /// On the standard board only.
    book: Option<&'static Book<'static>>,
}

impl<'a, R: Grid, W: Watch, const LANES: usize> Solving<'a, R, W, LANES> {
    pub fn new(grid: R, book: Option<&'static Book<'static>>, common: &'a Common, watcher: W) -> Self {
        Self { grid, common, watcher, nodes: 0, book }
    }

    /// Narrows a move's bounds to its score. Ends early when the search must stop or progress is due.
    pub fn settle(&mut self, root: &Root, entry: &RootMove) {
        if let Some(score) = root.score.filter(|_| root.is_the_only_best(entry)) {
            entry.bounds.at_least(score);
        }
        // From here on the other side moves.
        let after = root.place.after(self.grid, entry.cell);
        let guess = root.is_bounded.then_some(entry.bounds.get().1 - 1);
        self.narrow(&entry.bounds, guess, |solving, alpha, goal| Ok(-solving.visit(after, -alpha - 1, Some(goal))?));
    }

    /// Narrows the bounds of a position's score to it, as [`Solving::settle`] does.
    pub fn score(&mut self, place: Place, bounds: &Narrowing) {
        let (wins, _) = place.wins(self.grid);
        if wins & self.grid.landing(place.filled) != 0 {
            bounds.at_least((place.left + 1) / 2);
        } else {
            bounds.at_most((place.left - 1) / 2);
        }
        self.narrow(bounds, None, |solving, alpha, goal| solving.visit(place, alpha, Some(goal)));
    }

    /// Asks whether a score is greater than this and that, until it is known or the search must break off.
    fn narrow(
        &mut self,
        bounds: &Narrowing,
        mut guess: Option<i32>,
        mut ask: impl FnMut(&mut Self, i32, Goal<'_>) -> Result<i32, Broken>,
    ) {
        loop {
            let (lo, hi) = bounds.get();
            if lo >= hi {
                return;
            }
            let alpha = guess.take().filter(|&guess| guess >= lo).unwrap_or(outside_in(lo, hi));
            match ask(self, alpha, Goal { bounds, alpha }) {
                Ok(found) if found > alpha => bounds.at_least(found),
                Ok(found) => bounds.at_most(found),
                Err(Broken::Stopped) => return,
                Err(_) => {}
            }
        }
    }

    /// Searches a position whose side to move cannot win at once.
    fn visit(&mut self, place: Place, alpha: i32, goal: Option<Goal<'_>>) -> Result<i32, Broken> {
        if !self.watcher.may_begin(self.nodes) {
            return Err(Broken::Stopped);
        }
        let Place { own, filled, left } = place;
        let (_, threats) = place.wins(self.grid);
        loop {
            let mut search = Search::<R, W, LANES>::new(self.grid, self.common, &mut self.watcher, goal, self.nodes);
            let hash = search.hash(own, filled);
            let found = search.visit(Node { own, filled, threats, left }, alpha, hash);
            search.report_written();
            self.nodes = search.nodes;
            match search.broken {
                None => return Ok(found),
                // The search begins again with a larger table, which holds what was found.
                Some(Broken::Outgrown) => self.common.tables.grow(|| self.watcher.must_stop()),
                Some(broken) => return Err(broken),
            }
        }
    }

    /// Finds the lines of moves whose scores are known, unless other workers do.
    pub fn find_lines(&mut self, root: &Root) {
        for entry in &root.moves {
            if entry.bounds.exact().is_some() && !entry.claimed.swap(true, Ordering::Relaxed) {
                drop(entry.line.set(self.line(root.place, entry)));
            }
        }
    }

    /// The line expected after a move whose score is known, to the end of the game if that costs little.
    fn line(&mut self, root: Place, entry: &RootMove) -> Vec<Column> {
        let mut line = vec![entry.column];
        let Some(score) = entry.bounds.exact() else { return line };
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
