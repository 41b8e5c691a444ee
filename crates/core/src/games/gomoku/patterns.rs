//! A plain evaluator: how far each five that is still possible has come.
//!
//! A *window* is five points in line without an opponent's stone; what it is worth grows with the stones in it. Open rows lie
//! in several windows, so they count for more without being looked for. Fours and open threes decide games within a few moves
//! of each other, so the side to move is distinguished there. Windows, open threes and the move are weighed as
//! `tesuji fit gomoku` has fitted them to self-played games (`weights.txt`); units are the evaluator's own.

use std::sync::LazyLock;

use super::lines::{At, Colour, Line};
use super::opening::Phase;
use super::{Gomoku, Move};
use crate::position::Position;
use crate::search::Outlook;
use crate::search::alpha_beta::Evaluator;
use crate::weights::numbers;

/// The weights, by term.
const WEIGHTS: [i32; 6] = numbers(include_str!("weights.txt"));
/// A window with 1, 2, 3 and 4 stones.
const WINDOW: [i32; 4] = [WEIGHTS[0], WEIGHTS[1], WEIGHTS[2], WEIGHTS[3]];
/// A line that becomes a straight four with one more stone.
const OPEN_THREE: i32 = WEIGHTS[OPEN];
const OPEN: usize = 4;
/// To make five with the next stone.
const FIVE: i32 = 60_000;
/// Two points where the opponent makes five: one of them will be.
const TWO_FIVES: i32 = 40_000;
/// To make a straight four with the next stone, and no five to stop.
const STRAIGHT_FOUR: i32 = 12_000;
/// Being to move.
const TEMPO: i32 = WEIGHTS[MOVE];
const MOVE: usize = 5;
/// The most that windows may add up to: less than a four is worth.
const MOST: i32 = 10_000;

/// Windows, fours and open threes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternEvaluator;

/// What a colour has on the board.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    windows: i32,
    open_three: bool,
    /// Points that make five; of many, some may be counted twice.
    fives: u32,
    five: Option<At>,
}

/// Bit s of word k: the window of the five points from s on is one of `open` and holds k + 1 stones. Five stones are not
/// counted.
#[inline]
pub(super) fn windows(own: u32, open: u32) -> [u32; 4] {
    // The five bits from s on, added for all s at once.
    let (a, b, c, d, e) = (own, own >> 1, own >> 2, own >> 3, own >> 4);
    let (low, carry) = (a ^ b ^ c, (a & b) | (c & (a ^ b)));
    let (ones, carry2) = (low ^ d ^ e, (low & d) | (e & (low ^ d)));
    let (twos, fours) = (carry ^ carry2, carry & carry2);
    [open & ones & !twos & !fours, open & twos & !ones, open & twos & ones, open & fours & !ones]
}

/// The windows of five of these points.
#[inline]
pub(super) fn fives_in(free: u32) -> u32 {
    let pairs = free & free >> 1;
    pairs & pairs >> 2 & free >> 4
}

/// Whether one more stone makes four in a row with both ends empty.
#[inline]
fn has_open_three(own: u32, empty: u32) -> bool {
    let from = (empty << 1) & (empty >> 4);
    let (a, b, c, d) = (own, own >> 1, own >> 2, own >> 3);
    let three = (a & b & (c ^ d)) | (c & d & (a ^ b));
    let free = own | empty;
    let open = free & free >> 1 & free >> 2 & free >> 3;
    from & three & open != 0
}

/// What a position is worth to the side to move, by the difference of windows and the number of points where either side makes
/// five.
#[inline]
pub(super) fn standing_value(windows: i32, own_fives: u32, other_fives: u32) -> i32 {
    let windows = (windows + TEMPO).clamp(-MOST, MOST);
    match (own_fives, other_fives) {
        (1.., _) => FIVE,
        (0, 2..) => -TWO_FIVES,
        (0, 1) => windows - 2 * TEMPO,
        (0, 0) => windows,
    }
}

