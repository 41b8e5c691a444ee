//! A board game in Rust as a WebAssembly module for Tesuji: implement [`Game`], export it with [`export!`], and build a `cdylib`
//! for `wasm32-unknown-unknown`. In tests the same type is ordinary Rust.

mod bytes;
#[doc(hidden)]
pub mod exports;

pub use bytes::{Bytes, Field};

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
    /// The first player's points minus the second's; in games whose description has `points`.
    Margin(i16),
}

/// What a move does to the board, for the page: the names of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveCells {
    /// The cell that a piece leaves.
    pub from: Option<String>,
    /// The cell that a piece comes to.
    pub to: Option<String>,
    /// The cells whose pieces are captured.
    pub captured: Vec<String>,
}

/// A position and the rules of its game. Moves are numbers of the game's own choice.
pub trait Game: Clone + Field {
    /// The description of the game, as JSON.
    const DESCRIPTION: &'static str;
    /// Whether [`Game::evaluate`] and [`Game::priority`] are implemented.
    const KNOWS: bool = false;

    /// The start position; `variant` is the JSON object of the parameters.
    fn start(variant: &str) -> Self;

    /// The side to move; at the end of the game, the side that would be.
    fn turn(&self) -> Side;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Adds all legal moves, always in the same order; none where the game is over.
    fn moves(&self, moves: &mut Vec<u32>);

    /// Plays a legal move.
    fn play(&mut self, mv: u32);

    /// The text of a legal move, without spaces.
    fn move_text(&self, mv: u32) -> String;

    /// The text of the position.
    fn position_text(&self) -> String;

    /// Reads what [`Game::position_text`] writes; `start` is the start position of the variant.
    ///
    /// # Errors
    /// What is wrong with the text, and what was expected.
    fn parse_position(start: &Self, text: &str) -> Result<Self, String>;

    /// What stands on each cell of the board, in the description's order; empty where nothing does.
    fn cells(&self) -> Vec<String> {
        Vec::new()
    }

    /// What a legal move does to the board.
    fn move_cells(&self, _mv: u32) -> MoveCells {
        MoveCells::default()
    }

    /// Plays random moves to the end of the game. Override it for speed only.
    fn playout(&self, random: &mut Random) -> Outcome {
        let (mut position, mut moves) = (self.clone(), Vec::new());
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome;
            }
            moves.clear();
            position.moves(&mut moves);
            position.play(moves[random.below(moves.len() as u32) as usize]);
        }
    }

    /// A key that positions share which are images of each other.
    fn symmetry(&self) -> Option<u64> {
        None
    }

    /// The value of an unfinished position for the first player: about 400 where that player wins three games of four.
    fn evaluate(&self) -> i32 {
        0
    }

    /// How early to try a legal move: the largest first.
    fn priority(&self, _mv: u32) -> i32 {
        0
    }
}

/// Random numbers of a playout (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ (b >> 31)
    }

    /// A number in `0..n`.
    pub const fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * n as u64) >> 32) as u32
    }
}
