//! The transposition table: one word per position, with both bounds of its score.
//!
//! The hash maps positions one to one onto numbers. Its high part gives an entry's index, its low 50 bits are the entry's tag:
//! together they are the whole hash, so no two positions are ever confused, and an entry can be moved into a larger table.
//! Several workers may use a table at once: an entry is one atomic word, so it is never torn.
//!
//! [`Tables`] is what the workers of a search share: a small table, and larger ones as it fills. The smaller ones stay until
//! the search ends, since a worker may be reading them; so no worker ever waits for another. The first one, which fits a core's
//! cache, always stays in use: it holds positions near the end of the game, the bulk of all, and only positions further from
//! the end access main memory.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crate::memory::{prefetch, request_huge_pages};

/// Least number of entries: with fewer, 50 bits could not tell all positions with the same index apart.
const LEAST: u64 = 1 << 14;
/// Entries of a search's first table: half of what a core's cache of 1 MiB holds. The search takes more when that is half full.
const FIRST: u64 = 1 << 16;
const ENTRY: u64 = size_of::<u64>() as u64;

/// Entries copied to a larger table between two clock checks.
const COPIED: usize = 1 << 12;

/// Bits of a bound in an entry; scores are less than 32 in size.
const BOUND: u32 = 7;
const TAG: u32 = 64 - 2 * BOUND;
const OFFSET: i32 = 32;

/// Odd, so that multiplication maps numbers one to one; its bits are those of the golden ratio (Knuth, volume 3, 6.4).
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of a position's key; distinct keys have distinct hashes.
#[inline(always)]
pub fn hash(key: u64) -> u64 {
    key.wrapping_mul(FACTOR)
}

/// A table of positions.
#[derive(Debug)]
pub struct Table {
    entries: Box<[AtomicU64]>,
}

impl Table {
    /// A table of `bytes` bytes, but at least [`LEAST`] entries; `None` when the allocation fails.
    fn new(bytes: u64) -> Option<Self> {
        let count = usize::try_from((bytes / ENTRY).max(LEAST)).ok()?;
        // The system zeroes pages lazily, when they are touched; and a failed allocation must not abort the process.
        let mut entries = bytemuck::allocation::try_zeroed_slice_box(count).ok()?;
        request_huge_pages(&mut entries, 0);
        Some(Self { entries })
    }

    /// The first table of a search with a limit of `memory` bytes.
    fn first(memory: u64) -> Self {
        let bytes = memory.min(FIRST * ENTRY);
        Self::new(bytes).unwrap_or_else(|| Self { entries: (0..LEAST).map(|_| AtomicU64::default()).collect() })
    }

    fn bytes(&self) -> u64 {
        self.entries.len() as u64 * ENTRY
    }

    /// Clears all entries.
    fn clear(&self) {
        for entry in self.entries.iter() {
            entry.store(0, Ordering::Relaxed);
        }
    }

    /// A larger table with the same entries, of at most `left` bytes; `None` when that is less than twice the size. Copying a
    /// large table takes seconds: when `must_stop` returns true, the remaining entries are dropped.
    fn grown(&self, left: u64, must_stop: &mut impl FnMut() -> bool) -> Option<Self> {
        // Four times the size, or all that is left if the next step would not fit beside this one.
        let aim = 4 * self.bytes();
        let bytes = if 5 * aim > left { left } else { aim };
        if bytes < 2 * self.bytes() {
            return None;
        }
        let larger = Self::new(bytes)?;
        for (place, entry) in self.entries.iter().enumerate() {
            if place.is_multiple_of(COPIED) && must_stop() {
                break;
            }
            let entry = entry.load(Ordering::Relaxed);
            if entry != 0 {
                let hash = self.hash_at(place, entry);
                larger.entries[larger.place(hash)].store(entry, Ordering::Relaxed);
            }
        }
        Some(larger)
    }

    /// New entries after which a larger table pays.
    fn room(&self) -> u64 {
        self.entries.len() as u64 / 2
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    /// The hash of an entry's position: the only number with these low bits that belongs at this index.
    fn hash_at(&self, place: usize, entry: u64) -> u64 {
        let least = ((place as u128) << 64).div_ceil(self.entries.len() as u128) as u64;
        let tag = entry >> (2 * BOUND);
        least.wrapping_add(tag.wrapping_sub(least) & ((1 << TAG) - 1))
    }

    /// Prefetches a position's entry.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.entries[self.place(hash)]);
    }

    /// The lower and the upper bound of a position's score for its side to move.
    #[inline(always)]
    pub fn get(&self, hash: u64) -> Option<(i32, i32)> {
        let entry = self.entries[self.place(hash)].load(Ordering::Relaxed);
        if (entry >> (2 * BOUND)) ^ hash & ((1 << TAG) - 1) != 0 {
            return None;
        }
        let (lo, hi) = (entry & ((1 << BOUND) - 1), entry >> BOUND & ((1 << BOUND) - 1));
        // An unused entry reads as the widest bounds.
        Some((lo as i32 - OFFSET, OFFSET - hi as i32))
    }

    /// Stores a position's bounds, replacing any other entry.
    #[inline(always)]
    pub fn put(&self, hash: u64, lo: i32, hi: i32) {
        let entry = hash << (2 * BOUND) | ((OFFSET - hi) as u64) << BOUND | (lo + OFFSET) as u64;
        self.entries[self.place(hash)].store(entry, Ordering::Relaxed);
    }
}

