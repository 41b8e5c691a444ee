//! What a move turns, ray by ray.
//!
//! Towards higher squares the first square of a ray that is not the other side's is its lowest such bit, towards lower squares
//! its highest; if an own disc stands there, all between turns. Both need a few instructions and no loop.

/// By square: the rays towards higher squares (east, south-west, south, south-east), then those towards lower ones.
static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let ways = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut index = 0;
    while index < 64 * 8 {
        let (square, way) = (index / 8, index % 8);
        let (right, down) = ways[way];
        let (mut column, mut row) = ((square % 8) as i32 + right, (square / 8) as i32 + down);
        while column >= 0 && column < 8 && row >= 0 && row < 8 {
            rays[square][way] |= 1 << (8 * row + column);
            column += right;
            row += down;
        }
        index += 1;
    }
    rays
};

/// The squares beside each one.
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

/// The discs of `other` that turn when `own` plays on an empty square.
#[inline(always)]
pub fn flips(own: u64, other: u64, square: u32) -> u64 {
    let rays = &RAYS[(square & 63) as usize];
    let mut turned = 0;
    let mut way = 0;
    while way < 4 {
        let ray = rays[way];
        let ends = ray & !other;
        let end = ends & ends.wrapping_neg() & own;
        turned |= ray & end.wrapping_sub(u64::from(end != 0));
        let ray = rays[way + 4];
        let ends = ray & !other;
        // Where there is no end, this is h8's bit, which no ray towards lower squares has; shifted out, it turns nothing.
        let end = (1 << 63 >> (ends.leading_zeros() & 63)) & own;
        turned |= ray & (end << 1).wrapping_neg();
        way += 1;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::super::super::{flipped, legal_moves};
    use super::*;
    use crate::bits::Bits;

    proptest::proptest! {
        #[test]
        fn rays_agree_with_fills(a: u64, b: u64, c: u64) {
            // Full boards as well as empty ones.
            for (own, other) in [(a & !b, b), (a & !b & c, b & c), (a & !b | !c & !b, b)] {
                for square in (!(own | other)).iter() {
                    proptest::prop_assert_eq!(flips(own, other, square), flipped(own, other, square as u8));
                    proptest::prop_assert_eq!(flips(own, other, square) != 0, legal_moves(own, other).has(square));
                }
            }
        }
    }
}
