//! Legal moves and flips on words of 64 squares, for all eight directions by parallel prefix (Kogge-Stone fills, as described
//! on the Chess Programming Wiki).

/// Everything but the files a and h: a step sideways from here does not leave the row.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The four directions as steps between squares, and the discs that may stand in the middle of a line in that direction.
const DIRECTIONS: [(u32, u64); 4] = [(1, INNER_FILES), (8, u64::MAX), (7, INNER_FILES), (9, INNER_FILES)];

/// The runs of `through`, up to six long, that start beside `from` in a direction and against it, grown by doubling.
#[inline(always)]
fn runs(from: u64, through: u64, step: u32) -> (u64, u64) {
    let mut up = through & (from << step);
    let mut down = through & (from >> step);
    up |= through & (up << step);
    down |= through & (down >> step);
    let (two_up, two_down) = (through & (through << step), through & (through >> step));
    up |= two_up & (up << (2 * step));
    down |= two_down & (down >> (2 * step));
    up |= two_up & (up << (2 * step));
    down |= two_down & (down >> (2 * step));
    (up, down)
}

/// Squares where `own` may play against `other`. The four directions are computed side by side, by the same instructions, so
/// that a compiler can use one register for all.
#[inline]
pub fn legal_moves(own: u64, other: u64) -> u64 {
    let mut found = [0; 4];
    for (found, (step, middle)) in found.iter_mut().zip(DIRECTIONS) {
        let (up, down) = runs(own, other & middle, step);
        *found = (up << step) | (down >> step);
    }
    (found[0] | found[1] | (found[2] | found[3])) & !(own | other)
}

/// The discs of `other` that turn when `own` plays on `square`.
#[inline]
pub fn flipped(own: u64, other: u64, square: u8) -> u64 {
    let mut turned = 0;
    for (step, middle) in DIRECTIONS {
        let (up, down) = runs(1 << square, other & middle, step);
        if (up << step) & own != 0 {
            turned |= up;
        }
        if (down >> step) & own != 0 {
            turned |= down;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    /// Flips found by walking, one square at a time.
    fn walked(own: u64, other: u64, square: u8) -> u64 {
        let mut turned = 0;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (mut x, mut y, mut line) = (i32::from(square % 8), i32::from(square / 8), 0);
            loop {
                (x, y) = (x + dx, y + dy);
                if !(0..8).contains(&x) || !(0..8).contains(&y) {
                    break;
                }
                let bit = 1u64 << (8 * y + x);
                if other & bit != 0 {
                    line |= bit;
                } else {
                    if own & bit != 0 {
                        turned |= line;
                    }
                    break;
                }
            }
        }
        turned
    }

    proptest::proptest! {
        #[test]
        fn fills_agree_with_walking(a: u64, b: u64) {
            let (own, other) = (a & !b, b);
            let legal = legal_moves(own, other);
            for square in (!(own | other)).iter() {
                let turned = walked(own, other, square as u8);
                proptest::prop_assert_eq!(legal.has(square), turned != 0);
                proptest::prop_assert_eq!(flipped(own, other, square as u8), turned);
            }
        }
    }
}
