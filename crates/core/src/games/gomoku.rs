//! Gomoku under four rules: freestyle, standard, renju and caro. Five in a row wins.
//!
//! The board is stored line by line (`gomoku/lines.rs`): a move writes four words, and only these are checked for a five. How
//! the game ended is stored when a move ends it. `gomoku/renju.rs` finds Black's forbidden points in renju; `gomoku/opening.rs`
//! has the openings, free and swap2.

mod coded_position;
mod decisive;
mod engines;
mod facts;
mod learned;
mod lines;
mod mcts;
mod negamax;
mod opening;
mod principles;
mod records;
mod renju;
mod search;
mod searcher;
mod shapes;
mod text;
mod variant;

pub use coded_position::CodedPosition;
pub use engines::{MonteCarlo, Negamax, OnCodes, Prelude};
pub use facts::Facts;
pub use lines::{Colour, Point};
pub use mcts::CodePlayout;
pub use renju::{Foul, forbidden_points};
pub use search::{Vcf, VcfAnswer, Vct, VctWin};
pub use searcher::GomokuSearcher;
pub use variant::GomokuVariant;

use super::{Description, EngineList, Game, MoveFacts, Offence, Piece};
use crate::bits::Bits;
use crate::level::{Level, Levels};
use crate::notation::{Malformed, draw_board, read_cell};
use crate::position::{IllegalMove, Outcome, Position, Side};
use crate::rng::{Rng, mix};
use crate::symmetry::{Symmetry, canonical};
use crate::weights::Features;
use lines::Lines;
use opening::Phase;
use variant::{Opening, Rule};

/// Random points to try before counting the empty ones. Except on nearly full boards, one of them is empty.
const TRIES: u32 = 12;

/// A position on a board of `LINES` lines (6n - 2 on a board of n x n) or fewer.
#[derive(Clone, Debug)]
pub struct Gomoku<const LINES: usize> {
    lines: Lines<LINES>,
    stones: u16,
    rule: Rule,
    opening: Opening,
    phase: Phase,
    end: Option<End>,
    key: u64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Five(Colour),
    /// Black placed a forbidden stone.
    Foul(Foul, Point),
    Full,
    /// Black has only forbidden points left.
    NoLegalMove,
}

/// A stone, or in swap2 a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone on an empty point.
    Stone {
        /// The point.
        at: Point,
        /// The foul that it commits, if any; a foul loses the game.
        foul: Option<Foul>,
    },
    /// Take a colour.
    Take(Colour),
    /// Place two more stones.
    Place,
}

/// A stone's part of the key of the stones on the board.
#[inline]
fn stone_key(at: Point, colour: Colour) -> u64 {
    mix(u64::from(at.column) | u64::from(at.row) << 8 | (colour as u64) << 16)
}

impl<const LINES: usize> Gomoku<LINES> {
    /// The colour of the next stone.
    #[inline]
    fn colour(&self) -> Colour {
        if self.stones.is_multiple_of(2) { Colour::Black } else { Colour::White }
    }

    #[inline]
    fn size(&self) -> u32 {
        self.lines.size.into()
    }

    #[inline]
    fn is_full(&self) -> bool {
        u32::from(self.stones) == self.size() * self.size()
    }

    /// Whether the next move is a stone, not a choice.
    #[inline]
    fn is_placing(&self) -> bool {
        self.end.is_none() && self.phase.choices(self.stones.into()).is_empty()
    }

    /// Whether the next stone may be a foul.
    #[inline]
    fn is_restricted(&self) -> bool {
        self.rule == Rule::Renju && self.colour() == Colour::Black
    }

    /// The player of a colour, once the colours are settled.
    #[inline]
    fn player(&self, colour: Colour) -> Option<Side> {
        match self.phase {
            Phase::Play { black, .. } => Some(if colour == Colour::Black { black } else { black.other() }),
            _ => None,
        }
    }

    /// The points forbidden to Black in renju, each with its foul, whichever side is to move.
    pub fn forbidden(&self) -> impl Iterator<Item = (Point, Foul)> {
        let renju = self.rule == Rule::Renju && self.end.is_none();
        let points = self.lines.empty_points().take(if renju { usize::MAX } else { 0 });
        points.filter_map(|at| Some((at, renju::foul(&self.lines, at)?)))
    }

    /// Whether a stone of the colour to move may be placed on an empty point.
    #[inline]
    fn allows(&self, at: Point) -> bool {
        !self.is_restricted() || renju::foul(&self.lines, at).is_none()
    }

