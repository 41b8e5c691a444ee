//! Tic-tac-toe, and the whole m,n,k family: `k` stones in a row on a board of `columns` x `rows`.
//!
//! Bitboards, row by row from the bottom with one guard column at the right, so that a run never wraps round an edge; a line
//! is found by shifting (`Bits::has_run`). The 3x3 board lives in one machine word, 19x19 in six.

mod decisive;

use std::fmt;

use serde::Serialize;

pub use decisive::Decisive;

use super::{Description, EngineList, Game, Geometry, Notation, SideNames, Translated, Variant};
use crate::bits::Bits;
use crate::level::{Level, Levels};
use crate::notation::{
    Malformed, column_letter, draw_board, read_board, read_cell, split_cells, split_side, write_board,
};
use crate::parameters;
use crate::parameters::{Invalid, OnlyVariant, Parameters};
use crate::position::{IllegalMove, Outcome, Position, Side};
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::plain::{Evaluator, Plain};
use crate::symmetry::{Symmetry, canonical};

parameters! {
    /// Board size and length of a winning line.
    pub struct MnkVariant {
        names OnlyVariant;
        /// Width of the board.
        columns: u32 = 3, 1..=19;
        /// Height of the board.
        rows: u32 = 3, 1..=19;
        /// Stones in a row that win; not more than the longer side of the board.
        k: u32 = 3, 1..=19;
    }
}

impl Variant for MnkVariant {
    type Name = OnlyVariant;

    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()?;
        let longest = self.columns.max(self.rows);
        if self.k > longest {
            let problem = format!("expected at most {longest}, the longer side of the board, not {}", self.k);
            return Err(Invalid::new("k", problem));
        }
        Ok(())
    }
}

/// A position of the m,n,k family on a board that fits in `B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicTacToe<B> {
    stones: [B; 2],
    board: B,
    columns: u8,
    rows: u8,
    k: u8,
    ply: u16,
}

/// A cell, numbered row by row from the bottom left, guard column included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    index: u16,
    column: u8,
    row: u8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column.into()), u32::from(self.row) + 1)
    }
}

impl<B: Bits> TicTacToe<B> {
    #[inline]
    fn cell(&self, index: u32) -> Cell {
        let width = u32::from(self.columns) + 1;
        Cell { index: index as u16, column: (index % width) as u8, row: (index / width) as u8 }
    }

    #[inline]
    fn cell_at(&self, column: u32, row: u32) -> Cell {
        Cell { index: (row * (u32::from(self.columns) + 1) + column) as u16, column: column as u8, row: row as u8 }
    }

    #[inline]
    fn empty(&self) -> B {
        self.board & !(self.stones[0] | self.stones[1])
    }

    #[inline]
    fn has_line(&self, side: Side) -> bool {
        let stones = self.stones[side.index()];
        let (k, width) = (u32::from(self.k), u32::from(self.columns) + 1);
        // Rightward, upward, and both diagonals.
        stones.has_run(k, 1) || stones.has_run(k, width) || stones.has_run(k, width + 1) || stones.has_run(k, width - 1)
    }

    /// `x`, `o` or `.`; row 0 is the bottom row.
    fn letter(&self, column: u32, row: u32) -> char {
        let index = self.cell_at(column, row).index.into();
        match (self.stones[0].has(index), self.stones[1].has(index)) {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '.',
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        u32::from(self.ply) == u32::from(self.columns) * u32::from(self.rows)
    }
}

impl<B: Bits> Position for TicTacToe<B> {
    type Move = Cell;

