//! Dots and Boxes: the player who draws the last edge of a box owns it and must move again.
//!
//! The smallest game here in which a side can move several times in a row, and in which the margin counts. Which boxes a side
//! owns does not affect the rest of the game, only how many.

mod captures;
mod chains;
mod edges;
mod estimate;
mod evaluator;
mod images;
mod line;
mod loony;
mod parts;
mod search;
mod searcher;
mod table;
mod text;

use std::fmt;

use serde::Serialize;

use super::{Description, EngineList, Game, Geometry, MoveFacts, Notation, SideNames, Translated, Variant};
use crate::bits::Bits;
use crate::grade::Reason;
use crate::level::{Level, Levels};
use crate::notation::{Malformed, split_side};
use crate::parameters;
use crate::parameters::OnlyVariant;
use crate::position::{IllegalMove, Outcome, Position, Side, shorten};
use crate::rng::{Rng, mix};
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;

pub use edges::Edge;
use edges::{Edges, stride};
pub use evaluator::CaptureEvaluator;
use evaluator::priority;
pub use searcher::DotsSearcher;

const LARGEST: u32 = 10;

parameters! {
    /// Board size in boxes.
    pub struct DotsVariant {
        names OnlyVariant;
        /// Boxes in a row.
        columns: u32 = 3, 1..=LARGEST;
        /// Rows of boxes.
        rows: u32 = 3, 1..=LARGEST;
    }
}

impl Variant for DotsVariant {
    type Name = OnlyVariant;
}

/// A position. A board in a `u64` has at most 7 boxes in a row, one in a `u128` at most 10.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes<B: Bits = u64> {
    /// The edges not yet drawn.
    free: Edges<B>,
    /// The boxes of the board.
    board: B,
    boxes: [u8; 2],
    turn: Side,
}

impl<B: Bits> DotsAndBoxes<B> {
    fn columns(&self) -> u32 {
        self.board.low_word().trailing_ones()
    }

    fn rows(&self) -> u32 {
        self.board.count() / self.columns()
    }

    fn is_drawn(&self, edge: Edge) -> bool {
        !self.free.has(edge)
    }

    /// The boxes that an edge would complete.
    #[inline]
    fn completed(&self, edge: Edge) -> B {
        let rest = self.free - Edges::single(edge);
        edge.sides::<B>() & self.board & !rest.boxes()
    }

    /// Every box, row by row from the top.
    fn each_box(&self) -> impl Iterator<Item = (u32, u32)> {
        let columns = self.columns();
        (0..self.rows()).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    fn is_complete(&self, (row, column): (u32, u32)) -> bool {
        !self.free.boxes().has(row * stride::<B>() + column)
    }

    /// The board, from the top: dots and horizontal edges, and between them vertical edges, and `#` in completed boxes.
    fn lines(&self) -> Vec<String> {
        let (columns, rows) = (self.columns(), self.rows());
        let drawn = |vertical, row, column| self.is_drawn(Edge { vertical, row: row as u8, column: column as u8 });
        let mut lines = Vec::new();
        for row in 0..=rows {
            let line: String =
                (0..columns).map(|column| if drawn(false, row, column) { "+---" } else { "+   " }).collect();
            lines.push(line + "+");
            if row == rows {
                break;
            }
            let mut line = String::new();
            for column in 0..=columns {
                line.push(if drawn(true, row, column) { '|' } else { ' ' });
                if column < columns {
                    line.push_str(if self.is_complete((row, column)) { " # " } else { "   " });
                }
            }
            lines.push(line);
        }
        lines
    }
}

impl<B: Bits> Position for DotsAndBoxes<B> {
    type Move = Edge;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        Edges::around(self.board).count() - self.free.count()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.free.is_empty().then(|| Outcome::points(i16::from(self.boxes[0]) - i16::from(self.boxes[1]), "board_full"))
    }

