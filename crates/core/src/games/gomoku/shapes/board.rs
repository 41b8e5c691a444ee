//! The search board: the stones line by line, the four classes of every empty point for both colours, and the points of each
//! kind of threat.
//!
//! A stone changes the classes of the empty points up to five away in four directions. A log keeps the old ones, so that taking
//! a stone back needs no lookups, and so that sums over all points are updated only where a value is needed (`sums`): most
//! stones of a search are placed only to find threats.

use super::super::lines::{Colour, Lines, Point, bits};
use super::super::variant::Rule;
use super::super::{Gomoku, stone_key};
use super::classes::{Class, Classes, around, changed};
use super::codes::{self, Codes, Kind, Priority};
use super::evaluation::{Evaluation, threat_set};
use super::log::{Log, PointState, SavedPoint};
use super::points::{CELLS, Points, ROW, cell};

/// Bits below the first point of a line's word, which lie beyond the edge.
const MARGIN: u32 = 5;

/// The difference between the cells of neighbours in a line, by direction.
const STRIDES: [isize; 4] = [1, ROW as isize, ROW as isize + 1, 1 - ROW as isize];

/// What is needed to take a stone back, besides the log.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    at: Point,
    logged: usize,
}

/// A board with its classes.
#[derive(Clone, Debug)]
pub struct Board<const LINES: usize> {
    pub(in super::super) lines: Lines<LINES>,
    pub rule: Rule,
    /// The colour to move.
    pub turn: Colour,
    pub stones: u32,
    /// The key of the stones.
    pub key: u64,
    /// Each line's black and white stones, from bit [`MARGIN`] on; points beyond the edge are set for both.
    words: [[u32; 2]; LINES],
    /// The state of each empty point.
    cells: [PointState; CELLS],
    /// The points of each kind, by colour, and their number.
    points: [[Points; Kind::COUNT]; 2],
    counts: [[u16; Kind::COUNT]; 2],
    classes: &'static Classes,
    pub(super) evaluation: &'static Evaluation,
    codes: &'static Codes,
}

impl<const LINES: usize> Board<LINES> {
    /// The board of a position.
    pub fn new(position: &Gomoku<LINES>) -> Self {
        let size = u32::from(position.lines.size);
        let mut board = Self {
            lines: Lines::new(position.lines.size),
            rule: position.rule,
            turn: Colour::Black,
            stones: 0,
            key: 0,
            words: [[u32::MAX; 2]; LINES],
            cells: [PointState::default(); CELLS],
            points: [[Points::default(); Kind::COUNT]; 2],
            counts: [[0; Kind::COUNT]; 2],
            classes: Classes::of(position.rule),
            evaluation: Evaluation::of(position.rule),
            codes: &codes::ALL,
        };
        let all = |lines: &Lines<LINES>| -> Vec<Point> { lines.empty_points().collect() };
        let points = all(&board.lines);
        for &at in &points {
            for (index, bit) in board.lines.places(at) {
                board.words[index] = board.words[index].map(|word| word & !(1 << (bit + MARGIN)));
            }
        }
        debug_assert_eq!(points.len() as u32, size * size);
        for &at in &points {
            if let Some(colour) = position.lines.get(at) {
                for (index, bit) in board.lines.places(at) {
                    board.words[index][colour as usize] |= 1 << (bit + MARGIN);
                }
                board.lines.put(at, colour);
            }
        }
        for at in all(&board.lines) {
            let places = board.lines.places(at);
            for (direction, (index, bit)) in places.into_iter().enumerate() {
                let both = board.classes_at(index, bit);
                let classes = &mut board.cells[cell(at)].classes;
                classes[0] |= u16::from(both & 15) << (4 * direction);
                classes[1] |= u16::from(both >> 4) << (4 * direction);
            }
            let state = board.cells[cell(at)];
            for colour in [Colour::Black, Colour::White] {
                let kinds = board.kinds_of(colour, state.classes[colour as usize]);
                board.cells[cell(at)].kinds[colour as usize] = kinds;
                board.flip(colour, cell(at), kinds, kinds);
            }
        }
        board.stones = position.stones.into();
        board.turn = position.colour();
        board.key = position.key;
        board
    }

    /// The classes of both colours of a line's point at `bit`.
    #[inline]
    fn classes_at(&self, index: usize, bit: u32) -> u8 {
        let classes = self.classes;
        let words = self.words[index];
        let around = |word: u32| around(word, bit + MARGIN, classes.radius) as usize;
        classes.get(around(words[0]) | around(words[1]) << (2 * classes.radius))
    }

    /// The kinds of a point with these classes.
    #[inline]
    fn kinds_of(&self, colour: Colour, classes: u16) -> u8 {
        self.evaluation.kinds(colour, self.codes.of(classes))
    }