    /// A uniformly random empty point. There must be one.
    #[inline]
    fn random_point(&self, rng: &mut Rng) -> Point {
        let size = self.size();
        for _ in 0..TRIES {
            let (column, row) = (rng.below(size), rng.below(size));
            if self.lines.empty(row) >> column & 1 == 1 {
                return Point::new(column, row);
            }
        }
        let mut index = rng.below(size * size - u32::from(self.stones));
        let mut row = 0;
        loop {
            let empty = self.lines.empty(row);
            let count = empty.count_ones();
            if index < count {
                return Point::new(u64::from(empty).nth(index), row);
            }
            index -= count;
            row += 1;
        }
    }

    #[inline]
    fn put(&mut self, at: Point, colour: Colour) {
        self.lines.put(at, colour);
        self.stones += 1;
        self.key ^= stone_key(at, colour);
    }

    #[inline]
    fn place(&mut self, at: Point, foul: Option<Foul>) {
        let colour = self.colour();
        self.put(at, colour);
        if let Some(foul) = foul {
            self.end = Some(End::Foul(foul, at));
        } else if self.lines.through(at, colour).iter().any(|line| self.rule.wins(line, colour)) {
            self.end = Some(End::Five(colour));
        } else {
            self.end = self.deadlock();
        }
        self.phase = self.phase.after_stone(self.stones.into());
    }

    /// The end of a game in which nobody won but no legal move is left.
    #[inline]
    fn deadlock(&self) -> Option<End> {
        if self.is_full() {
            Some(End::Full)
        } else if self.is_restricted() && !self.lines.empty_points().any(|at| self.allows(at)) {
            Some(End::NoLegalMove)
        } else {
            None
        }
    }

    /// `x`, `o` or `.`; row 0 is the top row.
    fn letter(&self, column: u32, row: u32) -> char {
        self.lines.get(Point::new(column, self.size() - 1 - row)).map_or('.', Colour::letter)
    }

    fn is_swap2(&self) -> bool {
        self.opening == Opening::Swap2
    }
}

