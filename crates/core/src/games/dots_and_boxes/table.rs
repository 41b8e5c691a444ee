//! The transposition table.

use crate::search::table::{self, Replacement, entry};

entry! {
    /// The table's entry for a position.
    pub struct Entry {
        /// The best move, in the image of the key.
        best: u16,
        /// The value is at least this.
        low: i16,
        /// The value is at most this.
        high: i16,
        /// Depth searched below the position, in moves.
        depth: u8,
        /// Whether the value rests on finished games only; then it holds at any depth.
        complete: bool,
    }
}

/// A value in hundredths of a box, and whether it rests on finished games only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub value: i32,
    pub complete: bool,
}

impl Value {
    /// A value of finished games.
    pub const fn exact(value: i32) -> Self {
        Self { value, complete: true }
    }
}

/// More than any value.
pub(super) const ABOVE_ANY_VALUE: i16 = i16::MAX;

pub(super) type Table = table::Table<Entry>;

impl Replacement for Entry {
    const EMPTY: i32 = -1;

    #[inline]
    fn update(self, known: Self, age: u8) -> Option<Self> {
        let stays = known.complete && !self.complete || age == 0 && !self.complete && known.depth > self.depth + 3;
        let best = if self.best == NONE { known.best } else { self.best };
        let updated = if self.complete && known.complete {
            // Proofs for different windows combine.
            Self { low: self.low.max(known.low), high: self.high.min(known.high), ..self }
        } else {
            self
        };
        (!stays).then_some(Self { best, ..updated })
    }

    #[inline]
    fn worth(&self, age: u8, _: usize, _: &Self) -> i32 {
        i32::from(self.depth) - 2 * i32::from(age)
    }
}

impl Entry {
    /// The value of the position, if the entry is deep enough and decides this window.
    pub fn value_within(self, depth: u32, alpha: i32, beta: i32) -> Option<Value> {
        let (low, high) = (i32::from(self.low), i32::from(self.high));
        let value = if high <= alpha { high } else { low };
        let is_enough = low >= beta || high <= alpha || low == high;
        let is_deep = self.complete || u32::from(self.depth) >= depth;
        (is_enough && is_deep).then_some(Value { value, complete: self.complete })
    }

    /// The value, or its known bound.
    pub fn value(self) -> i32 {
        i32::from(if self.low == -ABOVE_ANY_VALUE { self.high } else { self.low })
    }

    /// The best move for a search of this depth. Moves of much shallower searches cost 15 % more nodes on 3x4 boxes.
    pub fn best_within(&self, depth: u32) -> Option<Best> {
        self.best().filter(|_| self.complete || u32::from(self.depth) + SHALLOWER >= depth)
    }

    /// The best move, if one is known.
    pub fn best(&self) -> Option<Best> {
        let [code, opens] = self.best.to_le_bytes();
        (self.best != NONE).then_some(Best { code, opens })
    }
}

/// How many moves shallower a search may be for its best move to be used in a deeper one.
const SHALLOWER: u32 = 8;

/// No move.
const NONE: u16 = u16::MAX;

/// A safe edge, or a chain or loop to open: any with `opens` boxes, since it may lie elsewhere than when it was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub code: u8,
    pub opens: u8,
}

impl Best {
    /// The move mapped to or from another image.
    pub fn mapped(self, to: impl Fn(u8) -> u8) -> Self {
        if self.opens == 0 { Self { code: to(self.code), ..self } } else { Self { code: 0, ..self } }
    }

    /// The move as the field of an entry.
    pub fn packed(best: Option<Self>) -> u16 {
        best.map_or(NONE, |Self { code, opens }| u16::from_le_bytes([code, opens]))
    }
}
