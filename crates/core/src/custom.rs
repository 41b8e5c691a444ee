//! Games whose rules are known at run time only: functions over the bytes of a position.
//!
//! A host of such functions (a WebAssembly runtime, a script engine) implements [`Rules`]. [`Custom`] is a position of such a
//! game: a plain value that any thread can play on, and a [`Game`](crate::games::Game) like any other. Rules may fail where
//! those of a built-in game cannot. A [`Fault`] unwinds the search or the request in which it happens, and nothing else.

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

/// The bytes of a position. Those of most games fit in without an allocation.
pub type Bytes = SmallVec<[u8; 32]>;

/// A position as its rules know it, and what every search asks of it.
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
    /// How the game ended; none while it goes on.
    pub outcome: Option<Outcome>,
}

/// What a move does to the cells of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoveCells {
    /// The cell that a piece leaves.
    pub from: Option<String>,
    /// The cell that a piece comes to.
    pub to: Option<String>,
    /// The cells whose pieces are captured.
    pub captured: Vec<String>,
}

/// The rules of a game as functions over the bytes of a position. Equal calls give equal results, on any thread.
///
/// # Errors
/// All functions fail with a [`Fault`] where the rules themselves fail.
#[allow(clippy::missing_errors_doc, reason = "stated once for all")]
pub trait Rules: Send + Sync + 'static {
    /// The game's name and the hash of its content: equal for the same rules only.
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

    /// Whether texts of positions are read.
    fn reads_positions(&self) -> bool {
        true
    }

    /// Reads a position of a variant; an error of the text is the inner one.
    fn read_position(&self, variant: &Value, text: &str) -> Result<Result<State, String>, Fault>;

    /// What stands on each cell of the board, in the order of the description; empty where nothing does.
    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault>;

    /// What a legal move does to the board.
    fn move_cells(&self, position: &[u8], mv: u32) -> Result<MoveCells, Fault>;

    /// Plays random moves to the end of the game within the rules; none where they have no such function.
    fn playout(&self, position: &[u8], seed: u64) -> Result<Option<Outcome>, Fault>;

    /// A key that positions share which are images of each other; none where the rules know no symmetry.
    fn symmetry(&self, position: &[u8]) -> Result<Option<u64>, Fault>;

    /// The value of an unfinished position for the first player: 400 where that player wins three games of four; in games for
    /// points, hundredths of a point. Asked only of rules with knowledge.
    fn evaluate(&self, position: &[u8]) -> Result<i32, Fault>;

    /// How early to try a legal move: the largest first; none where the rules have no such function. Asked only of rules with
    /// knowledge.
    fn priority(&self, position: &[u8], mv: u32) -> Result<Option<i32>, Fault>;
}

/// A game at run time, before it is in a catalog.
#[derive(Clone)]
pub struct CustomGame {
    /// Its rules.
    pub rules: Arc<dyn Rules>,
    /// Its description.
    pub description: Arc<CustomDescription>,
    /// Whether its rules evaluate positions.
    pub knows: bool,
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

/// Limits of every game at run time.
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
    /// Failures before it goes out of service.
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
    /// They are compiled into the program.
    BuiltIn,
    /// A WebAssembly module.
    Module,
    /// A JavaScript file.
    Script,
}

/// Runs what asks rules, and returns their failure in place of unwinding.
///
/// # Errors
/// When the rules of a game at run time fail. Other panics pass through.
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

    /// The failure of the rules that a caught panic is, if it is one.
    #[must_use]
    pub fn of_panic(panic: &(dyn Any + Send)) -> Option<&Self> {
        panic.downcast_ref()
    }
}
