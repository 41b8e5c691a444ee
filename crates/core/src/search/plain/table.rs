//! The transposition table: what is known of positions met before, shared by all workers without locks.
//!
//! Sixteen bytes an entry, four entries to a cache line. A new entry takes the place of the shallowest one; entries that the
//! last iterations did not renew count for less.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::search::{Bound, Lines};

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub value: i32,
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: u8,
    /// Whether the value rests on finished games only; then it holds at any depth.
    pub complete: bool,
    /// Whether moves were left out or searched less deep.
    pub selective: bool,
    /// The code of the best move; 0 when there is none.
    pub best: u16,
}

const ENTRIES: usize = 4;

/// A table that grows into its memory.
#[derive(Debug)]
pub struct Table {
    lines: Lines<{ 2 * ENTRIES }>,
    generation: AtomicU8,
}

impl Table {
    /// A table of about `bytes`, at least one line; smaller when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        Self { lines: Lines::new(bytes), generation: AtomicU8::new(0) }
    }

    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Bytes of it in use.
    pub fn used_bytes(&self) -> u64 {
        self.lines.used_bytes()
    }

    /// About how many entries it holds.
    pub fn entries(&self) -> u64 {
        self.lines.count()
    }

    /// Has what is there count as an older iteration's.
    pub fn grow_older(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.lines.get(key).map(unpack)
    }

    #[inline]
    pub fn put(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed) & AGES;
        let mut place = 0;
        let mut least = i32::MAX;
        for (index, (packed, is_keys)) in self.lines.entries(key).enumerate() {
            if packed == 0 {
                if least > -1 {
                    (place, least) = (index, -1);
                }
                continue;
            }
            let known = unpack(packed);
            let age = generation.wrapping_sub((packed >> AGE) as u8) & AGES;
            if is_keys {
                if is_kept(known, entry, age) {
                    return;
                }
                if entry.best == 0 {
                    entry.best = known.best;
                }
                place = index;
                break;
            }
            let worth = i32::from(known.depth) + 256 * i32::from(known.complete) - 2 * i32::from(age);
            if worth < least {
                (place, least) = (index, worth);
            }
        }
        self.lines.put(key, place, pack(entry, generation));
    }
}

/// Whether what is known of a position is worth more than what was found now.
fn is_kept(known: Entry, found: Entry, age: u8) -> bool {
    if found.complete || found.bound == Bound::Exact {
        return known.complete && !found.complete && known.bound == Bound::Exact;
    }
    // What holds at any depth is not given up for what does not.
    known.complete || (age == 0 && known.depth > found.depth + 3)
}

// Fields of the second word, from the lowest bit: best move, value, depth, bound, complete, selective, age, used.
const VALUE: u32 = 16;
const DEPTH: u32 = 40;
const BOUND: u32 = 48;
const COMPLETE: u32 = 50;
const SELECTIVE: u32 = 51;
const AGE: u32 = 52;
const USED: u64 = 1 << 63;
/// Generations that are distinguished, less one.
const AGES: u8 = 31;

fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    USED | u64::from(generation) << AGE
        | u64::from(entry.selective) << SELECTIVE
        | u64::from(entry.complete) << COMPLETE
        | bound << BOUND
        | u64::from(entry.depth) << DEPTH
        | u64::from(entry.value as u32 & 0xff_ffff) << VALUE
        | u64::from(entry.best)
}

fn unpack(packed: u64) -> Entry {
    Entry {
        best: packed as u16,
        // The sign is carried down from the highest of 24 bits.
        value: ((packed >> VALUE) as i32) << 8 >> 8,
        depth: (packed >> DEPTH) as u8,
        bound: match packed >> BOUND & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        complete: packed >> COMPLETE & 1 != 0,
        selective: packed >> SELECTIVE & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_depth(depth: u8) -> Entry {
        Entry { value: 0, bound: Bound::Exact, depth, complete: false, selective: false, best: 0 }
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for (value, depth, complete, best) in
                [(0, 0, false, 0), (-1_000_000, 255, true, 65535), (2_000_000, 1, true, 1), (77, 3, false, 6)]
            {
                let entry = Entry { value, bound, depth, complete, selective: !complete, best };
                assert_eq!(unpack(pack(entry, 31)), entry);
                let table = Table::new(1);
                table.put(5, entry);
                assert_eq!(table.get(5), Some(entry));
                assert_eq!(table.get(6), None);
            }
        }
    }

    #[test]
    fn the_deepest_entries_stay() {
        let table = Table::new(1);
        for depth in 1..=9 {
            table.put(depth.into(), of_depth(depth));
        }
        assert_eq!(table.get(9), Some(of_depth(9)));
        assert_eq!((1..=9).filter(|&key| table.get(key).is_some()).count(), 4);
    }

    #[test]
    fn old_entries_go_first() {
        let table = Table::new(1);
        for key in 1..=4 {
            table.put(key, of_depth(10));
        }
        (0..6).for_each(|_| table.grow_older());
        table.put(5, of_depth(1));
        table.put(6, of_depth(2));
        assert!(table.get(5).is_some() && table.get(6).is_some());
        assert_eq!((1..=4).filter(|&key| table.get(key).is_some()).count(), 2);
    }

    #[test]
    fn what_holds_at_any_depth_is_kept() {
        let table = Table::new(1);
        let complete = Entry { complete: true, bound: Bound::Lower, ..of_depth(2) };
        table.put(1, complete);
        table.put(1, Entry { bound: Bound::Lower, ..of_depth(30) });
        assert_eq!(table.get(1), Some(complete));
    }
}
