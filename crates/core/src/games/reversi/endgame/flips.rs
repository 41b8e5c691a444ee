//! The discs that a move turns, ray by ray.
//!
//! The first square of a ray that does not hold a disc of the other side is its lowest such bit towards higher squares, and its
//! highest towards lower ones; if an own disc stands there, all discs between turn.

/// By square: the rays towards higher squares (east, south-west, south, south-east), then the opposite ones.
static RAYS: [[[u64; 4]; 2]; 64] = {
    let mut rays = [[[0; 4]; 2]; 64];
    let ways = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut index = 0;
    while index < 64 * 8 {
        let (square, up, line) = (index / 8, index / 4 % 2 == 0, index % 4);
        let (right, down) = if up { ways[line] } else { (-ways[line].0, -ways[line].1) };
        let (mut column, mut row) = ((square % 8) as i32 + right, (square / 8) as i32 + down);
        while column >= 0 && column < 8 && row >= 0 && row < 8 {
            rays[square][!up as usize][line] |= 1 << (8 * row + column);
            column += right;
            row += down;
        }
        index += 1;
    }
    rays
};

/// The neighbours of each square.
pub static BESIDE: [u64; 64] = {
    let mut beside = [0; 64];
    let mut index = 0;
    while index < 64 * 64 {
        let (a, b) = (index / 64, index % 64);
        let (right, down) = ((a % 8) as i32 - (b % 8) as i32, (a / 8) as i32 - (b / 8) as i32);
        if right.abs() <= 1 && down.abs() <= 1 && a != b {
            beside[a] |= 1 << b;
        }
        index += 1;
    }
    beside
};

/// The distance between neighbours on a ray.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// The discs of `other` that turn when `own` plays on an empty square. The four lines use the same instructions side by side,
/// so that the compiler can vectorize them.
#[inline(always)]
pub fn flips(own: u64, other: u64, square: u32) -> u64 {
    let [up, down] = &RAYS[(square & 63) as usize];
    let mut turned = [0; 4];
    for line in 0..4 {
        let ends = up[line] & !other;
        let end = ends & ends.wrapping_neg() & own;
        let above = up[line] & end.wrapping_sub(u64::from(end != 0));
        // All squares from the highest end on downwards, and where that is an own disc, the squares above it.
        let step = STEPS[line];
        let mut ends = down[line] & !other;
        ends |= ends >> step;
        ends |= ends >> (2 * step);
        ends |= ends >> (4 * step);
        let end = ends & !(ends >> step) & own;
        let below = down[line] & (end << 1).wrapping_neg();
        turned[line] = above | below;
    }
    turned[0] | turned[1] | (turned[2] | turned[3])
}

/// By place on a line of eight squares and own discs on it: the number of discs that turn when `own` plays there and the other
/// side holds all other squares of the line.
static TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 256 {
        let (place, own) = (index / 256, index % 256);
        let (above, below) = (own >> place >> 1, own << (8 - place) & 255);
        if above != 0 {
            turned[place][own] += above.trailing_zeros() as u8;
        }
        if below != 0 {
            turned[place][own] += (below as u8).leading_zeros() as u8;
        }
        index += 1;
    }
    turned
};

/// By square: the two diagonals through it.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        diagonals[square] = [RAYS[square][0][1] | RAYS[square][1][1], RAYS[square][0][3] | RAYS[square][1][3]];
        square += 1;
    }
    diagonals
};

/// The number of discs that turn when `own` plays on the last empty square; all other squares are the other side's.
#[inline(always)]
pub fn turned_by_last(own: u64, square: u32) -> u32 {
    const FILE: u64 = 0x0101_0101_0101_0101;
    // Multiplication by these moves the squares of a file, or of a set with at most one square per file, to the highest byte.
    const UPRIGHT: u64 = 0x0102_0408_1020_4080;
    const DOWN: u64 = FILE;
    let square = (square & 63) as usize;
    let (column, row) = (square % 8, square / 8);
    let [rising, falling] = DIAGONALS[square];
    let by_column = &TURNED[column];
    let on_row = by_column[(own >> (8 * row) & 255) as usize];
    let on_file = TURNED[row][((own >> column & FILE).wrapping_mul(UPRIGHT) >> 56) as usize];
    let on_rising = by_column[((own & rising).wrapping_mul(DOWN) >> 56) as usize];
    let on_falling = by_column[((own & falling).wrapping_mul(DOWN) >> 56) as usize];
    u32::from(on_row) + u32::from(on_file) + u32::from(on_rising) + u32::from(on_falling)
}

#[cfg(test)]
mod tests {
    use super::super::super::board::Eight;
    use super::super::super::fills::{flipped, legal_moves};
    use super::*;
    use crate::bits::Bits;

    proptest::proptest! {
        #[test]
        fn rays_agree_with_fills(a: u64, b: u64, c: u64) {
            // Full boards as well as empty ones.
            for (own, other) in [(a & !b, b), (a & !b & c, b & c), (a & !b | !c & !b, b)] {
                for square in (!(own | other)).iter() {
                    proptest::prop_assert_eq!(flips(own, other, square), flipped::<Eight>(own, other, square));
                    proptest::prop_assert_eq!(flips(own, other, square) != 0, legal_moves::<Eight>(own, other).has(square));
                    let rest = !own & !(1 << square);
                    let last = flipped::<Eight>(own, rest, square).count_ones();
                    proptest::prop_assert_eq!(turned_by_last(own, square), last);
                }
            }
        }
    }
}
