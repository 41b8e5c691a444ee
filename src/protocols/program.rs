//! Another playing program: how to start it, its limits, and how it can fail.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tesuji_core::catalog::{AnySession, BudgetRequest, Catalog, Refusal, Setup};

use super::xiangqi::{self, Dialect};
use super::{gomocup, nboard};

/// A program's protocol.
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
    /// The game of the protocol.
    #[must_use]
    pub const fn game(self) -> &'static str {
        match self {
            Self::Uci | Self::Ucci => "xiangqi",
            Self::Gomocup => "gomoku",
            Self::NBoard => "reversi",
        }
    }
}

/// Another program and its limits per move.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its protocol.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Limits sent to it: time, nodes, depth and memory; over NBoard depth only.
    pub budget: BudgetRequest,
    /// Its threads (UCI, Gomocup).
    pub threads: Option<u32>,
    /// The time after which a move loses the game.
    pub lost_after: Duration,
    /// Its time for a whole game (Gomocup); unlimited if `None`.
    pub clock: Option<Duration>,
    /// A pause after its move, for programs that lose a command sent at once.
    pub delay: Duration,
    /// Parameters of the variant in whose notation it plays.
    pub notation: Vec<(String, Value)>,
    /// Its own options, set before each game.
    pub options: Vec<(String, String)>,
}

/// Why a contestant could not continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ended, failed to start, or failed internally.
    #[error("{0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer after {} ms", .0.as_millis())]
    Timeout(Duration),
    /// It played an illegal move.
    #[error("{0}")]
    IllegalMove(String),
    /// It refused a command, or broke the protocol.
    #[error("{0}")]
    Protocol(String),
    /// The catalog refused the position.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

impl Fault {
    /// The reason of the loss, as a stable word.
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

/// The start of a program's game.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// The game's name.
    pub game: &'a str,
    /// Its variant.
    pub variant: Option<&'a Value>,
    /// The position before all moves; `None` for the game's start.
    pub position: Option<&'a str>,
}

impl Start<'_> {
    /// Sets up the position.
    pub(super) fn open(&self) -> Result<Box<dyn AnySession>, Refusal> {
        self.catalog.open(self.game, Setup { variant: self.variant, position: self.position, moves: &[] })
    }
}

/// A chosen move, and the number of nodes if the program reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// A program in one game, ended on drop.
pub struct RunningProgram<'a> {
    player: ProtocolPlayer<'a>,
    delay: Duration,
    /// The time of its last move.
    moved: Option<Instant>,
}

enum ProtocolPlayer<'a> {
    Xiangqi(xiangqi::Player<'a>),
    Gomocup(gomocup::Player<'a>),
    NBoard(nboard::Player<'a>),
}

impl Program {
    /// Starts the program and prepares a game.
    ///
    /// # Errors
    /// When it does not start or answer, or its protocol does not support the game.
    pub fn start(&self, start: &Start<'_>) -> Result<RunningProgram<'_>, Fault> {
        let game = self.protocol.game();
        if game != start.game {
            return Err(Fault::Protocol(format!("only {game} can be played over this protocol")));
        }
        let player = match self.protocol {
            Protocol::Uci => ProtocolPlayer::Xiangqi(xiangqi::Player::start(Dialect::Uci, self, start)?),
            Protocol::Ucci => ProtocolPlayer::Xiangqi(xiangqi::Player::start(Dialect::Ucci, self, start)?),
            Protocol::Gomocup => ProtocolPlayer::Gomocup(gomocup::Player::start(self, start)?),
            Protocol::NBoard => ProtocolPlayer::NBoard(nboard::Player::start(self, start)?),
        };
        Ok(RunningProgram { player, delay: self.delay, moved: None })
    }
}

impl RunningProgram<'_> {
    /// Waits until it can be sent a command; this is not its thinking time.
    pub fn wait(&self) {
        if let Some(moved) = self.moved {
            thread::sleep(self.delay.saturating_sub(moved.elapsed()));
        }
    }

    /// Requests a move after these moves.
    ///
    /// # Errors
    /// When it ends, is too slow, or answers with an illegal move.
    pub fn choose(&mut self, line: &[&str]) -> Result<ChosenMove, Fault> {
        let choice = match &mut self.player {
            ProtocolPlayer::Xiangqi(player) => player.choose(line),
            ProtocolPlayer::Gomocup(player) => player.choose(line),
            ProtocolPlayer::NBoard(player) => player.choose(line),
        };
        self.moved = Some(Instant::now());
        choice
    }
}

/// The command that ends the program waits like any other.
impl Drop for RunningProgram<'_> {
    fn drop(&mut self) {
        self.wait();
    }
}
