//! What the search knows of positions.

use super::search::Value;
use crate::search::Bound;
use crate::search::table::{self, Replacement, entry};

entry! {
    /// What the table knows of a position.
    pub struct Entry {
        /// The best move, in the image of the key.
        best: u16,
        value: i16,
        bound: Bound,
        /// Moves searched below the position.
        depth: u8,
        /// Whether the value rests on finished games only; then it holds at any depth.
        complete: bool,
    }
}

pub(super) type Table = table::Table<Entry>;

impl Replacement for Entry {
    const EMPTY: i32 = -1;

    #[inline]
    fn update(self, known: Self, age: u8) -> Option<Self> {
        let stays = known.complete && !self.complete || age == 0 && !self.complete && known.depth > self.depth + 3;
        let best = if self.best == NONE { known.best } else { self.best };
        (!stays).then_some(Self { best, ..self })
    }

    #[inline]
    fn worth(&self, age: u8, _: usize, _: &Self) -> i32 {
        i32::from(self.depth) - 2 * i32::from(age)
    }
}

impl Entry {
    /// The value of the position, if enough is known of it.
    pub fn value_within(self, depth: u32, alpha: i32, beta: i32) -> Option<Value> {
        let value = i32::from(self.value);
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        let is_deep = self.complete || u32::from(self.depth) >= depth;
        (is_enough && is_deep).then_some(Value { value, complete: self.complete })
    }

    /// The best move, if one is known.
    pub fn best(&self) -> Option<Best> {
        let [code, opens] = self.best.to_le_bytes();
        (self.best != NONE).then_some(Best { code, opens })
    }
}

/// Stands for no move.
const NONE: u16 = u16::MAX;

/// A safe edge, or a chain or loop to open: any of so many boxes, since they need not lie where they lay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub code: u8,
    pub opens: u8,
}

impl Best {
    /// The move in or from another image.
    pub fn mapped(self, to: impl Fn(u8) -> u8) -> Self {
        if self.opens == 0 { Self { code: to(self.code), ..self } } else { Self { code: 0, ..self } }
    }

    /// The field of an entry.
    pub fn packed(best: Option<Self>) -> u16 {
        best.map_or(NONE, |Self { code, opens }| u16::from_le_bytes([code, opens]))
    }
}
