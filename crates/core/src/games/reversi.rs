//! Reversi (Othello): 8x8, Black first, passes are moves, empty squares count for the winner.
//!
//! One machine word per side, bit 0 is a1 and bit 63 is h8, row by row. The legal moves (`fills`) are kept in the position,
//! because the end of the game, the moves and random moves all ask for them.

mod endgame;
mod evaluation;
mod fills;
mod ggf;
mod learned;
mod midgame;
mod mobility;
mod patterns;
mod playout;
mod position_text;
mod records;
mod searcher;

use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

pub use playout::EvaluatedPlayout;
pub use searcher::ReversiSearcher;

use self::fills::{flipped, legal_moves};

use super::{Description, EarlyEnds, EngineList, Game, Geometry, MoveFacts, Notation, SideNames, Translated, Variant};
use crate::bits::Bits;
use crate::data::DataFile;
use crate::grade::{Kind, Reason};
use crate::level::{Level, Levels};
use crate::notation::{Malformed, column_letter, read_cell};
use crate::parameters;
use crate::parameters::OnlyVariant;
use crate::position::{IllegalMove, Outcome, Position, Side, shorten};
use crate::records::Format;
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::symmetry::{Symmetry, canonical};
use crate::weights::Features;

parameters! {
    /// There is one variant, without parameters.
    pub struct ReversiVariant {
        names OnlyVariant;
    }
}

impl Variant for ReversiVariant {
    type Name = OnlyVariant;
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    /// Discs of the side to move.
    own: u64,
    /// Discs of the other side.
    other: u64,
    /// Squares the side to move may play; none means a pass, or the end of the game.
    legal: u64,
    turn: Side,
    over: bool,
}

/// A square (0 is a1, 7 is h1, 63 is h8), or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Square {
    /// The move of a side that has no other.
    pub const PASS: Self = Self(64);
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::PASS {
            f.write_str("pass")
        } else {
            write!(f, "{}{}", column_letter(u32::from(self.0) % 8), self.0 / 8 + 1)
        }
    }
}

impl Reversi {
    fn new(own: u64, other: u64, turn: Side) -> Self {
        let legal = legal_moves(own, other);
        let over = legal == 0 && legal_moves(other, own) == 0;
        Self { own, other, legal, turn, over }
    }

    /// First player's (black) and second player's (white) discs.
    fn discs(&self) -> [u64; 2] {
        match self.turn {
            Side::First => [self.own, self.other],
            Side::Second => [self.other, self.own],
        }
    }

    fn empty(&self) -> u64 {
        !(self.own | self.other)
    }

    /// `X`, `O` or `-`.
    fn letter(&self, square: u32) -> char {
        let [black, white] = self.discs();
        if black.has(square) {
            'X'
        } else if white.has(square) {
            'O'
        } else {
            '-'
        }
    }
}

impl Position for Reversi {
    type Move = Square;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        // Passes leave no trace on the board.
        60u32.saturating_sub(self.empty().count_ones())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| {
            let [black, white] = self.discs().map(|discs| discs.count_ones() as i16);
            let empty = 64 - black - white;
            let margin = black - white;
            Outcome::points(margin + margin.signum() * empty, if empty == 0 { "board_full" } else { "no_moves" })
        })
    }

    fn score_limit(&self) -> i16 {
        64
    }

    fn moves_ahead(&self) -> Option<u32> {
        /// Empty squares of a position that is solved in no time.
        const EASY: u32 = 12;
        Some((self.empty().count_ones().saturating_sub(EASY) / 2).max(1))
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Square> {
        let pass = self.legal == 0 && !self.over;
        self.legal.iter().map(|square| Square(square as u8)).chain(pass.then_some(Square::PASS))
    }

    #[inline]
    fn play(&mut self, mv: Square) {
        let (own, other) = if mv == Square::PASS {
            (self.other, self.own)
        } else {
            let turned = flipped(self.own, self.other, mv.0);
            (self.other & !turned, self.own | turned | 1 << mv.0)
        };
        *self = Self::new(own, other, self.turn.other());
    }

    fn parse_move(&self, text: &str) -> Result<Square, IllegalMove> {
        if self.over {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        let must_pass = self.legal == 0;
        if text.eq_ignore_ascii_case("pass") || text == "--" {
            return if must_pass {
                Ok(Square::PASS)
            } else {
                Err(IllegalMove::new(text, "a side that can turn a disc may not pass: expected a square"))
            };
        }
        let (column, row) = read_cell(text, 8, 8)?;
        let square = (8 * row + column) as u8;
        if must_pass {
            return Err(IllegalMove::new(text, "the side to move can turn no disc: expected `pass`"));
        }
        if !self.legal.has(square.into()) {
            return Err(IllegalMove::new(text, "expected an empty square that turns at least one disc"));
        }
        Ok(Square(square))
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(self.own ^ mix(self.other).rotate_left(u32::from(self.turn == Side::Second)))
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Square {
        match self.legal.count_ones() {
            0 => Square::PASS,
            count => Square(self.legal.nth(rng.below(count)) as u8),
        }
    }
}

impl fmt::Display for Reversi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board: String = (0..64).map(|square| self.letter(square)).collect();
        write!(f, "{board} {}", if self.turn == Side::First { 'X' } else { 'O' })
    }
}

