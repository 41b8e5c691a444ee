//! Pictures of positions as SVG and PNG: board, pieces, last move, winning stones, candidates and a line of play, for every game
//! of a catalog, built in or not.
//!
//! ```
//! use tesuji_core::catalog::{Catalog, Setup};
//! use tesuji_picture::{Candidate, Options, Subject, draw};
//!
//! let catalog = Catalog::standard();
//! let moves = ["h8".to_owned(), "i9".to_owned()];
//! let line = catalog.follow("gomoku", Setup { moves: &moves, ..Setup::default() }).expect("the moves are legal");
//! let (view, legal) = (line.session.view(), line.session.legal());
//! let about = catalog.about("gomoku").expect("the game is built in");
//! let subject = Subject { about: &about, view: &view, legal: &legal, line: &line.moves, ahead: &[] };
//! let best = Candidate { mv: "g9".to_owned(), label: "+0.31".to_owned() };
//! let picture = draw(&subject, &Options { candidates: vec![best], ..Options::default() }).expect("the options are valid");
//! assert!(picture.svg().starts_with("<svg"));
//! assert!(picture.png().starts_with(b"\x89PNG"));
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_core::catalog::{About, LegalMove, PlayedMove, View};

/// A position, as the catalog describes it without the game's type.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The game, with its board where it is a game at run time.
    pub about: &'a About,
    /// The position.
    pub view: &'a View,
    /// Its legal moves, by which candidates have a place.
    pub legal: &'a [LegalMove],
    /// The moves that led to it; the last one is marked. They also decide who owns the edges of Dots and Boxes: those drawn
    /// before the first move are neutral.
    pub line: &'a [PlayedMove],
    /// Moves from the position on, shown as numbered pieces or arrows.
    pub ahead: &'a [PlayedMove],
}

/// How a picture looks. Equal subjects and options give equal bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "PictureOptions")]
pub struct Options {
    /// The longer side, in pixels.
    #[schemars(range(min = 64, max = 2048))]
    pub size: u32,
    /// Its colours.
    pub theme: Theme,
    /// Whether letters and numbers stand beside the board.
    pub coordinates: bool,
    /// Whether the last move is marked.
    pub last_move: bool,
    /// Moves with their labels, the best first. A move without a place on the board, such as a pass, is not shown.
    #[schemars(length(max = 400))]
    pub candidates: Vec<Candidate>,
}

impl Default for Options {
    fn default() -> Self {
        Self { size: 480, theme: Theme::Light, coordinates: true, last_move: true, candidates: Vec::new() }
    }
}

/// A move to consider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PictureCandidate")]
pub struct Candidate {
    /// A legal move, as in `legal_moves`.
    #[serde(rename = "move")]
    pub mv: String,
    /// A few characters on it, such as its value; longer labels are shortened to 8.
    #[serde(default)]
    pub label: String,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PictureTheme")]
pub enum Theme {
    /// For bright surroundings.
    #[default]
    Light,
    /// For dark surroundings.
    Dark,
}

/// Options that cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {problem}")]
pub struct Refused {
    /// A JSON Pointer to the field within the options, such as `/candidates/2/move`.
    pub pointer: String,
    /// The problem, and what was expected.
    pub problem: String,
}

/// A drawn position, to be written in either format.
#[derive(Clone, Debug)]
pub struct Picture {
    scene: Scene,
    width: u32,
    height: u32,
}

impl Picture {
    /// Width and height in pixels; the longer one is [`Options::size`].
    #[must_use]
    pub fn pixels(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// An SVG document without scripts, fonts and references to other files. Its `title` describes the position in words.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::write(&self.scene, self.pixels())
    }

    /// A PNG file.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        raster::write(&self.scene, self.pixels())
    }
}

/// Draws a position.
///
/// # Errors
/// When `size` is outside its range, or a candidate is not a legal move.
pub fn draw(subject: &Subject<'_>, options: &Options) -> Result<Picture, Refused> {
    options.check(subject)?;
    let scene = scene(subject, options);
    let longest = scene.width.max(scene.height);
    let pixels = |length: f32| ((length / longest * options.size as f32).round() as u32).max(1);
    Ok(Picture { width: pixels(scene.width), height: pixels(scene.height), scene })
}
