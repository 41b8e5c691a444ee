//! A heuristic value: the game is continued by rule, with safe moves while there are any, then by opening the shortest chain.
//! From the simple loony endgame on the value is exact.

use super::captures::Captures;
use super::edges::Edges;
use super::loony;
use super::parts::chains;
use crate::bits::Bits;
use crate::rng::mix;
use crate::search::value::POINT;

/// The value for the side to move of a position without boxes to take, in hundredths of a box.
pub(super) fn value<B: Bits>(mut free: Edges<B>, board: B) -> i32 {
    let mut safe_moves = 0;
    loop {
        let second = free.with_one_or_two()[1] & board;
        let safe = free - Edges::around(second);
        if safe.is_empty() {
            break;
        }
        // An arbitrary one, but always the same in the same position.
        let choice = mix(free.horizontal.hash() ^ free.vertical.hash().rotate_left(1));
        free = free - Edges::single(safe.nth((choice % u64::from(safe.count())) as u32));
        safe_moves += 1;
    }
    let value = opener(free, board) * POINT;
    // The more moves come first, the less certain is who has to open the first chain.
    let value = value * 8 / (8 + safe_moves);
    if safe_moves % 2 == 0 { value } else { -value }
}

/// The value for the side to move of a position without safe moves, in boxes, if the shortest chain is always opened.
fn opener<B: Bits>(free: Edges<B>, board: B) -> i32 {
    let second = free.with_one_or_two()[1] & board;
    if free.boxes() & board == second {
        return loony::value(free, board);
    }
    let Some(chain) = chains(free, second, board).min_by_key(|chain| chain.length) else { return 0 };
    let captures = Captures::of(free - Edges::single(chain.opening(free)), board);
    -captures.worth(opener(captures.rest, board), 1)
}
