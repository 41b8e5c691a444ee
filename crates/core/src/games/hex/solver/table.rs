//! What the solver has found of positions.

use crate::bits::Bits;

/// A sum that is never exceeded: nothing can be proven.
pub const NEVER: u32 = 1 << 30;

/// Proof and disproof numbers, for the side to move: how many positions at least have to be proven to win, and to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// Of a position that nobody has looked at.
    pub const UNKNOWN: Self = Self { proof: 1, disproof: 1 };
    pub const WON: Self = Self { proof: 0, disproof: NEVER };
    pub const LOST: Self = Self { proof: NEVER, disproof: 0 };

    #[inline]
    pub fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A position that has been judged.
#[derive(Clone, Copy, Debug)]
pub struct Entry<S> {
    pub key: u64,
    pub numbers: Numbers,
    /// Positions searched below; a free place has none.
    pub work: u32,
    /// The moves that can win, while that is open.
    pub moves: S,
}

/// Entries in one line, of which the one with the least work gives way.
const LINE: usize = 4;

#[derive(Debug)]
pub struct Table<S> {
    entries: Vec<Entry<S>>,
    mask: usize,
}

impl<S: Bits> Table<S> {
    /// About `bytes`, at least one line.
    pub fn new(bytes: u64) -> Self {
        let lines = (bytes as usize / (LINE * size_of::<Entry<S>>())).max(1);
        // The largest power of two that is not above.
        let lines = 1 << lines.ilog2();
        let free = Entry { key: 0, numbers: Numbers::UNKNOWN, work: 0, moves: S::EMPTY };
        Self { entries: vec![free; lines * LINE], mask: lines - 1 }
    }

    pub fn bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.entries) as u64
    }

    #[inline]
    fn line(&self, key: u64) -> std::ops::Range<usize> {
        let first = (key as usize & self.mask) * LINE;
        first..first + LINE
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry<S>> {
        self.entries[self.line(key)].iter().find(|entry| entry.key == key && entry.work > 0)
    }

    pub fn put(&mut self, entry: Entry<S>) {
        let line = self.line(entry.key);
        let entries = &mut self.entries[line];
        let same = entries.iter().position(|other| other.key == entry.key && other.work > 0);
        let place = same.or_else(|| (0..LINE).min_by_key(|&place| entries[place].work));
        entries[place.unwrap_or(0)] = entry;
    }
}
