//! What a game at run time tells of itself, once.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The description of a game, as JSON. Fields that are not known are refused.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CustomDescription {
    /// Its name in the API: lower case, digits and hyphens.
    pub name: String,
    /// Its names.
    pub names: CustomText,
    /// What its players are called.
    #[serde(default)]
    pub sides: CustomSides,
    /// What a move does and what wins, for beginners.
    pub how_to_play: CustomText,
    /// The largest absolute margin, in games for points; 1 without points.
    #[serde(default = "one", skip_serializing)]
    pub score_limit: i16,
    /// The variants, the default first; one without parameters if there are none.
    #[serde(default, skip_serializing)]
    pub variants: Vec<CustomVariantAbout>,
    /// How the page draws the board.
    #[serde(default)]
    pub board: Board,
}

const fn one() -> i16 {
    1
}

/// A text in each language; Chinese readers get the English one where there is no other.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CustomText {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: Option<String>,
}

/// What the players of a game are called.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CustomSides {
    /// The player who moves first.
    pub first: CustomText,
    /// The other player.
    pub second: CustomText,
}

impl Default for CustomSides {
    fn default() -> Self {
        let text = |en: &str, zh: &str| CustomText { en: en.to_owned(), zh: Some(zh.to_owned()) };
        Self { first: text("First", "先手"), second: text("Second", "后手") }
    }
}

/// A variant: its name and its parameters at their values.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct CustomVariantAbout {
    /// Its name.
    pub name: String,
    /// Its parameters, fixed or with their defaults.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

/// How the page draws a board: cells row by row from the top.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Board {
    /// The shape of a cell.
    pub cells: CellShape,
    /// Cells of a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// The names of the cells, as moves name them; empty: a letter for the column, a number for the row from the bottom.
    pub names: Vec<String>,
}

impl Default for Board {
    fn default() -> Self {
        Self { cells: CellShape::Squares, columns: 8, rows: 8, names: Vec::new() }
    }
}

/// The shape of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellShape {
    /// Squares.
    #[default]
    Squares,
    /// Hexagons, each row half a cell to the right of the one above.
    Hexagons,
    /// Crossings of lines.
    Points,
}
