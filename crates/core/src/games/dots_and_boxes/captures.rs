//! The captures of one turn, as one step.
//!
//! Boxes that lack one edge, and boxes that come to lack one as these are taken, form trees with at most one edge leading out.
//! Taking them all is never wrong, except for a double-dealing move at the very end (Barker and Korf, "Solving Dots-And-Boxes",
//! AAAI 2012): the last two boxes of a tree with a way out, or the last four of one without, are left to the opponent, who must
//! then move in the rest. Either way the same edges are drawn, so one position follows.

use super::edges::Edges;
use crate::bits::Bits;

/// The boxes that can be taken, and the edges left after that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures<B> {
    /// Boxes that can be taken.
    pub boxes: i32,
    /// Boxes left to the opponent to keep control: two, four, or none if no double-dealing move exists.
    pub price: i32,
    /// The edges left.
    pub rest: Edges<B>,
}

impl<B: Bits> Captures<B> {
    pub fn of(free: Edges<B>, board: B) -> Self {
        let [first, _] = free.with_one_or_two();
        let (mut rest, mut next) = (free, first & board);
        while !next.is_empty() {
            rest = rest - Edges::around(next);
            next = rest.with_one_or_two()[0] & board;
        }
        let taken = board & free.boxes() & !rest.boxes();
        // A double-dealing move needs a box that is joined to another: at the way out for two boxes, two of them side by side
        // for four.
        let joined = taken & !first;
        let price = match () {
            () if !(free.out_of(taken).boxes() & joined).is_empty() => 2,
            () if !free.within(joined).is_empty() => 4,
            () => 0,
        };
        Self { boxes: taken.count() as i32, price, rest }
    }

    /// The value for the side to move, given the value of the rest for its side to move.
    #[inline]
    pub fn worth(&self, rest: i32, unit: i32) -> i32 {
        let (boxes, price) = (self.boxes * unit, self.price * unit);
        if price == 0 { boxes + rest } else { boxes - price + (rest + price).abs() }
    }
}
