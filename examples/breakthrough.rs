//! A game in one file, from its rules to HTTP: `cargo run --release --example breakthrough`.
//!
//! Breakthrough (Dan Troyka, 2000): a pawn moves one square forward, straight or diagonally, and captures diagonally. A player
//! wins by reaching the last row or by capturing all pawns.
//!
//!     curl -s localhost:8080/v1/searches -d '{"game": "breakthrough", "moves": ["a2a3"], "budget": {"time_ms": 500}}'

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use serde::Serialize;
use tesuji::settings::Settings;
use tesuji_core::catalog::Catalog;
use tesuji_core::conformance;
use tesuji_core::games::{Description, Game, Geometry, MoveFacts, Notation, SideNames, SingleVariant, Translated};
use tesuji_core::notation::{Malformed, draw_board, read_board, split_side, write_board};
use tesuji_core::position::{Outcome, Position, Side};
use tesuji_core::rng::mix;

/// Squares of a row and of a column.
const SIZE: u32 = 8;

/// Pawns as sets of squares, which are numbered row by row from a1.
#[derive(Clone)]
pub struct Breakthrough {
    pawns: [u64; 2],
    turn: Side,
    ply: u32,
}

/// A pawn's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u32,
    to: u32,
}

fn square(index: u32) -> String {
    format!("{}{}", char::from(b'a' + (index % SIZE) as u8), index / SIZE + 1)
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square(self.from), square(self.to))
    }
}

impl Breakthrough {
    fn has(&self, side: Side, square: u32) -> bool {
        self.pawns[side.index()] >> square & 1 == 1
    }

    fn letter(&self, square: u32) -> Option<char> {
        if self.has(Side::First, square) { Some('x') } else { self.has(Side::Second, square).then_some('o') }
    }
}

impl fmt::Display for Breakthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, SIZE, SIZE, |column, row| self.letter((SIZE - 1 - row) * SIZE + column))?;
        f.write_str(if self.turn == Side::First { " x" } else { " o" })
    }
}

impl Position for Breakthrough {
    type Move = Step;

    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.turn.other();
        let goal = if last == Side::First { SIZE * (SIZE - 1)..SIZE * SIZE } else { 0..SIZE };
        let reason = if goal.clone().any(|square| self.has(last, square)) { "breakthrough" } else { "captured_all" };
        let won = reason == "breakthrough" || self.pawns[self.turn.index()] == 0;
        won.then(|| Outcome::win(last, reason))
    }

    fn moves(&self) -> impl Iterator<Item = Step> {
        let over = self.outcome().is_some();
        let own = (0..SIZE * SIZE).filter(move |&from| !over && self.has(self.turn, from));
        own.flat_map(move |from| {
            let row = if self.turn == Side::First { from / SIZE + 1 } else { (from / SIZE).wrapping_sub(1) };
            let columns = (from % SIZE).saturating_sub(1)..=(from % SIZE + 1).min(SIZE - 1);
            columns.map(move |column| Step { from, to: row.wrapping_mul(SIZE).wrapping_add(column) })
        })
        .filter(|step| {
            let straight = step.from % SIZE == step.to % SIZE;
            let blocked = self.has(self.turn, step.to) || (straight && self.has(self.turn.other(), step.to));
            !blocked
        })
    }

    fn play(&mut self, step: Step) {
        self.pawns[self.turn.index()] ^= 1 << step.from | 1 << step.to;
        self.turn = self.turn.other();
        self.pawns[self.turn.index()] &= !(1 << step.to);
        self.ply += 1;
    }

    fn key(&self) -> u64 {
        mix(mix(mix(self.pawns[0]) ^ self.pawns[1]) ^ self.turn.index() as u64)
    }
}

/// What clients draw: rows from the top, a letter for each square.
#[derive(Serialize)]
pub struct Facts {
    cells: Vec<String>,
}

impl Game for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Breakthrough", zh: "突围棋" },
        sides: SideNames {
            first: Translated { en: "Black", zh: "黑方" },
            second: Translated { en: "White", zh: "白方" },
        },
        how_to_play: Translated {
            en: "Move a pawn one square forward, straight or diagonally; capture diagonally. Reach the last row, or capture all, to win.",
            zh: "每步把一枚兵向前直走或斜走一格，斜走时可以吃子。到达最后一行，或吃光对方的兵，即获胜。",
        },
        notation: Notation {
            position: "Rows from the top with `/` between them: `x`, `o`, numbers for runs of empty squares; a space; the side to move.",
            position_example: "oooooooo/oooooooo/8/8/8/x7/1xxxxxxx/xxxxxxxx o",
            moves: "The squares where a pawn starts and ends.",
            moves_example: &["a2a3", "b7c6"],
        },
        geometry: Geometry::Cells,
        rules: "A pawn moves one square forward, straight or diagonally, and captures diagonally. Reach the last row to win.",
    };
    type Variant = SingleVariant;
    type Facts = Facts;

    fn start(_: &SingleVariant) -> Self {
        let two_rows = (1 << (2 * SIZE)) - 1;
        Self { pawns: [two_rows, two_rows << (SIZE * (SIZE - 2))], turn: Side::First, ply: 0 }
    }

    fn parse(_: &SingleVariant, text: &str) -> Result<Self, Malformed> {
        let (board, turn) = split_side(text, ["x", "o"])?;
        let mut position = Self { pawns: [0; 2], turn, ply: turn.index() as u32 };
        for (place, letter) in (0..).zip(read_board(board, SIZE, SIZE, "xo")?) {
            let square = (SIZE - 1 - place / SIZE) * SIZE + place % SIZE;
            if let Some(letter) = letter {
                position.pawns[usize::from(letter == 'o')] |= 1 << square;
            }
        }
        Ok(position)
    }

    fn draw(&self) -> String {
        draw_board(SIZE, SIZE, |column, row| self.letter((SIZE - 1 - row) * SIZE + column).unwrap_or('.'))
    }

    fn describe_move(&self, step: Step) -> MoveFacts {
        let captured = if self.has(self.turn.other(), step.to) { vec![square(step.to)] } else { Vec::new() };
        let (from, to) = (Some(square(step.from)), Some(square(step.to)));
        MoveFacts { from, to, captured, colour: Some(self.turn), ..MoveFacts::written(step.to_string()) }
    }

    fn facts(&self) -> Facts {
        let row = |row| (0..SIZE).map(|column| self.letter(row * SIZE + column).unwrap_or('.')).collect();
        Facts { cells: (0..SIZE).rev().map(row).collect() }
    }
}

fn run() -> Result<(), Box<dyn Error + Send + Sync>> {
    conformance::check::<Breakthrough>(&SingleVariant::default(), 10_000)?;
    tesuji::serve(&Settings::from_command_line()?, Catalog::standard().with::<Breakthrough>())
}

fn main() -> ExitCode {
    let Err(error) = run() else { return ExitCode::SUCCESS };
    eprintln!("{error}");
    ExitCode::FAILURE
}
