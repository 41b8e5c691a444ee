//! Connect Four: stones fall down the columns, `connect` in a row win. Any board up to 12x12, optionally with a blocked cell.
//!
//! Bitboards column by column from the left, each column from the bottom with one guard cell on top, so that a run never wraps
//! from one column into the next. Adding the lowest cell of a column to the filled cells carries to its first free cell. The
//! rules are generic over [`Board`]: every size of [`Standard`] is a constant, so it pays nothing for the general [`Custom`].

mod board;
mod centre;
mod decisive;
mod levels;
mod solver;
mod text;
mod variant;

use std::fmt;

use serde::Serialize;

pub use board::{Board, Custom, Standard};
pub use centre::CentreEvaluator;
pub use decisive::Decisive;
pub use solver::{Oracle, Solver, UseOfBook, book};
pub use variant::{BlockedCell, ConnectFourVariant};

use super::{Description, EngineList, Game, Geometry, MoveFacts, Notation, SideNames, Translated};
use crate::bits::Bits;
use crate::data::DataFile;
use crate::level::Levels;
use crate::notation::{Malformed, read_board, split_side, write_board};
use crate::position::{IllegalMove, Outcome, Position, Side};
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::plain::Plain;

/// A position on board `G`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectFour<G: Board> {
    /// The stones of the side to move.
    own: G::Bits,
    /// Every cell that no stone can fall into any more: all stones, and the blocked cell once the column has reached it.
    filled: G::Bits,
    ply: u8,
    board: G,
}

/// The column a stone falls into, from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", column_name(self.0.into()))
    }
}

/// Columns are written 1..9, then a, b, c.
fn column_name(column: u32) -> char {
    char::from_digit(column + 1, 36).unwrap_or('?')
}

impl<G: Board> ConnectFour<G> {
    #[inline(always)]
    fn cell(&self, column: u32, row: u32) -> G::Bits {
        G::Bits::single(column * (self.board.rows() + 1) + row)
    }

    /// The stones of the side that moved last. The blocked cell is filled, but nobody's.
    #[inline(always)]
    fn other(&self) -> G::Bits {
        (self.filled ^ self.own) & !self.board.blocked()
    }

    /// The free cells that a stone can fall into.
    #[inline(always)]
    fn landing(&self) -> G::Bits {
        // Carries from full columns end in the guard cells.
        let tops = self.filled.plus(self.board.bottom());
        let height = self.board.rows() + 1;
        let guards = self.board.bottom() << (height - 1);
        tops & !guards
    }

    #[inline(always)]
    fn is_open(&self, column: u32) -> bool {
        (self.filled & self.cell(column, self.board.rows() - 1)).is_empty()
    }

    #[inline(always)]
    fn has_line(&self, stones: G::Bits) -> bool {
        let (connect, height) = (self.board.connect(), self.board.rows() + 1);
        // Upward, rightward, and both diagonals.
        stones.has_run(connect, 1)
            | stones.has_run(connect, height)
            | stones.has_run(connect, height + 1)
            | stones.has_run(connect, height - 1)
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        let blocked = u32::from(!self.board.blocked().is_empty());
        u32::from(self.ply) + blocked == self.board.columns() * self.board.rows()
    }

    /// Fills the blocked cell if the stones below have reached it: the next stone lands above.
    #[inline(always)]
    fn fill_blocked(&mut self) {
        let blocked = self.board.blocked();
        if !blocked.is_empty() {
            self.filled = self.filled | (self.filled.plus(self.board.bottom()) & blocked);
        }
    }

    /// `x`, `o`, `#` for the blocked cell, or `None`; row 0 is the bottom.
    fn letter(&self, column: u32, row: u32) -> Option<char> {
        let cell = self.cell(column, row);
        let is_in = |set: G::Bits| !(set & cell).is_empty();
        let first_to_move = self.turn() == Side::First;
        if is_in(self.board.blocked()) {
            Some('#')
        } else if is_in(self.own) {
            Some(if first_to_move { 'x' } else { 'o' })
        } else {
            is_in(self.other()).then_some(if first_to_move { 'o' } else { 'x' })
        }
    }
}

