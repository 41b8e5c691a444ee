//! Pictures of positions as SVG and PNG: board, pieces, last move, winning stones, candidates and a line of play, for every
//! game of a catalog, built in or not.
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

mod glyphs;
mod ground;
mod layout;
mod looks;
mod marks;
mod pieces;
mod raster;
mod scene;
mod svg;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_core::catalog::{About, LegalMove, PlayedMove, View};
use tesuji_core::position::{Side, shorten};

use layout::{Layout, Rows, Shape as BoardShape};
use looks::{Kind, Look};
use pieces::{Pieces, cells};
use scene::{Scene, Shape};

/// A position, as the catalog describes it without the game's type.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The game, with its board if it was added at run time.
    pub about: &'a About,
    /// The position.
    pub view: &'a View,
    /// Its legal moves, which give candidates their places.
    pub legal: &'a [LegalMove],
    /// The moves that led to it; the last one is marked. They also decide who owns the edges of Dots and Boxes: those drawn
    /// before the first move are neutral.
    pub line: &'a [PlayedMove],
    /// Moves that continue from the position, shown as numbered pieces or arrows.
    pub ahead: &'a [PlayedMove],
}

/// How a picture looks. Equal subjects and options give equal bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The longer side, in pixels: 64 to 2048.
    pub size: u32,
    /// Its colours.
    pub theme: Theme,
    /// Whether the board has coordinates.
    pub coordinates: bool,
    /// Whether the last move is marked.
    pub last_move: bool,
    /// At most 400 moves with their labels, the best first. A move without a place on the board, such as a pass, is not shown.
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

impl Options {
    /// The range of [`Options::size`].
    const SIZES: std::ops::RangeInclusive<u32> = 64..=2048;
    const MOST_CANDIDATES: usize = 400;

    fn check(&self, subject: &Subject<'_>) -> Result<(), Refused> {
        let refuse = |pointer: &str, problem: String| Err(Refused { pointer: pointer.to_owned(), problem });
        if !Self::SIZES.contains(&self.size) {
            return refuse("/size", format!("{}: expected 64 to 2048 pixels", self.size));
        }
        if self.candidates.len() > Self::MOST_CANDIDATES {
            let problem = format!("{} candidates: expected at most {}", self.candidates.len(), Self::MOST_CANDIDATES);
            return refuse("/candidates", problem);
        }
        let is_legal = |candidate: &Candidate| subject.legal.iter().any(|legal| legal.mv == candidate.mv);
        match self.candidates.iter().position(|candidate| !is_legal(candidate)) {
            None => Ok(()),
            Some(index) => {
                let mv = shorten(&self.candidates[index].mv);
                refuse(&format!("/candidates/{index}/move"), format!("`{mv}`: expected a legal move of the position"))
            }
        }
    }
}

fn scene(subject: &Subject<'_>, options: &Options) -> Scene {
    let look = Look::of(subject.about, options.theme);
    let title = title(subject);
    let Some(layout) = layout(subject, &look, options.coordinates) else { return written(subject, &look, title) };
    let pieces = Pieces::new(subject, &look, &layout);
    let chequered =
        subject.about.start.legal.iter().any(|legal| legal.facts.from.is_some() && legal.facts.to.is_some());
    let mut board = ground::draw(&look, &layout, chequered);
    let mut marks = marks::facts(subject, &pieces);
    if options.last_move {
        board.extend(marks::under(subject, &look, &layout));
        marks.extend(marks::last(subject, &look, &layout));
    }
    let mut moves = marks::ahead(subject, &pieces);
    moves.extend(marks::candidates(subject, options, &pieces));
    let layers = vec![("board", board), ("pieces", pieces.all()), ("marks", marks), ("moves", moves)];
    Scene { width: layout.width, height: layout.height, title, layers }
}

/// The board of a position; `None` where its game has no cells.
fn layout(subject: &Subject<'_>, look: &Look, coordinates: bool) -> Option<Layout> {
    let Subject { about, view, .. } = subject;
    let number = |field: &str| view.variant[field].as_u64().and_then(|number| usize::try_from(number).ok());
    let cells = cells(subject);
    let (columns, rows) = (cells.first()?.chars().count(), cells.len());
    let regular = |shape, numbered| Layout::regular(shape, columns, rows, numbered, coordinates);
    Some(match look.kind {
        Kind::Reversi => regular(BoardShape::Squares, Rows::Down),
        Kind::Gomoku => regular(BoardShape::Points, Rows::Up(1)),
        Kind::Xiangqi => regular(BoardShape::Points, Rows::Up((view.variant["ranks"] == "from_one").into())),
        Kind::Hex => regular(BoardShape::Hexagons, Rows::Down),
        Kind::DotsAndBoxes => Layout::edges(number("columns")?, number("rows")?, coordinates),
        Kind::TicTacToe | Kind::ConnectFour | Kind::Plain => regular(BoardShape::Squares, Rows::Up(1)),
        Kind::Described => {
            let board = about.board.as_ref()?;
            let layout = Layout::described(board, &view.variant, coordinates);
            return (!layout.places.is_empty()).then_some(layout);
        }
    })
}

/// The text of a position without cells, on a sheet.
fn written(subject: &Subject<'_>, look: &Look, title: String) -> Scene {
    const COLUMNS: usize = 36;
    const LINES: usize = 18;
    let wrapped = subject.view.text.lines().flat_map(|line| {
        let letters: Vec<char> = line.chars().collect();
        letters.chunks(COLUMNS).map(|part| part.iter().collect()).collect::<Vec<String>>()
    });
    let lines: Vec<String> = wrapped.take(LINES).collect();
    let (width, step) = (1000.0, 60.0);
    let height = (lines.len() as f32 * step + 120.0).max(500.0);
    let top = (height - (lines.len() as f32 - 1.0) * step) / 2.0;
    let palette = look.palette;
    let line = |(index, words): (usize, &String)| {
        Shape::fitting([width / 2.0, top + index as f32 * step], 44.0, width - 120.0, words).fill(palette.sheet_ink)
    };
    let sheet = [
        Shape::rectangle(0.0, 0.0, width, height, 0.0).fill(palette.wood),
        Shape::rectangle(24.0, 24.0, width - 48.0, height - 48.0, 4.0).fill(palette.sheet),
    ];
    let layers = vec![("board", sheet.into()), ("pieces", lines.iter().enumerate().map(line).collect())];
    Scene { width, height, title, layers }
}

/// A position in words.
fn title(subject: &Subject<'_>) -> String {
    let (name, sides) = subject.about.description.english();
    let named = |side: Side| sides[side.index()];
    match &subject.view.outcome {
        None => format!("{name}: {} to move", named(subject.view.to_move)),
        Some(ended) => match ended.result.winner {
            Some(winner) => format!("{name}: {} won ({})", named(winner), ended.result.reason),
            None => format!("{name}: a draw ({})", ended.result.reason),
        },
    }
}
