//! Lock-free table memory: lines of entries, each of two atomic words. The first word is the key XORed with the second (Hyatt
//! and Mann 2002), so that an entry torn by concurrent writes matches no key. The table defines the content of the second word
//! and the replacement policy; zero is an empty entry.
//!
//! Only the front part is in use at first; it grows fourfold whenever it is half full. Positions scatter over a whole table, so
//! that a table used as a whole would make the system clear all of it, huge page by huge page, within its first thousands of
//! positions: one second per GiB, in which the search stalls. Entries written since the last growth but one stay in place, and
//! are found there until they are overwritten.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::memory::{SMALL_PAGES, prefetch, request_huge_pages};

/// Growth factor of the part in use.
const GROWTH: usize = 4;

/// One line in this many is watched: the entries of watched lines are counted to estimate how full the table is.
const WATCHED: usize = 64;

/// Lines of `WORDS` words, two per entry.
#[derive(Debug)]
pub struct Lines<const WORDS: usize> {
    lines: Box<[[AtomicU64; WORDS]]>,
    /// The number of lines in use, and (`older`) that before the last growth.
    used: AtomicUsize,
    older: AtomicUsize,
    /// Entries in watched lines.
    watched: AtomicUsize,
}

impl<const WORDS: usize> Lines<WORDS> {
    /// Lines of about `bytes` in all, at least one; fewer if memory is short.
    pub fn new(bytes: u64) -> Self {
        let mut count = (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<[AtomicU64; WORDS]>()).max(1);
        // The system zeroes memory as it is touched; and a failed allocation must not end the whole process.
        let lines = loop {
            match bytemuck::allocation::try_zeroed_slice_box(count) {
                Ok(mut zeroed) => {
                    request_huge_pages(&mut zeroed, SMALL_PAGES);
                    break zeroed;
                }
                Err(()) if count > 1 => count /= 2,
                Err(()) => break Box::new([[const { AtomicU64::new(0) }; WORDS]]) as Box<[_]>,
            }
        };
        let used = lines.len().min(SMALL_PAGES / size_of::<[AtomicU64; WORDS]>());
        Self { lines, used: AtomicUsize::new(used), older: AtomicUsize::new(used), watched: AtomicUsize::new(0) }
    }

    /// Bytes when fully grown.
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

    /// The number of entries, estimated from a part of the lines in a large table.
    pub fn count(&self) -> u64 {
        const LOOKED_AT: usize = 1 << 14;
        let all = self.all();
        // From all of the table: its front has been in use for longer, and is fuller.
        let part = || all.iter().step_by(all.len().div_ceil(LOOKED_AT));
        let used = part().flat_map(|line| line.chunks_exact(2)).filter(|pair| pair[1].load(Relaxed) != 0).count();
        used as u64 * all.len() as u64 / part().len() as u64
    }

    /// The index of a key's line when `count` lines are in use.
    #[inline]
    fn number(key: u64, count: usize) -> usize {
        ((u128::from(key) * count as u128) >> 64) as usize
    }

    #[inline]
    fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        &self.lines[Self::number(key, self.used.load(Relaxed))]
    }

    /// Prefetches the line of a key that will be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let (used, older) = (self.used.load(Relaxed), self.older.load(Relaxed));
        prefetch(&self.lines[Self::number(key, used)]);
        // Most positions are new, and a miss also looks in the line from before the last growth.
        if older < used {
            prefetch(&self.lines[Self::number(key, older)]);
        }
    }

    /// The contents of the entries in a key's line, each with whether it belongs to the key.
    #[inline]
    pub fn entries(&self, key: u64) -> impl Iterator<Item = (u64, bool)> {
        entries(self.line(key), key)
    }

    /// Counts an entry in an empty place, and grows the part in use once it is half full. Which lines are watched depends on
    /// positions alone, so that equal searches grow at equal nodes.
    #[cold]
    fn fill(&self) {
        let watched = self.watched.fetch_add(1, Relaxed) + 1;
        let used = self.used.load(Relaxed);
        if watched * WATCHED >= used * (WORDS / 2) / 2 && used < self.lines.len() {
            let more = (used * GROWTH).min(self.lines.len());
            // Only one of several workers succeeds. For a moment the others may miss older entries.
            if self.used.compare_exchange(used, more, Relaxed, Relaxed).is_ok() {
                self.older.store(used, Relaxed);
            }
        }
    }

    /// The content of a key's entry.
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

/// The contents of a line's entries, each with whether it belongs to the key.
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

    /// A large table uses little of its memory at first and all of it in the end, and entries survive its growth.
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
        let entries =
            table.all().iter().flat_map(|line| line.chunks_exact(2)).filter(|pair| pair[1].load(Relaxed) != 0);
        let ratio = table.count() as f64 / entries.count() as f64;
        assert!((0.98..1.02).contains(&ratio), "the estimate is {ratio} of the number of entries");
    }
}