/// What a thin client draws and shows.
#[derive(Debug, Serialize)]
pub struct Facts {
    cells: Vec<String>,
    discs: Discs,
}

#[derive(Debug, Serialize)]
struct Discs {
    first: u32,
    second: u32,
}

impl Game for Reversi {
    const NAME: &'static str = "reversi";
    const UNIT: Option<&'static str> = Some("discs");
    const PERFT: EarlyEnds = EarlyEnds::Counted;
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Reversi", zh: "黑白棋" },
        sides: SideNames {
            first: Translated { en: "Black", zh: "黑方" },
            second: Translated { en: "White", zh: "白方" },
        },
        how_to_play: Translated {
            en: "Black and White take turns to place a disc on an empty square. It must enclose opposing discs in a straight line, across, down or diagonally, between itself and another disc of its colour. All discs enclosed in this way turn over and change colour. A player who cannot turn a disc passes. When neither player can move, the one with more discs wins; equal numbers are a draw.",
            zh: "黑方和白方轮流在空格落子。新落的棋子必须与己方另一枚棋子在横、竖或斜线上夹住对方的棋子，所有被夹住的棋子都翻成己方颜色。无子可翻时停一手。双方都无棋可下时终局，棋子多的一方获胜，相等则为和棋。",
        },
        notation: Notation {
            position: "64 squares a1, b1, … h1, a2, … h8: `X` black (first), `O` white, `-` empty; a space, the side to move.",
            position_example: "---------------------------OX------XO--------------------------- X",
            moves: "Column letter and row number from the top, or `pass`. Moves may be joined, and passes left out.",
            moves_example: &["f5", "d6c3"],
        },
        geometry: Geometry::Cells,
        rules: "A side that can turn no disc must pass; the game ends when neither can. The margin is discs, empty squares going to the winner.",
    };
    const SEPARATOR: &'static str = "";
    const LEVELS: Levels = [
        Level::depth(1, 0.42),
        Level::depth(1, 0.18),
        Level::depth(1, 0.1),
        Level::nodes(300, 0.05),
        Level::nodes(730, 0.029),
        Level::nodes(1700, 0.016),
        Level::nodes(3500, 0.0095),
        Level::nodes(12_000, 0.004),
        Level::nodes(40_000, 0.0017),
    ];
    type Variant = ReversiVariant;
    type Facts = Facts;

    fn plays(_: &ReversiVariant) -> bool {
        true
    }

    fn start(_: &ReversiVariant) -> Self {
        Self::new(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Side::First)
    }

    fn parse(_: &ReversiVariant, text: &str) -> Result<Self, Malformed> {
        let placed = position_text::read(text)?;
        if !placed.rest.trim().is_empty() {
            let rest = shorten(placed.rest.trim());
            return Err(Malformed::new(format!(
                "`{rest}` behind the board: expected the side to move (`X` or `O`) and no more"
            )));
        }
        let (side, [black, white]) = (placed.turn(), placed.discs);
        let [own, other] = if side == Side::First { [black, white] } else { [white, black] };
        Ok(Self::new(own, other, side))
    }

    fn position_warnings(text: &str) -> Vec<String> {
        position_text::warnings(text)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        // Joined moves: every move is a letter and a digit, or the word `pass`.
        let mut parts = Vec::new();
        for mut word in text.split_whitespace() {
            while !word.is_empty() {
                let pass = word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("pass"));
                let length = if pass { 4 } else { 2 };
                let part = word.get(..length).filter(|part| part.is_ascii())?;
                parts.push(part);
                word = &word[length..];
            }
        }
        Some(parts)
    }

    fn is_board(text: &str) -> bool {
        position_text::begins(text)
    }

    fn split_games(text: &str) -> Vec<&str> {
        position_text::split_games(text)
    }

    fn split_board(text: &str) -> (&str, &str) {
        position_text::read(text).map_or((text, ""), |placed| text.split_at(text.len() - placed.rest.len()))
    }

    fn canonical_key(&self) -> u64 {
        let board = canonical(8, 8, Symmetry::Board, |column, row| self.letter(8 * row + column));
        mix(board ^ self.turn as u64)
    }

    fn formats() -> &'static [Format<ReversiVariant>] {
        records::FORMATS
    }

    fn consequences(&self, mv: Square) -> Vec<Reason> {
        const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;
        let mut after = self.clone();
        after.play(mv);
        let given = after.legal & !legal_moves(self.other, self.own) & CORNERS;
        let reason =
            |corner: u32| Reason::proven(Kind::GivesCorner, vec![mv.to_string(), Square(corner as u8).to_string()]);
        given.iter().next().map(reason).into_iter().collect()
    }

    fn describe_move(&self, mv: Square) -> MoveFacts {
        let text = mv.to_string();
        if mv == Square::PASS {
            return MoveFacts::written(text);
        }
        let turned = flipped(self.own, self.other, mv.0);
        let captured = turned.iter().map(|square| Square(square as u8).to_string()).collect();
        MoveFacts { to: Some(text.clone()), captured, colour: Some(self.turn), ..MoveFacts::written(text) }
    }

    fn replay(&mut self, text: &str) -> Result<Vec<Square>, IllegalMove> {
        let texts = Self::split_line(text).filter(|texts| !texts.is_empty()).unwrap_or_else(|| vec![text]);
        let mut played = Vec::with_capacity(texts.len());
        for text in texts {
            let mv = match self.parse_move(text) {
                Err(_) if self.legal == 0 && !self.over => {
                    // The record leaves passes out.
                    let mut passed = self.clone();
                    passed.play(Square::PASS);
                    let mv = passed.parse_move(text)?;
                    played.push(Square::PASS);
                    *self = passed;
                    mv
                }
                result => result?,
            };
            self.play(mv);
            played.push(mv);
        }
        Ok(played)
    }

    fn facts(&self) -> Facts {
        let [first, second] = self.discs().map(u64::count_ones);
        let row = |row: u32| (0..8).map(|column| self.letter(8 * row + column)).collect();
        Facts { cells: (0..8).map(row).collect(), discs: Discs { first, second } }
    }

    fn draw(&self) -> String {
        let mut text = String::from("  a b c d e f g h");
        for row in 0..8 {
            text.push_str(&format!("\n{}", row + 1));
            for column in 0..8 {
                let square = 8 * row + column;
                let letter = if self.legal.has(square) { '·' } else { self.letter(square) };
                text.push(' ');
                text.push(letter);
            }
        }
        text
    }

    fn file() -> Option<&'static DataFile> {
        Some(&evaluation::FILE)
    }

    fn prepare(&self) {
        LazyLock::force(&evaluation::EVALUATION);
        LazyLock::force(&endgame::EDGES);
    }

    fn features() -> Option<Features> {
        Some(evaluation::features())
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<AlphaBeta<ReversiSearcher>>();
        list.add::<Mcts<EvaluatedPlayout>>();
    }
}
