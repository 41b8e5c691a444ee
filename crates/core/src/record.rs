//! A game record: players, clocks, start position, and moves with comments.
//!
//! A record is independent of file formats; [`records`](crate::records) has the formats that several games share, and
//! [`Game::formats`](crate::games::Game::formats) lists those of a game.

use std::time::Duration;

use crate::position::Side;

/// A game record. Missing information is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The tournament or match that it belongs to.
    pub event: Option<String>,
    /// Its round.
    pub round: Option<String>,
    /// Where it was played: a town, a server, a program.
    pub place: Option<String>,
    /// The date, as the record writes it.
    pub date: Option<String>,
    /// Names of the first player and the second.
    pub players: [Option<String>; 2],
    /// Their ratings or ranks, as the record writes them.
    pub ratings: [Option<String>; 2],
    /// Their clocks at the beginning.
    pub clocks: [Option<Clock>; 2],
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The position before the moves, in the game's own notation; `None` for the start position.
    pub position: Option<String>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
    /// How it ended.
    pub result: Option<RecordedResult>,
}

/// A player's time for the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// For all moves.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Extra time once the rest is used up: the game is then lost, but not by the highest margin.
    pub grace: Duration,
}

/// A move on record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// Who played it, if known.
    pub side: Option<Side>,
    /// The margin that its player expected, from that player's view.
    pub margin: Option<f64>,
    /// The player's thinking time, in seconds.
    pub seconds: Option<f64>,
    /// The player's remaining time after it, in seconds.
    pub seconds_left: Option<f64>,
    /// The comment on it.
    pub comment: Option<String>,
}

impl RecordedMove {
    /// A move without further information.
    #[must_use]
    pub fn new(mv: impl Into<String>) -> Self {
        Self { mv: mv.into(), ..Self::default() }
    }
}

/// How a game on record ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedResult {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// The first player's points minus the second's, in games played for points.
    pub margin: Option<f64>,
    /// How it ended, if not by its rules.
    pub early: Option<EarlyEnd>,
}

impl RecordedResult {
    /// The result of a game played for points that ended by its rules.
    #[must_use]
    pub fn of_margin(margin: f64) -> Self {
        let winner = match margin {
            0.0 => None,
            margin if margin > 0.0 => Some(Side::First),
            _ => Some(Side::Second),
        };
        Self { winner, margin: Some(margin), early: None }
    }
}

/// The end of a game before its rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnd {
    /// A player resigned.
    Resigned,
    /// A player had no time left.
    Timeout,
    /// The players agreed on the result.
    Agreed,
    /// A player forfeited the game: did not appear, or broke a rule.
    Forfeited,
}
