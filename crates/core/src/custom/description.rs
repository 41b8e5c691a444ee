//! The description of a game defined at run time.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::position::Side;

/// The description of a game, as JSON. Unknown fields are refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomDescription {
    /// Its name in the API: lower case, digits and hyphens.
    pub name: String,
    /// Its names.
    pub names: CustomText,
    /// The names of its players.
    #[serde(default)]
    pub sides: CustomSides,
    /// What a move does and what wins, for beginners.
    #[serde(default)]
    pub how_to_play: CustomText,
    /// The largest absolute margin, in games for points; 1 without points.
    #[serde(default = "one")]
    pub score_limit: i16,
    /// The parameters that requests can choose.
    #[serde(default)]
    pub parameters: Vec<CustomParameter>,
    /// The variants, the default first; if there are none, one named `standard`.
    #[serde(default)]
    pub variants: Vec<CustomVariantAbout>,
    /// How the page draws the board.
    #[serde(default)]
    pub board: Board,
}

const fn one() -> i16 {
    1
}

/// A text in each language; English replaces missing Chinese.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CustomText {
    /// English.
    pub en: String,
    /// Chinese.
    #[serde(default)]
    pub zh: Option<String>,
}

impl CustomText {
    /// The same with a text in every language.
    pub(crate) fn filled(&self) -> Self {
        Self { zh: Some(self.zh.clone().unwrap_or_else(|| self.en.clone())), ..self.clone() }
    }
}

/// The names of a game's players.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CustomSides {
    /// The player who moves first.
    pub first: CustomText,
    /// The other player.
    pub second: CustomText,
}

impl CustomSides {
    /// The same with a text in every language.
    pub(crate) fn filled(&self) -> Self {
        Self { first: self.first.filled(), second: self.second.filled() }
    }
}

impl Default for CustomSides {
    fn default() -> Self {
        let text = |en: &str, zh: &str| CustomText { en: en.to_owned(), zh: Some(zh.to_owned()) };
        Self { first: text("First", "先手"), second: text("Second", "后手") }
    }
}

/// A variant: its name and the values of its parameters; parameters that it omits have their defaults.
#[derive(Clone, Debug, Deserialize)]
pub struct CustomVariantAbout {
    /// Its name.
    pub name: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

/// A parameter that requests can choose: a whole number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomParameter {
    /// Its name.
    pub name: String,
    /// What it changes.
    #[serde(default)]
    pub description: String,
    /// Its value if a request omits it.
    pub default: i64,
    /// The smallest value.
    pub minimum: i64,
    /// The largest value.
    pub maximum: i64,
}

/// How the page draws the board: cells in the order of the game's `cells`, row by row from the top.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "GameBoard")]
pub struct Board {
    /// The shape of a cell.
    pub cells: CellShape,
    /// Cells of a row.
    pub columns: Extent,
    /// Rows.
    pub rows: Extent,
    /// The names of the cells, as in `move_cells`; if empty, a letter for the column and a number for the row from the bottom.
    pub names: Vec<String>,
    /// The centres of free cells, in widths of a cell from the top left.
    pub at: Vec<[f32; 2]>,
    /// How each text of `cells` is drawn; a text without an entry is drawn as its letters.
    pub pieces: BTreeMap<String, Piece>,
    /// How a move is entered.
    pub clicks: Clicks,
}

impl Default for Board {
    fn default() -> Self {
        let (columns, rows) = (Extent::Number(8), Extent::Number(8));
        let (names, at, pieces) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { cells: CellShape::Squares, columns, rows, names, at, pieces, clicks: Clicks::Board }
    }
}

/// A number of cells.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "BoardExtent")]
pub enum Extent {
    /// The same in every variant.
    Number(u32),
    /// The value of the variant's parameter with this name.
    Parameter(String),
}

/// How a piece is drawn.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "BoardPiece")]
pub struct Piece {
    /// Its owner, which gives its colour; null if it belongs to neither side.
    pub side: Option<Side>,
    /// Letters on it; without letters and a path it is a plain disc.
    pub text: Option<String>,
    /// The `d` of an SVG path in a box of 100 by 100.
    pub path: Option<String>,
}

/// How a move is entered on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "BoardClicks")]
pub enum Clicks {
    /// By the cells of `move_cells`: `from`, if the move has one, then `to`.
    #[default]
    Board,
    /// By a list of the legal moves.
    List,
}

/// The shape of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "BoardCells")]
pub enum CellShape {
    /// Squares.
    #[default]
    Squares,
    /// Hexagons, each row half a cell to the right of the one above.
    Hexagons,
    /// Crossings of lines.
    Points,
    /// Cells at the places of `at`.
    Free,
}
