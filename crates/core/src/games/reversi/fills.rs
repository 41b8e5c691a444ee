//! Legal moves and flips on sets of squares, for all eight directions by parallel prefix (Kogge-Stone fills, as described on
//! the Chess Programming Wiki).

use super::board::Board;
use crate::bits::Bits;

/// The four directions as steps between squares, and the discs that may stand in the middle of a line in that direction.
#[inline(always)]
fn directions<B: Board>() -> [(u32, B::Set); 4] {
    let inner = B::INNER_FILES;
    [(1, inner), (B::STRIDE, B::ALL), (B::STRIDE - 1, inner), (B::STRIDE + 1, inner)]
}

/// The runs of `through` that start beside `from`, forwards and backwards in one direction, up to two squares shorter than a
/// row; grown by doubling.
#[inline(always)]
fn runs<B: Board>(from: B::Set, through: B::Set, step: u32) -> (B::Set, B::Set) {
    let mut up = through & (from << step);
    let mut down = through & (from >> step);
    up = up | through & (up << step);
    down = down | through & (down >> step);
    let (two_up, two_down) = (through & (through << step), through & (through >> step));
    up = up | two_up & (up << (2 * step));
    down = down | two_down & (down >> (2 * step));
    // Unrolled, so that the compiler vectorises the four directions.
    if B::SIZE > 6 {
        up = up | two_up & (up << (2 * step));
        down = down | two_down & (down >> (2 * step));
    }
    if B::SIZE > 8 {
        up = up | two_up & (up << (2 * step));
        down = down | two_down & (down >> (2 * step));
    }
    (up, down)
}

/// Squares where `own` may play against `other`. The four directions use the same instructions side by side, so that the
/// compiler can vectorize them.
#[inline]
pub fn legal_moves<B: Board>(own: B::Set, other: B::Set) -> B::Set {
    let mut found = [B::Set::EMPTY; 4];
    for (found, (step, middle)) in found.iter_mut().zip(directions::<B>()) {
        let (up, down) = runs::<B>(own, other & middle, step);
        *found = (up << step) | (down >> step);
    }
    (found[0] | found[1] | (found[2] | found[3])) & B::empty(own, other)
}

/// The discs of `other` that turn when `own` plays on `square`.
#[inline]
pub fn flipped<B: Board>(own: B::Set, other: B::Set, square: u32) -> B::Set {
    let mut turned = B::Set::EMPTY;
    for (step, middle) in directions::<B>() {
        let (up, down) = runs::<B>(B::Set::single(square), other & middle, step);
        if !((up << step) & own).is_empty() {
            turned = turned | up;
        }
        if !((down >> step) & own).is_empty() {
            turned = turned | down;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::super::board::{Eight, Six, Ten};
    use super::*;

    /// Flips found by walking, one square at a time.
    fn walked<B: Board>(own: B::Set, other: B::Set, square: u32) -> B::Set {
        let size = B::SIZE as i32;
        let mut turned = B::Set::EMPTY;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (column, row) = B::column_and_row(square);
            let (mut x, mut y, mut line) = (column as i32, row as i32, B::Set::EMPTY);
            loop {
                (x, y) = (x + dx, y + dy);
                if !(0..size).contains(&x) || !(0..size).contains(&y) {
                    break;
                }
                let at = B::index(x as u32, y as u32);
                if other.has(at) {
                    line = line | B::Set::single(at);
                } else {
                    if own.has(at) {
                        turned = turned | line;
                    }
                    break;
                }
            }
        }
        turned
    }

    fn agree<B: Board>(a: B::Set, b: B::Set) {
        let (own, other) = (B::ALL & a & !b, B::ALL & b);
        let legal = legal_moves::<B>(own, other);
        for square in B::empty(own, other).iter() {
            let turned = walked::<B>(own, other, square);
            assert_eq!(legal.has(square), !turned.is_empty());
            assert_eq!(flipped::<B>(own, other, square), turned);
            assert_eq!(B::flips(own, other, square), turned);
        }
    }

    proptest::proptest! {
        #[test]
        fn fills_agree_with_walking(a: u128, b: u128) {
            agree::<Eight>(a as u64, b as u64);
            agree::<Six>(a as u64, b as u64);
            agree::<Ten>(a, b);
        }
    }
}
