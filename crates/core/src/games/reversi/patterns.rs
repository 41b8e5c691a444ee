//! Patterns of the board: a position is described by the contents of some lines, corners and edges, each as a number.
//!
//! A pattern's squares are digits of a number in base 3: -1 the other side's disc, 0 empty, 1 an own disc. The numbers
//! therefore change sign when the sides change, and a move changes them by sums of powers of 3. Learning a weight for every
//! such number is an idea of Buro (1997); Logistello and Edax use similar shapes. Mirror images of a pattern share their
//! weights.

use std::sync::LazyLock;

use crate::bits::Bits;

/// Numbers per position, some of them unused: a multiple of eight.
pub const LANES: usize = 56;

/// The shapes at the corner a1; squares as everywhere, 0 is a1 and 63 is h8.
const SHAPES: [&[u8]; 13] = [
    // A corner: 3x3, 2x5, a triangle.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    // An edge with the X-squares, and its middle with the corners.
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13],
    // Rows.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // Diagonals.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[3, 10, 17, 24],
];

/// Squares of the largest shape.
const LONGEST: usize = 10;
/// Powers of 3.
const POWERS: [u32; LONGEST + 1] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683, 59_049];

/// A square after one of the board's eight symmetries.
const fn image(square: u8, symmetry: u8) -> u8 {
    let (mut column, mut row) = (square % 8, square / 8);
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 { 8 * column + row } else { 8 * row + column }
}

/// Tables that follow from the shapes.
#[derive(Debug)]
pub struct Patterns {
    /// By square and lane: what an own disc there adds to the number.
    deltas: [[i16; LANES]; 64],
    /// By lane: the place of number 0 in a table of all numbers of all shapes.
    bases: [u32; LANES],
    /// By place in that table: its feature. Numbers that are mirror images of each other share one.
    features: Vec<u32>,
    /// The number of features.
    pub count: usize,
}

/// The tables of the shapes above.
pub static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);

/// The numbers of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct Numbers([i16; LANES]);

impl Numbers {
    /// The same position with the other side to move.
    #[inline]
    pub fn turned(&self) -> Self {
        Self(self.0.map(|number| -number))
    }
}

impl Patterns {
    fn new() -> Self {
        let mut patterns = Self { deltas: [[0; LANES]; 64], bases: [0; LANES], features: Vec::new(), count: 0 };
        let mut lane = 0;
        for shape in SHAPES {
            let zero = patterns.features.len() as u32 + POWERS[shape.len()] / 2;
            let mut seen = Vec::new();
            // For each symmetry that maps the shape to itself: the new place of each digit.
            let mut mirrors: Vec<Vec<usize>> = Vec::new();
            for symmetry in 0..8 {
                let squares: Vec<u8> = shape.iter().map(|&square| image(square, symmetry)).collect();
                let set = squares.iter().fold(0u64, |set, &square| set | 1 << square);
                if seen.first().is_none_or(|&first| first == set) {
                    let place = |square| squares.iter().position(|&other| other == square);
                    mirrors.push(shape.iter().filter_map(|&square| place(square)).collect());
                }
                if seen.contains(&set) {
                    continue;
                }
                seen.push(set);
                patterns.bases[lane] = zero;
                for (digit, &square) in squares.iter().enumerate() {
                    patterns.deltas[usize::from(square)][lane] = POWERS[digit] as i16;
                }
                lane += 1;
            }
            patterns.name_features(shape.len(), &mirrors);
        }
        // One feature is always present: a separate place, for all lanes that are left.
        patterns.bases[lane..].fill(patterns.features.len() as u32);
        patterns.features.push(patterns.count as u32);
        patterns.count += 1;
        debug_assert_eq!(lane, INSTANCES);
        patterns
    }

    /// Assigns features to the numbers of one shape. This runs when a program first plays the game, so it must be fast.
    fn name_features(&mut self, digits: usize, mirrors: &[Vec<usize>]) {
        let first = self.features.len();
        let mut number = [0u32; LONGEST];
        for index in 0..POWERS[digits] {
            let image =
                |mirror: &Vec<usize>| -> u32 { (0..digits).map(|from| number[from] * POWERS[mirror[from]]).sum() };
            // The first mirror is the identity.
            let least = mirrors[1..].iter().map(image).min().unwrap_or(index).min(index);
            let feature = if least < index { self.features[first + least as usize] } else { self.count as u32 };
            self.count += usize::from(least == index);
            self.features.push(feature);
            for digit in &mut number {
                *digit = (*digit + 1) % 3;
                if *digit != 0 {
                    break;
                }
            }
        }
    }

    /// The number of places in a table with an entry for every number of every shape.
    pub fn places(&self) -> usize {
        self.features.len()
    }

