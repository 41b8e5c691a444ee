//! Move ordering: a score by the codes of a point for both colours and by its location relative to the last two stones, in
//! hundredths of the logit that a search prefers it. All weights are learned (docs/learning.md).

use super::super::lines::{Colour, Point};
use super::super::variant::Rule;
use super::super::{Gomoku, Move};
use super::board::Board;
use super::codes::CODES;
use super::evaluation::{VALUES, set};
use super::points::{CELLS, ROW, cell};

/// Locations of a point relative to a stone: too far away to matter, or one to four steps away, in line or not.
const PLACES: usize = 9;
/// Weights per colour to move: of its own codes and the other colour's, and of locations relative to the last stone and the one
/// before.
pub const ORDERING: usize = 2 * CODES + 2 * PLACES;
/// The distance at which a stone is too far away, in steps.
const FAR: i32 = 5;

/// The location of a point relative to a stone.
fn place(columns: i32, rows: i32) -> usize {
    let steps = columns.abs().max(rows.abs());
    let is_aligned = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    match steps {
        FAR.. => 0,
        _ if is_aligned => steps as usize,
        _ => 4 + steps as usize,
    }
}

/// The move ordering of a rule.
#[derive(Debug)]
pub struct Ordering {
    /// By colour to move: the weights of its own codes and of the other colour's.
    codes: [[Vec<i16>; 2]; 2],
    /// By colour to move: the weights of locations relative to the last stone and the one before, by the difference of the
    /// cells.
    places: [[Vec<i16>; 2]; 2],
}

impl Ordering {
    /// From the move ordering weights of all rules.
    pub fn new(rule: Rule, weights: &[i32]) -> Self {
        let of = |to_move, first: usize, count: usize| {
            let weights = &weights[set(rule, to_move) * ORDERING + first..][..count];
            weights.iter().map(|&weight| weight as i16).collect::<Vec<_>>()
        };
        let colours = [Colour::Black, Colour::White];
        let codes = colours.map(|colour| [0, 1].map(|index| of(colour, index * CODES, CODES)));
        let places = colours.map(|colour| {
            [0, 1].map(|index| {
                let places = of(colour, 2 * CODES + index * PLACES, PLACES);
                (0..2 * CELLS as i32).map(|apart| places[place_of(apart - CELLS as i32)]).collect()
            })
        });
        Self { codes, places }
    }

    /// The score of a point's codes, Black's and White's, for the colour to move.
    #[inline]
    pub fn codes(&self, own: Colour, codes: [u16; 2]) -> i32 {
        let [ours, theirs] = &self.codes[own as usize];
        i32::from(ours[usize::from(codes[own as usize])]) + i32::from(theirs[usize::from(codes[own.other() as usize])])
    }

    /// The score of a point's location relative to the last stones, the last one first.
    #[inline]
    pub fn places(&self, own: Colour, at: Point, last: [Option<Point>; 2]) -> i32 {
        let places = &self.places[own as usize];
        let worth = |(stone, places): (Option<Point>, &Vec<i16>)| {
            stone.map_or(0, |stone| i32::from(places[cell(at) + CELLS - cell(stone)]))
        };
        last.into_iter().zip(places).map(worth).sum()
    }
}

impl<const LINES: usize> Board<LINES> {
    /// The score of a move for the colour to move, in hundredths of a logit; `last` has the last stones, the last one first.
    #[inline]
    pub fn order(&self, at: Point, last: [Option<Point>; 2]) -> i32 {
        let ordering = self.evaluation.ordering();
        ordering.codes(self.turn, self.codes_at(at)) + ordering.places(self.turn, at, last)
    }
}

/// The location of one cell relative to another, from their difference.
fn place_of(apart: i32) -> usize {
    let row = ROW as i32;
    let rows = (apart + row / 2).div_euclid(row);
    place(apart - row * rows, rows)
}

/// Calls `found` with each move that the search orders in a position, and its features; `line` has the moves before.
pub fn each_ordered_move<const LINES: usize>(
    position: &Gomoku<LINES>,
    line: &[Move],
    found: &mut dyn FnMut(Move, &[usize]),
) {
    if !position.is_placing() {
        return;
    }
    let board = Board::new(position);
    let own = position.colour();
    let first = VALUES + set(position.rule, own) * ORDERING;
    let stones = line.iter().rev().map_while(|&mv| match mv {
        Move::Stone { at, .. } => Some(at),
        Move::Take(_) | Move::Place => None,
    });
    let last: Vec<Point> = stones.take(2).collect();
    let mut features = Vec::new();
    board.near(|at| {
        if !board.allows(at) {
            return;
        }
        let codes = board.codes_at(at);
        features.clear();
        features.push(first + usize::from(codes[own as usize]));
        features.push(first + CODES + usize::from(codes[own.other() as usize]));
        features.extend(last.iter().enumerate().map(|(index, &stone)| {
            first + 2 * CODES + index * PLACES + place_of(cell(at) as i32 - cell(stone) as i32)
        }));
        found(Move::Stone { at, foul: None }, &features);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_by_cells() {
        for (from, to, expected) in
            [((7, 7), (8, 7), 1), ((7, 7), (5, 6), 6), ((0, 3), (21, 3), 0), ((21, 0), (18, 3), 3)]
        {
            let [from, to] = [from, to].map(|(column, row)| cell(Point::new(column, row)) as i32);
            assert_eq!(place_of(to - from), expected);
            assert_eq!(place_of(from - to), expected);
        }
    }
}
