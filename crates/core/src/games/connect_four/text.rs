//! Lines of moves as text, and the names of cells, which moves do not have: a move is a column.

use super::{Board, Column, ConnectFour};
use crate::bits::Bits;
use crate::notation::{column_letter, pasted_words};

/// Splits a text of columns, which may be joined.
pub fn split_line(text: &str) -> Option<Vec<&str>> {
    let is_column = |c: char| matches!(c, '1'..='9' | 'a'..='c' | 'A'..='C');
    let text = text.trim();
    text.chars()
        .all(|c| is_column(c) || c.is_whitespace())
        .then(|| text.split("").filter(|part| part.starts_with(is_column)).collect())
}

/// Splits a pasted line. Moves are digits too: a number of a move is taken for one only where they count from 1.
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

/// The cell that a stone of an open column falls into: column letter, and row number from the bottom.
pub fn landing_cell<G: Board>(position: &ConnectFour<G>, mv: Column) -> String {
    let column = u32::from(mv.0);
    let is_free = |row: &u32| !(position.landing() & position.cell(column, *row)).is_empty();
    let row = (0..position.board.rows()).find(is_free).unwrap_or_default();
    format!("{}{}", column_letter(column), row + 1)
}