    fn score_limit(&self) -> i16 {
        self.board.count() as i16
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Edge> {
        self.free.iter()
    }

    #[inline]
    fn play(&mut self, mv: Edge) {
        let gained = self.completed(mv).count() as u8;
        self.free = self.free - Edges::single(mv);
        self.boxes[self.turn.index()] += gained;
        if gained == 0 {
            self.turn = self.turn.other();
        }
    }

    fn parse_move(&self, text: &str) -> Result<Edge, IllegalMove> {
        let (columns, rows) = (self.columns(), self.rows());
        let refuse = || {
            let problem = format!(
                "expected `h` with row 0..{rows} and column 0..{}, or `v` with row 0..{} and column 0..{columns}, like `h0,1`",
                columns - 1,
                rows - 1
            );
            IllegalMove::new(text, problem)
        };
        let vertical = match text.chars().next() {
            Some('h' | 'H') => false,
            Some('v' | 'V') => true,
            _ => return Err(refuse()),
        };
        let number = |digits: &str| digits.parse::<u32>().ok().filter(|n| n.to_string() == digits);
        let (row, column) = text[1..].split_once(',').ok_or_else(refuse)?;
        let (row, column) = number(row).zip(number(column)).ok_or_else(refuse)?;
        let (last_row, last_column) = if vertical { (rows - 1, columns) } else { (rows, columns - 1) };
        if row > last_row || column > last_column {
            return Err(refuse());
        }
        let edge = Edge { vertical, row: row as u8, column: column as u8 };
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        if self.is_drawn(edge) {
            return Err(IllegalMove::new(text, "the edge is drawn already: expected a free one"));
        }
        Ok(edge)
    }

    #[inline]
    fn key(&self) -> u64 {
        let score = u64::from(self.boxes[0]) << 8 | u64::from(self.boxes[1]) << 16 | self.turn.index() as u64;
        mix(self.free.horizontal.hash() ^ self.free.vertical.hash().rotate_left(1) ^ score)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Edge {
        self.free.nth(rng.below(self.free.count()))
    }
}

impl<B: Bits> fmt::Display for DotsAndBoxes<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Edges::around(self.board).iter();
        let edges: String = all.map(|edge| if self.is_drawn(edge) { '1' } else { '0' }).collect();
        write!(f, "{edges} {}-{} {}", self.boxes[0], self.boxes[1], self.turn)
    }
}

/// Facts for thin clients.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// The board, a string per line: dots, edges, and `#` in completed boxes.
    cells: Vec<String>,
    boxes: Boxes,
}

#[derive(Debug, Serialize)]
struct Boxes {
    first: u8,
    second: u8,
}