/// More than any memory has room for: each is at least twice as large as the one before.
const GENERATIONS: usize = 32;

/// The table of a search, which grows.
#[derive(Debug)]
pub struct Tables {
    generations: [OnceLock<Table>; GENERATIONS],
    /// Index of the generation in use.
    current: AtomicUsize,
    growing: AtomicBool,
    /// Limit for all generations together, in bytes.
    memory: u64,
    /// Entries written to the current generation, as reported by the workers.
    written: AtomicU64,
    /// Entries at which the current generation counts as full.
    room: AtomicU64,
}

impl Tables {
    /// The tables of a search with a limit of `memory` bytes.
    pub fn new(memory: u64) -> Self {
        let first = Table::first(memory);
        let room = AtomicU64::new(first.room());
        let mut generations = [const { OnceLock::new() }; GENERATIONS];
        generations[0] = first.into();
        let (current, growing, written) = Default::default();
        Self { generations, current, growing, memory, written, room }
    }

    /// The table in use, and which generation it is.
    pub fn current(&self) -> (&Table, usize) {
        let generation = self.current.load(Ordering::Acquire);
        (self.generation(generation), generation)
    }

    /// The first table, which fits a core's cache.
    pub fn near(&self) -> &Table {
        self.generation(0)
    }

    fn generation(&self, generation: usize) -> &Table {
        // Always present: a generation is stored before it becomes current.
        self.generations[generation].get_or_init(|| Table::first(self.memory))
    }

    /// Bytes of all generations.
    pub fn bytes(&self) -> u64 {
        self.generations.iter().filter_map(OnceLock::get).map(Table::bytes).sum()
    }

    /// Clears the tables in use, but keeps their memory.
    pub fn clear(&self) {
        self.near().clear();
        self.current().0.clear();
    }

    /// Adds `written` entries to the shared count.
    pub fn count(&self, written: u64) {
        self.written.fetch_add(written, Ordering::Relaxed);
    }

    /// Whether a worker that uses this generation should switch to a larger one, or make it.
    pub fn is_outgrown(&self, generation: usize) -> bool {
        let grown = self.current.load(Ordering::Relaxed) != generation;
        grown || (self.is_full() && !self.growing.load(Ordering::Relaxed))
    }

    /// Makes a larger table, if one is needed and fits. Meanwhile the other workers continue with the old one; what they write
    /// there may be lost.
    pub fn grow(&self, mut must_stop: impl FnMut() -> bool) {
        if self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        let (table, generation) = self.current();
        if self.is_full() {
            let larger = table.grown(self.memory.saturating_sub(self.bytes()), &mut must_stop);
            match larger.filter(|_| generation + 1 < GENERATIONS) {
                Some(larger) => {
                    self.room.store(larger.room(), Ordering::Relaxed);
                    self.written.store(0, Ordering::Relaxed);
                    drop(self.generations[generation + 1].set(larger));
                    self.current.store(generation + 1, Ordering::Release);
                }
                None => self.room.store(u64::MAX, Ordering::Relaxed),
            }
        }
        self.growing.store(false, Ordering::Release);
    }

    fn is_full(&self) -> bool {
        self.written.load(Ordering::Relaxed) >= self.room.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_and_move() {
        let memory = 40 << 20;
        let mut table = Table::first(memory);
        let keys = || (1..3000u64).map(|n| hash(n.wrapping_mul(0x0123_4567_89AB_CDEF)));
        let bounds = |hash: u64| ((hash >> 60) as i32 - 16, (hash >> 57 & 7) as i32);
        for hash in keys() {
            table.put(hash, bounds(hash).0, bounds(hash).1);
        }
        let kept = |table: &Table| keys().filter(|&hash| table.get(hash) == Some(bounds(hash))).count();
        let before = kept(&table);
        assert!(before > 2500, "{before} of 3000 left in {} bytes", table.bytes());
        let mut taken = table.bytes();
        while let Some(larger) = table.grown(memory - taken, &mut || false) {
            assert!(larger.bytes() >= 2 * table.bytes());
            table = larger;
            taken += table.bytes();
            assert_eq!(kept(&table), before);
        }
        assert!(taken <= memory && 2 * table.bytes() > memory, "{} of {taken} bytes", table.bytes());
    }

    #[test]
    fn workers_find_the_largest() {
        let tables = Tables::new(20 << 20);
        for generation in 0..2 {
            let (table, current) = tables.current();
            assert_eq!(current, generation);
            assert!(!tables.is_outgrown(generation));
            tables.grow(|| false);
            assert_eq!(tables.current().1, generation, "there was no need");
            tables.count(table.room());
            assert!(tables.is_outgrown(generation));
            table.put(hash(7), -1, 1);
            tables.grow(|| false);
            assert!(tables.is_outgrown(generation));
            assert_eq!(tables.current().0.get(hash(7)), Some((-1, 1)));
        }
        let (last, generation) = tables.current();
        tables.count(last.room());
        tables.grow(|| false);
        assert_eq!(tables.current().1, generation, "there is no more memory");
        assert!(!tables.is_outgrown(generation));
        assert!(tables.bytes() <= 20 << 20);
    }

    #[test]
    fn unused_entries_say_nothing() {
        let table = Table::first(0);
        assert_eq!(table.get(0), Some((-OFFSET, OFFSET)));
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn a_table_without_memory_has_its_least() {
        assert_eq!(Table::first(0).bytes(), LEAST * ENTRY);
    }
}
