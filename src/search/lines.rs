//! The memory of a table without locks: lines of entries, each of two atomic words, of which the first is the key combined with
//! the second (Hyatt and Mann 2002). Where two workers wrote at once, the key is wrong, and nothing is found. What the second
//! word says, and which entry of a line gives way, is the table's own business; zero is an empty entry.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::memory::{SMALL_PAGES, ask_for_huge_pages, prefetch};

/// Lines of so many words, two for each entry.
#[derive(Debug)]
pub struct Lines<const WORDS: usize>(Box<[[AtomicU64; WORDS]]>);

impl<const WORDS: usize> Lines<WORDS> {
    /// About `bytes`, at least one line; less when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        let mut count = (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<[AtomicU64; WORDS]>()).max(1);
        // The system zeroes what it gives as it is touched; and an allocation that fails must not end the whole process.
        loop {
            match bytemuck::allocation::try_zeroed_slice_box(count) {
                Ok(mut zeroed) => {
                    ask_for_huge_pages(&mut zeroed, SMALL_PAGES);
                    return Self(zeroed);
                }
                Err(()) if count > 1 => count /= 2,
                Err(()) => return Self(Box::new([[const { AtomicU64::new(0) }; WORDS]])),
            }
        }
    }

    pub fn bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.0) as u64
    }

    /// All of them.
    pub fn all(&self) -> &[[AtomicU64; WORDS]] {
        &self.0
    }

    #[inline]
    fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        &self.0[((u128::from(key) * self.0.len() as u128) >> 64) as usize]
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.line(key));
    }

    /// The entries that a key may have: what each says, and whether it is this key's.
    #[inline]
    pub fn entries(&self, key: u64) -> impl Iterator<Item = (u64, bool)> {
        self.line(key).chunks_exact(2).map(move |pair| {
            let content = pair[1].load(Relaxed);
            (content, content != 0 && pair[0].load(Relaxed) ^ content == key)
        })
    }

    /// What a key's entry says.
    #[inline]
    pub fn get(&self, key: u64) -> Option<u64> {
        self.entries(key).find_map(|(content, is_keys)| is_keys.then_some(content))
    }

    /// Writes the entry in a place of the key's line.
    #[inline]
    pub fn put(&self, key: u64, place: usize, content: u64) {
        let line = self.line(key);
        line[2 * place].store(key ^ content, Relaxed);
        line[2 * place + 1].store(content, Relaxed);
    }
}
