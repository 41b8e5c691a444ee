//! What an unfinished position is worth: the sum of the weights of its patterns, in hundredths of a disc. The weights are
//! learned (docs/learning.md); they change with the number of discs.

use std::sync::LazyLock;

use super::Reversi;
use super::patterns::{Numbers, PATTERNS, Patterns};
use crate::position::Position;

/// Weights change every so many discs.
const PHASE: u32 = 4;
/// Sets of weights.
const PHASES: usize = 15;
/// More than any value; a margin's hundredths are at most 6,400.
const MOST: i32 = 6300;

/// The weights, spread out so that each pattern's number is its place.
pub struct Evaluation {
    pub patterns: &'static Patterns,
    /// By phase and place.
    weights: Box<[i16]>,
}

/// The evaluation in force.
pub static EVALUATION: LazyLock<Evaluation> = LazyLock::new(|| Evaluation::new(&stored_weights()));

/// The weights as they are stored: by phase and feature.
fn stored_weights() -> Vec<i16> {
    // TODO-INTERIM
    let count = PHASES * PATTERNS.count;
    let mut weights: Vec<i16> = match std::env::var("REVERSI_RAW").ok().and_then(|path| std::fs::read(path).ok()) {
        Some(bytes) => bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect(),
        None => vec![],
    };
    weights.resize(count, 0);
    weights
}

/// The set of weights for a number of empty squares.
#[inline]
fn phase(empty: u32) -> usize {
    (60u32.saturating_sub(empty) / PHASE).min(PHASES as u32 - 1) as usize
}

impl Evaluation {
    fn new(stored: &[i16]) -> Self {
        let patterns = &*PATTERNS;
        let phases = stored.chunks_exact(patterns.count);
        let spread = |phase: &[i16]| -> Vec<i16> {
            (0..patterns.places()).map(|place| phase[patterns.feature(place)]).collect()
        };
        Self { patterns, weights: phases.flat_map(spread).collect() }
    }

    /// The value of a position with these numbers for the side to move: less than a margin can be.
    #[inline]
    pub fn value(&self, numbers: &Numbers, empty: u32) -> i32 {
        let places = self.patterns.places();
        let table = &self.weights[phase(empty) * places..][..places];
        self.patterns.sum(numbers, table).clamp(-MOST, MOST)
    }

    /// The same for any position.
    pub fn value_of(&self, own: u64, other: u64) -> i32 {
        self.value(&self.patterns.numbers(own, other), (!(own | other)).count_ones())
    }
}

/// Calls `add` with a position's features, phase by phase, and how often each counts for the first player.
pub fn each_term(position: &Reversi, add: &mut dyn FnMut(usize, i32)) {
    let first = phase(position.empty().count_ones()) * PATTERNS.count;
    let sign = i32::from(position.turn().sign());
    let numbers = PATTERNS.numbers(position.own, position.other);
    PATTERNS.each_place(&numbers, |place| add(first + PATTERNS.feature(place), sign));
}

/// All weights in force, phase by phase.
pub fn all_weights() -> Vec<i32> {
    stored_weights().into_iter().map(i32::from).collect()
}

/// Weights as the text of their file.
pub fn write(weights: &[i32]) -> String {
    weights.iter().map(|weight| format!("{weight}\n")).collect()
}
