//! Matches between engines: games in pairs (each opening with both colours), many at a time, and their statistics.
//!
//! - A [`Contestant`] is an engine of the catalog under a budget, or another program that speaks UCI, UCCI, the Gomocup
//!   protocol or NBoard.
//! - Every game has a number; its opening and the seeds of its searches follow from the match's seed and that number. Games run
//!   on any thread in any order and are returned in the order of their numbers. So a match whose searches are limited by work,
//!   not time, has one result on every machine, even if a test ([`Sprt`]) ends it early.
//! - A crash, an illegal move or a timeout loses the game, and the record has the reason.

mod contestant;
mod game;
mod opening;
mod played_game;
mod schedule;
mod sprt;
mod statistics;

use serde::Serialize;
use serde_json::Value;

pub use contestant::{CatalogEngine, Contestant};
pub use game::{Margin, Record, Spent};
pub use opening::Openings;
pub use played_game::Opening;
pub use sprt::{Accepted, Sprt};
pub use statistics::{Elo, Tally, elo_of_score, score_of_elo};

use tesuji_core::catalog::{AnySession, Catalog, Policy, Refusal, Setup};
use tesuji_core::position::Side;

/// One of the two contestants of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Name {
    /// The contestant to measure.
    A,
    /// The other.
    B,
}

impl Name {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// The game of a match.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// The game's name.
    pub game: &'a str,
    /// Its variant.
    pub variant: Option<&'a Value>,
}

impl Rules<'_> {
    /// Sets up an opening.
    ///
    /// # Errors
    /// When the catalog refuses it.
    pub fn open(&self, opening: &Opening) -> Result<Box<dyn AnySession>, Refusal> {
        let setup =
            Setup { variant: self.variant, position: opening.position.as_deref(), moves: opening.moves.as_slice() };
        self.catalog.open(self.game, setup)
    }
}

/// A match.
#[derive(Debug)]
pub struct Match<'a> {
    /// The game.
    pub rules: Rules<'a>,
    /// The policy of searches.
    pub policy: Policy,
    /// A and B.
    pub contestants: [Contestant; 2],
    /// The openings.
    pub openings: Openings,
    /// The seed of openings and searches.
    pub seed: u64,
    /// The number of plies after which a game is drawn.
    pub max_plies: u32,
}

impl Match<'_> {
    /// The contestant on a side of a game, counted from 0: A is first in even games.
    fn contestant_at(number: u64, side: Side) -> Name {
        if (side == Side::First) == number.is_multiple_of(2) { Name::A } else { Name::B }
    }
}
