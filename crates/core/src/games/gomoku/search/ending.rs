//! Late positions, searched to the end of the game: who wins, or whether it is a draw.
//!
//! Most points of a late board lie in no line that could still become a five. A stone there only passes the turn, so one of
//! these points is tried for all of them; if there are no other points, the game is drawn.

use smallvec::SmallVec;

use super::super::lines::{Colour, Lines, Point, bits};
use super::super::shapes::Points;
use super::known::{ENDING, Fives, ending_entry};
use super::{Proof, Search, WIN, code, is_decided, point, proven_by_codes};
use crate::search::Bound;
use crate::search::plain::Entry;
use crate::search::value::narrow::{from_table, to_table};

impl<const LINES: usize> Lines<LINES> {
    /// The empty points that can still be part of a five of this colour.
    fn open_to(&self, colour: Colour) -> Points {
        let mut open = Points::default();
        for (direction, first, line) in self.all(colour) {
            let free = line.own | line.empty;
            let fives = free & free >> 1 & free >> 2 & free >> 3 & free >> 4;
            let points = fives | fives << 1 | fives << 2 | fives << 3 | fives << 4;
            bits(points & line.empty).for_each(|bit| open.add(first.along(direction, bit)));
        }
        open
    }

    /// The number of empty points that can still be part of a five.
    pub fn count_open(&self) -> u32 {
        self.open_to(Colour::Black).or(&self.open_to(Colour::White)).iter().count() as u32
    }
}

impl<const LINES: usize, T: FnMut(u64) -> bool> Search<'_, LINES, T> {
    /// The value of the board for the side to move, searched to the end of the game (exact within (`alpha`, `beta`), otherwise
    /// a bound; 0 for a draw), and its best move, if known. `None` if the search was stopped.
    pub fn finish(&mut self, (alpha, beta): (i32, i32)) -> Option<(i32, Option<Point>)> {
        // No value lies between a draw and a win or a loss.
        let low = if is_decided(alpha) { alpha } else { alpha.clamp(-1, 0) };
        let high = if is_decided(beta) { beta } else { beta.clamp(0, 1) };
        let value = self.play_to_end(low, high, 0);
        let mv = match proven_by_codes(&mut self.board) {
            Some(Proof::Win(_, at)) => Some(at),
            _ => ending_entry(&self.board, self.table).and_then(|entry| point(entry.best)),
        };
        (!self.stopped).then_some((value, mv))
    }

    fn play_to_end(&mut self, mut alpha: i32, mut beta: i32, ply: u32) -> i32 {
        self.count(1);
        if self.stopped || self.board.is_full() {
            return 0;
        }
        match proven_by_codes(&mut self.board) {
            Some(Proof::Win(plies, _)) => return WIN - (ply + plies) as i32,
            Some(Proof::Loss(plies)) => return (ply + plies) as i32 - WIN,
            None => {}
        }
        let (own, other) =
            (self.board.lines.open_to(self.board.turn), self.board.lines.open_to(self.board.turn.other()));
        // A side without room for a five cannot win.
        if own == Points::default() {
            beta = beta.min(1);
        }
        if other == Points::default() {
            alpha = alpha.max(-1);
        }
        let open = own.or(&other);
        if open == Points::default() {
            return 0;
        }
        if alpha >= beta {
            return 0;
        }
        let key = self.board.key ^ ENDING;
        let known = self.table.get(key);
        if let Some(entry) = known {
            let value = from_table(entry.value, ply);
            let is_lower = entry.bound != Bound::Upper && value >= beta;
            let is_upper = entry.bound != Bound::Lower && value <= alpha;
            if entry.bound == Bound::Exact || is_lower || is_upper {
                return value;
            }
        }
        let moves = self.last_moves(&open, known.map_or(0, |entry| entry.best));
        let (mut best, mut best_code, mut floor) = (-super::INFINITY, 0, alpha);
        for at in moves {
            let undo = self.play(at);
            let value = -self.play_to_end(-beta, -floor, ply + 1);
            self.take_back(&undo);
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, best_code) = (value, code(at));
            }
            floor = floor.max(value);
            if floor >= beta {
                break;
            }
        }
        if best_code == 0 {
            // Black has only fouls left: the game is a draw.
            best = 0;
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let (value, depth) = (to_table(best, ply), open.iter().count() as u8);
        self.table.put(key, Entry { value, bound, depth, complete: true, selective: true, best: best_code });
        best
    }

    /// The moves that may matter, best first, and one that does not.
    fn last_moves(&self, open: &Points, first: u16) -> SmallVec<[Point; 24]> {
        let board = &self.board;
        if let Fives::One(at) = board.fives() {
            return SmallVec::from_slice(&[at]);
        }
        let mut moves: SmallVec<[Point; 24]> = open.iter().filter(|&at| board.allows(at)).collect();
        moves.sort_by_key(|&at| std::cmp::Reverse(if code(at) == first { i32::MAX } else { board.worth(at) }));
        moves.extend(board.lines.empty_points().find(|&at| !open.has(at) && board.allows(at)));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_where_no_five_fits_are_closed() {
        let mut lines = Lines::<130>::new(6);
        assert_eq!(lines.count_open(), 36);
        for row in 0..6 {
            for column in 0..6 {
                // Pairs of columns that change colour with every row: at most two in a row of either colour.
                let colour = if (column / 2 + row) % 2 == 0 { Colour::Black } else { Colour::White };
                if (column, row) != (2, 3) {
                    lines.put(Point::new(column, row), colour);
                }
            }
        }
        assert_eq!(lines.count_open(), 0);
        let mut lines = Lines::<130>::new(6);
        (0..6).filter(|&row| row != 4).for_each(|row| lines.put(Point::new(0, row), Colour::White));
        lines.put(Point::new(1, 3), Colour::Black);
        assert!(
            lines.open_to(Colour::White).has(Point::new(0, 4)) && lines.open_to(Colour::Black).has(Point::new(0, 4))
        );
    }
}
