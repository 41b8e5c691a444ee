//! Dots and Boxes: whoever draws the last edge of a box owns it and must move again.
//!
//! The smallest honest test of double moves and exact margins. Edges are bits: horizontal ones row by row from the top, then
//! vertical ones. Who owns which box does not matter for the rest of the game, only how many each has.

mod chains;
mod evaluator;
mod text;

use std::fmt;
use std::sync::OnceLock;

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
use crate::search::plain::Plain;

pub use evaluator::CaptureEvaluator;

const LARGEST: usize = 6;

parameters! {
    /// Board size in boxes.
    pub struct DotsVariant {
        names OnlyVariant;
        /// Boxes in a row.
        columns: u32 = 3, 1..=LARGEST as u32;
        /// Rows of boxes.
        rows: u32 = 3, 1..=LARGEST as u32;
    }
}

impl Variant for DotsVariant {
    type Name = OnlyVariant;
}

/// What depends on the board's size alone.
#[derive(Debug)]
struct Lattice {
    columns: u32,
    rows: u32,
    /// Every edge of the board.
    edges: u128,
    /// For every edge, the edges of the one or two boxes beside it; where there is only one, the second is a set
    /// that is never complete.
    boxes: Vec<[u128; 2]>,
}

impl Lattice {
    /// The lattice of a board; each size is made once.
    fn of(variant: &DotsVariant) -> &'static Self {
        static ALL: [[OnceLock<Lattice>; LARGEST]; LARGEST] = [const { [const { OnceLock::new() }; LARGEST] }; LARGEST];
        let (columns, rows) = (variant.columns as usize, variant.rows as usize);
        ALL[columns - 1][rows - 1].get_or_init(|| Self::new(variant.columns, variant.rows))
    }

    fn new(columns: u32, rows: u32) -> Self {
        let horizontal = columns * (rows + 1);
        let count = horizontal + rows * (columns + 1);
        let mut lattice = Self { columns, rows, edges: (1 << count) - 1, boxes: vec![[u128::MAX; 2]; count as usize] };
        for row in 0..rows {
            for column in 0..columns {
                let edges = [
                    row * columns + column,
                    (row + 1) * columns + column,
                    horizontal + row * (columns + 1) + column,
                    horizontal + row * (columns + 1) + column + 1,
                ];
                let mask = edges.iter().fold(0, |mask, &edge| mask | 1 << edge);
                for edge in edges {
                    let [first, second] = &mut lattice.boxes[edge as usize];
                    let free = if *first == u128::MAX { first } else { second };
                    *free = mask;
                }
            }
        }
        lattice
    }

    /// Every box as the set of its edges, row by row from the top.
    fn each_box(&self) -> impl Iterator<Item = u128> {
        let horizontal = self.columns * (self.rows + 1);
        (0..self.rows * self.columns).map(move |index| {
            let (row, column) = (index / self.columns, index % self.columns);
            let left = horizontal + row * (self.columns + 1) + column;
            1 << index | 1 << (index + self.columns) | 1 << left | 1 << (left + 1)
        })
    }
}

/// A position.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    drawn: u128,
    boxes: [u8; 2],
    turn: Side,
    lattice: &'static Lattice,
}

/// An edge; kind, row and column are what it is called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    index: u8,
    vertical: bool,
    row: u8,
    column: u8,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{},{}", if self.vertical { 'v' } else { 'h' }, self.row, self.column)
    }
}

impl DotsAndBoxes {
    #[inline]
    fn free(&self) -> u128 {
        self.lattice.edges & !self.drawn
    }

    #[inline]
    fn edge(&self, index: u32) -> Edge {
        let horizontal = self.lattice.columns * (self.lattice.rows + 1);
        let vertical = index >= horizontal;
        let (offset, width) =
            if vertical { (index - horizontal, self.lattice.columns + 1) } else { (index, self.lattice.columns) };
        Edge { index: index as u8, vertical, row: (offset / width) as u8, column: (offset % width) as u8 }
    }

    fn box_count(&self) -> u32 {
        self.lattice.columns * self.lattice.rows
    }

    /// How many boxes an edge would complete.
    #[inline]
    fn completes(&self, edge: u8) -> u8 {
        let drawn = self.drawn | 1 << edge;
        let [first, second] = self.lattice.boxes[usize::from(edge)];
        u8::from(drawn & first == first) + u8::from(drawn & second == second)
    }

    /// Whether some box beside this edge would then miss one edge only: a gift to the opponent.
    fn gives(&self, edge: u8) -> bool {
        let missing = |mask: u128| mask != u128::MAX && (mask & !(self.drawn | 1 << edge)).count_ones() == 1;
        self.lattice.boxes[usize::from(edge)].into_iter().any(missing)
    }

    /// The board, from the top: dots and horizontal edges, and between them vertical edges, and `#` in completed boxes.
    fn lines(&self) -> Vec<String> {
        let Lattice { columns, rows, .. } = *self.lattice;
        let horizontal = columns * (rows + 1);
        let boxes: Vec<u128> = self.lattice.each_box().collect();
        let mut lines = Vec::new();
        for row in 0..=rows {
            let line: String = (0..columns)
                .map(|column| if self.drawn.has(row * columns + column) { "+---" } else { "+   " })
                .collect();
            lines.push(line + "+");
            if row == rows {
                break;
            }
            let mut line = String::new();
            for column in 0..=columns {
                line.push(if self.drawn.has(horizontal + row * (columns + 1) + column) { '|' } else { ' ' });
                if column < columns {
                    let mask = boxes[(row * columns + column) as usize];
                    line.push_str(if self.drawn & mask == mask { " # " } else { "   " });
                }
            }
            lines.push(line);
        }
        lines
    }
}

