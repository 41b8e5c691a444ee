//! A small network that corrects the sum of terms: it sees which terms occur together.
//!
//! Each side has a view of the board, a vector: the sum of one row per term, a different row by which side has the term,
//! clamped between 0 and [`ONE`]. Both views, the side to move's first, lead through a hidden layer to the value. The rows of
//! men on their squares are kept from move to move ([`Views`]). All arithmetic is on integers, so a position has the same value
//! on every machine.

use super::super::Xiangqi;
use super::layout::{TEMPO, TERMS};
use super::{Evaluation, NETWORK, each_term, endings, weighed};
use crate::layer::Layer;
use crate::learned::{LAYERS as COUNTED, NetworkInput, NetworkShape, count_weights};
use crate::position::{Position, Side};

/// Width of a view.
const WIDTH: usize = 32;
/// Width of the hidden layer.
const HIDDEN: usize = 16;
/// About how many rows are summed in a view.
const ROWS: usize = 70;
/// Weights in order: rows of own terms and of the other side's; no local layer; the hidden layer and its biases; no features;
/// the last layer; no features; its bias.
const LAYERS: [usize; COUNTED] = [2 * TERMS * WIDTH, 0, 0, HIDDEN * 2 * WIDTH, HIDDEN, 0, HIDDEN, 0, 1];
/// The fixed-point scale of each layer's weights, in parts of one.
const PARTS: [i32; COUNTED] = [ONE, 1, 1, 512, 1024, 1, 16, 1, 16];
/// How many weights there are.
pub const COUNT: usize = count_weights(LAYERS);

/// The limit of a view's numbers.
const ONE: i32 = 128;
/// One in the hidden layer, before and after the shift.
const HIDDEN_ONE: i32 = PARTS[3] * ONE;
const SHORTENED: u32 = 8;
const OUTPUT_ONE: i32 = HIDDEN_ONE >> SHORTENED;
/// The most terms that a side may have beside piece-square terms: 60 threats (four kinds of attackers, 15 men), 44 guards
/// missing (eleven attackers, four guards), and less than 76 others.
const MAX_TERMS: usize = 180;

/// What terms add to the view of the side that has them, then to the other side's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Both([i16; 2 * WIDTH]);

/// What all men add to the first player's view, then to the second player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Views(Both);

impl Views {
    /// The views of a board without men.
    pub const EMPTY: Self = Self(Both([0; 2 * WIDTH]));
}

/// The terms of a position other than piece-square terms, by the side that has them, each repeated as often as it counts.
pub struct OtherTerms {
    terms: [[u16; MAX_TERMS]; 2],
    counts: [usize; 2],
}

impl Default for OtherTerms {
    fn default() -> Self {
        Self { terms: [[0; MAX_TERMS]; 2], counts: [0; 2] }
    }
}

impl OtherTerms {
    #[inline]
    pub fn add(&mut self, side: Side, term: usize, count: i32) {
        for _ in 0..count {
            let end = &mut self.counts[side.index()];
            debug_assert!(*end < MAX_TERMS, "more terms than any position has");
            if *end < MAX_TERMS {
                self.terms[side.index()][*end] = term as u16;
                *end += 1;
            }
        }
    }

    #[inline]
    fn of(&self, side: Side) -> &[u16] {
        &self.terms[side.index()][..self.counts[side.index()]]
    }
}

/// The network.
pub struct Network {
    rows: Box<[Both; TERMS]>,
    hidden: Layer<WIDTH, { HIDDEN / 8 }>,
    biases: [i32; HIDDEN],
    output: [i32; HIDDEN],
    bias: i32,
}

impl Network {
    pub fn new(weights: &[i32]) -> Self {
        let mut rest = weights;
        let [rows, _, _, hidden, biases, _, output, _, bias] = LAYERS.map(|count| {
            let (these, others) = rest.split_at(count);
            rest = others;
            these
        });
        let row = |term: usize| {
            if term == TEMPO {
                return Both([0; 2 * WIDTH]);
            }
            let weight = |index: usize| rows[(index / WIDTH * TERMS + term) * WIDTH + index % WIDTH];
            Both(std::array::from_fn(|index| weight(index) as i16))
        };
        Self {
            rows: Box::new(std::array::from_fn(row)),
            hidden: Layer::new(|to, from| hidden[2 * WIDTH * to + from] as i16),
            biases: std::array::from_fn(|to| biases[to] * (HIDDEN_ONE / PARTS[4])),
            output: std::array::from_fn(|from| output[from]),
            bias: bias[0] * OUTPUT_ONE,
        }
    }

    /// Adds a man on a square.
    pub fn add(&self, views: &mut Views, side: Side, term: usize) {
        let row = &self.rows[term].0;
        each(side, |index, at| views.0.0[index] = views.0.0[index].wrapping_add(row[at]));
    }

    /// Removes a man from a square.
    #[inline]
    pub fn subtract(&self, views: &mut Views, side: Side, term: usize) {
        let row = &self.rows[term].0;
        each(side, |index, at| views.0.0[index] = views.0.0[index].wrapping_sub(row[at]));
    }

