//! Reversi (Othello) on 6x6, 8x8 and 10x10: Black first, passes are moves, empty squares count for the winner.
//!
//! One set of squares per side (`board`): a machine word, or two of them on 10x10. The legal moves (`fills`) are kept in the
//! position, because outcomes, move lists and random moves all need them. All boards share the searches.

mod board;
mod endgame;
mod evaluation;
mod evaluator;
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
mod square;
mod variant;

use std::fmt;

use serde::Serialize;

pub use board::{Board, Eight, Six, Ten};
pub use playout::EvaluatedPlayout;
pub use searcher::ReversiSearcher;
pub use square::Square;
pub use variant::{BoardSize, ReversiVariant};

use self::evaluator::Evaluator as _;
use self::fills::{flipped, legal_moves};

use super::{Description, EarlyEnds, EngineList, Game, Geometry, MoveFacts, Notation, SideNames, Translated};
use crate::bits::Bits;
use crate::data::DataFile;
use crate::grade::{Kind, Reason};
use crate::level::{Level, Levels};
use crate::notation::{Malformed, column_letter, read_cell};
use crate::position::{IllegalMove, Outcome, Position, Side, shorten};
use crate::records::Format;
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::symmetry::{Symmetry, canonical};
use crate::weights::Features;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi<B: Board = Eight> {
    /// Discs of the side to move.
    own: B::Set,
    /// Discs of the other side.
    other: B::Set,
    /// Squares the side to move may play; none means a pass, or the end of the game.
    legal: B::Set,
    turn: Side,
    over: bool,
}

impl<B: Board> Reversi<B> {
    fn new(own: B::Set, other: B::Set, turn: Side) -> Self {
        let legal = legal_moves::<B>(own, other);
        let over = legal.is_empty() && legal_moves::<B>(other, own).is_empty();
        Self { own, other, legal, turn, over }
    }

    /// First player's (black) and second player's (white) discs.
    fn discs(&self) -> [B::Set; 2] {
        match self.turn {
            Side::First => [self.own, self.other],
            Side::Second => [self.other, self.own],
        }
    }

    fn empty(&self) -> B::Set {
        B::empty(self.own, self.other)
    }

    /// `X`, `O` or `-`.
    fn letter(&self, column: u32, row: u32) -> char {
        let [black, white] = self.discs();
        let square = B::index(column, row);
        position_text::letter(black.has(square), white.has(square))
    }
}

/// The static value of an unfinished position for the first player, in hundredths of a disc.
fn static_value<B: Board>(position: &Reversi<B>) -> i32 {
    B::evaluator().value_of(position.own, position.other) * i32::from(position.turn.sign())
}

impl<B: Board> Position for Reversi<B> {
    type Move = Square<B>;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        // Passes leave no trace on the board.
        (B::SQUARES - 4).saturating_sub(self.empty().count())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| {
            let [black, white] = self.discs().map(|discs| discs.count() as i16);
            let empty = B::SQUARES as i16 - black - white;
            let margin = black - white;
            Outcome::points(margin + margin.signum() * empty, if empty == 0 { "board_full" } else { "no_moves" })
        })
    }

    fn score_limit(&self) -> i16 {
        B::SQUARES as i16
    }

    fn moves_ahead(&self) -> Option<u32> {
        /// Empty squares at which a position is solved almost at once.
        const EASY: u32 = 12;
        Some((self.empty().count().saturating_sub(EASY) / 2).max(1))
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Square<B>> {
        let pass = self.legal.is_empty() && !self.over;
        self.legal.iter().map(|square| Square::new(square as u8)).chain(pass.then_some(Square::PASS))
    }

    #[inline]
    fn play(&mut self, mv: Square<B>) {
        let (own, other) = if mv == Square::PASS {
            (self.other, self.own)
        } else {
            let square = u32::from(mv.index);
            let turned = flipped::<B>(self.own, self.other, square);
            (self.other & !turned, self.own | turned | B::Set::single(square))
        };
        *self = Self::new(own, other, self.turn.other());
    }

    fn parse_move(&self, text: &str) -> Result<Square<B>, IllegalMove> {
        if self.over {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        let must_pass = self.legal.is_empty();
        if text.eq_ignore_ascii_case("pass") || text == "--" {
            return if must_pass {
                Ok(Square::PASS)
            } else {
                Err(IllegalMove::new(text, "a side that can turn a disc may not pass: expected a square"))
            };
        }
        let (column, row) = read_cell(text, B::SIZE, B::SIZE)?;
        let square = B::index(column, row);
        if must_pass {
            return Err(IllegalMove::new(text, "the side to move can turn no disc: expected `pass`"));
        }
        if !self.legal.has(square) {
            return Err(IllegalMove::new(text, "expected an empty square that turns at least one disc"));
        }
        Ok(Square::new(square as u8))
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(B::word(self.own) ^ mix(B::word(self.other)).rotate_left(u32::from(self.turn == Side::Second)))
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Square<B> {
        match self.legal.count() {
            0 => Square::PASS,
            count => Square::new(self.legal.nth(rng.below(count)) as u8),
        }
    }
}

impl<B: Board> fmt::Display for Reversi<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row| (0..B::SIZE).map(move |column| self.letter(column, row));
        let board: String = (0..B::SIZE).flat_map(row).collect();
        write!(f, "{board} {}", if self.turn == Side::First { 'X' } else { 'O' })
    }
}

