//! Lines of moves as text, and cell names: a move names only its column.

use super::{Board, Column, ConnectFour};
use crate::bits::Bits;
use crate::notation::{column_letter, pasted_words};

/// Splits a text of columns; they need no separators.
pub fn split_line(text: &str) -> Option<Vec<&str>> {
    let is_column = |c: char| matches!(c, '1'..='9' | 'a'..='c' | 'A'..='C');
    let text = text.trim();
    text.chars()
        .all(|c| is_column(c) || c.is_whitespace())
        .then(|| text.split("").filter(|part| part.starts_with(is_column)).collect())
}

/// Splits a pasted line. Since columns are digits too, a word like `1.` counts as a move number only if the numbers ascend from
/// 1.
pub fn split_pasted(text: &str) -> Vec<&str> {
    let mut numbers = 0;
    let mut moves = Vec::new();
    for word in pasted_words(text) {
        if word.strip_suffix('.').and_then(|number| number.parse().ok()) == Some(numbers + 1) {
            numbers += 1;
        } else {
            moves.extend(split_line(word).unwrap_or_else(|| vec![word]));
        }
    }
    moves
}

/// The cell where a stone in an open column lands: column letter, and row number from the bottom.
pub fn landing_cell<G: Board>(position: &ConnectFour<G>, mv: Column) -> String {
    let column = u32::from(mv.0);
    let is_free = |row: &u32| !(position.landing() & position.cell(column, *row)).is_empty();
    let row = (0..position.board.rows()).find(is_free).unwrap_or_default();
    format!("{}{}", column_letter(column), row + 1)
}