    /// The feature of a place.
    pub fn feature(&self, place: usize) -> usize {
        self.features[place] as usize
    }

    /// The numbers of a position, computed from scratch.
    pub fn numbers(&self, own: u64, other: u64) -> Numbers {
        let mut numbers = [0; LANES];
        for (set, sign) in [(own, 1), (other, -1)] {
            for square in set.iter() {
                for (number, delta) in numbers.iter_mut().zip(&self.deltas[square as usize]) {
                    *number += sign * delta;
                }
            }
        }
        Numbers(numbers)
    }

    /// The numbers after a move of the side to move, for the other side.
    #[inline]
    pub fn after(&self, before: &Numbers, square: u32, mut turned: u64) -> Numbers {
        let mut sum = [0i16; LANES];
        while turned != 0 {
            let deltas = &self.deltas[(turned.trailing_zeros() & 63) as usize];
            turned &= turned - 1;
            for lane in 0..LANES {
                sum[lane] = sum[lane].wrapping_add(deltas[lane]);
            }
        }
        let placed = &self.deltas[(square & 63) as usize];
        let mut numbers = before.0;
        for lane in 0..LANES {
            // A disc that turns goes from -1 to 1; then the sides change.
            let more = placed[lane].wrapping_add(sum[lane]).wrapping_add(sum[lane]);
            numbers[lane] = numbers[lane].wrapping_add(more).wrapping_neg();
        }
        Numbers(numbers)
    }

    /// Calls `found` with the place of each number of a position.
    #[inline]
    pub fn each_place(&self, numbers: &Numbers, mut found: impl FnMut(usize)) {
        for lane in 0..=INSTANCES {
            found(self.bases[lane].wrapping_add_signed(numbers.0[lane].into()) as usize);
        }
    }

    /// The sum of a table's entries at the places of a position's numbers.
    #[inline]
    pub fn sum(&self, numbers: &Numbers, table: &[i16; TABLE]) -> i32 {
        // In steps that the compiler can unroll, without a bounds check for each place.
        let mut places = [0; LANES];
        for (place, (base, number)) in places.iter_mut().zip(self.bases.iter().zip(&numbers.0)) {
            *place = base.wrapping_add_signed(i32::from(*number)) as usize % TABLE;
        }
        let mut sums = [0; 4];
        for part in places[..USED].chunks_exact(4) {
            for (sum, &place) in sums.iter_mut().zip(part) {
                *sum += i32::from(table[place]);
            }
        }
        sums.iter().sum::<i32>() + places[USED..=INSTANCES].iter().map(|&place| i32::from(table[place])).sum::<i32>()
    }
}

/// Entries of a table, a power of two: at least as many as there are places.
pub const TABLE: usize = 1 << 19;

/// The lanes of instances, rounded down to a multiple of four.
const USED: usize = INSTANCES / 4 * 4;

/// Instances of all shapes; the lane after them is the feature that is always present.
const INSTANCES: usize = 54;

#[cfg(test)]
mod tests {
    use super::super::endgame::flips;
    use super::*;

    #[test]
    fn every_square_has_patterns_and_mirror_images_share_features() {
        let patterns = &*PATTERNS;
        assert!(patterns.deltas.iter().all(|deltas| deltas.iter().filter(|&&delta| delta != 0).count() >= 3));
        let mut used = vec![false; patterns.count];
        patterns.features.iter().for_each(|&feature| used[feature as usize] = true);
        assert!(used.iter().all(|&used| used));
        assert_eq!(patterns.places(), 285_364);
    }

    /// A position's features, sorted.
    fn features(own: u64, other: u64) -> Vec<usize> {
        let mut found = Vec::new();
        PATTERNS.each_place(&PATTERNS.numbers(own, other), |place| found.push(PATTERNS.feature(place)));
        found.sort_unstable();
        found
    }

    proptest::proptest! {
        #[test]
        fn numbers_are_kept_up_to_date(a: u64, b: u64, c: u64) {
            let (own, other) = (a & !b, b & c);
            let numbers = PATTERNS.numbers(own, other);
            proptest::prop_assert_eq!(numbers.turned(), PATTERNS.numbers(other, own));
            for square in (!(own | other)).iter() {
                let turned = flips(own, other, square);
                let next = PATTERNS.numbers(other & !turned, own | turned | 1 << square);
                proptest::prop_assert_eq!(PATTERNS.after(&numbers, square, turned), next);
            }
        }

        #[test]
        fn images_of_a_position_have_the_same_features(a: u64, b: u64, symmetry in 0u8..8) {
            let turn = |set: u64| set.iter().fold(0, |all, square| all | 1 << image(square as u8, symmetry));
            let (own, other) = (a & !b, b);
            proptest::prop_assert_eq!(features(own, other), features(turn(own), turn(other)));
        }
    }
}
