//! The solver: the exact score of every move, with its distance, on boards of at most 64 bits.
//!
//! - `grid`: bitboards; which moves do not lose at once, and which win.
//! - `search`: null-window alpha-beta over the score. `table`: what it knows of positions.
//! - `root`: all moves of a position, one after the other in one table. `report`: what that means in the API's words.
//! - `book`: the scores of all positions with few stones.
//! - `oracle`: only the score of a position, for whoever asks about many.

pub mod book;
mod grid;
mod oracle;
mod report;
mod root;
mod search;
mod table;

use serde::{Deserialize, Serialize};

use super::{Board, Column, ConnectFour};
use crate::bits::Bits;
use crate::parameters::{Invalid, Parameter, Values};
use crate::position::Position;
use crate::search::{Control, Engine, Limits, Report, StopReason, Task};
pub use oracle::Oracle;

use book::Book;
use grid::{Any, Grid, Usual};
use root::{Place, Solving, Watcher};

/// Exact solution: every move's score, and when the game ends.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Solver {
    /// Whether to look positions up where that is possible.
    pub book: UseOfBook,
}

/// Whether the solver may use the opening book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UseOfBook {
    /// It uses the one in the program.
    #[default]
    Embedded,
    /// It searches every position.
    None,
}

const DEFAULT_MEMORY: u64 = 128 << 20;

const BOOK: Parameter = Parameter {
    name: "book",
    description: "On the standard board, positions with at most twelve stones are looked up (`embedded`), or searched as all others are (`none`).",
    values: Values::Choice { choices: &["embedded", "none"], default: "embedded" },
};

impl<G: Board> ConnectFour<G> {
    /// The position as the solver sees it, and its board.
    fn place(&self) -> (Any, Place) {
        let grid = Any::of(&self.board);
        let left = grid.cells() - i32::from(self.ply);
        (grid, Place { own: self.own.low_word(), filled: self.filled.low_word(), left })
    }
}

impl Solver {
    fn solve<R: Grid, const LANES: usize>(
        grid: R,
        place: Place,
        task: &Task<'_, impl Position<Move = Column>>,
        control: &Control<'_, Column>,
        book: Option<&'static Book<'static>>,
    ) -> Report<Column> {
        let memory = task.budget.memory.unwrap_or(DEFAULT_MEMORY);
        let watcher = Watcher::new(control, task.budget.nodes);
        let mut solving = Solving::<R, _, LANES>::new(grid, book, memory, watcher);
        let mut moves = solving.moves(place, task.moves);
        for index in 0..moves.len() {
            loop {
                solving.settle(place, &mut moves[index]);
                if !std::mem::take(&mut solving.watcher.progress_due) {
                    break;
                }
                control.tell(&report::report(task.position, place, &moves, &solving, StopReason::Time));
            }
        }
        let stop = solving.watcher.stop.unwrap_or(StopReason::Proven);
        for entry in &mut moves {
            entry.line = solving.line(place, entry);
        }
        report::report(task.position, place, &moves, &solving, stop)
    }
}

impl<G: Board> Engine<ConnectFour<G>> for Solver {
    const NAME: &'static str = "solver";
    const LIMITS: Limits =
        Limits { simulations: false, nodes: true, depth: false, threads: false, default_memory: DEFAULT_MEMORY };
    const PARAMETERS: &'static [Parameter] = &[BOOK];

    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }

    type Shared = ();

    fn share(&self, _: &Task<'_, ConnectFour<G>>, _: u32) {}

    fn search(&self, task: &Task<'_, ConnectFour<G>>, control: &Control<'_, Column>, (): &()) -> Report<Column> {
        let (grid, place) = task.position.place();
        if grid.is_usual() {
            let book = Book::embedded().filter(|_| self.book == UseOfBook::Embedded);
            Self::solve::<_, 8>(Usual, place, task, control, book)
        } else {
            Self::solve::<_, 12>(grid, place, task, control, None)
        }
    }

    fn merge(&self, _: &ConnectFour<G>, mut reports: Vec<Report<Column>>, (): &()) -> Report<Column> {
        reports.swap_remove(0)
    }
}
