//! A board game in Rust as a WebAssembly module for Tesuji: declare a position with [`position!`], implement [`Game`] for it,
//! export it with [`export!`], and build a `cdylib` for `wasm32-unknown-unknown`. In tests the same type is ordinary Rust:
//! [`check()`] plays random games and verifies the rules, [`perft`] counts lines of play.

mod board;
mod bytes;
mod check;
#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod exports;
mod json;
mod macros;
mod random;
#[cfg(feature = "sources")]
#[doc(hidden)]
pub mod sources;
mod variant;

use std::fmt::Debug;

pub use board::{Board, MoveCells};
pub use bytes::Field;
pub use check::{check, perft, start, variants};
pub use random::Random;
pub use variant::Variant;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player who moves first.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A player has won; without points.
    Win(Side),
    /// Nobody has won; without points.
    Draw,
    /// The first player's points minus the second's; in games whose description has a `score_limit`.
    Margin(i16),
}

/// A position and the rules of its game. Moves are numbers of the game's choice, such as `from * 64 + to`.
pub trait Game: Field + Copy + PartialEq + Debug {
    /// The description of the game, as JSON.
    const DESCRIPTION: &'static str;
    /// The letters of pieces in texts of positions, where the game has a board.
    const PIECES: &'static str = "xo";

    /// The start position of a variant.
    fn start(variant: &Variant) -> Self;

    /// The side to move; at the end of the game, the side that would move.
    fn turn(&self) -> Side;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Adds all legal moves, always in the same order; none if the game is over.
    fn moves(&self, moves: &mut Vec<u32>);

    /// Plays a legal move.
    fn play(&mut self, mv: u32);

    /// The text of a legal move, without spaces: its number by default.
    fn move_text(&self, mv: u32) -> String {
        mv.to_string()
    }

    /// The board that the position is drawn and written on, if it has letters on cells.
    fn board(&self) -> Option<Board> {
        None
    }

    /// The name of a cell of the board, such as `a1`.
    ///
    /// # Panics
    /// When the game has no board.
    fn name(&self, cell: u32) -> String {
        self.board().expect("the game has a board").name(cell)
    }

    /// The letter on a cell of the board, which counts from the top left; `.` where it is empty.
    fn piece(&self, _cell: u32) -> char {
        '.'
    }

    /// The position with these letters on the cells of the board; `start` has the variant's parameters. By default it is an
    /// error: requests then give moves from the start.
    ///
    /// # Errors
    /// What is wrong with the position, and what was expected.
    fn set_up(_start: &Self, _pieces: &[char], _turn: Side) -> Result<Self, String> {
        Err("this game reads no positions; expected moves from the start".to_owned())
    }

    /// The text of the position: by default that of its board (see [`Board::text`]), without a board its bytes in hexadecimal.
    fn position_text(&self) -> String {
        if let Some(board) = self.board() {
            return board.text(self.turn(), |cell| self.piece(cell));
        }
        let mut bytes = vec![0; Self::SIZE];
        self.write(&mut bytes);
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads what [`Game::position_text`] writes: by default a board, for [`Game::set_up`].
    ///
    /// # Errors
    /// What is wrong with the text, and what was expected.
    fn parse_position(start: &Self, text: &str) -> Result<Self, String> {
        match start.board() {
            Some(board) => board.read(text, Self::PIECES).and_then(|(pieces, turn)| Self::set_up(start, &pieces, turn)),
            None => Self::set_up(start, &[], Side::First),
        }
    }

    /// The text on each cell of the board, in the description's order; empty for an empty cell.
    fn cells(&self) -> Vec<String> {
        self.board().map_or_else(Vec::new, |board| board.cells(|cell| self.piece(cell)))
    }

    /// The effect of a legal move on the board.
    fn move_cells(&self, _mv: u32) -> MoveCells {
        MoveCells::default()
    }

    /// Plays random moves to the end of the game. Override it for speed only.
    fn playout(&self, random: &mut Random) -> Outcome {
        let (mut position, mut moves) = (*self, Vec::new());
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome;
            }
            moves.clear();
            position.moves(&mut moves);
            position.play(moves[random.below(moves.len() as u32) as usize]);
        }
    }
}

/// Positions that are images of each other. Export it with `export!(MyGame, Symmetry)`.
pub trait Symmetry: Game {
    /// A key that a position shares only with its images.
    fn symmetry(&self) -> u64;
}

/// A static evaluation. Export it with `export!(MyGame, Evaluate)`.
pub trait Evaluate: Game {
    /// The value of an unfinished position for the first player: 400 where that player wins three games of four; in games
    /// played for points, hundredths of a point.
    fn evaluate(&self) -> i32;
}

/// A move ordering. Export it with `export!(MyGame, Priority)`.
pub trait Priority: Game {
    /// The priority of a legal move: moves of a larger one are tried first.
    fn priority(&self, mv: u32) -> i32;
}