impl Position for DotsAndBoxes {
    type Move = Edge;
    const POINTS: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        self.drawn.count_ones()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.drawn == self.lattice.edges)
            .then(|| Outcome::points(i16::from(self.boxes[0]) - i16::from(self.boxes[1]), "board_full"))
    }

    fn score_limit(&self) -> i16 {
        self.box_count() as i16
    }

    #[inline]
    fn moves(&self) -> impl Iterator<Item = Edge> {
        self.free().iter().map(|index| self.edge(index))
    }

    #[inline]
    fn play(&mut self, mv: Edge) {
        let gained = self.completes(mv.index);
        self.drawn |= 1 << mv.index;
        self.boxes[self.turn.index()] += gained;
        if gained == 0 {
            self.turn = self.turn.other();
        }
    }

    fn parse_move(&self, text: &str) -> Result<Edge, IllegalMove> {
        let Lattice { columns, rows, .. } = *self.lattice;
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
        let index = if vertical { columns * (rows + 1) + row * (columns + 1) + column } else { row * columns + column };
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        if self.drawn.has(index) {
            return Err(IllegalMove::new(text, "the edge is drawn already: expected a free one"));
        }
        Ok(self.edge(index))
    }

    #[inline]
    fn key(&self) -> u64 {
        let score = u64::from(self.boxes[0]) << 8 | u64::from(self.boxes[1]) << 16 | self.turn.index() as u64;
        mix(self.drawn.hash() ^ score)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Edge {
        let free = self.free();
        self.edge(free.nth(rng.below(free.count_ones())))
    }
}

impl fmt::Display for DotsAndBoxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.lattice.boxes.len() as u32;
        let edges: String = (0..count).map(|edge| if self.drawn.has(edge) { '1' } else { '0' }).collect();
        write!(f, "{edges} {}-{} {}", self.boxes[0], self.boxes[1], self.turn)
    }
}

/// What a thin client draws and shows.
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

impl Game for DotsAndBoxes {
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
        Level::depth(1, 0.25),
        Level::depth(1, 0.11),
        Level::nodes(34, 0.11),
        Level::nodes(70, 0.075),
        Level::nodes(160, 0.045),
        Level::nodes(400, 0.025),
        Level::nodes(1600, 0.012),
        Level::nodes(15_000, 0.003),
    ];
    type Variant = DotsVariant;
    type Facts = Facts;

    fn plays(_: &DotsVariant) -> bool {
        true
    }

    fn start(variant: &DotsVariant) -> Self {
        Self { drawn: 0, boxes: [0; 2], turn: Side::First, lattice: Lattice::of(variant) }
    }

    fn parse(variant: &DotsVariant, text: &str) -> Result<Self, Malformed> {
        let mut position = Self::start(variant);
        let (rest, turn) = split_side(text, ["first", "second"])?;
        position.turn = turn;
        let count = position.lattice.boxes.len();
        let Some((edges, score)) = rest.split_once(' ') else {
            return Err(Malformed::new(format!(
                "expected {count} edges, a space, both scores like `0-0`, a space, the side"
            )));
        };
        if edges.len() != count || !edges.bytes().all(|b| matches!(b, b'0' | b'1')) {
            return Err(Malformed::new(format!("expected {count} edges, each `0` or `1` (drawn)")));
        }
        let drawn = edges.bytes().enumerate().filter(|(_, b)| *b == b'1');
        position.drawn = drawn.fold(0, |drawn, (edge, _)| drawn | 1 << edge);
        let number = |digits: &str| digits.parse::<u8>().ok().filter(|n| n.to_string() == digits);
        let scores = score.split_once('-').and_then(|(a, b)| number(a).zip(number(b)));
        let Some((first, second)) = scores else {
            return Err(Malformed::new(format!(
                "`{}` is no score: expected both sides' boxes, like `2-1`",
                shorten(score)
            )));
        };
        let complete = position.lattice.each_box().filter(|&mask| position.drawn & mask == mask).count();
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
        let drawn = self.drawn | 1 << mv.index;
        let beside = self.lattice.boxes[usize::from(mv.index)];
        let completed = |&(_, mask): &(usize, u128)| beside.contains(&mask) && drawn & mask == mask;
        let columns = self.lattice.columns as usize;
        let name = |(index, _)| format!("{},{}", index / columns, index % columns);
        let claimed = self.lattice.each_box().enumerate().filter(completed).map(name).collect();
        MoveFacts { to: Some(text.clone()), claimed, colour: Some(self.turn), ..MoveFacts::written(text) }
    }

    fn facts(&self) -> Facts {
        let [first, second] = self.boxes;
        Facts { cells: self.lines(), boxes: Boxes { first, second } }
    }

    fn draw(&self) -> String {
        // Each line begins as the names of its edges do.
        let label = |(index, line): (usize, &String)| format!("{}{}  {line}", ['h', 'v'][index % 2], index / 2);
        self.lines().iter().enumerate().map(label).collect::<Vec<_>>().join("\n")
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<AlphaBeta<Plain<CaptureEvaluator>>>();
        list.add::<Mcts<CaptureEvaluator>>();
    }
}
