//! SGF FF\[4\], the Smart Game Format (red-bean.com/sgf): the main line of a game with its comments.
//!
//! A game defines what SGF leaves to it ([`Sgf`]): its number, its points, its rules. Variations and markup are ignored.

mod colours;
mod reading;
mod result;
mod setup;
mod tree;
mod writing;

use crate::notation::column_letter;
use crate::position::Side;
use crate::record::EarlyEnd;

pub use colours::{Colours, WhiteFirst};
pub use reading::read;
pub use writing::write;

/// Finds a variant from the requested one, `SZ` and `RU`; an error states what is wrong with the size.
type ReadVariant<V> = fn(Option<V>, Option<u32>, Option<&str>) -> Result<V, String>;
/// `SZ` and `RU` of a variant; an error states why its games have no SGF.
type VariantProperties<V> = fn(&V) -> Result<(u32, Option<&'static str>), String>;

/// The parts of SGF that are specific to a game.
#[derive(Debug)]
pub struct Sgf<V: 'static> {
    /// The number of the game, `GM`.
    pub game: &'static str,
    /// The letters of both sides' stones in a position text, also used for the side to move.
    pub stones: [char; 2],
    /// Whether a position text has one letter for each cell (`-` where it is empty), rather than rows and numbers.
    pub is_flat: bool,
    /// Stones at the start on a board of this size: cells in reading order.
    pub start: fn(usize) -> Vec<(usize, Side)>,
    /// Whether the second player can be to move on the start board.
    pub second_begins: bool,
    /// The players' colours if White moves first, and the assumption that they rest on.
    pub white_first: fn(&WhiteFirst<'_>) -> (Colours, Option<&'static str>),
    /// Finds the variant.
    pub variant: ReadVariant<V>,
    /// Whether `RU` is one of the game's variants.
    pub knows_rules: fn(&str) -> bool,
    /// The properties of a variant.
    pub properties: VariantProperties<V>,
    /// Values of `B` and `W` that are not points. If several mean the same move, the first is written.
    pub words: &'static [(&'static str, Word)],
    /// Column and row from the top of the point that a value means.
    pub read_point: fn(&str) -> Option<(u32, u32)>,
    /// The value of the point in a column and a row from the top.
    pub write_point: fn(u32, u32) -> String,
    /// The move on the cell in a column and a row from the top, on a board of this size.
    pub mv: fn(u32, u32, u32) -> String,
    /// Column and row from the top of the cell that a move names, on a board of this size.
    pub cell: fn(&str, u32) -> Option<(u32, u32)>,
}

/// The meaning of a value of `B` or `W` that is not a point.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// This move.
    Move(&'static str),
    /// This move, by which the second player takes over the first stone, or the first player's colour.
    Swap(&'static str),
    /// No move: the player ends the game, and loses it.
    Lost(EarlyEnd),
}

impl<V> Sgf<V> {
    /// The point of a value, if it is on the board.
    fn point(&self, value: &str, size: u32) -> Option<(u32, u32)> {
        (self.read_point)(value.trim()).filter(|(column, row)| *column < size && *row < size)
    }

    fn word(&self, value: &str) -> Option<Word> {
        let value = value.trim();
        self.words.iter().find(|(known, _)| known.eq_ignore_ascii_case(value)).map(|(_, word)| *word)
    }
}

/// Whether a text is an SGF collection, of any game; reading it determines which. Formats whose `GM` is a word are not SGF.
#[must_use]
pub fn recognises(text: &str) -> bool {
    let Some(begin) = tree::begin(text) else { return false };
    let root = text[begin..].splitn(3, [';', '(']).nth(2).unwrap_or_default();
    let root = root.split([';', '(']).next().unwrap_or_default();
    let named = root.split_once("GM[").and_then(|(_, rest)| rest.split_once(']'));
    named.is_none_or(|(named, _)| !named.contains(char::is_alphabetic))
}

/// Column and row from the top of a point in two letters, such as `hc`.
#[must_use]
pub fn read_letters(value: &str) -> Option<(u32, u32)> {
    let mut letters = value.bytes().map(|letter| match letter {
        b'a'..=b'z' => Some(u32::from(letter - b'a')),
        b'A'..=b'Z' => Some(u32::from(letter - b'A') + 26),
        _ => None,
    });
    let point = (letters.next()??, letters.next()??);
    letters.next().is_none().then_some(point)
}

/// A point in two letters.
#[must_use]
pub fn write_letters(column: u32, row: u32) -> String {
    [column, row].map(column_letter).into_iter().collect()
}

/// Column and row from the top of a point like `c4`, whose rows are numbered from the top.
#[must_use]
pub fn read_letter_and_number(value: &str) -> Option<(u32, u32)> {
    let mut chars = value.chars();
    let column = chars.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    let row: u32 = chars.as_str().parse().ok()?;
    Some((u32::from(column) - u32::from('a'), row.checked_sub(1)?))
}

/// A point as a letter and a number.
#[must_use]
pub fn write_letter_and_number(column: u32, row: u32) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

/// The board at the start of a game.
fn start_cells(size: usize, start: fn(usize) -> Vec<(usize, Side)>) -> Vec<Option<Side>> {
    let mut cells = vec![None; size * size];
    start(size).into_iter().for_each(|(cell, side)| cells[cell] = Some(side));
    cells
}
