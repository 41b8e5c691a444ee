//! The board, line by line: for every row, column and diagonal, which of its points each colour holds.
//!
//! A stone is written into four words, so any query about the lines through a point takes a few shifts of four words. Rows and
//! both kinds of diagonals are indexed by column, columns by row, so no line needs an offset.

use std::fmt;

use crate::notation::column_letter;

/// Black places the first stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Written `x`.
    Black,
    /// Written `o`.
    White,
}

impl Colour {
    #[inline]
    pub(super) fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `x` or `o`.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Black => 'x',
            Self::White => 'o',
        }
    }
}

/// A point of the board: column and row, both from 0, the row counted from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    pub(super) column: u8,
    pub(super) row: u8,
}

/// Row, column, rising and falling diagonal: how column and row change from one bit of a line to the next.
pub(super) const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column.into()), u32::from(self.row) + 1)
    }
}

impl Point {
    /// The point in a column and a row, both counted from 0.
    #[inline]
    #[must_use]
    pub fn new(column: u32, row: u32) -> Self {
        Self { column: column as u8, row: row as u8 }
    }

    /// The point at `bit` of the line through this one in direction `direction`.
    #[inline]
    pub(super) fn along(self, direction: usize, bit: u32) -> Self {
        let (column, row) = (i32::from(self.column), i32::from(self.row));
        let (across, up) = STEPS[direction];
        let steps = bit as i32 - if across == 0 { row } else { column };
        Self { column: (column + across * steps) as u8, row: (row + up * steps) as u8 }
    }
}

/// A line as one colour sees it; the words have a bit for each point, and `bit` is the point in question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub own: u32,
    pub other: u32,
    /// Empty points; beyond the edge nothing is empty.
    pub empty: u32,
    pub bit: u32,
}

impl Line {
    /// The points up to four away from `bit`, including it: where a five through it can lie.
    #[inline]
    pub fn near(&self) -> u32 {
        (0x1ff << self.bit) >> 4
    }
}

/// Which points each colour holds; `LINES` is at least 6n - 2 on a board of n x n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines<const LINES: usize> {
    words: [[u32; 2]; LINES],
    pub size: u8,
}

impl<const LINES: usize> Lines<LINES> {
    pub fn new(size: u8) -> Self {
        Self { words: [[0; 2]; LINES], size }
    }

    /// The lines through a point, and its bit in each.
    #[inline]
    pub fn places(&self, at: Point) -> [(usize, u32); 4] {
        let size = usize::from(self.size);
        let (column, row) = (usize::from(at.column), usize::from(at.row));
        [
            (row, column as u32),
            (size + column, row as u32),
            (3 * size - 1 + row - column, column as u32),
            (4 * size - 1 + row + column, column as u32),
        ]
    }

    /// All points of a line, given its number among those of its direction.
    #[inline]
    fn points(&self, direction: usize, number: usize) -> u32 {
        let size = u32::from(self.size);
        let all = (1u64 << size) - 1;
        let points = match direction {
            0 | 1 => all,
            2 => (all << (size - 1)) >> number & all,
            _ => (all << number) >> (size - 1) & all,
        };
        points as u32
    }

    #[inline]
    fn line(&self, index: usize, points: u32, bit: u32, colour: Colour) -> Line {
        let words = &self.words[index];
        let (own, other) = (words[colour as usize], words[colour.other() as usize]);
        Line { own, other, empty: points & !(own | other), bit }
    }

    /// The four lines through a point.
    #[inline]
    pub fn through(&self, at: Point, colour: Colour) -> [Line; 4] {
        let size = usize::from(self.size);
        let (column, row) = (usize::from(at.column), usize::from(at.row));
        let numbers = [0, 0, size - 1 + row - column, row + column];
        let places = self.places(at);
        std::array::from_fn(|direction| {
            let (index, bit) = places[direction];
            self.line(index, self.points(direction, numbers[direction]), bit, colour)
        })
    }

    /// All lines long enough for a five, each with its direction and its first point, which is also its `bit`.
    pub fn all(&self, colour: Colour) -> impl Iterator<Item = (usize, Point, Line)> {
        let size = u32::from(self.size);
        let straight = (0..2).flat_map(move |direction| (0..size).map(move |number| (direction, number)));
        let slanted = (2..4).flat_map(move |direction| (4..2 * size - 5).map(move |number| (direction, number)));
        straight.chain(slanted).map(move |(direction, number)| {
            let points = self.points(direction, number as usize);
            let bit = points.trailing_zeros();
            let (first, start) = match direction {
                0 => (Point::new(0, number), 0),
                1 => (Point::new(number, 0), size),
                2 => (Point::new(bit, number + bit + 1 - size), 2 * size),
                _ => (Point::new(bit, number - bit), 4 * size - 1),
            };
            (direction, first, self.line((start + number) as usize, points, bit, colour))
        })
    }

