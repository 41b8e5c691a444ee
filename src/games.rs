//! The games: one file of rules each, and beside it a folder with what only that game has.
//!
//! To add a game: write its rules as a [`Position`] and a [`Game`] in one file here, add one line to the catalog, its counts
//! to `tests/data/`, and its examples to `openapi.yaml`.

pub mod connect_four;
pub mod dots_and_boxes;
pub mod gomoku;
pub mod reversi;
pub mod tic_tac_toe;
pub mod xiangqi;

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use crate::notation::Malformed;
use crate::parameters::{Invalid, Parameter};
use crate::position::{IllegalMove, Position, Side};
use crate::search::Engine;
use crate::search::alpha_beta::Tuning;

/// A game that the service offers.
pub trait Game: Position {
    /// Its name in the API.
    const NAME: &'static str;
    /// What clients are told about it.
    const DESCRIPTION: Description;
    /// The unit of margins, in games played for points.
    const UNIT: Option<&'static str> = None;
    /// How many leaves `perft` counts for a game that ends early.
    const PERFT: EarlyEnds = EarlyEnds::Dropped;
    /// What stands between the moves when a line of moves from the start is the game's usual position text, so that such a
    /// text is answered in kind; `None` when positions are always written as boards.
    const LINE: Option<&'static str> = None;

    /// The variant's parameters.
    type Variant: Variant;
    /// What a thin client wants beyond the rules: cells to draw and the like.
    type Facts: Serialize;

    /// Whether this type plays this (checked) variant. Several types may share a name, each fast for its own sizes; the
    /// catalog takes the first that fits.
    fn plays(variant: &Self::Variant) -> bool;

    /// The start position.
    fn start(variant: &Self::Variant) -> Self;

    /// Reads a position from the text that `Display` writes. Printing, then parsing, is the identity.
    ///
    /// # Errors
    /// When the text is not in the notation, or the position cannot arise; the message says what was expected.
    fn parse(variant: &Self::Variant, text: &str) -> Result<Self, Malformed>;

    /// Splits a text of several moves into single ones; `None` when the text is not made of moves at all.
    fn split_line(text: &str) -> Option<Vec<&str>> {
        Some(text.split_whitespace().collect())
    }

    /// Plays a text of one or several moves and returns the moves played.
    ///
    /// # Errors
    /// At the first move that is not legal; the position is then where it got to.
    fn replay(&mut self, text: &str) -> Result<Vec<Self::Move>, IllegalMove> {
        let texts = Self::split_line(text).filter(|texts| !texts.is_empty()).unwrap_or_else(|| vec![text]);
        let play = |text: &str| {
            let mv = self.parse_move(text)?;
            self.play(mv);
            Ok(mv)
        };
        texts.into_iter().map(play).collect()
    }

    /// The foul or forbidden repetition that decided the game, where there was one.
    fn offence(&self) -> Option<Offence> {
        None
    }

    /// A move as clients read and write it here; it differs from `Display` only where a variant asks for another notation.
    fn write_move(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// What thin clients want to know of this position.
    fn facts(&self) -> Self::Facts;

    /// The board as lines of text, for a terminal.
    fn draw(&self) -> String;

    /// How its evaluation's weights are fitted, where they are.
    fn tuning() -> Option<Tuning<Self>> {
        None
    }

    /// Adds the engines that play this game, the strongest first: that is `auto`.
    fn engines(list: &mut impl EngineList<Self>);
}

/// The parameters of a variant.
pub trait Variant: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The variants' names, the default's first.
    const NAMES: &'static [&'static str] = &["standard"];
    /// The parameters, as clients see them.
    const PARAMETERS: &'static [Parameter];

    /// The parameters that a variant has, if not all; each with the choices that it leaves.
    fn parameters(_name: &str) -> &'static [Parameter] {
        Self::PARAMETERS
    }

    /// Checks the parameters' ranges.
    ///
    /// # Errors
    /// Names the first parameter that does not fit.
    fn check(&self) -> Result<(), Invalid>;
}

/// Receives the engines of a game, each with its own type of options.
pub trait EngineList<P: Position> {
    /// Adds one engine.
    fn add<E: Engine<P>>(&mut self);
}

/// A rule broken, by which a side lost the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offence {
    /// Who broke it.
    pub side: Side,
    /// The pieces that it was about: those chased, or the stone placed.
    pub pieces: Vec<Piece>,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What it is, in English.
    pub piece: &'static str,
    /// Where it stands, in the game's notation.
    pub square: String,
}

/// What `perft` does with games that end before the asked depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnds {
    /// They are no leaves: only lines of full length count.
    Dropped,
    /// Each is a leaf.
    Counted,
}

/// What clients are told about a game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Description {
    /// Its names in English and Chinese.
    pub names: Names,
    /// How positions and moves are written.
    pub notation: Notation,
    /// How its board is drawn.
    pub geometry: Geometry,
    /// The rules that differ from place to place, and what applies here.
    pub rules: &'static str,
}

/// A game's names.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Names {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

/// How positions and moves are written.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Notation {
    /// The position text, described.
    pub position: &'static str,
    /// A position text.
    pub position_example: &'static str,
    /// The move text, described.
    pub moves: &'static str,
    /// A few moves from the start.
    pub moves_example: &'static [&'static str],
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Geometry {
    /// Pieces stand in cells.
    Cells,
    /// Pieces stand on crossings of lines.
    Intersections,
    /// Moves are the edges between dots.
    Edges,
}
