//! The *windows* in which fives can still be made, kept up to date stone by stone, and what they are worth.
//!
//! A window is five points in line that hold no stone of the opponent's, and where exactly five is asked for, no stone of its
//! colour next to either end; so five stones in it win. A window with four stones makes a five with the next stone, one with
//! three makes a four. A stone changes the four lines through it and no other.

use super::super::lines::{At, Colour, Line, Lines, bits};
use super::super::patterns::{fives_in, windows, worth};
use super::super::variant::Rule;

/// The windows of a line, by colour; bit s is the window of the points s to s + 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Record {
    threes: [u32; 2],
    fours: [u32; 2],
    worth: [i16; 2],
}

/// Direction and number of each line that has something, as sets.
type LineSet = [u64; 4];

/// The windows of a board, which is kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Windows<const LINES: usize> {
    rule: Rule,
    size: u8,
    records: [Record; LINES],
    threes: [LineSet; 2],
    fours: [LineSet; 2],
    worth: [i32; 2],
}

/// What a stone changed, to take it back.
pub(in super::super) struct Undo {
    records: [Record; 4],
}

/// The points where a colour makes five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Fives {
    None,
    One(At),
    /// Two of at least two.
    Many(At, At),
}

impl Record {
    /// The windows of a line, from Black's view.
    fn of(rule: Rule, line: &Line) -> Self {
        let mut record = Self::default();
        for (colour, own) in [(Colour::Black, line.own), (Colour::White, line.other)] {
            if own == 0 {
                continue;
            }
            let free = own | line.empty;
            let mut open = fives_in(free);
            if rule.is_exact(colour) {
                open &= !(own << 1) & !(own >> 5);
            }
            let counts = windows(own, open);
            record.threes[colour as usize] = counts[2];
            record.fours[colour as usize] = counts[3];
            record.worth[colour as usize] = worth(own, line.empty, &counts);
        }
        record
    }
}

