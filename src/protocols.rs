//! Protocols of game-playing programs, each in both directions: UCI and UCCI for Xiangqi, the Gomocup protocol for Gomoku and
//! NBoard for Reversi.
//!
//! `engine` is Tesuji's side, for boards and match tools; `player` is the other side, where Tesuji starts a [`Program`] and
//! lets it play. `xiangqi` is shared by UCI and UCCI. All engines read commands with `lines`, search with `searches`, and write
//! results on a thread of `search_thread`. `clock` gives a move its share of a game's time.

pub mod clock;
pub mod gomocup;
mod lines;
pub mod nboard;
mod process;
mod program;
mod search_thread;
mod searches;
pub mod ucci;
pub mod uci;
mod xiangqi;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

pub use program::{ChosenMove, Fault, Program, Protocol, RunningProgram, Start};

/// Why an engine stopped, for its user.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A writer of whole lines, one at a time, from any thread.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// A writer of lines to `output`.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line and flushes it.
    fn line(&self, line: &str) -> io::Result<()> {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(writer, "{line}")?;
        writer.flush()
    }
}