    /// Moves a man from one square to another.
    #[inline]
    pub fn moved(&self, views: &Views, side: Side, from: usize, to: usize) -> Views {
        let (from, to) = (&self.rows[from].0, &self.rows[to].0);
        let mut next = *views;
        each(side, |index, at| next.0.0[index] = views.0.0[index].wrapping_add(to[at]).wrapping_sub(from[at]));
        next
    }

    /// The correction of the value for the side to move.
    #[inline]
    pub fn value(&self, views: &Views, other_terms: &OtherTerms, turn: Side) -> i32 {
        let [own, other] = [turn, turn.other()].map(|side| self.sum(other_terms.of(side)));
        let mut input = [0i16; 2 * WIDTH];
        let (mine, theirs) = if turn == Side::First { (0, WIDTH) } else { (WIDTH, 0) };
        for index in 0..WIDTH {
            let view = views.0.0[mine + index].saturating_add(own.0[index]).saturating_add(other.0[WIDTH + index]);
            input[index] = view.clamp(0, ONE as i16);
            let view = views.0.0[theirs + index].saturating_add(other.0[index]).saturating_add(own.0[WIDTH + index]);
            input[WIDTH + index] = view.clamp(0, ONE as i16);
        }
        let hidden = self.hidden.apply(input, self.biases).map(|number| (number >> SHORTENED).clamp(0, OUTPUT_ONE));
        let value = self.bias + hidden.iter().zip(self.output).map(|(number, output)| number * output).sum::<i32>();
        value / (OUTPUT_ONE * PARTS[6])
    }

    /// The sum of the rows of some terms: a few numbers at a time, so that they stay in registers.
    #[inline]
    fn sum(&self, terms: &[u16]) -> Both {
        const AT_ONCE: usize = 32;
        let mut all = Both([0; 2 * WIDTH]);
        for first in (0..2 * WIDTH).step_by(AT_ONCE) {
            let mut sum = [0i16; AT_ONCE];
            for &term in terms {
                let row = &self.rows[usize::from(term)].0[first..first + AT_ONCE];
                for (sum, more) in sum.iter_mut().zip(row) {
                    *sum = sum.saturating_add(*more);
                }
            }
            all.0[first..first + AT_ONCE].copy_from_slice(&sum);
        }
        all
    }
}

/// Calls `add` with each index of both views, and its index in the row of what this side has.
#[inline(always)]
fn each(side: Side, mut add: impl FnMut(usize, usize)) {
    match side {
        Side::First => (0..2 * WIDTH).for_each(|index| add(index, index)),
        Side::Second => (0..WIDTH).for_each(|index| {
            add(index, WIDTH + index);
            add(WIDTH + index, index);
        }),
    }
}

/// The layout of its weights, for learning.
pub const SHAPE: NetworkShape = NetworkShape {
    first: NETWORK,
    layers: LAYERS,
    parts: PARTS,
    width: WIDTH,
    hidden: HIDDEN,
    local: 0,
    rows: ROWS,
    share: 1,
    local_share: 1,
};

/// Its input for a position, for learning.
pub fn input(position: &Xiangqi) -> NetworkInput {
    let board = &position.board;
    let mut views = [Vec::with_capacity(2 * MAX_TERMS), Vec::with_capacity(MAX_TERMS)];
    let mut sum = 0;
    let packed = &Evaluation::get().packed;
    each_term(board, &mut |side, term, count| {
        sum += i32::from(side.sign()) * count * packed[term];
        let own = usize::from(side != board.turn());
        for _ in 0..if term == TEMPO { 0 } else { count } {
            views[own].push(term as u16);
            views[1 - own].push((TERMS + term) as u16);
        }
    });
    let share = weighed(board, sum).1 as f32 / endings::WHOLE as f32;
    let [mut rows, others] = views;
    let count = rows.len() as u16;
    rows.extend(others);
    NetworkInput {
        is_first: position.turn() == Side::First,
        features: 0,
        rows,
        points: vec![(count, 1)],
        share,
        regions: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No sum overflows in any position of a game.
    #[test]
    fn nothing_overflows() {
        let network = &Evaluation::get().network;
        let places = network.rows[..super::super::layout::ROOK_MOVES].iter().flat_map(|row| row.0);
        let most = places.map(|weight| i32::from(weight).abs()).max().unwrap_or_default();
        assert!(32 * most <= i16::MAX.into(), "32 men: {most}");
        for (to, bias) in network.biases.iter().enumerate() {
            let products: i64 =
                network.hidden.weights_to(to).iter().map(|&weight| i64::from(weight).abs() * i64::from(ONE)).sum();
            assert!(products + i64::from(*bias).abs() < i64::from(i32::MAX));
        }
        let outputs: i64 = network.output.iter().map(|&weight| i64::from(weight).abs() * i64::from(OUTPUT_ONE)).sum();
        assert!(outputs + i64::from(network.bias).abs() < i64::from(i32::MAX));
    }
}
