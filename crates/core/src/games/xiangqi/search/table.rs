//! What is known of positions: a bound of the value at a depth, the value without search, and the best move; shared by all
//! workers without locks.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::{WON, is_decided};
use crate::search::{Bound, Lines};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// For the side to move; distances of wins and losses count from the position.
    pub value: i16,
    pub bound: Bound,
    /// Plies searched below the position; 0: captures alone.
    pub depth: u8,
    /// The code of the best move; 0: none is known.
    pub best: u16,
    /// Value without search; [`Entry::NOTHING`]: it is not known.
    pub standing: i16,
    /// Whether the position has been on a principal variation.
    pub principal: bool,
}

impl Entry {
    /// No value without search.
    pub const NOTHING: i16 = i16::MIN;

    /// The value at a node so many plies below the root.
    #[inline]
    pub fn value_at(&self, ply: u32) -> i32 {
        let value = i32::from(self.value);
        if is_decided(value) { value - value.signum() * ply as i32 } else { value }
    }

    /// Whether its value settles a question about this window.
    #[inline]
    pub fn settles(&self, value: i32, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    fn pack(self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        USED | u64::from(self.best)
            | u64::from(self.value as u16) << VALUE
            | u64::from(self.standing as u16) << STANDING
            | u64::from(self.depth) << DEPTH
            | bound << BOUND
            | u64::from(self.principal) << PRINCIPAL
            | u64::from(age) << AGE
    }

    fn unpack(content: u64) -> Self {
        Self {
            best: content as u16,
            value: (content >> VALUE) as i16,
            standing: (content >> STANDING) as i16,
            depth: (content >> DEPTH) as u8,
            bound: match content >> BOUND & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            principal: content >> PRINCIPAL & 1 != 0,
        }
    }
}

// Fields of an entry, from the lowest bit: best move, value, value without search, depth, bound, principal, age, used.
const VALUE: u32 = 16;
const STANDING: u32 = 32;
const DEPTH: u32 = 48;
const BOUND: u32 = 56;
const PRINCIPAL: u32 = 58;
const AGE: u32 = 59;
const USED: u64 = 1 << 63;
/// Searches that are distinguished, less one.
const AGES: u8 = 15;
/// Entries that a position may be found in: a line of the processor's cache.
const ENTRIES: usize = 4;

/// A table that grows into its memory.
#[derive(Debug)]
pub struct Table {
    lines: Lines<{ 2 * ENTRIES }>,
    age: AtomicU8,
}

impl Table {
    /// A table of about `bytes`; smaller when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        Self { lines: Lines::new(bytes), age: AtomicU8::new(0) }
    }

    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    pub fn used_bytes(&self) -> u64 {
        self.lines.used_bytes()
    }

    /// About how many entries it holds.
    pub fn entries(&self) -> u64 {
        self.lines.count()
    }

    /// Another search begins: what is there counts for less.
    pub fn begin(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.lines.get(key).map(Entry::unpack)
    }

    /// Adds what was found about a position `ply` plies below the root.
    #[inline]
    pub fn put(&self, key: u64, mut entry: Entry, ply: u32) {
        let age = self.age.load(Relaxed) & AGES;
        let value = i32::from(entry.value);
        if is_decided(value) {
            entry.value = (value + value.signum() * ply as i32).clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16;
            debug_assert!(i32::from(entry.value).abs() >= WON);
        }
        let mut place = 0;
        let mut least = i32::MAX;
        for (index, (content, is_keys)) in self.lines.entries(key).enumerate() {
            if content == 0 {
                if least > -1000 {
                    (place, least) = (index, -1000);
                }
                continue;
            }
            let known = Entry::unpack(content);
            let older = i32::from(age.wrapping_sub((content >> AGE) as u8) & AGES);
            if is_keys {
                if entry.best == 0 {
                    entry.best = known.best;
                }
                if entry.bound != Bound::Exact && older == 0 && known.depth > entry.depth + 3 {
                    return;
                }
                place = index;
                break;
            }
            let worth = i32::from(known.depth) - 8 * older;
            if worth < least {
                (place, least) = (index, worth);
            }
        }
        self.lines.put(key, place, entry.pack(age));
    }
}

#[cfg(test)]
mod tests {
    use super::super::WIN;
    use super::*;

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for (value, standing, depth, best, principal) in
                [(0, Entry::NOTHING, 0, 0, false), (-15_000, 15_000, 255, 8100, true), (77, -3, 9, 1, false)]
            {
                let entry = Entry { value, bound, depth, best, standing, principal };
                assert_eq!(Entry::unpack(entry.pack(15)), entry);
                let table = Table::new(1);
                table.put(5, entry, 3);
                assert_eq!(table.get(5), Some(entry));
                assert_eq!(table.get(6), None);
            }
        }
    }

    /// A mate five plies below a node is one five plies below it, wherever the node is met.
    #[test]
    fn distances_count_from_the_node() {
        let table = Table::new(1);
        for value in [WIN - 12, 12 - WIN] {
            let entry = Entry {
                value: value as i16,
                bound: Bound::Exact,
                depth: 5,
                best: 1,
                standing: Entry::NOTHING,
                principal: false,
            };
            table.put(5, entry, 7);
            let found = table.get(5).expect("it was put there");
            assert_eq!((found.value_at(7), found.value_at(9)), (value, value - 2 * value.signum()));
        }
    }
}