    #[inline]
    pub fn put(&mut self, at: Point, colour: Colour) {
        for (index, bit) in self.places(at) {
            self.words[index][colour as usize] |= 1 << bit;
        }
    }

    /// Removes a stone.
    #[inline]
    pub fn take(&mut self, at: Point, colour: Colour) {
        for (index, bit) in self.places(at) {
            self.words[index][colour as usize] &= !(1 << bit);
        }
    }

    #[inline]
    pub fn get(&self, at: Point) -> Option<Colour> {
        let [black, white] = self.words[usize::from(at.row)].map(|word| word >> at.column & 1 == 1);
        if black { Some(Colour::Black) } else { white.then_some(Colour::White) }
    }

    /// The empty points of a row.
    #[inline]
    pub fn empty(&self, row: u32) -> u32 {
        let [black, white] = self.words[row as usize];
        self.points(0, 0) & !(black | white)
    }

    /// All empty points, row by row from the bottom.
    #[inline]
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        (0..u32::from(self.size)).flat_map(|row| bits(self.empty(row)).map(move |column| Point::new(column, row)))
    }
}

/// The set bits of a word, in ascending order.
#[inline]
pub(super) fn bits(mut word: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

/// How many stones of `word` stand in a row just above `bit`.
#[inline]
pub(super) fn run_above(word: u32, bit: u32) -> u32 {
    (word >> bit >> 1).trailing_ones()
}

/// How many stones of `word` stand in a row just below `bit`.
#[inline]
pub(super) fn run_below(word: u32, bit: u32) -> u32 {
    (word << (31 - bit) << 1).leading_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lead_to_their_points() {
        for size in 5..=22u8 {
            let mut board = Lines::<130>::new(size);
            let points =
                (0..u32::from(size)).flat_map(|row| (0..u32::from(size)).map(move |column| Point::new(column, row)));
            let mut seen = [0; 4];
            for at in points {
                assert_eq!(board.get(at), None);
                for (direction, line) in board.through(at, Colour::Black).into_iter().enumerate() {
                    assert_eq!(at.along(direction, line.bit), at);
                    assert!(line.empty >> line.bit & 1 == 1);
                    // From here to both ends, and not a point further.
                    let here: Vec<Point> =
                        bits(line.own | line.other | line.empty).map(|bit| at.along(direction, bit)).collect();
                    assert!(here.iter().all(|point| point.column < size && point.row < size));
                    let (across, up) = STEPS[direction];
                    for (end, sign) in [(here[0], -1), (here[here.len() - 1], 1)] {
                        let column = i32::from(end.column) + sign * across;
                        let row = i32::from(end.row) + sign * up;
                        let size = i32::from(size);
                        assert!(!(0..size).contains(&column) || !(0..size).contains(&row));
                    }
                    seen[direction] += 1;
                }
                board.put(at, Colour::White);
                assert_eq!(board.get(at), Some(Colour::White));
                assert!(board.through(at, Colour::White).iter().all(|line| line.own >> line.bit & 1 == 1));
            }
            assert_eq!(seen, [u32::from(size).pow(2); 4]);
            assert_eq!(board.empty_points().count(), 0);
        }
    }

    #[test]
    fn all_lines_are_those_through_some_point() {
        for size in 5..=22u8 {
            let mut board = Lines::<130>::new(size);
            board.put(Point::new(3, 2), Colour::Black);
            let mut count = 0;
            for (direction, first, line) in board.all(Colour::Black) {
                let through = board.through(first, Colour::Black)[direction];
                assert_eq!((line.own, line.other, line.empty), (through.own, through.other, through.empty));
                assert_eq!(line.bit, through.bit);
                count += 1;
            }
            assert_eq!(count, 6 * usize::from(size) - 18);
        }
    }

    #[test]
    fn runs_are_counted_from_a_point() {
        let word = 0b0110_1110_1111;
        assert_eq!((run_above(word, 4), run_below(word, 4)), (3, 4));
        assert_eq!((run_above(word, 0), run_below(word, 0)), (3, 0));
        assert_eq!((run_above(word, 10), run_below(word, 31)), (0, 0));
    }
}
