//! The solver's transposition table.

use crate::bits::Bits;
use crate::position::Side;

/// Infinity: a number that no sum reaches.
pub const INFINITE: u32 = 1 << 30;

/// Proof and disproof numbers for the side to move: lower bounds on the positions left to prove a win, and a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// A position not yet judged.
    pub const UNKNOWN: Self = Self { proof: 1, disproof: 1 };
    pub const WON: Self = Self { proof: 0, disproof: INFINITE };
    pub const LOST: Self = Self { proof: INFINITE, disproof: 0 };

    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The winner, if known.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match (self.proof, self.disproof) {
            (0, _) => Some(mover),
            (_, 0) => Some(mover.other()),
            _ => None,
        }
    }
}

/// A position that has been judged.
#[derive(Clone, Copy, Debug)]
pub struct Entry<S> {
    pub key: u64,
    pub numbers: Numbers,
    /// Positions searched below; 0 in a free place.
    pub work: u32,
    /// The moves that can win, while that is open.
    pub moves: S,
}

impl<S: Bits> Entry<S> {
    /// A free place.
    const FREE: Self = Self { key: 0, numbers: Numbers::UNKNOWN, work: 0, moves: S::EMPTY };
}

/// Entries in one line; the one with the least work is replaced.
const LINE: usize = 4;
/// Lines of a new table.
const FIRST: usize = 1 << 12;

/// A table that doubles after as many new entries as half its places: a brief search clears no more memory than it needs.
#[derive(Debug)]
pub struct Table<S> {
    entries: Vec<Entry<S>>,
    /// Entries since it last grew, with those that were replaced.
    stored: usize,
    /// The most lines.
    most: usize,
}

impl<S: Bits> Table<S> {
    /// A table of at most `bytes`, including the smaller one while it grows, and of at least one line.
    pub fn new(bytes: u64) -> Self {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let lines = (bytes / 3 * 2 / (LINE * size_of::<Entry<S>>())).max(1);
        // The largest power of two that fits.
        let most = 1 << lines.ilog2();
        let entries = Self::free(most.min(FIRST)).unwrap_or_else(|| vec![Entry::FREE; LINE]);
        Self { entries, stored: 0, most }
    }

    /// Allocates free lines; `None` when memory is short, since a failed allocation must not abort the process.
    fn free(lines: usize) -> Option<Vec<Entry<S>>> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(lines * LINE).ok()?;
        entries.resize(lines * LINE, Entry::FREE);
        Some(entries)
    }

    pub fn bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.entries) as u64
    }

    #[inline]
    fn line(&self, key: u64) -> std::ops::Range<usize> {
        let first = (key as usize & (self.entries.len() / LINE - 1)) * LINE;
        first..first + LINE
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry<S>> {
        self.entries[self.line(key)].iter().find(|entry| entry.key == key && entry.work > 0)
    }

    pub fn put(&mut self, entry: Entry<S>) {
        if self.stored * 2 > self.entries.len() && self.entries.len() < self.most * LINE {
            self.grow();
        }
        self.store(entry);
    }

    #[cold]
    fn grow(&mut self) {
        let lines = self.entries.len() / LINE;
        let Some(grown) = Self::free(lines * 2) else {
            self.most = lines;
            return;
        };
        let before = std::mem::replace(&mut self.entries, grown);
        self.stored = 0;
        before.into_iter().filter(|entry| entry.work > 0).for_each(|entry| self.store(entry));
    }

    fn store(&mut self, entry: Entry<S>) {
        let line = self.line(entry.key);
        let entries = &mut self.entries[line];
        let same = entries.iter().position(|other| other.key == entry.key && other.work > 0);
        let place = same.or_else(|| (0..LINE).min_by_key(|&place| entries[place].work)).unwrap_or(0);
        self.stored += usize::from(same.is_none());
        entries[place] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix;

    #[test]
    fn a_table_grows_and_keeps_what_it_has() {
        let mut table = Table::<u64>::new(64 << 20);
        let (small, count) = (table.bytes(), 200_000);
        for number in 0..count {
            table.put(Entry { key: mix(number), numbers: Numbers::LOST, work: 1, moves: number });
        }
        let kept = (0..count).filter(|&number| table.get(mix(number)).is_some_and(|entry| entry.moves == number));
        assert!(kept.count() as u64 > count * 9 / 10);
        assert!(table.bytes() > small && table.bytes() <= 64 << 20, "{}", table.bytes());
    }
}
