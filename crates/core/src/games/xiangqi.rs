//! Xiangqi (Chinese chess), with repetitions adjudicated over the moves of the game.
//!
//! The board combines bitboards with a list of men; legal moves are generated without trying each. A position carries the moves
//! since the last irreversible one, for repetitions, and the plies that count towards the draw without captures.

mod attacks;
mod board;
mod capture_clock;
mod evaluation;
mod exchange;
mod facts;
mod fen;
mod generate;
mod learned;
mod material;
mod notation;
mod piece;
mod playout;
mod records;
mod repetition;
mod search;
mod searcher;
mod variant;

use std::fmt;

use smallvec::SmallVec;

pub use facts::Facts;
pub use piece::Step;
pub use playout::EvaluatedPlayout;
pub use searcher::XiangqiSearcher;
pub use variant::XiangqiVariant;

use super::{Description, EngineList, Game, Geometry, MoveFacts, Notation, Offence, Piece, SideNames, Translated};
use crate::bits::Bits;
use crate::level::{Level, Levels};
use crate::notation::{Malformed, pasted_words, without_number};
use crate::position::{IllegalMove, Outcome, Position, Side};
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::symmetry::{Symmetry, canonical};
use crate::weights::Features;
use board::Board;
use capture_clock::CaptureClock;
use evaluation::Evaluation;
use generate::{Moves, Safety};
use piece::{FILES, Kind, RANKS, Square};
use repetition::{OCCURRENCES, Past, RepetitionEnd};
use variant::Ranks;

/// A position and its past.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    board: Board,
    /// The moves since the last irreversible one. Most positions have few.
    past: SmallVec<[Past; 16]>,
    safety: Safety,
    /// A hash of the positions in the past, in any order.
    past_hash: u64,
    /// Whether one of these positions has occurred twice already.
    loops: bool,
    /// How often this position has occurred.
    occurrences: u32,
    /// Why the repetition of this position ends the game, if it does.
    repeated: Option<RepetitionEnd>,
    capture_clock: CaptureClock,
    /// Plies without a capture before the game was adjudicated and played on; `capture_clock` counts those since.
    waived_plies: u32,
    /// Whether the game is played on without attacking pieces, which cannot return.
    waived_material: bool,
    /// The move number: from 1, incremented after Black's moves.
    number: u32,
    ranks: Ranks,
}

impl Xiangqi {
    /// A position without a past.
    fn new(board: Board, plies: u32, number: u32, variant: &XiangqiVariant) -> Self {
        let safety = board.safety();
        let capture_clock = CaptureClock::after(plies, variant.no_capture_plies);
        Self {
            board,
            past: SmallVec::new(),
            safety,
            past_hash: 0,
            loops: false,
            occurrences: 1,
            repeated: None,
            capture_clock,
            waived_plies: 0,
            waived_material: false,
            number,
            ranks: variant.ranks,
        }
    }

    /// Clears the past, when it cannot recur or no longer counts for repetitions.
    #[inline]
    fn forget_past(&mut self) {
        self.past.clear();
        (self.past_hash, self.loops) = (0, false);
        (self.occurrences, self.repeated) = (1, None);
    }

    /// The counted plies without a capture, including those before the game was played on, and the number that makes a draw.
    const fn no_capture(&self) -> (u32, u32) {
        (self.waived_plies + self.capture_clock.plies, self.waived_plies + self.capture_clock.limit)
    }

    /// The outcome by any rule other than the lack of a legal move.
    #[inline]
    fn ended(&self) -> Option<Outcome> {
        match self.repeated {
            Some(RepetitionEnd::PerpetualCheck(side)) => return Some(Outcome::win(side.other(), "perpetual_check")),
            Some(RepetitionEnd::PerpetualChase(side, _)) => return Some(Outcome::win(side.other(), "perpetual_chase")),
            Some(RepetitionEnd::Repetition) => return Some(Outcome::draw("repetition")),
            None => {}
        }
        if self.capture_clock.is_up() {
            return Some(Outcome::draw("no_capture"));
        }
        (!self.board.can_attack() && !self.waived_material).then(|| Outcome::draw("insufficient_material"))
    }

    /// The side that lost the game by a repetition, and the squares of the pieces that it chased.
    fn offender(&self) -> Option<(Side, u128)> {
        // A mate takes precedence over the repetition.
        match self.repeated.filter(|_| self.board.has_legal_move(&self.safety))? {
            RepetitionEnd::PerpetualCheck(side) => Some((side, 0)),
            RepetitionEnd::PerpetualChase(side, pieces) => Some((side, pieces)),
            RepetitionEnd::Repetition => None,
        }
    }

    fn letter(&self, file: u8, rank: u8) -> char {
        self.board.man(Square::new(file, rank)).map_or('.', piece::Man::letter)
    }
}