/// Facts for thin clients.
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

impl<B: Board> Game for Reversi<B> {
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
            position: "The squares row by row from a1 (on 8x8: a1, b1, … h1, a2, … h8): `X` black (first), `O` white, `-` empty; a space, the side to move.",
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

    fn plays(variant: &ReversiVariant) -> bool {
        variant.size.get() == B::SIZE
    }

    fn start(_: &ReversiVariant) -> Self {
        let middle = B::SIZE / 2;
        let pair = |a, b| B::Set::single(B::index(a, middle - 1)) | B::Set::single(B::index(b, middle));
        Self::new(pair(middle, middle - 1), pair(middle - 1, middle), Side::First)
    }

    fn parse(_: &ReversiVariant, text: &str) -> Result<Self, Malformed> {
        let placed = position_text::read(text, B::SIZE)?;
        if !placed.rest.trim().is_empty() {
            let rest = shorten(placed.rest.trim());
            return Err(Malformed::new(format!(
                "`{rest}` after the board: expected only the side to move (`X` or `O`)"
            )));
        }
        let (side, [black, white]) = (placed.turn::<B>(), placed.sets::<B>());
        let [own, other] = if side == Side::First { [black, white] } else { [white, black] };
        Ok(Self::new(own, other, side))
    }

    fn position_warnings(text: &str) -> Vec<String> {
        position_text::warnings::<B>(text)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        // Joined moves: every move is a letter and a number, or the word `pass`.
        let mut parts = Vec::new();
        for mut word in text.split_whitespace() {
            while !word.is_empty() {
                let pass = word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("pass"));
                let two_digits = B::SIZE >= 10 && word.get(1..).is_some_and(|rest| rest.starts_with("10"));
                let length = if pass { 4 } else { 2 + usize::from(two_digits) };
                let part = word.get(..length).filter(|part| part.is_ascii())?;
                parts.push(part);
                word = &word[length..];
            }
        }
        Some(parts)
    }

    fn is_board(text: &str) -> bool {
        position_text::begins(text, B::SIZE)
    }

    fn split_games(text: &str) -> Vec<&str> {
        position_text::split_games::<B>(text)
    }

    fn split_board(text: &str) -> (&str, &str) {
        position_text::read(text, B::SIZE).map_or((text, ""), |placed| text.split_at(text.len() - placed.rest.len()))
    }

    fn canonical_key(&self) -> u64 {
        let board = canonical(B::SIZE, B::SIZE, Symmetry::Board, |column, row| self.letter(column, row));
        mix(board ^ self.turn as u64)
    }

    fn formats() -> &'static [Format<ReversiVariant>] {
        records::FORMATS
    }

    fn consequences(&self, mv: Square<B>) -> Vec<Reason> {
        let mut after = self.clone();
        after.play(mv);
        let given = after.legal & !legal_moves::<B>(self.other, self.own) & B::CORNERS;
        let name = |square: u32| Square::<B>::new(square as u8).to_string();
        let reason = |corner| Reason::proven(Kind::GivesCorner, vec![mv.to_string(), name(corner)]);
        given.iter().next().map(reason).into_iter().collect()
    }

    fn describe_move(&self, mv: Square<B>) -> MoveFacts {
        let text = mv.to_string();
        if mv == Square::PASS {
            return MoveFacts::written(text);
        }
        let turned = flipped::<B>(self.own, self.other, mv.index.into());
        let captured = turned.iter().map(|square| Square::<B>::new(square as u8).to_string()).collect();
        MoveFacts { to: Some(text.clone()), captured, colour: Some(self.turn), ..MoveFacts::written(text) }
    }

    fn replay(&mut self, text: &str) -> Result<Vec<Square<B>>, IllegalMove> {
        let texts = Self::split_line(text).filter(|texts| !texts.is_empty()).unwrap_or_else(|| vec![text]);
        let mut played = Vec::with_capacity(texts.len());
        for text in texts {
            let mv = match self.parse_move(text) {
                Err(_) if self.legal.is_empty() && !self.over => {
                    // The record omits passes.
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
        let [first, second] = self.discs().map(Bits::count);
        let row = |row: u32| (0..B::SIZE).map(|column| self.letter(column, row)).collect();
        Facts { cells: (0..B::SIZE).map(row).collect(), discs: Discs { first, second } }
    }

    fn draw(&self) -> String {
        let width = B::SIZE.to_string().len();
        let letters: String = (0..B::SIZE).flat_map(|column| [' ', column_letter(column)]).collect();
        let mut text = format!("{:width$}{letters}", "");
        for row in 0..B::SIZE {
            text.push_str(&format!("\n{:>width$}", row + 1));
            for column in 0..B::SIZE {
                let letter = if self.legal.has(B::index(column, row)) { '·' } else { self.letter(column, row) };
                text.extend([' ', letter]);
            }
        }
        text
    }

    fn file() -> Option<&'static DataFile> {
        B::LEARNED.then_some(&evaluation::FILE)
    }

    fn prepare(&self) {
        B::prepare();
    }

    fn features() -> Option<Features> {
        B::LEARNED.then(evaluation::features)
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<AlphaBeta<ReversiSearcher<B>>>();
        list.add::<Mcts<EvaluatedPlayout>>();
    }
}
