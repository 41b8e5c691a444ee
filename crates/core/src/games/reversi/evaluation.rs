//! The static evaluation on 8x8: the sum of the weights of a position's patterns, in hundredths of a disc. The weights are
//! learned (docs/learning.md); they change with the number of discs.

use std::sync::LazyLock;

use super::Reversi;
use super::board::Eight;
use super::evaluator::Evaluator;
use super::patterns::{Numbers, PATTERNS, Patterns, TABLE};
use crate::data::DataFile;
use crate::games::Game;
use crate::position::Position;
use crate::weights::{self, Features};

/// Discs per phase; the weights change with the phase.
const PHASE: u32 = 4;
/// The number of phases.
pub const PHASES: usize = 15;
/// A disc, in the units of values.
pub const POINT: i32 = 100;
/// More than any value, and less than the largest margin.
const MAX_VALUE: i32 = 63 * POINT;

/// The weights, laid out so that each pattern's number is its place.
#[derive(Debug)]
pub struct Evaluation {
    patterns: &'static Patterns,
    /// By phase and place.
    weights: Box<[[i16; TABLE]]>,
}

/// The current evaluation.
pub static EVALUATION: LazyLock<Evaluation> = LazyLock::new(|| Evaluation::new(&all_weights()));

/// The features that the weights belong to.
pub fn features() -> Features {
    Features { name: "patterns-1", count: PHASES * PATTERNS.count, unit: "a hundredth of a disc" }
}

#[cfg(feature = "weights")]
const EMBEDDED: &[u8] = include_bytes!("weights.bin");
#[cfg(not(feature = "weights"))]
const EMBEDDED: &[u8] = &[];

/// The file of weights.
pub static FILE: DataFile = DataFile::new("reversi.weights", true, EMBEDDED, |bytes| {
    weights::read(bytes, <Reversi>::NAME, &features()).map(drop)
});

/// All current weights, by phase and feature.
pub fn all_weights() -> Vec<i32> {
    weights::current(<Reversi>::NAME, &features(), FILE.bytes())
}

/// The set of weights for a number of empty squares.
#[inline]
fn phase(empty: u32) -> usize {
    (60u32.saturating_sub(empty) / PHASE).min(PHASES as u32 - 1) as usize
}

impl Evaluation {
    fn new(stored: &[i32]) -> Self {
        let patterns = &*PATTERNS;
        let mut weights = bytemuck::allocation::zeroed_slice_box::<[i16; TABLE]>(PHASES);
        for (table, phase) in weights.iter_mut().zip(stored.chunks_exact(patterns.count)) {
            for (place, weight) in table[..patterns.places()].iter_mut().enumerate() {
                *weight = phase[patterns.feature(place)] as i16;
            }
        }
        Self { patterns, weights }
    }
}

impl Evaluator<Eight> for Evaluation {
    type Numbers = Numbers;

    fn numbers(&self, own: u64, other: u64) -> Numbers {
        self.patterns.numbers(own, other)
    }

    #[inline]
    fn after(&self, before: &Numbers, square: u32, turned: u64) -> Numbers {
        self.patterns.after(before, square, turned)
    }

    #[inline]
    fn turned(&self, numbers: &Numbers) -> Numbers {
        numbers.turned()
    }

    #[inline]
    fn value(&self, numbers: &Numbers, _: (u64, u64), empty: u32) -> i32 {
        self.patterns.sum(numbers, &self.weights[phase(empty)]).clamp(-MAX_VALUE, MAX_VALUE)
    }
}

/// Calls `add` with each feature of a position, in its phase's weights, and its sign for the first player.
pub fn each_term(position: &Reversi, add: &mut dyn FnMut(usize, i32)) {
    let first = phase(position.empty().count_ones()) * PATTERNS.count;
    let sign = i32::from(position.turn().sign());
    let numbers = PATTERNS.numbers(position.own, position.other);
    PATTERNS.each_place(&numbers, |place| add(first + PATTERNS.feature(place), sign));
}

/// An evaluation with arbitrary weights, for tests.
#[cfg(test)]
pub static TESTED: LazyLock<Evaluation> = LazyLock::new(|| {
    let weight = |index| (crate::rng::mix(index) % 101) as i32 - 50;
    Evaluation::new(&(0..features().count as u64).map(weight).collect::<Vec<_>>())
});
