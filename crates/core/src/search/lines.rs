//! The memory of a table without locks: lines of entries, each of two atomic words, of which the first is the key combined with
//! the second (Hyatt and Mann 2002). Where two workers wrote at once, the key is wrong, and nothing is found. What the second
//! word says, and which entry of a line gives way, is the table's own business; zero is an empty entry.
//!
//! Only a part at the front is in use at first, and four times as much once that is half full. Positions lie all over a table,
//! so one used as a whole would have the system clear all of it, huge page by huge page, within its first thousands of
//! positions: a second for a GiB, in which a search gets nowhere. What was written since the last growth but one stays
//! where it is and is found there, until something else takes its place.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::memory::{SMALL_PAGES, ask_for_huge_pages, prefetch};

/// How many times as large a table becomes at a time.
const GROWTH: usize = 4;

/// Of so many lines one is watched: how many of these have got an entry tells how full all are.
const WATCHED: usize = 64;

/// Lines of so many words, two for each entry.
#[derive(Debug)]
pub struct Lines<const WORDS: usize> {
    lines: Box<[[AtomicU64; WORDS]]>,
    /// How many lines are in use, and how many were before the last growth.
    used: AtomicUsize,
    older: AtomicUsize,
    /// Entries that watched lines have got.
    watched: AtomicUsize,
}

impl<const WORDS: usize> Lines<WORDS> {
    /// About `bytes`, at least one line; less when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        let mut count = (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<[AtomicU64; WORDS]>()).max(1);
        // The system zeroes what it gives as it is touched; and an allocation that fails must not end the whole process.
        let lines = loop {
            match bytemuck::allocation::try_zeroed_slice_box(count) {
                Ok(mut zeroed) => {
                    ask_for_huge_pages(&mut zeroed, SMALL_PAGES);
                    break zeroed;
                }
                Err(()) if count > 1 => count /= 2,
                Err(()) => break Box::new([[const { AtomicU64::new(0) }; WORDS]]) as Box<[_]>,
            }
        };
        let used = lines.len().min(SMALL_PAGES / size_of::<[AtomicU64; WORDS]>());
        Self { lines, used: AtomicUsize::new(used), older: AtomicUsize::new(used), watched: AtomicUsize::new(0) }
    }

    /// Bytes that it may come to take.
    pub fn bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.lines) as u64
    }

    /// Bytes in use.
    pub fn used_bytes(&self) -> u64 {
        size_of_val::<[_]>(self.all()) as u64
    }

    /// All lines in use.
    pub fn all(&self) -> &[[AtomicU64; WORDS]] {
        &self.lines[..self.used.load(Relaxed)]
    }

    /// How many entries are taken, from a part of the lines where there are many.
    pub fn count(&self) -> u64 {
        const LOOKED_AT: usize = 1 << 14;
        let all = self.all();
        let part = &all[..all.len().min(LOOKED_AT)];
        let used = part.iter().flat_map(|line| line.chunks_exact(2)).filter(|pair| pair[1].load(Relaxed) != 0).count();
        used as u64 * all.len() as u64 / part.len() as u64
    }

    /// The number of a key's line where `count` lines are in use.
    #[inline]
    fn number(key: u64, count: usize) -> usize {
        ((u128::from(key) * count as u128) >> 64) as usize
    }

    #[inline]
    fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        &self.lines[Self::number(key, self.used.load(Relaxed))]
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let (used, older) = (self.used.load(Relaxed), self.older.load(Relaxed));
        prefetch(&self.lines[Self::number(key, used)]);
        // Most positions are new, and then what was written before the table grew is looked at too.
        if older < used {
            prefetch(&self.lines[Self::number(key, older)]);
        }
    }

    /// The entries that a key may have: what each says, and whether it is this key's.
    #[inline]
    pub fn entries(&self, key: u64) -> impl Iterator<Item = (u64, bool)> {
        entries(self.line(key), key)
    }

    /// Counts the first entry of a place, and has more lines used once those in use are half full. Which lines are watched
    /// depends on the position alone, so that equal searches grow at equal nodes.
    #[cold]
    fn fill(&self) {
        let watched = self.watched.fetch_add(1, Relaxed) + 1;
        let used = self.used.load(Relaxed);
        if watched * WATCHED >= used * (WORDS / 2) / 2 && used < self.lines.len() {
            let more = (used * GROWTH).min(self.lines.len());
            // One of several workers. For a moment the others may miss what was written before.
            if self.used.compare_exchange(used, more, Relaxed, Relaxed).is_ok() {
                self.older.store(used, Relaxed);
            }
        }
    }

    /// What a key's entry says.
    #[inline]
    pub fn get(&self, key: u64) -> Option<u64> {
        let find = |line| entries(line, key).find_map(|(content, is_keys)| is_keys.then_some(content));
        let (used, older) = (self.used.load(Relaxed), self.older.load(Relaxed));
        let found = find(&self.lines[Self::number(key, used)]);
        // Written before the table grew.
        if found.is_none() && older < used { find(&self.lines[Self::number(key, older)]) } else { found }
    }

    /// Writes the entry in a place of the key's line.
    #[inline]
    pub fn put(&self, key: u64, place: usize, content: u64) {
        let number = Self::number(key, self.used.load(Relaxed));
        let line = &self.lines[number];
        if number.is_multiple_of(WATCHED) && line[2 * place + 1].load(Relaxed) == 0 {
            self.fill();
        }
        line[2 * place].store(key ^ content, Relaxed);
        line[2 * place + 1].store(content, Relaxed);
    }
}

/// What the entries of a line say, and whether they are of this key.
#[inline]
fn entries<const WORDS: usize>(line: &[AtomicU64; WORDS], key: u64) -> impl Iterator<Item = (u64, bool)> {
    line.chunks_exact(2).map(move |pair| {
        let content = pair[1].load(Relaxed);
        (content, content != 0 && pair[0].load(Relaxed) ^ content == key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix;

    /// A large table uses little of its memory at first; as it fills it comes to use all, and what was written stays.
    #[test]
    fn a_table_grows_into_its_memory() {
        let table = Lines::<8>::new(80 << 20);
        assert_eq!((table.used_bytes(), table.bytes()), (16 << 20, 80 << 20));
        let keys = |count: u64| (1..=count).map(mix);
        let mut sizes = vec![table.used_bytes()];
        let count = 3_000_000;
        for key in keys(count) {
            let place = table.entries(key).position(|(content, _)| content == 0).unwrap_or(0);
            table.put(key, place, key | 1);
            if sizes.last() != Some(&table.used_bytes()) {
                sizes.push(table.used_bytes());
                assert!(sizes.len() > 2 || table.get(mix(1)).is_some(), "what was written is lost");
            }
        }
        assert_eq!(sizes, [16 << 20, 64 << 20, 80 << 20]);
        let found = keys(count).filter(|&key| table.get(key) == Some(key | 1)).count() as u64;
        assert!(found * 100 > count * 60, "{found} of {count} found");
    }
}
