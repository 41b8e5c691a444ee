//! Hex: Red, the first player, connects the top of a rhombus with its bottom, Blue its left with its right.
//!
//! Bitboards, row by row from the top with one guard column at the right, so that the six neighbours of a set of cells are six
//! shifts. For each side and each of its two edges, the stones connected with that edge are kept from move to move: a new stone
//! joins them by a flood fill from itself, so that no stone is added twice. A side with a stone in both sets has won. Exactly
//! one side connects on a full board (Nash), so there are no draws.
//!
//! With the swap rule, the second player can take over the first player's stone in place of a first move: it becomes a blue
//! stone on the cell mirrored across the long diagonal. The colours stay with the players.

mod board;
mod evaluator;
mod knowledge;
mod learned;
mod playout;
mod priors;
mod records;
mod solver;

use std::fmt;

use serde::Serialize;

pub use evaluator::DistanceEvaluator;
pub use playout::Bridges;
pub use solver::Solver;

use super::{Description, EngineList, Game, Geometry, MoveFacts, Notation, SideNames, Translated, Variant};
use crate::bits::Bits;
use crate::level::{Level, Levels};
use crate::notation::{Malformed, column_letter, read_board, read_cell, split_side, write_board};
use crate::parameters;
use crate::parameters::OnlyVariant;
use crate::position::{IllegalMove, Outcome, Position, Side};
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::plain::Plain;
use crate::weights::Features;

/// The largest board.
const LARGEST: u32 = 19;

parameters! {
    /// Board size and swap rule.
    pub struct HexVariant {
        names OnlyVariant;
        /// Cells on each side of the rhombus.
        size: u32 = 11, 3..=LARGEST;
        /// Whether the second player can take the first stone over as a first move (swap rule).
        swap: bool = true;
    }
}

impl Variant for HexVariant {
    type Name = OnlyVariant;
}

/// A position on a board that fits in `B`.
#[derive(Clone, Debug)]
pub struct Hex<B> {
    stones: [B; 2],
    /// For each side, its stones connected with its first edge (top, left) and with its second.
    linked: [[B; 2]; 2],
    /// All cells of the board.
    board: B,
    size: u8,
    turn: Side,
    swap: bool,
    winner: Option<Side>,
    /// The stone placed by the last move, if it placed one: playouts reply to it.
    last: Option<Cell>,
}

/// A cell: column from the left, row from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    column: u8,
    row: u8,
}

/// A stone, or the swap of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone on an empty cell.
    Stone(Cell),
    /// The first stone becomes the second player's, mirrored.
    Swap,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column.into()), self.row + 1)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(cell) => cell.fmt(f),
            Self::Swap => f.write_str("swap"),
        }
    }
}

impl<B: Bits> Position for Hex<B> {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        let [red, blue] = self.stones.map(Bits::count);
        red + blue + u32::from(self.is_swapped())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(|side| Outcome::win(side, "connection"))
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Move> {
        let (cells, swap) = if self.winner.is_none() { (self.empty(), self.can_swap()) } else { (B::EMPTY, false) };
        let stones = cells.iter().map(|index| Move::Stone(self.cell(index)));
        stones.chain(swap.then_some(Move::Swap))
    }

    fn count_moves(&self) -> u64 {
        if self.winner.is_some() { 0 } else { u64::from(self.empty().count()) + u64::from(self.can_swap()) }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        match mv {
            Move::Stone(cell) => {
                self.place(self.turn, cell);
                self.last = Some(cell);
            }
            Move::Swap => {
                let taken = self.cell(self.stones[0].nth(0));
                (self.stones, self.linked, self.last) = ([B::EMPTY; 2], [[B::EMPTY; 2]; 2], None);
                self.place(Side::Second, Cell { column: taken.row, row: taken.column });
            }
        }
        self.turn = self.turn.other();
    }

    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        if ["swap", "swap-pieces"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            let problem = match (self.winner, self.swap) {
                _ if self.can_swap() => return Ok(Move::Swap),
                (Some(_), _) => "the game is over",
                (None, false) => "this variant has no swap rule: expected a cell",
                (None, true) => "expected a cell: only the second player's first move can be a swap",
            };
            return Err(IllegalMove::new(text, problem));
        }
        let (column, row) = read_cell(text, self.size.into(), self.size.into())?;
        let cell = Cell { column: column as u8, row: row as u8 };
        if self.winner.is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        if !self.empty().has(self.index(cell)) {
            return Err(IllegalMove::new(text, "the cell is taken: expected an empty one"));
        }
        Ok(Move::Stone(cell))
    }

    fn key(&self) -> u64 {
        mix(self.stones[0].hash().rotate_left(1) ^ self.stones[1].hash() ^ self.turn as u64)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Move {
        let empty = self.empty();
        let (cells, swap) = (empty.count(), u32::from(self.can_swap()));
        let pick = rng.below(cells + swap);
        if pick == cells { Move::Swap } else { Move::Stone(self.cell(empty.nth(pick))) }
    }
}

impl<B: Bits> fmt::Display for Hex<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |column, row| self.letter(Cell { column: column as u8, row: row as u8 });
        write_board(f, self.size.into(), self.size.into(), letter)?;
        f.write_str(if self.turn == Side::First { " r" } else { " b" })
    }
}

/// Facts for thin clients.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// Rows from the top: `r`, `b`, or `.` for an empty cell.
    cells: Vec<String>,
    /// In a finished game, the stones connected with both of the winner's edges.
    connection: Vec<String>,
}

