//! The public description of a game: names, notation, rules, geometry.

use schemars::JsonSchema;
use serde::Serialize;

/// The public description of a game.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Description {
    /// Its names.
    pub names: Translated,
    /// The names of its players.
    pub sides: SideNames,
    /// The rules for beginners: what a move does, and what wins.
    #[schemars(extend("x-described" = true))]
    pub how_to_play: Translated,
    /// How positions and moves are written.
    pub notation: Notation,
    /// How its board is drawn.
    pub geometry: Geometry,
    /// The rules as they apply here, where they vary elsewhere.
    pub rules: &'static str,
}

/// A text in each language.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Translated {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

/// The names of the players of a game.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct SideNames {
    /// The player who moves first.
    pub first: Translated,
    /// The other player.
    pub second: Translated,
}

/// How positions and moves are written.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Notation {
    /// The notation of positions.
    pub position: &'static str,
    /// A position of the default variant.
    pub position_example: &'static str,
    /// The notation of moves.
    pub moves: &'static str,
    /// Moves from the start, in order.
    #[schemars(length(min = 1))]
    pub moves_example: &'static [&'static str],
}

/// The layout of a board.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Geometry {
    /// Pieces in cells.
    Cells,
    /// Pieces in the hexagonal cells of a rhombus, each row half a cell to the right of the one above.
    Hexagons,
    /// Pieces on crossings of lines.
    Intersections,
    /// Edges between dots, drawn by moves.
    Edges,
}
