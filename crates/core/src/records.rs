//! Record formats: files and texts that hold a game, in the parts that several games share.
//!
//! A game names its formats ([`Format`]): how each is recognised, read and written. Reading yields a [`Draft`]: the variant,
//! the position and the moves as the text has them, each with its place, so that an illegal move can be located. Nothing here
//! knows the rules; [`Catalog::read_record`](crate::catalog::Catalog::read_record) plays the moves.

#[cfg(not(target_family = "wasm"))]
pub mod lines;
#[cfg(not(target_family = "wasm"))]
pub mod pgn;
#[cfg(not(target_family = "wasm"))]
pub mod sgf;
mod text;

use crate::position::{Side, shorten};
use crate::record::{Record, RecordedMove};

pub use text::{decimal, number, seconds, single_line, time};

/// A format in which a game's records are read and written.
#[derive(Debug)]
pub struct Format<V: 'static> {
    /// Its name in the API.
    pub name: &'static str,
    /// The game's notation in which its moves are written.
    pub notation: &'static str,
    /// Whether a text looks like this format.
    pub recognises: fn(&str) -> bool,
    /// Reads a text.
    pub read: fn(&Source<'_, V>) -> Result<Draft<V>, Misread>,
    /// Writes a game; the error names what the format cannot hold.
    pub write: fn(&Written<'_, V>) -> Result<String, String>,
}

/// A text to be read, with the request's choices.
#[derive(Debug)]
pub struct Source<'a, V> {
    /// The text.
    pub text: &'a str,
    /// The requested variant, if any.
    pub variant: Option<V>,
    /// The number of the requested game in the text, from 1.
    pub number: Option<usize>,
    /// Whether the request names the format. If not, another may suit the text better.
    pub is_named: bool,
}

impl<V> Source<'_, V> {
    /// The requested game of those in the text, each given with its place.
    ///
    /// # Errors
    /// If there are several and none is requested, or there is none with that number.
    pub fn choose<T>(&self, mut games: Vec<(usize, T)>) -> Result<T, Misread> {
        let count = games.len();
        let index = match (self.number, &games[..]) {
            (_, []) => return Err(Misread::new(0, "expected a game")),
            (Some(number), _) => {
                let index = number.checked_sub(1).filter(|index| *index < count);
                index.ok_or_else(|| Misread::of_number(number, count))?
            }
            (None, [_]) => 0,
            (None, [_, (at, _), ..]) => {
                let problem = format!("{count} games: expected one, or `number` to say which, 1 to {count}");
                return Err(Misread::new(*at, problem));
            }
        };
        Ok(games.swap_remove(index).1)
    }
}

/// A game as a text has it, before its moves are played.
#[derive(Debug)]
pub struct Draft<V> {
    /// The variant.
    pub variant: V,
    /// Everything but the moves. Its position may be unchecked.
    pub record: Record,
    /// The place of the position in the text.
    pub position_at: usize,
    /// The moves, each with its place in the text. A move's text may hold several; its other data belong to the last.
    pub moves: Vec<(usize, RecordedMove)>,
    /// What was ignored, and what was assumed.
    pub warnings: Vec<String>,
}

impl<V> Draft<V> {
    /// A game without moves or any other information.
    #[must_use]
    pub fn new(variant: V) -> Self {
        Self { variant, record: Record::default(), position_at: 0, moves: Vec::new(), warnings: Vec::new() }
    }
}

/// A game to be written.
#[derive(Debug)]
pub struct Written<'a, V> {
    /// The variant.
    pub variant: &'a V,
    /// The record; its moves are legal, and each names who played it.
    pub record: &'a Record,
    /// The moves in the format's notation.
    pub moves: &'a [String],
    /// The side to move before the first move.
    pub turn: Side,
}

/// A text that was refused: where, what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The place, in bytes from the beginning of the text.
    pub at: usize,
    /// What is wrong, and what was expected.
    pub problem: String,
    /// The part of the request that is wrong.
    pub about: About,
}

/// The part of a request that is wrong when a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The text.
    Text,
    /// The number of the game: the text has no game with it.
    Number,
    /// The game: the text names another one.
    Game,
}

impl Misread {
    /// Refuses the text at a place.
    #[must_use]
    pub fn new(at: usize, problem: impl Into<String>) -> Self {
        Self { at, problem: problem.into(), about: About::Text }
    }

    /// Refuses the number of a game, given the number of games in the text.
    fn of_number(number: usize, count: usize) -> Self {
        let problem = match count {
            1 => format!("the text holds one game: expected 1, not {number}"),
            _ => format!("the text holds {count} games: expected 1 to {count}, not {number}"),
        };
        Self { about: About::Number, ..Self::new(0, problem) }
    }

    /// Refuses the text at a place, and shows its first line.
    #[must_use]
    pub fn unexpected(at: usize, text: &str, expected: &str) -> Self {
        let line = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let found = if line.is_empty() { "the end".to_owned() } else { format!("`{}`", shorten(line)) };
        Self::new(at, format!("{found}: expected {expected}"))
    }

    /// Refuses the value of a property, `NAME[value]`.
    #[must_use]
    pub fn of_property(name: &str, (at, value): (usize, &str), expected: &str) -> Self {
        Self::new(at, format!("{name}[{}]: {expected}", shorten(value)))
    }

    /// A place in a text as line and column, both from 1; columns count characters.
    #[must_use]
    pub fn line_and_column(at: usize, text: &str) -> (usize, usize) {
        let mut end = at.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}

/// The warning that variations were left out, if there were any.
#[cfg(not(target_family = "wasm"))]
fn without_variations(count: usize) -> Option<String> {
    let variations = if count == 1 { "variation was" } else { "variations were" };
    (count > 0).then(|| format!("{count} {variations} left out"))
}

/// The place where a part of a text begins in it, in bytes.
///
/// `part` must be a slice of `text`; for any other the result is 0.
#[must_use]
pub fn place(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize).filter(|&at| at <= text.len()).unwrap_or_default()
}