impl<const LINES: usize> Windows<LINES> {
    /// The windows of a board.
    pub fn new(lines: &Lines<LINES>, rule: Rule) -> Self {
        let empty = [LineSet::default(); 2];
        let records = [Record::default(); LINES];
        let mut windows = Self { rule, size: lines.size, records, threes: empty, fours: empty, worth: [0; 2] };
        for (direction, first, line) in lines.all(Colour::Black) {
            let index = lines.places(first)[direction].0;
            windows.write(direction, index, Record::of(rule, &line));
        }
        windows
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What a colour's windows are worth.
    #[inline]
    pub fn worth(&self, colour: Colour) -> i32 {
        self.worth[colour as usize]
    }

    /// The index of a direction's first line.
    #[inline]
    fn base(&self, direction: usize) -> usize {
        let size = usize::from(self.size);
        [0, size, 2 * size, 4 * size - 1][direction]
    }

    #[inline]
    fn write(&mut self, direction: usize, index: usize, record: Record) {
        let number = index - self.base(direction);
        for colour in 0..2 {
            let note = |set: &mut LineSet, any: bool| {
                set[direction] = set[direction] & !(1 << number) | u64::from(any) << number;
            };
            note(&mut self.threes[colour], record.threes[colour] != 0);
            note(&mut self.fours[colour], record.fours[colour] != 0);
            self.worth[colour] += i32::from(record.worth[colour]) - i32::from(self.records[index].worth[colour]);
        }
        self.records[index] = record;
    }

    /// Takes note of a stone that has been placed on the board.
    #[inline]
    pub fn put(&mut self, lines: &Lines<LINES>, at: At) -> Undo {
        let places = lines.places(at);
        let mut undo = Undo { records: [Record::default(); 4] };
        for (direction, line) in lines.through(at, Colour::Black).iter().enumerate() {
            let index = places[direction].0;
            undo.records[direction] = self.records[index];
            self.write(direction, index, Record::of(self.rule, line));
        }
        undo
    }

    /// Takes back what the last stone changed.
    #[inline]
    pub fn take_back(&mut self, lines: &Lines<LINES>, at: At, undo: &Undo) {
        let places = lines.places(at);
        for (direction, record) in undo.records.iter().enumerate() {
            self.write(direction, places[direction].0, *record);
        }
    }

    /// The point at `bit` of a line.
    #[inline]
    fn point(&self, direction: usize, number: u32, bit: u32) -> At {
        let size = u32::from(self.size);
        match direction {
            0 => At::new(bit, number),
            1 => At::new(number, bit),
            2 => At::new(bit, number + bit + 1 - size),
            _ => At::new(bit, number - bit),
        }
    }

    /// Calls `found` with direction, number and index of each line of a set until it returns false.
    #[inline]
    fn each_line(&self, set: &LineSet, mut found: impl FnMut(usize, u32, usize) -> bool) {
        for (direction, &numbers) in set.iter().enumerate() {
            let mut numbers = numbers;
            while numbers != 0 {
                let number = numbers.trailing_zeros();
                numbers &= numbers - 1;
                if !found(direction, number, self.base(direction) + number as usize) {
                    return;
                }
            }
        }
    }

    /// Where a colour makes five with its next stone.
    #[inline]
    pub fn fives(&self, lines: &Lines<LINES>, colour: Colour) -> Fives {
        let mut fives = Fives::None;
        self.each_line(&self.fours[colour as usize], |direction, number, index| {
            let empty = lines.empty_of(direction, number as usize, index);
            for window in bits(self.records[index].fours[colour as usize]) {
                let bit = (empty & 0x1f << window).trailing_zeros();
                let at = self.point(direction, number, bit);
                match fives {
                    Fives::None => fives = Fives::One(at),
                    Fives::One(first) if first != at => {
                        fives = Fives::Many(first, at);
                        return false;
                    }
                    _ => {}
                }
            }
            true
        });
        fives
    }

    /// Calls `found` with every way to make a four: where to place the stone, and where the five would be made after it. Where
    /// windows overlap, a pair may come twice.
    #[inline]
    pub fn each_four(&self, lines: &Lines<LINES>, colour: Colour, mut found: impl FnMut(At, At)) {
        self.each_line(&self.threes[colour as usize], |direction, number, index| {
            let empty = lines.empty_of(direction, number as usize, index);
            for window in bits(self.records[index].threes[colour as usize]) {
                let two = empty & 0x1f << window;
                let (low, high) = (two.trailing_zeros(), 31 - two.leading_zeros());
                let (low, high) = (self.point(direction, number, low), self.point(direction, number, high));
                found(low, high);
                found(high, low);
            }
            true
        });
    }

    /// Whether a colour can make a four.
    #[inline]
    pub fn has_four(&self, colour: Colour) -> bool {
        self.threes[colour as usize] != [0; 4]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Whatever was played and taken back, the windows are those of a board set up anew, and fives are where the rule has them.
    #[test]
    fn windows_follow_the_stones() {
        let mut rng = Rng::new(7, 0);
        for game in 0..60 {
            let rule = [Rule::Freestyle, Rule::Standard, Rule::Renju][game % 3];
            let size = [5, 9, 15, 19][game % 4];
            let mut lines = Lines::<112>::new(size as u8);
            let mut windows = Windows::new(&lines, rule);
            for stone in 0..size * size / 2 {
                let empty: Vec<At> = lines.empty_points().collect();
                let at = empty[rng.below(empty.len() as u32) as usize];
                let colour = if stone % 2 == 0 { Colour::Black } else { Colour::White };
                lines.put(at, colour);
                let undo = windows.put(&lines, at);
                assert_eq!(windows, Windows::new(&lines, rule));
                for colour in [Colour::Black, Colour::White] {
                    let mut fives: Vec<At> = Vec::new();
                    for (direction, first, line) in lines.all(colour) {
                        fives.extend(bits(rule.fives(&line, colour)).map(|bit| first.along(direction, bit)));
                    }
                    fives.sort_by_key(|at| (at.row, at.column));
                    fives.dedup();
                    match windows.fives(&lines, colour) {
                        Fives::None => assert!(fives.is_empty()),
                        Fives::One(at) => assert_eq!(fives, [at]),
                        Fives::Many(a, b) => assert!(a != b && fives.contains(&a) && fives.contains(&b)),
                    }
                }
                if rng.below(3) == 0 {
                    lines.take(at, colour);
                    windows.take_back(&lines, at, &undo);
                    assert_eq!(windows, Windows::new(&lines, rule));
                }
            }
        }
    }
}
