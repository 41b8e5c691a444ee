//! Move generation and ordering, by codes and by history.

use super::super::lines::{Colour, Point};
use super::super::shapes::{Board, Kind, Points};
use super::super::variant::{LARGEST, Rule};
use super::code;

/// Values of [`code`], and 0 for none.
const CODES: usize = (LARGEST * LARGEST) as usize + 1;
/// The limit of history values.
const MAX_HISTORY: i32 = 8192;

/// History by colour and point, and the last refutation of each move.
#[derive(Debug)]
pub struct History {
    refuted: Box<[[i16; CODES]; 2]>,
    replies: Box<[[u16; CODES]; 2]>,
}

impl Default for History {
    fn default() -> Self {
        Self { refuted: bytemuck::allocation::zeroed_box(), replies: bytemuck::allocation::zeroed_box() }
    }
}

impl History {
    #[inline]
    pub fn get(&self, colour: Colour, at: Point) -> i32 {
        self.refuted[colour as usize][usize::from(code(at))].into()
    }

    /// The code of the move that last refuted `last`.
    #[inline]
    pub fn reply(&self, colour: Colour, last: Option<Point>) -> u16 {
        self.replies[colour as usize][last.map_or(0, |at| usize::from(code(at)))]
    }

    /// Learns that `at` refuted the last move, and that the moves in `tried` did not.
    pub fn learn(&mut self, colour: Colour, last: Option<Point>, at: Point, depth: i32, tried: &[Point]) {
        let bonus = (depth * depth * 8).min(1024);
        let mut add = |at: Point, bonus: i32| {
            let entry = &mut self.refuted[colour as usize][usize::from(code(at))];
            let value = i32::from(*entry);
            *entry = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
        };
        add(at, bonus);
        tried.iter().for_each(|&at| add(at, -bonus));
        self.replies[colour as usize][last.map_or(0, |at| usize::from(code(at)))] = code(at);
    }
}

/// A move, and how early it is tried.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove {
    pub at: Point,
    pub score: i32,
    /// The kinds of threat that it makes.
    pub kinds: u8,
}

impl ScoredMove {
    /// Whether it makes a threat of one of these kinds.
    #[inline]
    pub fn makes(&self, kind: Kind) -> bool {
        self.kinds & kind.bit() != 0
    }
}

/// The inputs of move ordering.
pub struct Order<'a> {
    pub history: &'a History,
    pub table_move: u16,
    /// The last stones, the last one first.
    pub last: [Option<Point>; 2],
    /// The only moves that do not lose for certain, if known.
    pub answers: Option<Points>,
}

/// How much history is worth a hundredth of a logit.
const HISTORY: i32 = 40;
/// Bonus of the move that last refuted the move before.
const REPLY: i32 = 100;
const TABLE_MOVE: i32 = 1 << 20;

impl<const LINES: usize> Board<LINES> {
    /// Lists the moves at a node. Returns whether all others lose for certain.
    pub fn list(&self, order: &Order<'_>, found: &mut Vec<ScoredMove>) -> bool {
        let (own, other) = (self.turn, self.turn.other());
        let reply = order.history.reply(own, order.last[0]);
        let mut add = |at: Point| {
            let mut score = self.order(at, order.last) + order.history.get(own, at) / HISTORY;
            let code = code(at);
            if code == reply {
                score += REPLY;
            }
            if code == order.table_move {
                score = TABLE_MOVE;
            }
            found.push(ScoredMove { at, score, kinds: self.kinds(own, at) });
        };
        // An open four or two fours are stopped on one of their points, each of which makes a four for the opponent, or put off
        // by a four of the side to move.
        let wins = self.points(other, Kind::WinningFour);
        if self.count(other, Kind::WinningFour) > 0 && self.rule != Rule::Caro {
            let fours = self.points(other, Kind::Four).or(wins).or(self.points(own, Kind::Four));
            fours.iter().for_each(&mut add);
            // That holds against Black in renju too: no white stone makes a foul of a point whose codes have none.
            return true;
        }
        if let Some(answers) = &order.answers {
            answers.iter().for_each(add);
            return true;
        }
        if self.rule == Rule::Caro && self.count(other, Kind::Five) > 0 && self.stops(&mut add) {
            return true;
        }
        self.near(add);
        false
    }
}

/// Places in a list of moves, rounded up to a power of two.
const PLACES: usize = ((LARGEST * LARGEST) as usize).next_power_of_two();
/// The key of a move that has been picked.
pub const TAKEN: u32 = 0;

/// The sort key of a move, from its score and its place in the list: the largest is picked next. Keys of one width can be
/// compared several at a time.
#[inline]
pub fn key(score: i32, place: usize) -> u32 {
    let score = score.clamp(1 - TABLE_MOVE, TABLE_MOVE) + TABLE_MOVE;
    score as u32 * PLACES as u32 + (PLACES - 1 - place) as u32
}

/// The place of the next move; none if all have been picked.
#[inline]
pub fn pick(keys: &mut [u32]) -> Option<usize> {
    let largest = keys.iter().fold(TAKEN, |largest, &key| largest.max(key));
    (largest != TAKEN).then(|| {
        let place = PLACES - 1 - largest as usize % PLACES;
        keys[place] = TAKEN;
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_picked_by_score_and_then_by_place() {
        let scores = [3, -5000, TABLE_MOVE, 3, 0, -TABLE_MOVE * 4];
        let mut keys: Vec<u32> = scores.iter().enumerate().map(|(place, &score)| key(score, place)).collect();
        let picked: Vec<usize> = std::iter::from_fn(|| pick(&mut keys)).collect();
        assert_eq!(picked, [2, 0, 3, 4, 1, 5]);
    }
}
