//! The transposition table of the search for fours.

use super::super::super::lines::Point;

/// The result of a position for the side that attacks in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// This many fours are not enough to win; `u8::MAX`: no number is.
    NotWithin(u8),
    /// This many fours win, and this is the first.
    Wins(u8, Point),
}

/// One entry per place; the newer replaces the older. It takes no memory before it is used.
#[derive(Debug)]
pub(super) struct Table {
    /// Pairs of key and packed entry; 0 is no entry.
    entries: Vec<[u64; 2]>,
    size: usize,
}

const USED: u64 = 1 << 63;
const WINS: u64 = 1 << 62;

impl Table {
    /// A table of at most `bytes` bytes, and at least one entry.
    pub fn new(bytes: u64) -> Self {
        let size = (bytes / 16).max(1);
        let size = if size.is_power_of_two() { size } else { size.next_power_of_two() / 2 };
        Self { entries: Vec::new(), size: size as usize }
    }

    /// Allocates the entries before the first use.
    pub fn open(&mut self) {
        if self.entries.is_empty() {
            self.entries = vec![[0; 2]; self.size];
        }
    }

    pub fn bytes(&self) -> u64 {
        16 * self.size as u64
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.size - 1)
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let [found, packed] = self.entries[self.place(key)];
        if found != key || packed == 0 {
            return None;
        }
        let fours = packed as u8;
        let at = Point::new((packed >> 8) as u32 & 0xff, (packed >> 16) as u32 & 0xff);
        Some(if packed & WINS != 0 { Entry::Wins(fours, at) } else { Entry::NotWithin(fours) })
    }

    #[inline]
    pub fn put(&mut self, key: u64, known: Entry) {
        let place = self.place(key);
        let packed = match known {
            Entry::NotWithin(fours) => u64::from(fours),
            Entry::Wins(fours, at) => WINS | u64::from(fours) | u64::from(at.column) << 8 | u64::from(at.row) << 16,
        };
        self.entries[place] = [key, packed | USED];
    }
}
