//! What is known of positions: bounds of their values at a depth and a selectivity, and the best move; shared by all workers
//! without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::endgame::hash;
use super::super::legal_moves;
use super::probcut::Selectivity;
use crate::search::Lines;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Least and most value for the side to move, in hundredths of a disc.
    pub lower: i16,
    pub upper: i16,
    pub depth: u8,
    pub selectivity: Selectivity,
    /// The best square; 64: none is known.
    pub best: u8,
}

impl Entry {
    pub fn new((lower, upper): (i32, i32), depth: u32, selectivity: Selectivity, best: u8) -> Self {
        Self { lower: lower as i16, upper: upper as i16, depth: depth as u8, selectivity, best }
    }

    /// Whether it stems from a search as deep, and that left out no more.
    #[inline]
    pub fn is_as_deep(&self, depth: u32, selectivity: Selectivity) -> bool {
        u32::from(self.depth) >= depth && self.selectivity >= selectivity
    }

    /// The value that it gives a search within (`alpha`, `beta`), if that is enough.
    #[inline]
    pub fn usable(&self, depth: u32, selectivity: Selectivity, alpha: i32, beta: i32) -> Option<i32> {
        if !self.is_as_deep(depth, selectivity) {
            return None;
        }
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        match () {
            () if lower >= beta || lower == upper => Some(lower),
            () if upper <= alpha => Some(upper),
            () => None,
        }
    }

    fn pack(self, age: u64) -> u64 {
        let Self { lower, upper, depth, selectivity, best } = self;
        let bounds = u64::from(lower as u16) | u64::from(upper as u16) << 16;
        USED | bounds
            | u64::from(depth) << DEPTH
            | u64::from(selectivity == Selectivity::Exact) << SELECTIVITY
            | u64::from(best) << BEST
            | age << AGE
    }

    fn unpack(content: u64) -> Self {
        Self {
            lower: content as i16,
            upper: (content >> 16) as i16,
            depth: (content >> DEPTH & 63) as u8,
            selectivity: if content >> SELECTIVITY & 1 != 0 { Selectivity::Exact } else { Selectivity::Probable },
            best: (content >> BEST & 127) as u8,
        }
    }
}

const DEPTH: u32 = 32;
const SELECTIVITY: u32 = 38;
const BEST: u32 = 41;
const AGE: u32 = 48;
const USED: u64 = 1 << 63;

/// A table that grows into its memory: two entries to look for a position at.
#[derive(Debug)]
pub struct Table {
    lines: Lines<4>,
    /// Discs at the root: what was found before is soon of no use.
    age: AtomicU64,
    /// Keys of positions that some worker is searching just now, each in a place that follows from it.
    claims: Box<[AtomicU64; CLAIMS]>,
}

/// Places for claims: many more than workers have open moves.
const CLAIMS: usize = 1 << 12;

impl Table {
    /// A table of about `bytes`; smaller when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        Self { lines: Lines::new(bytes), age: AtomicU64::new(0), claims: bytemuck::allocation::zeroed_box() }
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

    /// A search begins from a position with so many discs.
    pub fn begin(&self, discs: u32) {
        self.age.store(discs.into(), Relaxed);
    }

    /// Claims a position for a worker that is about to search it; false: another one is searching it. Claims are advice only:
    /// where two positions share a place, or two workers come at once, a position is searched twice.
    #[inline]
    pub fn claim(&self, key: u64) -> bool {
        let place = &self.claims[key as usize % CLAIMS];
        let free = place.load(Relaxed) != key;
        if free {
            place.store(key, Relaxed);
        }
        free
    }

    /// Ends a claim.
    #[inline]
    pub fn release(&self, key: u64) {
        let place = &self.claims[key as usize % CLAIMS];
        if place.load(Relaxed) == key {
            place.store(0, Relaxed);
        }
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.lines.get(key).map(Entry::unpack)
    }

    /// The best square of a position as far as it is known.
    pub fn expected(&self, own: u64, other: u64) -> Option<u8> {
        let best = self.get(hash(own, other))?.best;
        legal_moves(own, other).checked_shr(best.into()).is_some_and(|rest| rest & 1 != 0).then_some(best)
    }

    /// Adds what was found about a position.
    #[inline]
    pub fn put(&self, key: u64, mut new: Entry) {
        let age = self.age.load(Relaxed);
        let mut place = 0;
        let mut least = u64::MAX;
        for (index, (content, is_keys)) in self.lines.entries(key).enumerate() {
            if is_keys {
                let known = Entry::unpack(content);
                if (known.depth, known.selectivity) == (new.depth, new.selectivity) {
                    let (lower, upper) = (known.lower.max(new.lower), known.upper.min(new.upper));
                    // Selective searches may contradict each other: then the newer one counts.
                    if lower <= upper {
                        (new.lower, new.upper) = (lower, upper);
                    }
                }
                if new.best == 64 {
                    new.best = known.best;
                }
                place = index;
                break;
            }
            // The first place is for whatever took most work, the second for whatever came last.
            let old = content >> AGE & 127 != age;
            let worth = match () {
                () if content == 0 || old => 0,
                () if index == 0 => content >> DEPTH & 63,
                () => u64::from(new.depth),
            };
            if worth < least {
                (place, least) = (index, worth);
            }
        }
        self.lines.put(key, place, new.pack(age));
    }
}
