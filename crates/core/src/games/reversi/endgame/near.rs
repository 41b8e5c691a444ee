//! One worker's table of positions shortly before the end. It fits the core's cache, where a lookup is faster than a search of
//! a few squares. Newer positions replace older ones.

use super::super::board::{Board, NO_SQUARE};
use crate::rng::mix;

/// Bounds of the margin for the side to move, and a square, or [`NO_SQUARE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub lower: i8,
    pub upper: i8,
    pub best: u8,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lower: -100, upper: 100, best: NO_SQUARE };
}

/// A position's hash.
#[inline]
pub fn hash<B: Board>(own: B::Set, other: B::Set) -> u64 {
    mix(B::word(own) ^ mix(B::word(other)))
}

/// Entries at most: 256 KiB.
const ENTRIES: usize = 1 << 14;

/// A position's hash and bounds.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    bounds: Bounds,
}

/// The table; its memory is allocated on the first write.
#[derive(Clone, Debug, Default)]
pub struct Near {
    entries: Vec<Entry>,
}

impl Near {
    /// Bytes of a table in use.
    pub const BYTES: u64 = (ENTRIES * size_of::<Entry>()) as u64;

    /// The known bounds of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Bounds {
        match self.entries.get(place(key)) {
            Some(entry) if entry.key == key => entry.bounds,
            _ => Bounds::UNKNOWN,
        }
    }

    /// Stores the bounds of a position, combined with the known ones.
    #[inline]
    pub fn put(&mut self, key: u64, known: Bounds, found: Bounds) {
        if self.entries.is_empty() {
            self.entries = vec![Entry { key: 0, bounds: Bounds::UNKNOWN }; ENTRIES];
        }
        let bounds =
            Bounds { lower: known.lower.max(found.lower), upper: known.upper.min(found.upper), best: found.best };
        self.entries[place(key)] = Entry { key, bounds };
    }
}

/// A position's index: the upper bits of its hash.
#[inline]
fn place(key: u64) -> usize {
    (key >> (64 - ENTRIES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_position_of_a_place_is_known() {
        let mut near = Near::default();
        assert_eq!(near.get(7), Bounds::UNKNOWN);
        let found = Bounds { lower: -10, upper: 100, best: 3 };
        near.put(7, Bounds::UNKNOWN, found);
        near.put(7, found, Bounds { lower: -100, upper: 20, best: 4 });
        assert_eq!(near.get(7), Bounds { lower: -10, upper: 20, best: 4 });
        near.put(8, Bounds::UNKNOWN, found);
        assert_eq!((near.get(7), near.get(8)), (Bounds::UNKNOWN, found));
    }
}
