//! The empty points that a side may play on, and those worth considering.

use super::super::lines::{Colour, Point, bits};
use super::super::renju;
use super::super::variant::{LARGEST, Rule};
use super::board::Board;
use super::codes::Kind;

impl<const LINES: usize> Board<LINES> {
    /// Whether the colour to move may place a stone on an empty point.
    #[inline]
    pub fn allows(&self, at: Point) -> bool {
        self.rule != Rule::Renju || self.turn == Colour::White || self.is_legal_for_black(at)
    }

    /// Whether Black may place a stone on an empty point in renju, whichever side is to move.
    #[inline]
    pub fn is_legal_for_black(&self, at: Point) -> bool {
        !self.points(Colour::Black, Kind::Foul).has(at) || renju::foul(&self.lines, at).is_none()
    }

    /// Whether the colour to move has a legal move.
    #[cold]
    pub fn has_legal_move(&self) -> bool {
        let restricted = self.rule == Rule::Renju && self.turn == Colour::Black;
        self.lines.empty_points().any(|at| !restricted || self.is_legal_for_black(at))
    }

    /// Whether a point is at most two steps from a stone in any direction.
    pub fn is_near(&self, at: Point) -> bool {
        let size = i32::from(self.lines.size);
        let around = |place: u8| (i32::from(place) - 2).max(0)..=(i32::from(place) + 2).min(size - 1);
        let columns = around(at.column).fold(0, |all, column| all | 1 << column);
        around(at.row).any(|row| columns & !self.lines.empty(row as u32) != 0)
    }

    /// Calls `found` with the empty points at most two steps from a stone in any direction, and those where a side makes a
    /// four; on an empty board, with all points.
    #[inline]
    pub fn near(&self, mut found: impl FnMut(Point)) {
        let size = u32::from(self.lines.size);
        let all = ((1u64 << size) - 1) as u32;
        // By row: the columns at most two steps from a stone in that row, with two empty rows below and above the board.
        let mut wide = [0u32; LARGEST as usize + 4];
        for row in 0..size {
            let stones = all & !self.lines.empty(row);
            wide[row as usize + 2] = stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2;
        }
        let fours = self.points(Colour::Black, Kind::Four).or(self.points(Colour::White, Kind::Four));
        for row in 0..size {
            let around = wide[row as usize..row as usize + 5].iter().fold(0, |all, columns| all | columns);
            let around = if self.stones == 0 { all } else { around | fours.row(row as usize) };
            for column in bits(around & self.lines.empty(row)) {
                found(Point::new(column, row));
            }
        }
    }
}
