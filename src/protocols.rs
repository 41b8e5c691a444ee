//! Protocols of programs that play, each in both directions: UCI and UCCI for Xiangqi, the Gomocup protocol for Gomoku and
//! NBoard for Reversi.
//!
//! `engine` is Tesuji's side, which a board or a match tool talks to; `player` is the other side, where Tesuji starts a
//! [`Program`] and has it play. `xiangqi` is what UCI and UCCI share. All engines read commands by `lines`, search by
//! `searches`, and write results from a thread of `thinking`. `clock` gives a move its share of a game's time.

pub mod clock;
pub mod gomocup;
mod lines;
pub mod nboard;
mod process;
mod program;
mod searches;
mod thinking;
pub mod ucci;
pub mod uci;
mod xiangqi;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

pub use program::{ChosenMove, Fault, Playing, Program, Protocol, Start};

/// Why an engine stopped serving, in words for its user.
pub type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Where lines are written: whole, one at a time, from any thread.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Lines go to this writer.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line, and what the writer has kept back.
    fn line(&self, line: &str) -> io::Result<()> {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(writer, "{line}")?;
        writer.flush()
    }
}
