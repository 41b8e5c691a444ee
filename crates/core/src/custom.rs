//! Games whose rules are supplied at run time, as functions over the bytes of a position.
//!
//! A host of such functions (a WebAssembly runtime, a script engine) implements [`Rules`]. [`Custom`] is a position of such a
//! game: a plain value that any thread can play on, and a [`Game`](crate::games::Game) like any other. Unlike the rules of a
//! built-in game, these can fail. A [`Fault`] unwinds only the search or the request in which it happens.

mod description;
mod game;
mod position;

use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use smallvec::SmallVec;

use crate::position::{Outcome, Side};

pub use description::{
    Board, CellShape, Clicks, CustomDescription, CustomParameter, CustomSides, CustomText, CustomVariantAbout, Extent,
    Piece,
};
pub use game::{CustomVariant, Knowledge};
pub use position::{Code, Custom};

/// The bytes of a position; for most games they fit without an allocation.
pub type Bytes = SmallVec<[u8; 32]>;

/// A position in the encoding of its rules, with the status that every search needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The rules' own encoding. Equal positions have equal bytes, the side to move included.
    pub bytes: Bytes,
    /// The side to move and the outcome.
    pub status: Status,
}

/// The side to move, and how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The side to move; at the end of the game, the side that would be.
    pub turn: Side,
    /// How the game ended; `None` while it continues.
    pub outcome: Option<Outcome>,
}

/// What a move does to the cells of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoveCells {
    /// The cell that a piece leaves.
    pub from: Option<String>,
    /// The cell where a piece is placed or moves to.
    pub to: Option<String>,
    /// The cells whose pieces are captured.
    pub captured: Vec<String>,
}

/// The rules of a game as functions over the bytes of a position. Equal calls give equal results, on any thread.
///
/// # Errors
/// All functions fail with a [`Fault`] when the rules themselves fail.
#[allow(clippy::missing_errors_doc, reason = "stated once for all")]
pub trait Rules: Send + Sync + 'static {
    /// The game's name and the hash of its content; equal only for the same rules.
    fn identity(&self) -> &str;

    /// The largest absolute score of an outcome: 1 without points.
    fn score_limit(&self) -> i16;

    /// The number of its failures so far.
    fn failures(&self) -> u64 {
        0
    }

    /// The start position of a variant: its parameters as a JSON object.
    fn start(&self, variant: &Value) -> Result<State, Fault>;

    /// Adds all legal moves, always in the same order.
    fn moves(&self, position: &[u8], moves: &mut Vec<u32>) -> Result<(), Fault>;

    /// The position after a legal move.
    fn play(&self, position: &[u8], mv: u32) -> Result<State, Fault>;

    /// The text of a legal move.
    fn write_move(&self, position: &[u8], mv: u32) -> Result<String, Fault>;

    /// The text of a position.
    fn write_position(&self, position: &[u8]) -> Result<String, Fault>;

    /// Whether the rules can read position texts.
    fn reads_positions(&self) -> bool {
        true
    }

    /// Reads a position of a variant; the inner error refuses the text.
    fn read_position(&self, variant: &Value, text: &str) -> Result<Result<State, String>, Fault>;

    /// The content of each cell of the board, in the order of the description; empty for an empty cell.
    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault>;

    /// What a legal move does to the board.
    fn move_cells(&self, position: &[u8], mv: u32) -> Result<MoveCells, Fault>;

    /// Plays random moves to the end of the game inside the rules; `None` if they have no such function.
    fn playout(&self, position: &[u8], seed: u64) -> Result<Option<Outcome>, Fault>;

    /// A key shared by positions that are images of each other; `None` if the rules define no symmetry.
    fn symmetry(&self, position: &[u8]) -> Result<Option<u64>, Fault>;

    /// The value of an unfinished position for the first player: 400 means that this player wins three games of four; in games
    /// for points, hundredths of a point. Called only for rules with knowledge.
    fn evaluate(&self, position: &[u8]) -> Result<i32, Fault>;

    /// The priority of a legal move, the largest first; `None` if the rules have no such function. Called only for rules with
    /// knowledge.
    fn priority(&self, position: &[u8], mv: u32) -> Result<Option<i32>, Fault>;
}

/// A game defined at run time, before it is added to a catalog.
#[derive(Clone)]
pub struct CustomGame {
    /// Its rules.
    pub rules: Arc<dyn Rules>,
    /// Its description.
    pub description: Arc<CustomDescription>,
    /// Whether its rules evaluate positions.
    pub evaluates: bool,
    /// Where its rules come from.
    pub source: Source,
    /// The SHA-256 of its file, in hexadecimal.
    pub hash: String,
}

impl Debug for CustomGame {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomGame").field("identity", &self.rules.identity()).finish_non_exhaustive()
    }
}

/// The kind of a game's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A WebAssembly module.
    Module,
    /// JavaScript.
    Script,
}

impl Kind {
    /// The kind of a file by its bytes: a module begins with `\0asm`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"\0asm") { Self::Module } else { Self::Script }
    }
}

/// Limits of every game defined at run time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of its file.
    pub file: usize,
    /// Bytes of memory of an instance.
    pub memory: usize,
    /// The time of one call.
    pub call: Duration,
    /// Bytes of a position.
    pub position: usize,
    /// Legal moves of a position.
    pub moves: usize,
    /// Failures after which it is taken out of service.
    pub failures: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let call = Duration::from_millis(100);
        Self { file: 1 << 20, memory: 16 << 20, call, position: 4096, moves: 4096, failures: 20 }
    }
}

/// Where the rules of a game come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "GameSource")]
pub enum Source {
    /// Compiled into the program.
    BuiltIn,
    /// A WebAssembly module.
    Module,
    /// A JavaScript file.
    Script,
}

/// Runs work that calls rules, and returns their failure instead of unwinding.
///
/// # Errors
/// When the rules of a game defined at run time fail. Other panics pass through.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast() {
        Ok(fault) => *fault,
        Err(panic) => resume_unwind(panic),
    })
}

/// A failure of a game's own rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game {game} failed in `{function}`: {reason}")]
pub struct Fault {
    /// The game's name.
    pub game: String,
    /// The function of the rules that failed.
    pub function: &'static str,
    /// What happened, such as a trap or a limit.
    pub reason: String,
}

impl Fault {
    /// Unwinds the search or request in which the rules failed. No panic message is printed.
    pub fn unwind(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// The fault in a caught panic, if it is one.
    #[must_use]
    pub fn of_panic(panic: &(dyn Any + Send)) -> Option<&Self> {
        panic.downcast_ref()
    }
}