impl Position for Xiangqi {
    type Move = Step;
    const HISTORY: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.board.turn()
    }

    fn ply(&self) -> u32 {
        2 * (self.number - 1) + self.turn().index() as u32
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !self.board.has_legal_move(&self.safety) {
            let reason = if self.safety.in_check { "checkmate" } else { "stalemate" };
            return Some(Outcome::win(self.turn().other(), reason));
        }
        self.ended()
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Step> {
        let moves = if self.ended().is_some() { Moves::NONE } else { self.board.legal_moves(&self.safety, u128::MAX) };
        moves.into_iter()
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.ended().is_some() { 0 } else { self.board.count_legal_moves(&self.safety) }
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        let mover = self.turn();
        let key = self.board.key();
        let man = self.board.man(mv.from);
        let captured = self.board.make(mv);
        self.safety = self.board.safety();
        let check = self.safety.in_check;
        self.number = (self.number + u32::from(mover == Side::Second)).min(fen::LARGEST);
        if captured.is_some() {
            self.capture_clock.restart();
            self.waived_plies = 0;
        } else {
            self.capture_clock.count(mover, check);
        }
        // Captures and pawn steps forward are irreversible: no position before them recurs.
        let forward = mv.from.file() == mv.to.file() && man.is_some_and(|man| man.kind() == Kind::Pawn);
        if captured.is_some() || forward {
            self.forget_past();
        } else {
            self.past.push(Past { key, step: mv, check });
            self.past_hash ^= mix(key);
            self.occurrences = repetition::occurrences(&self.board, &self.past);
            self.loops |= self.occurrences > 1;
            self.repeated = (self.occurrences >= OCCURRENCES).then(|| repetition::adjudicate(&self.board, &self.past));
        }
    }

    fn is_ended_by_past(&self) -> bool {
        self.board.has_legal_move(&self.safety) && (self.repeated.is_some() || self.capture_clock.is_up())
    }

    fn resumed(&self) -> Option<Self> {
        if self.ended().is_none() || !self.board.has_legal_move(&self.safety) {
            return None;
        }
        let mut next = self.clone();
        if self.repeated.is_some() {
            next.forget_past();
        }
        if self.capture_clock.is_up() {
            next.waived_plies += self.capture_clock.plies;
            next.capture_clock.restart();
        }
        next.waived_material = !self.board.can_attack();
        Some(next)
    }

    fn parse_move(&self, text: &str) -> Result<Step, IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        notation::read_move(&self.board, text, self.ranks)
    }

    #[inline]
    fn key(&self) -> u64 {
        // Once a position has occurred twice, the past may end the game four plies later. Before that, and far from the draw
        // without captures, positions are the same whatever led to them.
        let mut key = self.board.key();
        if self.loops {
            key ^= mix(self.past_hash ^ u64::from(self.occurrences));
        }
        if self.capture_clock.plies + 16 >= self.capture_clock.limit {
            key ^= mix(!u64::from(self.capture_clock.plies));
        }
        key
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Step {
        let moves = self.board.legal_moves(&self.safety, u128::MAX);
        moves.nth(rng.below(moves.count()))
    }
}

impl fmt::Display for Xiangqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write(f, &self.board, self.no_capture().0, self.number)
    }
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