    /// Toggles the kinds of a point in `flipped`; `now` has the kinds afterwards.
    #[inline]
    fn flip(&mut self, colour: Colour, cell: usize, flipped: u8, now: u8) {
        let mut left = flipped;
        while left != 0 {
            let kind = left.trailing_zeros() as usize;
            left &= left - 1;
            self.points[colour as usize][kind].flip(cell);
            let count = &mut self.counts[colour as usize][kind];
            *count = if now >> kind & 1 == 1 { *count + 1 } else { *count - 1 };
        }
    }

    /// Places a stone of the colour to move.
    #[inline]
    pub fn put(&mut self, at: Point, log: &mut impl Log) {
        self.put_by(self.turn, at, log);
        self.turn = self.turn.other();
    }

    #[inline]
    fn put_by(&mut self, colour: Colour, at: Point, log: &mut impl Log) {
        self.lines.put(at, colour);
        self.stones += 1;
        self.key ^= stone_key(at, colour);
        self.count_out(cell(at), log);
        if self.classes.radius == 4 {
            self.follow::<4>(colour, at, log);
        } else {
            self.follow::<5>(colour, at, log);
        }
    }

    /// Removes a point from the empty ones.
    #[inline]
    fn count_out(&mut self, cell: usize, log: &mut impl Log) {
        let state = self.cells[cell];
        log.record(SavedPoint::new(cell, state));
        for colour in [Colour::Black, Colour::White] {
            self.flip(colour, cell, state.kinds[colour as usize], 0);
        }
        self.cells[cell].kinds = [0; 2];
    }

    /// Updates the points around a new stone.
    #[inline]
    fn follow<const RADIUS: u32>(&mut self, colour: Colour, at: Point, log: &mut impl Log) {
        let here = cell(at) as isize;
        let table = self.classes;
        for (direction, (index, bit)) in self.lines.places(at).into_iter().enumerate() {
            let bit = bit + MARGIN;
            self.words[index][colour as usize] |= 1 << bit;
            let [black, white] = self.words[index];
            let shift = 4 * direction;
            for other in bits(!(black | white) & changed([black, white], bit, RADIUS)) {
                let look = |word: u32| around(word, other, RADIUS) as usize;
                let both = table.get(look(black) | look(white) << (2 * RADIUS));
                let cell = (here + STRIDES[direction] * (other as isize - bit as isize)) as usize;
                let was = self.cells[cell];
                let place = |was: u16, class: u8| was & !(15 << shift) | u16::from(class) << shift;
                let classes = [place(was.classes[0], both & 15), place(was.classes[1], both >> 4)];
                if classes == was.classes {
                    continue;
                }
                log.record(SavedPoint::new(cell, was));
                self.cells[cell].classes = classes;
                for colour in [Colour::Black, Colour::White] {
                    let (old, new) = (was.classes[colour as usize], classes[colour as usize]);
                    // A threat appears, disappears or changes.
                    if old != new && (old.max(new) >> shift & 15) >= Class::OpenThree as u16 {
                        self.follow_kinds(colour, cell, new);
                    }
                }
            }
        }
    }

    /// Updates the kinds of a point to its new classes.
    #[inline]
    fn follow_kinds(&mut self, colour: Colour, cell: usize, classes: u16) {
        let now = self.kinds_of(colour, classes);
        let was = std::mem::replace(&mut self.cells[cell].kinds[colour as usize], now);
        self.flip(colour, cell, was ^ now, now);
    }

    /// The key after the colour to move places a stone.
    #[inline]
    pub fn key_after(&self, at: Point) -> u64 {
        self.key ^ stone_key(at, self.turn)
    }

    /// Places a stone that will be taken back.
    #[inline]
    pub fn try_move(&mut self, at: Point, log: &mut Vec<SavedPoint>) -> Undo {
        let undo = Undo { at, logged: log.len() };
        self.put(at, log);
        undo
    }

    /// Takes the last stone back.
    #[inline]
    pub fn take_back(&mut self, undo: &Undo, log: &mut Vec<SavedPoint>) {
        self.turn = self.turn.other();
        let colour = self.turn;
        self.lines.take(undo.at, colour);
        for (index, bit) in self.lines.places(undo.at) {
            self.words[index][colour as usize] &= !(1 << (bit + MARGIN));
        }
        self.stones -= 1;
        self.key ^= stone_key(undo.at, colour);
        for saved in log[undo.logged..].iter().rev() {
            let state = saved.state();
            let now = std::mem::replace(&mut self.cells[saved.cell()], state).kinds;
            if now == state.kinds {
                continue;
            }
            for colour in [Colour::Black, Colour::White] {
                let (now, before) = (now[colour as usize], state.kinds[colour as usize]);
                self.flip(colour, saved.cell(), now ^ before, before);
            }
        }
        log.truncate(undo.logged);
    }

