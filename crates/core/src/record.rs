//! A game on record: who played, with how much time, from where, and each move with what its player said of it.
//!
//! Formats of files are the games' own ([`read_record`](crate::games::Game::read_record)); what they say is the same in all.

use std::time::Duration;

use crate::position::Side;

/// A game on record. What a record does not say is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Where it was played: a server, a program.
    pub place: Option<String>,
    /// When, in the record's own words.
    pub date: Option<String>,
    /// Names of the first player and the second.
    pub players: [Option<String>; 2],
    /// Their ratings.
    pub ratings: [Option<f64>; 2],
    /// Their clocks at the beginning.
    pub clocks: [Option<Clock>; 2],
    /// The position before the moves, in the game's own notation; none for the start position.
    pub position: Option<String>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
    /// How it ended.
    pub result: Option<RecordedResult>,
}

/// What a player has for the moves of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// For all moves.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Once the rest is used up: the game is lost, but not by the highest margin.
    pub grace: Duration,
}

/// A move on record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// The margin that its player expected, from the player's own view.
    pub margin: Option<f64>,
    /// Seconds that it took.
    pub seconds: Option<f64>,
}

impl RecordedMove {
    /// A move of which nothing else is known.
    #[must_use]
    pub fn new(mv: impl Into<String>) -> Self {
        Self { mv: mv.into(), ..Self::default() }
    }
}

/// How a game on record ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedResult {
    /// The first player's points minus the second's.
    pub margin: f64,
    /// How it ended, where it was not by its rules.
    pub early: Option<EarlyEnd>,
}

/// The end of a game before its rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnd {
    /// A player resigned.
    Resigned,
    /// A player had no time left.
    Timeout,
    /// The players agreed on the margin.
    Agreed,
}

impl Record {
    /// The index of a side in the lists of both players.
    #[must_use]
    pub const fn index(side: Side) -> usize {
        match side {
            Side::First => 0,
            Side::Second => 1,
        }
    }
}
