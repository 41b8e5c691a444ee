//! The last four empty squares, without lists or tables.
//!
//! Scores are margins for the side to move, empty squares counted for the winner. All searches are fail-soft at a null window:
//! a score above `alpha` is a lower bound, else an upper one.

use super::flips::{BESIDE, flips, turned_by_last};

/// The margin of a finished game.
#[inline]
pub fn margin(own: u64, other: u64) -> i32 {
    let margin = own.count_ones() as i32 - other.count_ones() as i32;
    let empty = 64 - (own | other).count_ones() as i32;
    margin + margin.signum() * empty
}

/// One empty square.
#[inline]
pub fn last_one(own: u64, square: u32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    // The margin if nobody can play there any more is odd only by the empty square.
    let before = 2 * own.count_ones() as i32 - 63;
    let turned = turned_by_last(own, square) as i32;
    if turned > 0 {
        return before + 2 * turned + 1;
    }
    let lost = turned_by_last(!own & !(1 << square), square) as i32;
    if lost > 0 { before - 2 * lost - 1 } else { before + before.signum() }
}

/// Two empty squares. `passed`: the other side has just passed.
pub fn last_two(own: u64, other: u64, alpha: i32, [a, b]: [u32; 2], passed: bool, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    for (square, left) in [(a, b), (b, a)] {
        if BESIDE[square as usize & 63] & other != 0 {
            let turned = flips(own, other, square);
            if turned != 0 {
                best = best.max(-last_one(other & !turned, left, nodes));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    match best {
        i32::MIN if passed => margin(own, other),
        i32::MIN => -last_two(other, own, -alpha - 1, [a, b], true, nodes),
        best => best,
    }
}

/// Three empty squares.
pub fn last_three(own: u64, other: u64, alpha: i32, [a, b, c]: [u32; 3], passed: bool, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    for (square, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        if BESIDE[square as usize & 63] & other != 0 {
            let turned = flips(own, other, square);
            if turned != 0 {
                let value = -last_two(other & !turned, own | turned | 1 << square, -alpha - 1, left, false, nodes);
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
    }
    match best {
        i32::MIN if passed => margin(own, other),
        i32::MIN => -last_three(other, own, -alpha - 1, [a, b, c], true, nodes),
        best => best,
    }
}

/// Four empty squares.
pub fn last_four(own: u64, other: u64, alpha: i32, squares: [u32; 4], passed: bool, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let [a, b, c, d] = squares;
    let mut best = i32::MIN;
    for (square, left) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        if BESIDE[square as usize & 63] & other != 0 {
            let turned = flips(own, other, square);
            if turned != 0 {
                let value = -last_three(other & !turned, own | turned | 1 << square, -alpha - 1, left, false, nodes);
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
    }
    match best {
        i32::MIN if passed => margin(own, other),
        i32::MIN => -last_four(other, own, -alpha - 1, squares, true, nodes),
        best => best,
    }
}

/// Squares in the order of parity: those whose quarter of the board has an odd number of empty ones first, so that whoever
/// plays there is likely to have the last move of the quarter.
#[inline]
pub fn by_parity<const N: usize>(empty: u64) -> [u32; N] {
    let mut squares = [0; N];
    let mut count = 0;
    let odd = odd_quarters(empty);
    for mut part in [empty & odd, empty & !odd] {
        while part != 0 && count < N {
            squares[count] = part.trailing_zeros();
            count += 1;
            part &= part - 1;
        }
    }
    squares
}

const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The quarters of the board with an odd number of empty squares.
#[inline]
pub fn odd_quarters(empty: u64) -> u64 {
    let mut odd = 0;
    for quarter in QUARTERS {
        odd |= quarter & 0u64.wrapping_sub(u64::from((empty & quarter).count_ones() & 1));
    }
    odd
}
