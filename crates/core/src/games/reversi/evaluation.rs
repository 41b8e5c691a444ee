//! What an unfinished position is worth: places, mobility, edges that cannot be turned, and whose move it is, weighed by how
//! many squares are empty. The weights are fitted (`tesuji fit reversi`, docs/strength.md).

use std::sync::LazyLock;

use super::endgame::stable_edges;
use super::mobility::{CORNERS, beside_empty_corners, grown};
use super::{Reversi, legal_moves};
use crate::position::Position;

/// Terms of the sum.
pub const TERMS: usize = 17;
/// Weights change every so many empty squares.
const PHASE: u32 = 4;
/// Sets of weights.
pub const PHASES: usize = 16;

/// The squares by symmetry: a1, b1, c1, d1, b2, c2, d2, c3, d3, d4 and their like.
static CLASSES: [u64; 10] = {
    let places = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];
    let mut classes = [0; 10];
    let mut index = 0;
    while index < 10 * 64 {
        let (class, square) = (index / 64, index % 64);
        let (mut column, mut row) = (square % 8, square / 8);
        column = if column > 3 { 7 - column } else { column };
        row = if row > 3 { 7 - row } else { row };
        let place = if column > row { 8 * row + column } else { 8 * column + row };
        if place == places[class] {
            classes[class] |= 1 << square;
        }
        index += 1;
    }
    classes
};

/// The set of weights that a number of empty squares has.
pub fn phase(empty: u32) -> usize {
    (empty / PHASE) as usize
}

/// The terms for the side to move.
#[inline]
pub fn terms(own: u64, other: u64) -> [i32; TERMS] {
    let empty = !(own | other);
    let difference = |a: u64, b: u64| a.count_ones() as i32 - b.count_ones() as i32;
    let mut terms = [0; TERMS];
    for (term, class) in terms.iter_mut().zip(CLASSES) {
        *term = difference(own & class, other & class);
    }
    let exposed = beside_empty_corners(own | other);
    terms[10] = difference(own & exposed & CLASSES[4], other & exposed & CLASSES[4]);
    terms[11] = difference(own & exposed & CLASSES[1], other & exposed & CLASSES[1]);
    terms[12] = difference(legal_moves(own, other), legal_moves(other, own));
    terms[13] = difference(grown(other) & empty, grown(own) & empty);
    terms[14] = difference(stable_edges(own, other), stable_edges(other, own));
    terms[15] = if empty.count_ones().is_multiple_of(2) { 1 } else { 0 };
    terms[16] = 1 - terms[15];
    debug_assert_eq!(CLASSES[0], CORNERS);
    terms
}

/// The weights, in hundredths of a disc: a line for each phase, the fewest empty squares first.
static WEIGHTS: LazyLock<[[i32; TERMS]; PHASES]> = LazyLock::new(|| {
    let text = include_str!("weights.txt");
    let mut weights = [[0; TERMS]; PHASES];
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for (phase, line) in weights.iter_mut().zip(lines) {
        for (weight, word) in phase.iter_mut().zip(line.split_whitespace()) {
            *weight = word.parse().unwrap_or(0);
        }
    }
    weights
});

/// Calls `add` with a position's terms, phase by phase, and how often each counts for the first player.
pub fn each_term(position: &Reversi, add: &mut dyn FnMut(usize, i32)) {
    let first = TERMS * phase(position.empty().count_ones()).min(PHASES - 1);
    let sign = i32::from(position.turn().sign());
    for (index, term) in terms(position.own, position.other).into_iter().enumerate() {
        add(first + index, sign * term);
    }
}

/// All weights, phase by phase.
pub fn all_weights() -> Vec<i32> {
    WEIGHTS.concat()
}

/// Weights as the text of their file.
pub fn write(weights: &[i32]) -> String {
    let line = |phase: &[i32]| phase.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n";
    weights.chunks(TERMS).map(line).collect()
}

/// The value for the side to move, in hundredths of a disc; less than a margin can be.
#[inline]
pub fn value(own: u64, other: u64) -> i32 {
    let empty = 64 - (own | other).count_ones();
    let weights = &WEIGHTS[phase(empty).min(PHASES - 1)];
    let sum: i32 = terms(own, other).iter().zip(weights).map(|(term, weight)| term * weight).sum();
    sum.clamp(-6300, 6300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_one_class() {
        assert_eq!(CLASSES.iter().fold(0, |all, class| all | class), u64::MAX);
        assert_eq!(CLASSES.iter().map(|class| class.count_ones()).sum::<u32>(), 64);
    }

    #[test]
    fn there_are_weights_for_every_phase() {
        let lines: Vec<_> = include_str!("weights.txt").lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.len(), PHASES);
        for line in lines {
            assert_eq!(line.split_whitespace().filter_map(|word| word.parse::<i32>().ok()).count(), TERMS, "{line}");
        }
    }
}
