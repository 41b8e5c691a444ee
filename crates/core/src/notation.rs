//! Text forms that several games share: boards as rows of cells, and cells named by column letter and row number.

use std::fmt::{self, Write};

use crate::position::{IllegalMove, Side, shorten};

/// A position text that was refused: what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

impl Malformed {
    /// Refuses a text because of `problem`.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self(problem.into())
    }
}

/// Writes a board of `rows` rows from the top, `/` between them, runs of empty cells as numbers.
/// `symbol(column, row)` is the letter in a cell, or `None` for an empty one; row 0 is the top row.
///
/// # Errors
/// When `f` cannot be written to.
pub fn write_board(
    f: &mut impl Write,
    columns: u32,
    rows: u32,
    symbol: impl Fn(u32, u32) -> Option<char>,
) -> fmt::Result {
    for row in 0..rows {
        if row > 0 {
            f.write_char('/')?;
        }
        let mut empty = 0;
        for column in 0..columns {
            match symbol(column, row) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    f.write_char(letter)?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
    }
    Ok(())
}

/// Draws a board for a terminal: rows from the top, each with its number counted from the bottom, and column letters below.
/// `symbol(column, row)` is what stands in a cell; row 0 is the top row.
#[must_use]
pub fn draw_board(columns: u32, rows: u32, symbol: impl Fn(u32, u32) -> char) -> String {
    let width = rows.to_string().len();
    let mut text = String::new();
    for row in 0..rows {
        text.push_str(&format!("{:>width$}", rows - row));
        for column in 0..columns {
            text.extend([' ', symbol(column, row)]);
        }
        text.push('\n');
    }
    text.push_str(&" ".repeat(width));
    for column in 0..columns {
        text.extend([' ', column_letter(column)]);
    }
    text
}

/// Reads what [`write_board`] writes: the letter of every cell in reading order, or `None` if it is empty.
///
/// # Errors
/// If the number or the size of the rows differs, or a letter is not among `letters`.
pub fn read_board(text: &str, columns: u32, rows: u32, letters: &str) -> Result<Vec<Option<char>>, Malformed> {
    let expected = || format!("expected {rows} rows of {columns} cells from the top, `/` between them");
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != rows as usize {
        return Err(Malformed::new(format!("the board has {} rows: {}", lines.len(), expected())));
    }
    let mut cells = Vec::with_capacity((columns * rows) as usize);
    for (index, line) in lines.iter().enumerate() {
        let before = cells.len();
        let mut rest = *line;
        while let Some(next) = rest.chars().next() {
            if next.is_ascii_digit() {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let run = rest[..digits].parse::<u32>().ok().filter(|run| (1..=columns).contains(run) && next != '0');
                let Some(run) = run else {
                    return Err(Malformed::new(format!(
                        "row {}: `{}` is not a run of empty cells: expected a number from 1 to {columns}",
                        index + 1,
                        shorten(&rest[..digits])
                    )));
                };
                cells.extend(std::iter::repeat_n(None, run as usize));
                rest = &rest[digits..];
            } else if letters.contains(next) {
                cells.push(Some(next));
                rest = &rest[next.len_utf8()..];
            } else {
                return Err(Malformed::new(format!(
                    "row {}: `{next}` is not a cell: expected one of `{letters}`, or a number for a run of empty cells",
                    index + 1
                )));
            }
        }
        let width = cells.len() - before;
        if width != columns as usize {
            return Err(Malformed::new(format!("row {} has {width} cells: {}", index + 1, expected())));
        }
    }
    Ok(cells)
}

/// The words of a pasted line of moves, separated by blanks, Western commas and semicolons, or Chinese punctuation.
pub fn pasted_words(text: &str) -> impl Iterator<Item = &str> {
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '、' | '；' | '。');
    text.split(between).filter(|word| !word.is_empty())
}

/// A word without its leading move number: `12.` becomes empty, and `1.f5` becomes `f5`. A word with a digit behind the point
/// is a move, like WXF's `55.4`, and stays whole.
#[must_use]
pub fn without_number(word: &str) -> &str {
    let point = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = point.trim_start_matches('.');
    let is_number = point.len() < word.len() && rest.len() < point.len();
    if is_number && !rest.starts_with(|c: char| c.is_ascii_digit()) { rest } else { word }
}

/// Splits joined cells, like `b2a1`. A word that is not made of cells stays whole, so that it can be refused.
#[must_use]
pub fn split_cells(text: &str) -> Vec<&str> {
    let split = |word| {
        let mut cells = Vec::new();
        let mut rest: &str = word;
        while !rest.is_empty() {
            let digits = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest);
            let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
            if digits.len() == rest.len() || after.len() == digits.len() {
                return vec![word];
            }
            cells.push(&rest[..rest.len() - after.len()]);
            rest = after;
        }
        cells
    };
    text.split_whitespace().flat_map(split).collect()
}

/// Splits a position text into the board and the side to move, which follows a space as one of `letters` (the first player's,
/// then the second's).
///
/// # Errors
/// When the side to move is missing or not one of `letters`.
pub fn split_side<'a>(text: &'a str, letters: [&str; 2]) -> Result<(&'a str, Side), Malformed> {
    let [first, second] = letters;
    let expected = || format!("expected the board, a space, and the side to move (`{first}` or `{second}`)");
    let Some((board, side)) = text.rsplit_once(' ') else {
        return Err(Malformed::new(format!("no side to move: {}", expected())));
    };
    match side {
        s if s == first => Ok((board, Side::First)),
        s if s == second => Ok((board, Side::Second)),
        other => Err(Malformed::new(format!("`{}` is not a side to move: {}", shorten(other), expected()))),
    }
}

/// The letter of a column, from `a`.
#[must_use]
pub fn column_letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// Reads a cell like `b2` on a board of `columns` x `rows`: column and row, both from 0, the row counted from the bottom.
///
/// # Errors
/// When the text is not a cell of the board.
pub fn read_cell(text: &str, columns: u32, rows: u32) -> Result<(u32, u32), IllegalMove> {
    let refuse = || {
        let last = column_letter(columns - 1);
        IllegalMove::new(text, format!("expected a column letter a..{last} and a row number 1..{rows}, like `a1`"))
    };
    let mut chars = text.chars();
    let letter = chars.next().ok_or_else(refuse)?.to_ascii_lowercase();
    let column = (letter as u32).checked_sub('a' as u32).filter(|&column| column < columns).ok_or_else(refuse)?;
    let digits = chars.as_str();
    if !digits.starts_with(|c: char| matches!(c, '1'..='9')) {
        return Err(refuse());
    }
    let row = digits.parse::<u32>().ok().filter(|&row| row <= rows).ok_or_else(refuse)?;
    Ok((column, row - 1))
}

#[cfg(test)]
mod tests {
    use super::{pasted_words, split_cells, without_number};

    #[test]
    fn pasted_words_lose_their_numbers() {
        let words: Vec<_> = pasted_words("1. f5，d6; 2.c3 3... d3").map(without_number).collect();
        assert_eq!(words, ["", "f5", "d6", "c3", "", "d3"]);
        for word in ["55.4", "12", ".", "C2.5", "f5."] {
            assert_eq!(without_number(word), word);
        }
    }

    #[test]
    fn joined_cells_are_split() {
        assert_eq!(split_cells("b2A10 c3"), ["b2", "A10", "c3"]);
        for word in ["b", "2b", "b2x", "象1"] {
            assert_eq!(split_cells(word), [word]);
        }
    }
}
