//! A position as the API describes it.

use serde::Deserialize;
use tesuji_core::api::OutcomePart;
use tesuji_core::position::Side;

/// A position, from the API's response.
#[derive(Debug, Deserialize)]
pub struct Described {
    /// In the game's notation.
    pub position: String,
    /// The side to move.
    pub to_move: Side,
    /// Moves played since the start.
    pub ply: u32,
    /// How the game ended.
    pub outcome: Option<OutcomePart>,
    /// In canonical notation.
    pub legal_moves: Vec<String>,
    /// The moves played.
    pub line: Vec<Played>,
    /// Remarks.
    pub warnings: Vec<String>,
}

/// A move played.
#[derive(Debug, Deserialize)]
pub struct Played {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}