    /// The side to move passes.
    #[inline]
    pub fn pass(&mut self) {
        self.turn = self.turn.other();
    }

    #[inline]
    pub fn points(&self, colour: Colour, kind: Kind) -> &Points {
        &self.points[colour as usize][kind as usize]
    }

    #[inline]
    pub fn count(&self, colour: Colour, kind: Kind) -> u32 {
        self.counts[colour as usize][kind as usize].into()
    }

    /// A point of a kind, the first in the order of the board.
    #[inline]
    pub fn first(&self, colour: Colour, kind: Kind) -> Option<Point> {
        (self.count(colour, kind) > 0).then(|| self.points(colour, kind).iter().next()).flatten()
    }

    /// The kinds of threat of an empty point for a colour, as bits.
    #[inline]
    pub fn kinds(&self, colour: Colour, at: Point) -> u8 {
        self.cells[cell(at)].kinds[colour as usize]
    }

    /// Whether a stone of a colour on an empty point makes this of one of its lines.
    #[inline]
    pub fn has_class(&self, colour: Colour, at: Point, class: Class) -> bool {
        let classes = self.cells[cell(at)].classes[colour as usize];
        (0..4).any(|direction| classes >> (4 * direction) & 15 == class as u16)
    }

    /// How early to try a move on an empty point, by its code for a colour.
    #[inline]
    pub fn priority(&self, colour: Colour, at: Point) -> Priority {
        self.evaluation.priority(colour, self.codes_at(at)[colour as usize])
    }

    /// The priority of a move for the colour to move: what it makes, and what it takes from the other colour.
    #[inline]
    pub fn worth(&self, at: Point) -> i32 {
        let (own, other) = (self.turn, self.turn.other());
        i32::from(self.priority(own, at).attack) + i32::from(self.priority(other, at).defence)
    }

    /// The number of the set of threats when this colour is to move.
    #[inline]
    pub fn threats(&self, to_move: Colour) -> usize {
        threat_set(&self.counts[to_move as usize], &self.counts[to_move.other() as usize])
    }

    /// The codes of an empty point, for Black and for White.
    #[inline]
    pub fn codes_at(&self, at: Point) -> [u16; 2] {
        self.codes_of(cell(at))
    }

    #[inline]
    pub(super) fn codes_of(&self, cell: usize) -> [u16; 2] {
        self.codes_by(self.cells[cell])
    }

    #[inline]
    pub(super) fn codes_by(&self, state: PointState) -> [u16; 2] {
        state.classes.map(|classes| self.codes.of(classes))
    }

    pub fn is_full(&self) -> bool {
        let size = u32::from(self.lines.size);
        self.stones == size * size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::gomoku::GomokuVariant;
    use crate::games::gomoku::variant::Opening;
    use crate::position::Position;
    use crate::rng::Rng;

    fn assert_equal<const LINES: usize>(one: &Board<LINES>, other: &Board<LINES>) {
        assert_eq!((one.key, one.stones, one.turn), (other.key, other.stones, other.turn));
        assert_eq!(one.counts, other.counts);
        assert_eq!(one.points, other.points);
        assert_eq!(one.words, other.words);
        one.lines.empty_points().for_each(|at| assert_eq!(one.cells[cell(at)], other.cells[cell(at)]));
    }

    /// After stones are placed and taken back, the board is the same as a new one.
    #[test]
    fn codes_follow_the_stones() {
        let mut rng = Rng::new(3, 0);
        for game in 0..24 {
            let name = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro][game % 4];
            let size = [5, 9, 15, 22][game / 4 % 4];
            let variant = GomokuVariant { name, size, opening: Opening::Free };
            let mut position = Gomoku::<130>::start(&variant);
            let mut board = Board::new(&position);
            let mut log = Vec::new();
            while position.outcome().is_none() && position.ply() < 60 {
                let moves: Vec<_> = position.moves().collect();
                let near: Vec<_> = moves.iter().copied().filter(|_| rng.below(4) == 0).collect();
                let moves = if near.is_empty() { moves } else { near };
                let mv = moves[rng.below(moves.len() as u32) as usize];
                let crate::games::gomoku::Move::Stone { at, .. } = mv else { unreachable!("there are only stones") };
                let undo = board.try_move(at, &mut log);
                board.take_back(&undo, &mut log);
                assert_equal(&board, &Board::new(&position));
                position.play(mv);
                board.put(at, &mut ());
                assert_equal(&board, &Board::new(&position));
            }
        }
    }
}