impl<const LINES: usize> Gomoku<LINES> {
    fn standing(&self, colour: Colour) -> Standing {
        let mut standing = Standing::default();
        for (direction, first, line) in self.lines.all(colour) {
            if line.own == 0 {
                continue;
            }
            let counts = windows(line.own, fives_in(line.own | line.empty));
            for (count, weight) in counts.iter().zip(WINDOW) {
                standing.windows += count.count_ones() as i32 * weight;
            }
            if counts[2] != 0 && has_open_three(line.own, line.empty) {
                standing.open_three = true;
                standing.windows += OPEN_THREE;
            }
            if counts[3] != 0 {
                for bit in super::lines::bits(self.rule.fives(&line, colour)) {
                    let at = first.along(direction, bit);
                    if standing.five != Some(at) {
                        standing.five = Some(at);
                        standing.fives += 1;
                    }
                }
            }
        }
        standing
    }

    /// What the position is worth to the colour to move.
    fn worth(&self) -> i32 {
        let colour = self.colour();
        let (own, other) = (self.standing(colour), self.standing(colour.other()));
        let windows = own.windows - other.windows;
        let value = standing_value(windows, own.fives, other.fives);
        match (own.fives, other.fives, other.five) {
            // The five must be stopped, and may be forbidden to be.
            (0, 1, Some(at)) if !self.allows(at) => -TWO_FIVES,
            (0, 1, _) if other.open_three => value - STRAIGHT_FOUR / 2,
            (0, 0, _) if own.open_three => value + STRAIGHT_FOUR,
            _ => value,
        }
    }
}

/// What a stone is worth by the eight points around it in one direction: its own stones, and those that are closed to it.
/// Indexed by both as numbers in base three, to fit the first cache.
static REACH: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let mut reach = vec![0; 3usize.pow(8)];
    for (index, worth) in reach.iter_mut().enumerate() {
        let digit = |place: u32| index / 3usize.pow(place) % 3;
        // The point itself is place 4 of nine, and left out of the digits.
        let point = |place: u32| if place < 4 { digit(place) } else { digit(place - 1) };
        for from in 0..5u32 {
            let others = || (from..from + 5).filter(|&place| place != 4);
            if others().all(|place| point(place) < 2) {
                *worth += STEP[others().filter(|&place| point(place) == 1).count()];
            }
        }
    }
    reach
});

/// A window that gets a stone more, by the stones it has.
const STEP: [i32; 5] = [1, 8, 40, 250, 20_000];

/// The eight points around the middle one of nine, as digits in base three that are 0 or 1.
static DIGITS: LazyLock<[u16; 512]> = LazyLock::new(|| {
    std::array::from_fn(|word| {
        let places = (0..9u32).filter(|place| *place != 4).enumerate();
        places.map(|(digit, place)| (word >> place & 1) as u16 * 3u16.pow(digit as u32)).sum()
    })
});

/// What a stone on the line's asked point is worth, to its colour and by what it takes from the opponent.
#[inline]
fn reach(table: &[i32], digits: &[u16; 512], line: &Line) -> (i32, i32) {
    let near = |word: u32| ((word << 4) >> line.bit & 0x1ff) as usize;
    let (own, other) = (near(line.own), near(line.other));
    if own | other == 0 {
        return (0, 0);
    }
    let closed = 0x1ff & !near(line.own | line.other | line.empty);
    let index = |mine: usize, closed: usize| usize::from(digits[mine]) + 2 * usize::from(digits[closed]);
    (table[index(own, other | closed)], table[index(other, own | closed)])
}

impl<const LINES: usize> Evaluator<Gomoku<LINES>> for PatternEvaluator {
    const EVALUATES: bool = true;

    fn value(&self, position: &Gomoku<LINES>) -> i32 {
        let worth = position.worth();
        let worth = match position.phase {
            Phase::Play { .. } => worth,
            // Whoever chooses takes the better side.
            Phase::Choose => worth.abs(),
            // Whatever stands there, the next to choose will have the better of it.
            Phase::Place | Phase::Opening => 0,
        };
        worth * i32::from(position.turn().sign())
    }

    fn outlook(&self, _: &Gomoku<LINES>, value: i32) -> Outlook {
        Outlook::logistic(value, 0, 400.0)
    }

    fn priority(&self, position: &Gomoku<LINES>, mv: Move) -> i32 {
        let Move::Stone { at, .. } = mv else { return 0 };
        let (table, digits) = (&*REACH, &*DIGITS);
        let lines = position.lines.through(at, position.colour());
        let (own, other) =
            lines.iter().map(|line| reach(table, digits, line)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        2 * own + other - position.remoteness(mv)
    }
}