impl<const LINES: usize> Position for Gomoku<LINES> {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.phase.turn(self.stones.into())
    }

    fn ply(&self) -> u32 {
        let stones = u32::from(self.stones);
        stones + if self.is_swap2() { self.phase.choices_made(stones) } else { 0 }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let win = |colour, reason| match self.player(colour) {
            Some(side) => Outcome::win(side, reason),
            None => Outcome::draw(reason),
        };
        self.end.map(|end| match end {
            End::Five(colour) => win(colour, "five"),
            End::Foul(Foul::Overline, _) => win(Colour::White, "overline_forbidden"),
            End::Foul(Foul::DoubleFour, _) => win(Colour::White, "double_four_forbidden"),
            End::Foul(Foul::DoubleThree, _) => win(Colour::White, "double_three_forbidden"),
            End::Full => Outcome::draw("board_full"),
            End::NoLegalMove => Outcome::draw("no_legal_move"),
        })
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Move> {
        let choices = self.phase.choices(self.stones.into());
        let placing = self.end.is_none() && choices.is_empty();
        let points = self.lines.empty_points().take(if placing { usize::MAX } else { 0 });
        let stones = points.filter(|&at| self.allows(at)).map(|at| Move::Stone { at, foul: None });
        stones.chain(choices.iter().copied())
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        let choices = self.phase.choices(self.stones.into());
        match self.end {
            Some(_) => 0,
            None if !choices.is_empty() => choices.len() as u64,
            None if self.is_restricted() => self.moves().count() as u64,
            None => u64::from(self.size() * self.size()) - u64::from(self.stones),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn wins_at_once(&self) -> bool {
        self.is_placing() && self.five(self.colour(), decisive::Search::Everywhere, |_| true).is_some()
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        match mv {
            Move::Stone { at, foul } => self.place(at, foul),
            Move::Take(colour) => self.phase = self.phase.after_choice(self.stones.into(), colour),
            Move::Place => self.phase = Phase::Place,
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        if self.end.is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        let choices = self.phase.choices(self.stones.into());
        if !choices.is_empty() {
            let chosen = choices.iter().find(|choice| text.eq_ignore_ascii_case(&choice.to_string()));
            return chosen.copied().ok_or_else(|| {
                let names: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
                IllegalMove::new(text, format!("expected a choice: {}", names.join(" or ")))
            });
        }
        let at = read_cell(text, self.size(), self.size()).map(|(column, row)| Point::new(column, row))?;
        if self.lines.get(at).is_some() {
            return Err(IllegalMove::new(text, "the point is taken: expected an empty one"));
        }
        Ok(Move::Stone { at, foul: if self.is_restricted() { renju::foul(&self.lines, at) } else { None } })
    }

    #[inline]
    fn key(&self) -> u64 {
        let phase = match self.phase {
            Phase::Play { black, .. } => black as u64,
            Phase::Opening => 2,
            Phase::Choose => 3,
            Phase::Place => 4,
        };
        let foul = match self.end {
            Some(End::Foul(_, at)) => 1 + u64::from(at.column) + (u64::from(at.row) << 8),
            _ => 0,
        };
        mix(self.key ^ phase << 1 ^ foul << 8)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Move {
        let choices = self.phase.choices(self.stones.into());
        if !choices.is_empty() {
            return choices[rng.below(choices.len() as u32) as usize];
        }
        loop {
            let at = self.random_point(rng);
            if self.allows(at) {
                return Move::Stone { at, foul: None };
            }
        }
    }
}

impl<const LINES: usize> Game for Gomoku<LINES> {
    const NAME: &'static str = "gomoku";
    const DESCRIPTION: Description = text::DESCRIPTION;
    const LINE: Option<&'static str> = Some(" ");
    const LEVELS: Levels = [
        Level::depth(1, 0.8),
        Level::depth(1, 0.62),
        Level::depth(1, 0.48),
        Level::depth(1, 0.36),
        Level::depth(1, 0.22),
        Level::depth(1, 0.11),
        Level::depth(1, 0.055),
        Level::nodes(4000, 0.028),
        Level::nodes(12_000, 0.008),
    ];
    type Variant = GomokuVariant;
    type Facts = Facts;

    fn plays(variant: &GomokuVariant) -> bool {
        6 * variant.size as usize - 2 <= LINES
    }

    fn start(variant: &GomokuVariant) -> Self {
        let phase = match variant.opening {
            Opening::Free => Phase::Play { black: Side::First, choices: 0 },
            Opening::Swap2 => Phase::Opening,
        };
        let (rule, opening) = (variant.name, variant.opening);
        Self { lines: Lines::new(variant.size as u8), stones: 0, rule, opening, phase, end: None, key: 0 }
    }

    fn parse(variant: &GomokuVariant, text: &str) -> Result<Self, Malformed> {
        text::parse(variant, text)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        text::split_line(text)
    }

    fn canonical_key(&self) -> u64 {
        let size = self.size();
        let board = canonical(size, size, Symmetry::Board, |column, row| self.letter(column, row));
        // The key of an empty board in this phase. The point of a foul is left out: no move follows it.
        let phase = Self { key: 0, end: self.end.filter(|end| !matches!(end, End::Foul(..))), ..self.clone() }.key();
        mix(board ^ phase)
    }

    #[cfg(not(target_family = "wasm"))]
    fn formats() -> &'static [crate::records::Format<GomokuVariant>] {
        records::FORMATS
    }

    fn describe_move(&self, mv: Move) -> MoveFacts {
        let text = mv.to_string();
        let Move::Stone { .. } = mv else { return MoveFacts::written(text) };
        // In swap2 one player places stones of both colours.
        let colour = if self.colour() == Colour::Black { Side::First } else { Side::Second };
        MoveFacts { to: Some(text.clone()), colour: Some(colour), ..MoveFacts::written(text) }
    }

    fn prepare(&self) {
        // Creating a board builds the tables of its rule.
        shapes::Board::new(self);
        shapes::Network::get();
    }

    fn offence(&self) -> Option<Offence> {
        let Some(End::Foul(_, at)) = self.end else { return None };
        let pieces = vec![Piece { piece: "stone", square: at.to_string() }];
        Some(Offence { side: self.player(Colour::Black)?, pieces })
    }

    fn facts(&self) -> Facts {
        Facts::of(self)
    }

    fn draw(&self) -> String {
        draw_board(self.size(), self.size(), |column, row| self.letter(column, row))
    }

    fn features() -> Option<Features> {
        Some(shapes::FEATURES)
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<Negamax>(); // 12 games of 20 at 100 ms a move (docs/measurements/gomoku-mcts.md)
        list.add::<MonteCarlo>();
    }
}
