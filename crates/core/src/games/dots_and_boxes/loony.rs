//! The simple loony endgame: only chains and loops are left, so that each move opens one of them.
//!
//! The shortest chain or the shortest loop is opened next; only a search can decide which. The value therefore depends only on
//! how many of each are left. Buzzard and Ciere treat long chains and loops ("Playing simple loony dots and boxes endgames
//! optimally", Integers 14, 2014, G08); chains of one and two boxes are not covered there, and are tested against a search of
//! all moves.

use super::edges::Edges;
use crate::bits::Bits;

/// The most chains, or loops: a chain takes two of at most 40 rim edges, a loop at least four of at most 100 boxes.
const MAX_CHAINS: usize = 25;

/// The lengths of chains, or of loops.
#[derive(Clone, Copy, Default)]
struct Lengths {
    all: [u8; MAX_CHAINS],
    count: usize,
}

impl Lengths {
    /// Adds a length, keeping the longest first.
    #[inline]
    fn add(&mut self, length: u32) {
        let mut at = self.count;
        while at > 0 && u32::from(self.all[at - 1]) < length {
            self.all[at] = self.all[at - 1];
            at -= 1;
        }
        self.all[at] = length as u8;
        self.count += 1;
    }

    fn iter(&self) -> impl Iterator<Item = i32> {
        self.all[..self.count].iter().map(|&length| i32::from(length))
    }
}

/// The value, for the side to move, of a position in which every open box lacks two edges.
pub(super) fn value<B: Bits>(free: Edges<B>, board: B) -> i32 {
    let (mut chains, mut loops) = (Lengths::default(), Lengths::default());
    let mut left = free.boxes() & board;
    let rim = free.out_of(board).boxes();
    while !left.is_empty() {
        let found = free.connected(B::single(left.nth(0)), left);
        left = left & !found;
        if (found & rim).is_empty() { loops.add(found.count()) } else { chains.add(found.count()) }
    }
    -responder(&chains, &loops)
}

/// The gain of the side that does not open first.
fn responder(chains: &Lengths, loops: &Lengths) -> i32 {
    // By the number of chains, longest first, together with the loops so far.
    let mut gains = [0; MAX_CHAINS + 1];
    for (count, length) in chains.iter().enumerate() {
        gains[count + 1] = opened(length, gains[count]);
    }
    for length in loops.iter() {
        gains[0] = length - 4 + (gains[0] - 4).abs();
        for (count, chain) in chains.iter().enumerate() {
            let as_loop = length - 4 + (gains[count + 1] - 4).abs();
            gains[count + 1] = as_loop.min(opened(chain, gains[count]));
        }
    }
    gains[chains.count]
}

/// The responder's gain when a chain is opened, given the gain when the other side opens the rest. A chain of two is opened by
/// its middle edge, which leaves the responder no choice.
fn opened(length: i32, rest: i32) -> i32 {
    if length < 3 { length - rest } else { length - 2 + (rest - 2).abs() }
}