impl<G: Board> Position for ConnectFour<G> {
    type Move = Column;

    #[inline(always)]
    fn turn(&self) -> Side {
        if self.ply & 1 == 0 { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.ply.into()
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if self.has_line(self.other()) {
            Some(Outcome::win(self.turn().other(), "line"))
        } else if self.is_full() {
            Some(Outcome::draw("board_full"))
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Column> {
        let columns = if self.has_line(self.other()) { 0 } else { self.board.columns() };
        (0..columns).filter(|&column| self.is_open(column)).map(|column| Column(column as u8))
    }

    #[inline(always)]
    fn play(&mut self, mv: Column) {
        let opponent = self.other();
        let stone = self.filled.plus(self.cell(mv.0.into(), 0));
        self.filled = self.filled | stone;
        self.own = opponent;
        self.ply += 1;
        self.fill_blocked();
    }

    fn parse_move(&self, text: &str) -> Result<Column, IllegalMove> {
        let last = column_name(self.board.columns() - 1);
        let mut chars = text.chars();
        let digit = chars.next().filter(|_| chars.next().is_none()).and_then(|c| c.to_digit(36)).unwrap_or(0);
        if !(1..=self.board.columns()).contains(&digit) {
            return Err(IllegalMove::new(
                text,
                format!("expected a column, 1 to {last}: they count from 1 at the left"),
            ));
        }
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        if !self.is_open(digit - 1) {
            return Err(IllegalMove::new(text, "the column is full: expected an open one"));
        }
        Ok(Column((digit - 1) as u8))
    }

    fn key(&self) -> u64 {
        // Own and filled cells determine the position; so does the side to move, by the number of stones.
        mix(self.own.hash().rotate_left(1) ^ self.filled.hash())
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Column {
        // Few columns are full until the very end, so trying columns until one is open beats counting the open ones.
        loop {
            let column = rng.below(self.board.columns());
            if self.is_open(column) {
                return Column(column as u8);
            }
        }
    }
}

impl<G: Board> fmt::Display for ConnectFour<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.board.rows();
        write_board(f, self.board.columns(), rows, |column, row| self.letter(column, rows - 1 - row))?;
        f.write_str(if self.turn() == Side::First { " x" } else { " o" })
    }
}

/// The cells that thin clients draw.
#[derive(Debug, Serialize)]
pub struct Facts {
    cells: Vec<String>,
}

impl<G: Board> Game for ConnectFour<G> {
    const NAME: &'static str = "connect-four";
    const LINE: Option<&'static str> = Some("");
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Connect Four", zh: "四子棋" },
        sides: SideNames {
            first: Translated { en: "Red", zh: "红方" },
            second: Translated { en: "Yellow", zh: "黄方" },
        },
        how_to_play: Translated {
            en: "Red and Yellow take turns to drop a stone into a column; it falls to the lowest free cell. The first with four stones (`connect`) in a line, across, down or diagonally, wins. If the board fills up first, the game is a draw.",
            zh: "红方和黄方轮流选一列投入一枚棋子，棋子落到该列最低的空格。先把四枚（`connect` 枚）自己的棋子横、竖或斜连成一线的一方获胜；棋盘放满而无人连成，则为和棋。",
        },
        notation: Notation {
            position: "The columns played from the start, as digits from 1 (`a`, `b`, `c` for columns 10 to 12); or rows from the top, `/` between them, `x` (first) and `o`, `#` for the blocked cell, numbers for runs of empty cells, a space, the side to move.",
            position_example: "4453",
            moves: "The column, from 1 at the left (`a`, `b`, `c` for columns 10 to 12).",
            moves_example: &["4", "4"],
        },
        geometry: Geometry::Cells,
        rules: "A stone falls to the lowest free cell of its column; `connect` or more in a row, in any direction, win; a full board without a line is a draw. A blocked cell belongs to nobody and breaks lines: a stone that would land on it lands above.",
    };
    const LEVELS: Levels = levels::LEVELS;
    type Variant = ConnectFourVariant;
    type Facts = Facts;

    fn plays(variant: &ConnectFourVariant) -> bool {
        G::of(variant).is_some()
    }

    fn start(variant: &ConnectFourVariant) -> Self {
        let board = G::of(variant).expect("the catalog starts only variants that the type plays");
        let mut start = Self { own: G::Bits::EMPTY, filled: G::Bits::EMPTY, ply: 0, board };
        start.fill_blocked();
        start
    }

    fn parse(variant: &ConnectFourVariant, text: &str) -> Result<Self, Malformed> {
        let start = Self::start(variant);
        let (board, side) = split_side(text, ["x", "o"])?;
        let (columns, rows) = (variant.columns, variant.rows);
        let cells = read_board(board, columns, rows, "xo#")?;
        let mut stones = [G::Bits::EMPTY; 2];
        for (place, letter) in cells.into_iter().enumerate() {
            let (column, row) = (place as u32 % columns, rows - 1 - place as u32 / columns);
            let cell = start.cell(column, row);
            if (letter == Some('#')) == (start.board.blocked() & cell).is_empty() {
                return Err(Malformed::new("expected `#` at the variant's blocked cell, and nowhere else"));
            }
            match letter {
                Some('x') => stones[0] = stones[0] | cell,
                Some('o') => stones[1] = stones[1] | cell,
                _ => {}
            }
        }
        // Refill the columns from below: a stone that hangs in the air is left over.
        let all = stones[0] | stones[1];
        let mut position = start;
        for _ in 0..rows {
            position.filled = position.filled | (position.landing() & all);
            position.fill_blocked();
        }
        if !(all & !position.filled).is_empty() {
            return Err(Malformed::new(
                "a stone is floating: expected every stone to rest on another, or on the bottom row",
            ));
        }
        let [x, o] = stones.map(Bits::count);
        if x != o + u32::from(side == Side::Second) {
            return Err(Malformed::new(format!(
                "{x} `x` and {o} `o`: expected as many `x` as `o` when `x` is to move, one more when `o` is"
            )));
        }
        position.ply = (x + o) as u8;
        position.own = stones[side.index()];
        if position.has_line(position.own) {
            return Err(Malformed::new(
                "the side to move has a line already: expected a game that ended when the line was made",
            ));
        }
        Ok(position)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        text::split_line(text)
    }

    fn split_pasted(text: &str) -> Vec<&str> {
        text::split_pasted(text)
    }

    fn describe_move(&self, mv: Column) -> MoveFacts {
        let to = text::landing_cell(self, mv);
        MoveFacts { to: Some(to), colour: Some(self.turn()), ..MoveFacts::written(mv.to_string()) }
    }

    fn facts(&self) -> Facts {
        let letter = |column, row| self.letter(column, row).unwrap_or('.');
        let row = |row| (0..self.board.columns()).map(|column| letter(column, row)).collect();
        Facts { cells: (0..self.board.rows()).rev().map(row).collect() }
    }

    fn draw(&self) -> String {
        let mut lines = self.facts().cells;
        lines.push((0..self.board.columns()).map(column_name).collect());
        let spaced =
            |line: &String| line.chars().flat_map(|cell| [cell, ' ']).collect::<String>().trim_end().to_owned();
        lines.iter().map(spaced).collect::<Vec<_>>().join("\n")
    }

    fn file() -> Option<&'static DataFile> {
        Some(&book::FILE)
    }

    fn engines(list: &mut impl EngineList<Self>) {
        // On the standard board exact scores come at once, and nothing is stronger. Larger boards that fit may take forever.
        if G::STANDARD {
            list.add::<Solver>();
        }
        list.add::<Mcts<Decisive>>();
        list.add::<AlphaBeta<Plain<CentreEvaluator>>>();
        if !G::STANDARD && G::Bits::WIDTH <= 64 {
            list.add::<Solver>();
        }
    }
}
