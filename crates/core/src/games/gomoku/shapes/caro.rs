//! What caro needs beyond the codes. A five that the opponent has closed at both ends does not win, so a four can be stopped
//! from a distance, and the codes do not reach far enough to decide what wins. Everything here is read from the lines.

use smallvec::SmallVec;

use super::super::lines::{Colour, Line, Point, bits};
use super::board::Board;
use super::codes::Kind;

/// A point that makes a five in a line; the line is seen from the five's colour, with `bit` at that point.
struct Five {
    at: Point,
    direction: usize,
    line: Line,
}

type Fives = SmallVec<[Five; 4]>;

impl<const LINES: usize> Board<LINES> {
    /// The points that make a five of a colour in the lines through `points`.
    fn fives_through(&self, points: impl Iterator<Item = Point>, colour: Colour) -> Fives {
        let mut fives = Fives::new();
        for point in points {
            for (direction, line) in self.lines.through(point, colour).into_iter().enumerate() {
                for bit in bits(self.rule.fives(&line, colour)) {
                    let at = point.along(direction, bit);
                    if !fives.iter().any(|five| five.at == at && five.direction == direction) {
                        fives.push(Five { at, direction, line: Line { bit, ..line } });
                    }
                }
            }
        }
        fives
    }

    /// Whether an opponent's stone on an empty point stops a five.
    fn stops_five(&self, at: Point, five: &Five, colour: Colour) -> bool {
        if at == five.at {
            return true;
        }
        let bit = if five.direction == 1 { at.row } else { at.column };
        let Five { line, direction, .. } = five;
        if line.empty >> bit & 1 == 0 || five.at.along(*direction, bit.into()) != at {
            return false;
        }
        let closed = Line { other: line.other | 1 << bit, empty: line.empty & !(1 << bit), ..*line };
        self.rule.fives(&closed, colour) >> line.bit & 1 == 0
    }

    /// Calls `found` with the points where an opponent's stone stops all of `fives`.
    fn stops_all(&self, fives: &Fives, colour: Colour, mut found: impl FnMut(Point)) {
        let Some(first) = fives.first() else { return };
        for at in bits(first.line.empty).map(|bit| first.at.along(first.direction, bit)) {
            if fives.iter().all(|five| self.stops_five(at, five, colour)) {
                found(at);
            }
        }
    }

    /// Calls `found` with the points where the colour to move stops all winning fives of the other. Returns whether there are
    /// such fives.
    pub fn stops(&self, found: impl FnMut(Point)) -> bool {
        let other = self.turn.other();
        let fives = self.fives_through(self.points(other, Kind::Five).iter(), other);
        self.stops_all(&fives, other, found);
        !fives.is_empty()
    }

    /// Whether a stone of the colour to move leads to fives that no reply stops. The opponent must have no five.
    pub fn cannot_be_stopped(&mut self, at: Point) -> bool {
        let own = self.turn;
        self.lines.put(at, own);
        let fives = self.fives_through(std::iter::once(at), own);
        let mut stopped = fives.is_empty();
        self.stops_all(&fives, own, |_| stopped = true);
        self.lines.take(at, own);
        !stopped
    }
}