impl Game for Xiangqi {
    const NAME: &'static str = "xiangqi";
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Xiangqi (Chinese chess)", zh: "象棋" },
        sides: SideNames {
            first: Translated { en: "Red", zh: "红方" },
            second: Translated { en: "Black", zh: "黑方" },
        },
        how_to_play: Translated {
            en: "Red and Black take turns to move a piece; it captures an opposing piece by moving to its point. A general \
                 moves one point straight and an advisor one point diagonally, both within their palace. An elephant moves \
                 two points diagonally, never across the river or over a piece. A horse moves one point straight and then \
                 one diagonally outwards, unless a piece stands on the point between. A chariot moves any distance \
                 straight. A cannon moves like a chariot, but captures by jumping over exactly one piece. A soldier moves \
                 one point forwards, and sideways too once across the river. Nobody may leave their general under attack, \
                 or the two generals facing each other on an open file. A player without a legal move loses.",
            zh: "红方和黑方轮流走一枚棋子，走到对方棋子所在的交叉点就吃掉它。帅（将）直走一步，仕（士）斜走一步，都不能出九宫。相（象）沿斜线走两步，不能过河，也不能越过田心的棋子。马先直走一步，再向外斜走一步，中间的点有棋子时不能走。车沿直线走任意步。炮的走法同车，但吃子时必须正好隔一枚棋子。兵（卒）每次前进一步，过河后也可以横走。走完后自己的帅（将）不能被攻击，两将也不能在同一直线上直接对面。无棋可走的一方判负。",
        },
        notation: Notation {
            position: "FEN: ten rows from Black's side, upper case for Red (first), letters k a b n r c p (e and h are read too); the side to move, `w` or `b`; `- -`; plies without a capture; the number of the move.",
            position_example: START,
            moves: "From and to, files a to i, ranks 0 to 9 from Red's side (ICCS); Chinese notation (炮二平五), WXF (C2.5) and letters with squares (Che2) are read too.",
            moves_example: &["h2e2", "h9g7"],
        },
        geometry: Geometry::Intersections,
        rules: "Generals may not face each other; a side without a legal move loses. At a position's third occurrence perpetual check loses, then perpetual chase, else it is a draw. Too many plies without a capture (120 by default; at most ten of each side's checks count) are a draw, and so is a board without attacking pieces. These three are adjudicated: play can go on.",
    };
    const LEVELS: Levels = [
        Level::depth(1, 0.085),
        Level::depth(1, 0.066),
        Level::depth(1, 0.043),
        Level::nodes(800, 0.0235),
        Level::nodes(1500, 0.016),
        Level::nodes(2700, 0.0113),
        Level::nodes(4800, 0.0078),
        Level::nodes(8500, 0.0054),
        Level::nodes(15_000, 0.0037),
    ];
    type Variant = XiangqiVariant;
    type Facts = Facts;

    fn plays(_: &XiangqiVariant) -> bool {
        true
    }

    fn start(variant: &XiangqiVariant) -> Self {
        Self::parse(variant, START).expect("the start position is a position")
    }

    fn parse(variant: &XiangqiVariant, text: &str) -> Result<Self, Malformed> {
        let fen::Placed { board, clock, number } = fen::read(text, variant.ranks)?;
        Ok(Self::new(board, clock, number, variant))
    }

    fn split_board(text: &str) -> (&str, &str) {
        fen::split(text)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        notation::split_line(text)
    }

    fn encoded_moves(text: &str) -> usize {
        let words = pasted_words(text).map(without_number).filter(|word| !word.is_ascii());
        words.filter(|word| notation::form(word).is_some()).count()
    }

    fn prepare(&self) {
        Evaluation::get();
    }

    fn offence(&self) -> Option<Offence> {
        let (side, pieces) = self.offender()?;
        let piece = |index| {
            let square = Square::from_index(index);
            self.board
                .man(square)
                .map(|man| Piece { piece: man.kind().name(), square: notation::name(square, self.ranks) })
        };
        Some(Offence { side, pieces: pieces.iter().filter_map(piece).collect() })
    }

    fn write_move(&self, mv: Step) -> String {
        notation::name(mv.from, self.ranks) + &notation::name(mv.to, self.ranks)
    }

    fn canonical_key(&self) -> u64 {
        // Positions that can recur would have to be mirrored too; of the position before the last move alone, both images have
        // occurred.
        if self.past.len() > 1 || self.loops {
            return self.key();
        }
        let files = u32::from(FILES);
        let board =
            canonical(files, u32::from(RANKS), Symmetry::Mirror, |file, rank| self.letter(file as u8, rank as u8));
        mix(board ^ self.turn() as u64 ^ u64::from(self.capture_clock.plies) << 8)
    }

    #[cfg(not(target_family = "wasm"))]
    fn formats() -> &'static [crate::records::Format<XiangqiVariant>] {
        records::FORMATS
    }

    fn describe_move(&self, mv: Step) -> MoveFacts {
        let [from, to] = [mv.from, mv.to].map(|square| notation::name(square, self.ranks));
        let captured = self.board.man(mv.to).map(|_| to.clone());
        let mut facts = MoveFacts::written(self.write_move(mv));
        facts.notations.push(("chinese", notation::chinese(&self.board, mv)));
        facts.notations.push(("wxf", notation::wxf(&self.board, mv)));
        let captured = captured.into_iter().collect();
        MoveFacts { from: Some(from), to: Some(to), captured, colour: Some(self.turn()), ..facts }
    }

    fn facts(&self) -> Facts {
        Facts::of(self)
    }

    fn draw(&self) -> String {
        let mut text = String::new();
        let width = self.ranks.number(RANKS - 1).len();
        for rank in (0..RANKS).rev() {
            text.push_str(&format!("{:>width$}", self.ranks.number(rank)));
            for file in 0..FILES {
                text.extend([' ', self.letter(file, rank)]);
            }
            text.push('\n');
        }
        text.push_str(&" ".repeat(width));
        text.push_str(" a b c d e f g h i");
        text
    }

    fn features() -> Option<Features> {
        Some(evaluation::FEATURES)
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<AlphaBeta<XiangqiSearcher>>();
        list.add::<Mcts<EvaluatedPlayout>>();
    }
}
