//! The last four empty squares, without lists or tables.
//!
//! Scores are margins for the side to move, empty squares counted for the winner. All searches are fail-soft at a null window:
//! a score above `alpha` is a lower bound, else an upper one.

use super::super::board::Board;
use crate::bits::Bits;

/// The margin of a finished game.
#[inline]
pub fn margin<B: Board>(own: B::Set, other: B::Set) -> i32 {
    let margin = own.count() as i32 - other.count() as i32;
    let empty = B::SQUARES as i32 - (own | other).count() as i32;
    margin + margin.signum() * empty
}

/// One empty square.
#[inline]
pub fn last_one<B: Board>(own: B::Set, square: u32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    // The margin if the square stays empty, before it counts for the winner.
    let before = 2 * own.count() as i32 - (B::SQUARES as i32 - 1);
    let turned = B::turned_by_last(own, square) as i32;
    if turned > 0 {
        return before + 2 * turned + 1;
    }
    let lost = B::turned_by_last(B::ALL & !own & !B::Set::single(square), square) as i32;
    if lost > 0 { before - 2 * lost - 1 } else { before + before.signum() }
}

/// Two empty squares. `passed`: the other side has just passed.
pub fn last_two<B: Board>(
    own: B::Set,
    other: B::Set,
    alpha: i32,
    [a, b]: [u32; 2],
    passed: bool,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    for (square, left) in [(a, b), (b, a)] {
        if !(B::beside(square) & other).is_empty() {
            let turned = B::flips(own, other, square);
            if !turned.is_empty() {
                best = best.max(-last_one::<B>(other & !turned, left, nodes));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    match best {
        i32::MIN if passed => margin::<B>(own, other),
        i32::MIN => -last_two::<B>(other, own, -alpha - 1, [a, b], true, nodes),
        best => best,
    }
}

/// Three empty squares.
pub fn last_three<B: Board>(
    own: B::Set,
    other: B::Set,
    alpha: i32,
    [a, b, c]: [u32; 3],
    passed: bool,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    for (square, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        if !(B::beside(square) & other).is_empty() {
            let turned = B::flips(own, other, square);
            if !turned.is_empty() {
                let value = -last_two::<B>(
                    other & !turned,
                    own | turned | B::Set::single(square),
                    -alpha - 1,
                    left,
                    false,
                    nodes,
                );
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
    }
    match best {
        i32::MIN if passed => margin::<B>(own, other),
        i32::MIN => -last_three::<B>(other, own, -alpha - 1, [a, b, c], true, nodes),
        best => best,
    }
}

/// Four empty squares.
pub fn last_four<B: Board>(
    own: B::Set,
    other: B::Set,
    alpha: i32,
    squares: [u32; 4],
    passed: bool,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let [a, b, c, d] = squares;
    let mut best = i32::MIN;
    for (square, left) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        if !(B::beside(square) & other).is_empty() {
            let turned = B::flips(own, other, square);
            if !turned.is_empty() {
                let value = -last_three::<B>(
                    other & !turned,
                    own | turned | B::Set::single(square),
                    -alpha - 1,
                    left,
                    false,
                    nodes,
                );
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
    }
    match best {
        i32::MIN if passed => margin::<B>(own, other),
        i32::MIN => -last_four::<B>(other, own, -alpha - 1, squares, true, nodes),
        best => best,
    }
}

/// The squares in parity order: first those in quarters of the board with an odd number of empty squares, where the side to
/// move is likely to have the last move.
#[inline]
pub fn by_parity<B: Board, const N: usize>(empty: B::Set) -> [u32; N] {
    let mut squares = [0; N];
    let mut count = 0;
    let odd = odd_quarters::<B>(empty);
    for mut part in [empty & odd, empty & !odd] {
        while !part.is_empty() && count < N {
            squares[count] = part.pop();
            count += 1;
        }
    }
    squares
}

/// The quarters of the board with an odd number of empty squares.
#[inline]
pub fn odd_quarters<B: Board>(empty: B::Set) -> B::Set {
    let mut odd = B::Set::EMPTY;
    for quarter in B::QUARTERS {
        odd = odd | if (empty & quarter).count() % 2 == 1 { quarter } else { B::Set::EMPTY };
    }
    odd
}
