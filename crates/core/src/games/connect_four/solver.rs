//! The solver: the exact score of every move, with its distance, on boards of at most 64 bits.
//!
//! - `grid`: bitboards: winning moves, and moves that do not lose at once.
//! - `search`: null-window alpha-beta over the score. `table`: its transposition table. `together`: what its workers share
//!   besides the table.
//! - `root`: solves all moves of a position with one table. `report`: the scores as a search report.
//! - `book`: the scores of all positions with few stones.
//! - `oracle`: scores alone, of many positions in sequence.

pub mod book;
mod grid;
mod oracle;
mod report;
mod root;
mod search;
mod shared;
mod solver_position;
mod table;

use super::{Board, Column, ConnectFour};
use crate::bits::Bits;
use crate::parameters::{Invalid, Parameter, Parameters};
use crate::position::Position;
use crate::search::{Control, Engine, Limits, Report, StopReason, Task};
use crate::{choices, parameters};
pub use oracle::Oracle;

use book::Book;
use grid::{AnyGrid, Grid, StandardGrid};
use root::{Root, RootWorker, Watcher};
use search::Common;
use solver_position::SolverPosition;

parameters! {
    /// Exact solution: every move's score, and when the game ends.
    pub struct Solver {
        /// On the standard board: look positions with at most twelve stones up (`embedded`), or search them like all others
        /// (`none`).
        pub book: UseOfBook = UseOfBook::available();
    }
}

choices! {
    /// Whether the solver looks positions up in an opening book.
    pub enum UseOfBook {
        /// Use the book that the program contains (feature `book`) or has loaded.
        Embedded = "embedded",
        /// Search every position.
        None = "none",
    }
}

impl UseOfBook {
    /// The book, if the program has one.
    fn available() -> Self {
        if Book::present().is_some() { Self::Embedded } else { Self::None }
    }
}

const DEFAULT_MEMORY: u64 = 128 << 20;

impl<G: Board> ConnectFour<G> {
    /// The position in the solver's representation, and its board.
    fn solver_position(&self) -> (AnyGrid, SolverPosition) {
        let grid = AnyGrid::of(&self.board);
        let left = grid.cells() - i32::from(self.ply);
        (grid, SolverPosition { own: self.own.low_word(), filled: self.filled.low_word(), left })
    }
}

/// What the workers of one search share.
#[derive(Debug)]
pub struct Shared {
    common: Common,
    root: Root,
    workers: usize,
}

impl Solver {
    /// The book, if it covers this board and the options allow it.
    fn book(&self, grid: AnyGrid) -> Option<&'static Book<'static>> {
        Book::present().filter(|_| grid.is_standard() && self.book != UseOfBook::None)
    }

    /// The work of one worker.
    fn solve<R: Grid, const LANES: usize>(
        grid: R,
        task: &Task<'_, impl Position<Move = Column>>,
        control: &Control<'_, Column>,
        shared: &Shared,
        book: Option<&'static Book<'static>>,
    ) -> Report<Column> {
        let watcher = Watcher::new(control, task.budget.nodes);
        let mut root_worker = RootWorker::<R, _, LANES>::new(grid, book, &shared.common, watcher);
        let report = |nodes, stop| Report {
            nodes,
            bytes: shared.common.tables.bytes(),
            ..report::report(task.position, shared.root.position.left, &shared.root.moves, stop)
        };
        for entry in shared.root.order(task.worker as usize, shared.workers) {
            loop {
                root_worker.solve_move(&shared.root, entry);
                if !std::mem::take(&mut root_worker.watcher.progress_due) {
                    break;
                }
                control.report(&report(root_worker.nodes, StopReason::Time));
            }
        }
        let stop = root_worker.watcher.stop.unwrap_or(StopReason::Proven);
        root_worker.find_lines(&shared.root);
        report(root_worker.nodes, stop)
    }
}

impl<G: Board> Engine<ConnectFour<G>> for Solver {
    const NAME: &'static str = "solver";
    const LIMITS: Limits = Limits {
        simulations: false,
        nodes: true,
        depth: false,
        threads: true,
        default_memory: DEFAULT_MEMORY,
        bytes_per_node: 64,
    };
    fn parameters() -> Vec<Parameter> {
        <Self as Parameters>::parameters()
    }

    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()?;
        if self.book == UseOfBook::Embedded && Book::present().is_none() {
            return Err(Invalid::new("book", "expected `none`, not `embedded`: no opening book has been loaded"));
        }
        Ok(())
    }

    type Shared = Shared;

    fn share(&self, task: &Task<'_, ConnectFour<G>>, workers: u32) -> Shared {
        let (grid, position) = task.position.solver_position();
        Shared {
            common: Common::new(task.budget.memory.unwrap_or(DEFAULT_MEMORY), workers),
            root: Root::new(grid, position, task.moves, self.book(grid)),
            workers: workers as usize,
        }
    }

    fn search(
        &self,
        task: &Task<'_, ConnectFour<G>>,
        control: &Control<'_, Column>,
        shared: &Shared,
    ) -> Report<Column> {
        let (grid, _) = task.position.solver_position();
        let book = self.book(grid);
        if grid.is_standard() {
            Self::solve::<_, 8>(StandardGrid, task, control, shared, book)
        } else {
            Self::solve::<_, 12>(grid, task, control, shared, book)
        }
    }

    fn merge(&self, position: &ConnectFour<G>, reports: Vec<Report<Column>>, shared: &Shared) -> Report<Column> {
        let Root { position: root, moves, .. } = &shared.root;
        let is_proven = moves.iter().all(|entry| entry.bounds.exact().is_some());
        let stop = StopReason::of_workers(reports.iter().map(|report| report.stop)).filter(|_| !is_proven);
        Report {
            nodes: reports.iter().map(|report| report.nodes).sum(),
            bytes: shared.common.tables.bytes(),
            ..report::report(position, root.left, moves, stop.unwrap_or(StopReason::Proven))
        }
    }
}