    #[inline]
    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.ply.into()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let last = self.turn().other();
        if self.has_line(last) {
            Some(Outcome::win(last, "line"))
        } else if self.is_full() {
            Some(Outcome::draw("board_full"))
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Cell> {
        let cells = if self.has_line(self.turn().other()) { B::EMPTY } else { self.empty() };
        cells.iter().map(|index| self.cell(index))
    }

    #[inline]
    fn play(&mut self, mv: Cell) {
        let own = &mut self.stones[usize::from(self.ply % 2)];
        *own = *own | B::single(mv.index.into());
        self.ply += 1;
    }

    fn parse_move(&self, text: &str) -> Result<Cell, IllegalMove> {
        let (column, row) = read_cell(text, self.columns.into(), self.rows.into())?;
        let cell = self.cell_at(column, row);
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        if !self.empty().has(cell.index.into()) {
            return Err(IllegalMove::new(text, "the cell is taken: expected an empty one"));
        }
        Ok(cell)
    }

    fn key(&self) -> u64 {
        mix(self.stones[0].hash().rotate_left(1) ^ self.stones[1].hash())
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Cell {
        let empty = self.empty();
        self.cell(empty.nth(rng.below(empty.count())))
    }
}

impl<B: Bits> fmt::Display for TicTacToe<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = u32::from(self.rows);
        write_board(f, self.columns.into(), rows, |column, row| {
            let index = self.cell_at(column, rows - 1 - row).index.into();
            if self.stones[0].has(index) { Some('x') } else { self.stones[1].has(index).then_some('o') }
        })?;
        f.write_str(if self.turn() == Side::First { " x" } else { " o" })
    }
}

/// The cells that thin clients draw.
#[derive(Debug, Serialize)]
pub struct Facts {
    cells: Vec<String>,
}

impl<B: Bits> Game for TicTacToe<B> {
    const NAME: &'static str = "tic-tac-toe";
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Tic-tac-toe", zh: "井字棋" },
        sides: SideNames { first: Translated { en: "X", zh: "X 方" }, second: Translated { en: "O", zh: "O 方" } },
        how_to_play: Translated {
            en: "X and O take turns to put a stone on an empty cell; stones never move. The first with three stones (`k`) in a line, across, down or diagonally, wins. If the board fills up first, the game is a draw.",
            zh: "X 方和 O 方轮流在一个空格里放一枚自己的棋子，棋子放下后不再移动。先把三枚（`k` 枚）棋子横、竖或斜连成一线的一方获胜；棋盘放满而无人连成，则为和棋。",
        },
        notation: Notation {
            position: "Rows from the top, `/` between them, `x` (first) and `o`, numbers for runs of empty cells, a space, the side to move.",
            position_example: "xo1/1x1/3 o",
            moves: "Column letter and row number from the bottom.",
            moves_example: &["b2", "a1"],
        },
        geometry: Geometry::Cells,
        rules: "k or more stones in a row, in any direction, win; a full board without a line is a draw.",
    };
    const LEVELS: Levels = [
        Level::simulations(20, 1.6),
        Level::simulations(20, 1.6),
        Level::simulations(26, 1.4),
        Level::simulations(36, 1.1),
        Level::simulations(50, 0.8),
        Level::simulations(65, 0.65),
        Level::simulations(90, 0.5),
        Level::simulations(140, 0.34),
        Level::simulations(250, 0.22),
    ];
    type Variant = MnkVariant;
    type Facts = Facts;

    fn plays(variant: &MnkVariant) -> bool {
        (variant.columns + 1) * variant.rows <= B::WIDTH
    }

    fn start(variant: &MnkVariant) -> Self {
        let mut start = Self {
            stones: [B::EMPTY; 2],
            board: B::EMPTY,
            columns: variant.columns as u8,
            rows: variant.rows as u8,
            k: variant.k as u8,
            ply: 0,
        };
        for row in 0..variant.rows {
            for column in 0..variant.columns {
                start.board = start.board | B::single(start.cell_at(column, row).index.into());
            }
        }
        start
    }

    fn parse(variant: &MnkVariant, text: &str) -> Result<Self, Malformed> {
        let (board, side) = split_side(text, ["x", "o"])?;
        let cells = read_board(board, variant.columns, variant.rows, "xo")?;
        let mut position = Self::start(variant);
        for (place, letter) in cells.into_iter().enumerate() {
            let (column, row) = (place as u32 % variant.columns, place as u32 / variant.columns);
            let bit = B::single(position.cell_at(column, variant.rows - 1 - row).index.into());
            if let Some(letter) = letter {
                let stones = &mut position.stones[usize::from(letter == 'o')];
                *stones = *stones | bit;
            }
        }
        let [x, o] = position.stones.map(Bits::count);
        position.ply = (x + o) as u16;
        if x != o + u32::from(side == Side::Second) {
            return Err(Malformed::new(format!(
                "{x} `x` and {o} `o` with `{}` to move: expected as many `x` as `o` when `x` is to move, one more when `o` is",
                if side == Side::First { "x" } else { "o" }
            )));
        }
        if position.has_line(side) {
            return Err(Malformed::new(
                "the side to move has a line already: expected a game that ended when the line was made",
            ));
        }
        Ok(position)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        Some(split_cells(text))
    }

    fn canonical_key(&self) -> u64 {
        canonical(self.columns.into(), self.rows.into(), Symmetry::Board, |column, row| self.letter(column, row))
    }

    fn facts(&self) -> Facts {
        let (columns, rows) = (u32::from(self.columns), u32::from(self.rows));
        let row = |row| (0..columns).map(|column| self.letter(column, row)).collect();
        Facts { cells: (0..rows).rev().map(row).collect() }
    }

    fn draw(&self) -> String {
        let rows = u32::from(self.rows);
        draw_board(self.columns.into(), rows, |column, row| self.letter(column, rows - 1 - row))
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<Mcts<Decisive>>();
        list.add::<AlphaBeta<Plain<CentreEvaluator>>>();
    }
}

/// Orders cells near the centre first, since most lines pass through them. Small boards are solved without static evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct CentreEvaluator;

impl<B: Bits> Evaluator<TicTacToe<B>> for CentreEvaluator {
    fn priority(&self, position: &TicTacToe<B>, mv: Cell) -> i32 {
        let off = |at: u8, size: u8| (2 * i32::from(at) - i32::from(size) + 1).abs();
        -off(mv.column, position.columns) - off(mv.row, position.rows)
    }
}
