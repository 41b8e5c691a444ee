//! A game in progress: an opening and the moves after it.

use serde::Serialize;

use super::Rules;
use tesuji_core::catalog::{AnySession, Refusal};

/// An opening.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Opening {
    /// The position; by default the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// A game in progress, as both players see it.
pub(super) struct PlayedGame<'a> {
    pub session: Box<dyn AnySession>,
    /// The opening.
    pub opening: &'a Opening,
    /// The moves since the opening.
    pub moves: Vec<String>,
}

impl<'a> PlayedGame<'a> {
    /// Sets up an opening.
    pub fn new(rules: &Rules<'_>, opening: &'a Opening) -> Result<Self, Refusal> {
        Ok(Self { session: rules.open(opening)?, opening, moves: Vec::new() })
    }

    /// All moves from the opening's position, including the opening's.
    pub fn line(&self) -> impl Iterator<Item = &str> {
        self.opening.moves.iter().chain(&self.moves).map(String::as_str)
    }

    /// The number of moves in the line.
    pub fn played(&self) -> usize {
        self.opening.moves.len() + self.moves.len()
    }
}