impl<B: Bits> Game for DotsAndBoxes<B> {
    const NAME: &'static str = "dots-and-boxes";
    const UNIT: Option<&'static str> = Some("boxes");
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Dots and Boxes", zh: "点格棋" },
        sides: SideNames {
            first: Translated { en: "Blue", zh: "蓝方" },
            second: Translated { en: "Orange", zh: "橙方" },
        },
        how_to_play: Translated {
            en: "Blue and Orange take turns to draw an edge between two neighbouring dots. The player who draws the last edge of a box owns it and moves again. When all edges are drawn, the player with more boxes wins; equal numbers are a draw.",
            zh: "蓝方和橙方轮流在相邻两点之间画一条边。画上某格最后一条边的一方占得该格，并且要再走一步。所有边画完后，占格多的一方获胜，相等则为和棋。",
        },
        notation: Notation {
            position: "One `0` or `1` (drawn) per edge, horizontal ones row by row from the top, then vertical ones; a space, both scores, a space, the side to move.",
            position_example: "000000000000000000000000 0-0 first",
            moves: "`h` (horizontal) or `v` (vertical), row, comma, column, both from 0 at the top left.",
            moves_example: &["h0,1", "v1,0"],
        },
        geometry: Geometry::Edges,
        rules: "Whoever draws the last edge of a box owns it and must move again; the game ends with all edges drawn. The margin is boxes.",
    };
    const LEVELS: Levels = [
        Level::depth(1, 1.5),
        Level::depth(1, 1.1),
        Level::depth(1, 0.9),
        Level::depth(1, 0.68),
        Level::depth(1, 0.6),
        Level::nodes(70, 0.12),
        Level::nodes(160, 0.05),
        Level::nodes(800, 0.02),
        Level::nodes(8000, 0.003),
    ];
    type Variant = DotsVariant;
    type Facts = Facts;

    fn plays(variant: &DotsVariant) -> bool {
        variant.columns.max(variant.rows) < stride::<B>()
    }

    fn start(variant: &DotsVariant) -> Self {
        let row = (0..variant.columns).fold(B::EMPTY, |row, column| row | B::single(column));
        let board = (0..variant.rows).fold(B::EMPTY, |board, _| board << stride::<B>() | row);
        Self { free: Edges::around(board), board, boxes: [0; 2], turn: Side::First }
    }

    fn parse(variant: &DotsVariant, text: &str) -> Result<Self, Malformed> {
        let mut position = Self::start(variant);
        let (rest, turn) = split_side(text, ["first", "second"])?;
        position.turn = turn;
        let count = position.free.count() as usize;
        let Some((edges, score)) = rest.split_once(' ') else {
            return Err(Malformed::new(format!(
                "expected {count} edges, a space, both scores like `0-0`, a space, the side"
            )));
        };
        if edges.len() != count || !edges.bytes().all(|b| matches!(b, b'0' | b'1')) {
            return Err(Malformed::new(format!("expected {count} edges, each `0` or `1` (drawn)")));
        }
        let drawn = position.free.iter().zip(edges.bytes()).filter(|(_, b)| *b == b'1');
        position.free = drawn.fold(position.free, |free, (edge, _)| free - Edges::single(edge));
        let number = |digits: &str| digits.parse::<u8>().ok().filter(|n| n.to_string() == digits);
        let scores = score.split_once('-').and_then(|(a, b)| number(a).zip(number(b)));
        let Some((first, second)) = scores else {
            return Err(Malformed::new(format!(
                "`{}` is not a score: expected both sides' boxes, like `2-1`",
                shorten(score)
            )));
        };
        let complete = position.each_box().filter(|&place| position.is_complete(place)).count();
        if usize::from(first) + usize::from(second) != complete {
            return Err(Malformed::new(format!(
                "the score is {first}-{second}: expected a sum of {complete}, the completed boxes"
            )));
        }
        position.boxes = [first, second];
        Ok(position)
    }

    fn split_line(text: &str) -> Option<Vec<&str>> {
        text::split_line(text)
    }

    fn is_board(text: &str) -> bool {
        let edges = text.split_whitespace().next().unwrap_or_default();
        edges.len() >= 4 && edges.bytes().all(|b| matches!(b, b'0' | b'1'))
    }

    fn split_pasted(text: &str) -> Vec<&str> {
        text::split_pasted(text)
    }

    fn consequences(&self, mv: Edge) -> Vec<Reason> {
        chains::opened(self, mv).into_iter().collect()
    }

    fn describe_move(&self, mv: Edge) -> MoveFacts {
        let text = mv.to_string();
        let completed = self.completed(mv);
        let claimed = self.each_box().filter(|(row, column)| completed.has(row * stride::<B>() + column));
        let claimed = claimed.map(|(row, column)| format!("{row},{column}")).collect();
        MoveFacts { to: Some(text.clone()), claimed, colour: Some(self.turn), ..MoveFacts::written(text) }
    }

    fn facts(&self) -> Facts {
        let [first, second] = self.boxes;
        Facts { cells: self.lines(), boxes: Boxes { first, second } }
    }

    fn draw(&self) -> String {
        // Each line begins with the letter and row of its edges.
        let label = |(index, line): (usize, &String)| format!("{}{}  {line}", ['h', 'v'][index % 2], index / 2);
        self.lines().iter().enumerate().map(label).collect::<Vec<_>>().join("\n")
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<AlphaBeta<DotsSearcher>>();
        list.add::<Mcts<CaptureEvaluator>>();
    }
}
