//! Boards whose cells are named by a letter for the column and a number for the row: names, texts, and the effects of moves.

use crate::Side;

/// A board. Its cells are numbered row by row from the top left; their names count rows from the bottom, so that the last row
/// begins with `a1`.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The number of columns, at most 26.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
}

impl Board {
    /// The name of a cell.
    #[must_use]
    pub fn name(self, cell: u32) -> String {
        format!("{}{}", char::from(b'a' + (cell % self.columns) as u8), self.rows - cell / self.columns)
    }

    /// All cells for [`Game::cells`](crate::Game::cells): `piece` is the letter on a cell, `.` where it is empty.
    pub fn cells(self, piece: impl Fn(u32) -> char) -> Vec<String> {
        let text = |piece: char| if piece == '.' { String::new() } else { piece.to_string() };
        (0..self.columns * self.rows).map(|cell| text(piece(cell))).collect()
    }

    /// The text of a position: rows from the top with `/` between them, numbers for runs of empty cells, a space, and `x` or
    /// `o` for the side to move.
    pub fn text(self, turn: Side, piece: impl Fn(u32) -> char) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for cell in 0..self.columns * self.rows {
            let piece = piece(cell);
            let ends = (cell + 1) % self.columns == 0;
            empty += u32::from(piece == '.');
            if empty > 0 && (piece != '.' || ends) {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.extend((piece != '.').then_some(piece));
            text.extend((ends && cell + 1 < self.columns * self.rows).then_some('/'));
        }
        text + if turn == Side::First { " x" } else { " o" }
    }

    /// Reads what [`Board::text`] writes. Returns the letters of all cells, each `.` or one of `pieces`, and the side to move.
    ///
    /// # Errors
    /// What is wrong with the text, and what was expected.
    pub fn read(self, text: &str, pieces: &str) -> Result<(Vec<char>, Side), String> {
        let (rows, turn) = match text.rsplit_once(' ') {
            Some((rows, "x")) => (rows, Side::First),
            Some((rows, "o")) => (rows, Side::Second),
            _ => return Err("expected rows, a space, and `x` or `o` for the side to move".to_owned()),
        };
        let mut cells = Vec::new();
        for (index, row) in rows.split('/').enumerate() {
            let mut run = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(digit) => run = run * 10 + digit,
                    None if pieces.contains(letter) => {
                        cells.extend(std::iter::repeat_n('.', run as usize));
                        cells.push(letter);
                        run = 0;
                    }
                    None => return Err(format!("row {}: expected numbers and letters of `{pieces}`", index + 1)),
                }
                if run > self.columns {
                    break;
                }
            }
            cells.extend(std::iter::repeat_n('.', run as usize));
            if cells.len() != (index + 1) * self.columns as usize {
                return Err(format!("row {}: expected {} cells", index + 1, self.columns));
            }
        }
        if cells.len() != (self.columns * self.rows) as usize {
            return Err(format!("expected {} rows", self.rows));
        }
        Ok((cells, turn))
    }
}

/// The effect of a move on the board, as names of cells. The page shows it, and plays the move at a click on `from`, then on
/// `to`; without `from`, at a click on `to`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveCells {
    /// The cell that a piece leaves.
    pub from: Option<String>,
    /// The cell that a piece is put on.
    pub to: Option<String>,
    /// The cells whose pieces are captured.
    pub captured: Vec<String>,
}

impl MoveCells {
    /// A new piece is put on a cell.
    #[must_use]
    pub fn to(cell: String) -> Self {
        Self { to: Some(cell), ..Self::default() }
    }

    /// A piece moves from one cell to another.
    #[must_use]
    pub fn step(from: String, to: String) -> Self {
        Self { from: Some(from), ..Self::to(to) }
    }

    /// A piece is taken off the board.
    #[must_use]
    pub fn removal(cell: String) -> Self {
        Self { captured: vec![cell.clone()], ..Self::to(cell) }
    }

    /// The same move, capturing the pieces on these cells.
    #[must_use]
    pub fn capturing(self, captured: Vec<String>) -> Self {
        Self { captured, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_boards_round_trip() {
        let board = Board { columns: 12, rows: 2 };
        let pieces: Vec<char> = "x..........o............".chars().collect();
        let text = board.text(Side::Second, |cell| pieces[cell as usize]);
        assert_eq!(text, "x10o/12 o");
        assert_eq!(board.read(&text, "xo"), Ok((pieces, Side::Second)));
        assert_eq!((board.name(0), board.name(23)), ("a2".to_owned(), "l1".to_owned()));
    }

    #[test]
    fn refusals_name_the_row() {
        let board = Board { columns: 3, rows: 2 };
        assert_eq!(board.read("3/2 x", "xo"), Err("row 2: expected 3 cells".to_owned()));
        assert_eq!(board.read("3 x", "xo"), Err("expected 2 rows".to_owned()));
        assert_eq!(board.read("3/999999999999 x", "xo"), Err("row 2: expected 3 cells".to_owned()));
        assert_eq!(board.read("3/2y x", "xo"), Err("row 2: expected numbers and letters of `xo`".to_owned()));
        assert!(board.read("3/3", "xo").is_err());
    }
}
