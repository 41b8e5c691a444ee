//! What is known of positions near the end: bounds of their margins and the best move, shared by all workers without locks.

use crate::rng::mix;
use crate::search::Lines;

/// Bounds of the margin for the side to move, and a square; 64: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub lower: i8,
    pub upper: i8,
    pub best: u8,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lower: -64, upper: 64, best: 64 };
}

/// A table that grows into its memory: two entries to look for a position at.
#[derive(Debug)]
pub struct Table {
    lines: Lines<4>,
}

/// A position's hash.
#[inline]
pub fn hash(own: u64, other: u64) -> u64 {
    mix(own ^ mix(other))
}

impl Table {
    /// A table of about `bytes`; smaller when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        Self { lines: Lines::new(bytes) }
    }

    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    pub fn used_bytes(&self) -> u64 {
        self.lines.used_bytes()
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Bounds> {
        self.lines.get(key).map(unpack)
    }

    /// Adds what was found about a position with so many empty squares.
    #[inline]
    pub fn put(&self, key: u64, empty: u32, mut bounds: Bounds) {
        let mut place = 0;
        let mut least = u64::MAX;
        for (index, (content, is_keys)) in self.lines.entries(key).enumerate() {
            if is_keys {
                let known = unpack(content);
                // Both are true; where other workers wrote in between, the new one is kept.
                if known.lower.max(bounds.lower) <= known.upper.min(bounds.upper) {
                    bounds.lower = bounds.lower.max(known.lower);
                    bounds.upper = bounds.upper.min(known.upper);
                }
                if bounds.best == 64 {
                    bounds.best = known.best;
                }
                place = index;
                break;
            }
            // The first place is for whatever took most work, the second for whatever came last.
            let worth = if index == 0 { content >> EMPTY & 63 } else { u64::from(empty) };
            if worth < least {
                (place, least) = (index, worth);
            }
        }
        self.lines.put(key, place, pack(empty, bounds));
    }
}

const EMPTY: u32 = 24;
const USED: u64 = 1 << 63;

fn pack(empty: u32, Bounds { lower, upper, best }: Bounds) -> u64 {
    USED | u64::from(empty) << EMPTY | u64::from(best) << 16 | u64::from(upper as u8) << 8 | u64::from(lower as u8)
}

fn unpack(content: u64) -> Bounds {
    Bounds { lower: content as i8, upper: (content >> 8) as i8, best: (content >> 16) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_narrow() {
        let table = Table::new(1);
        assert_eq!(table.get(7), None);
        table.put(7, 12, Bounds { lower: -10, upper: 64, best: 3 });
        table.put(7, 12, Bounds { lower: -64, upper: 20, best: 64 });
        assert_eq!(table.get(7), Some(Bounds { lower: -10, upper: 20, best: 3 }));
        assert_eq!(table.get(8), None);
    }
}