impl<B: Bits> Game for Hex<B> {
    const NAME: &'static str = "hex";
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Hex", zh: "六贯棋" },
        sides: SideNames {
            first: Translated { en: "Red", zh: "红方" }, second: Translated { en: "Blue", zh: "蓝方" }
        },
        how_to_play: Translated {
            en: "Red and Blue take turns to place a stone on an empty cell; stones never move. Red wins by connecting the top and bottom edges with a chain of adjacent red stones, Blue by connecting left and right with blue ones. One of the two always succeeds: there is no draw. With the swap rule, the second player can begin by taking over the first stone in place of a move.",
            zh: "红方和蓝方轮流在空格里放一枚己方棋子，棋子放下后不再移动。红方用相邻的红子连通上下两边即获胜，蓝方用蓝子连通左右两边即获胜；总有一方能连通，没有和棋。启用交换规则时，后手的第一步可以不落子，而接过先手的第一枚棋子。",
        },
        notation: Notation {
            position: "Rows from the top, `/` between them, `r` (red, first, top to bottom) and `b` (blue, left to right), numbers for runs of empty cells, a space, the side to move.",
            position_example: "11/11/11/7r3/11/5b5/11/11/11/11/11 r",
            moves: "Column letter and row number from the top, or `swap`.",
            moves_example: &["a2", "swap", "f6"],
        },
        geometry: Geometry::Hexagons,
        rules: "Red wins by connecting top and bottom, Blue by connecting left and right; there is no draw. With the swap rule the second player's first move can be `swap`: the first stone becomes blue, mirrored across the long diagonal (a2 becomes b1), and Red is to move.",
    };
    const LEVELS: Levels = [
        Level::simulations(40, 0.6),
        Level::simulations(120, 0.18),
        Level::simulations(180, 0.12),
        Level::simulations(330, 0.06),
        Level::simulations(600, 0.035),
        Level::simulations(1200, 0.021),
        Level::simulations(2200, 0.012),
        Level::simulations(5500, 0.006),
        Level::simulations(8000, 0.004),
    ];
    type Variant = HexVariant;
    type Facts = Facts;

    fn plays(variant: &HexVariant) -> bool {
        (variant.size + 1) * variant.size <= B::WIDTH
    }

    fn start(variant: &HexVariant) -> Self {
        let mut start = Self {
            stones: [B::EMPTY; 2],
            linked: [[B::EMPTY; 2]; 2],
            board: B::EMPTY,
            size: variant.size as u8,
            turn: Side::First,
            swap: variant.swap,
            winner: None,
            last: None,
        };
        for (row, column) in (0..start.size).flat_map(|row| (0..variant.size as u8).map(move |column| (row, column))) {
            start.board = start.board | B::single(start.index(Cell { column, row }));
        }
        start
    }

    fn parse(variant: &HexVariant, text: &str) -> Result<Self, Malformed> {
        let (board, turn) = split_side(text, ["r", "b"])?;
        let cells = read_board(board, variant.size, variant.size, "rb")?;
        let mut position = Self::start(variant);
        for (at, letter) in cells.into_iter().enumerate() {
            let cell = Cell { column: (at as u32 % variant.size) as u8, row: (at as u32 / variant.size) as u8 };
            match letter {
                Some('r') => position.place(Side::First, cell),
                Some(_) => position.place(Side::Second, cell),
                None => {}
            }
        }
        position.turn = turn;
        if position.winner == Some(turn) {
            return Err(Malformed::new(
                "the side to move is connected already: expected a game that ended when it was",
            ));
        }
        Ok(position)
    }

    #[cfg(not(target_family = "wasm"))]
    fn formats() -> &'static [crate::records::Format<HexVariant>] {
        records::FORMATS
    }

    fn describe_move(&self, mv: Move) -> MoveFacts {
        let written = MoveFacts::written(mv.to_string());
        match mv {
            Move::Stone(cell) => MoveFacts { to: Some(cell.to_string()), colour: Some(self.turn), ..written },
            Move::Swap => MoveFacts { captured: vec![self.cell(self.stones[0].nth(0)).to_string()], ..written },
        }
    }

    fn facts(&self) -> Facts {
        let name = |column, row| self.letter(Cell { column, row }).unwrap_or('.');
        let row = |row| (0..self.size).map(|column| name(column, row)).collect();
        let chain = self.winner.map_or(B::EMPTY, |side| {
            let [first, second] = self.linked[side.index()];
            first & second
        });
        Facts {
            cells: (0..self.size).map(row).collect(),
            connection: chain.iter().map(|index| self.cell(index).to_string()).collect(),
        }
    }

    fn draw(&self) -> String {
        let letters: Vec<String> = (0..self.size).map(|column| column_letter(column.into()).to_string()).collect();
        let mut text = format!("   {}", letters.join(" "));
        for row in 0..self.size {
            let indent = usize::from(row);
            text.push_str(&format!("\n{:indent$}{:>2}", "", row + 1));
            for column in 0..self.size {
                text.extend([' ', self.letter(Cell { column, row }).unwrap_or('.')]);
            }
        }
        text
    }

    fn prepare(&self) {
        priors::prepare();
    }

    fn features() -> Option<Features> {
        Some(priors::features())
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<Mcts<Bridges>>();
        list.add::<AlphaBeta<Plain<DistanceEvaluator>>>();
        list.add::<Solver>();
    }
}
