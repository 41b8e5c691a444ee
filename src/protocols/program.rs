//! Another program that plays: how it is started, what it is sent, and why it may fail.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tesuji_core::catalog::{AnySession, BudgetRequest, Catalog, Refusal, Setup};

use super::xiangqi::{self, Dialect};
use super::{gomocup, nboard};

/// The protocol that a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface; for Xiangqi here.
    Uci,
    /// The Universal Chinese Chess Protocol, for Xiangqi.
    Ucci,
    /// The protocol of the Gomocup tournaments, for Gomoku.
    Gomocup,
    /// The NBoard protocol, for Reversi.
    NBoard,
}

impl Protocol {
    /// The game that is played over it.
    #[must_use]
    pub const fn game(self) -> &'static str {
        match self {
            Self::Uci | Self::Ucci => "xiangqi",
            Self::Gomocup => "gomoku",
            Self::NBoard => "reversi",
        }
    }
}

/// Another program, and what it may spend on a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The protocol that it speaks.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Limits that are sent to it: time, nodes, depth and memory; over NBoard depth alone.
    pub budget: BudgetRequest,
    /// Threads that it shall use (UCI, Gomocup).
    pub threads: Option<u32>,
    /// It loses the game by a move that takes longer.
    pub lost_after: Duration,
    /// Its time for a whole game (Gomocup); none: it is not limited.
    pub clock: Option<Duration>,
    /// It is sent nothing for so long after its move: some programs lose what comes at once.
    pub delay: Duration,
    /// Parameters of the variant in whose notation it reads and writes moves.
    pub notation: Vec<(String, Value)>,
    /// Options of its own, set before each game.
    pub options: Vec<(String, String)>,
}

/// Why a contestant could not play on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ended, could not be started, or failed inside.
    #[error("{0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer after {} ms", .0.as_millis())]
    Timeout(Duration),
    /// It played what is no legal move.
    #[error("{0}")]
    IllegalMove(String),
    /// It refused a command, or sent something that the protocol does not know.
    #[error("{0}")]
    Protocol(String),
    /// The catalog refused the position.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

impl Fault {
    /// The reason for which the game is lost, as a stable word.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Crash(_) => "crash",
            Self::Timeout(_) => "timeout",
            Self::IllegalMove(_) => "illegal_move",
            Self::Protocol(_) | Self::Refused(_) => "protocol",
        }
    }
}

/// Where a program's game starts.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Where games are looked up.
    pub catalog: &'a Catalog,
    /// The game's name.
    pub game: &'a str,
    /// Its variant.
    pub variant: Option<&'a Value>,
    /// The position before all moves; none for the game's own start.
    pub position: Option<&'a str>,
}

impl Start<'_> {
    /// Sets up the position.
    pub(super) fn open(&self) -> Result<Box<dyn AnySession>, Refusal> {
        self.catalog.open(self.game, Setup { variant: self.variant, position: self.position, moves: &[] })
    }
}

/// A move chosen, and how many nodes that took, where the program says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// A program in one game. It ends when this is dropped.
pub struct Playing<'a> {
    speaker: Speaker<'a>,
    delay: Duration,
    /// When it moved last.
    moved: Option<Instant>,
}

enum Speaker<'a> {
    Xiangqi(xiangqi::Player<'a>),
    Gomocup(gomocup::Player<'a>),
    NBoard(nboard::Player<'a>),
}

impl Program {
    /// Starts the program and makes it ready for a game.
    ///
    /// # Errors
    /// When it does not start, does not answer, or its protocol has no such game.
    pub fn start(&self, start: &Start<'_>) -> Result<Playing<'_>, Fault> {
        let game = self.protocol.game();
        if game != start.game {
            return Err(Fault::Protocol(format!("programs that speak this protocol play {game} here")));
        }
        let speaker = match self.protocol {
            Protocol::Uci => Speaker::Xiangqi(xiangqi::Player::start(Dialect::Uci, self, start)?),
            Protocol::Ucci => Speaker::Xiangqi(xiangqi::Player::start(Dialect::Ucci, self, start)?),
            Protocol::Gomocup => Speaker::Gomocup(gomocup::Player::start(self, start)?),
            Protocol::NBoard => Speaker::NBoard(nboard::Player::start(self, start)?),
        };
        Ok(Playing { speaker, delay: self.delay, moved: None })
    }
}

impl Playing<'_> {
    /// Waits until it may be sent a command: none of this is its own time.
    pub fn wait(&self) {
        if let Some(moved) = self.moved {
            thread::sleep(self.delay.saturating_sub(moved.elapsed()));
        }
    }

    /// Has the program choose a move after these.
    ///
    /// # Errors
    /// When it ends, is too slow, or answers with what is no move.
    pub fn choose(&mut self, line: &[&str]) -> Result<ChosenMove, Fault> {
        let choice = match &mut self.speaker {
            Speaker::Xiangqi(player) => player.choose(line),
            Speaker::Gomocup(player) => player.choose(line),
            Speaker::NBoard(player) => player.choose(line),
        };
        self.moved = Some(Instant::now());
        choice
    }
}

/// The command that ends the program comes no sooner than any other.
impl Drop for Playing<'_> {
    fn drop(&mut self) {
        self.wait();
    }
}
