//! Table entries of Reversi's search: bounds of a value at a depth and a selectivity.

use super::super::board::{Board, NO_SQUARE};
use super::super::endgame::hash;
use super::super::fills::legal_moves;
use super::most;
use super::probcut::Selectivity;
use crate::bits::Bits;
use crate::search::table::{self, Field, Replacement, entry};

entry! {
    /// The table's entry for a position.
    pub struct Entry {
        /// Least and most value for the side to move, in hundredths of a disc.
        lower: i16,
        upper: i16,
        depth: u8,
        selectivity: Selectivity,
        /// The best square, or [`NO_SQUARE`].
        best: u8,
    }
}

/// Two entries per line. Ages are numbers of discs at the root: older entries soon become useless.
pub type Table = table::Table<Entry, 4>;

impl Field for Selectivity {
    const BITS: u32 = 1;

    #[inline]
    fn bits(self) -> u64 {
        (self == Self::Exact).into()
    }

    #[inline]
    fn of_bits(bits: u64) -> Self {
        if bits & 1 != 0 { Self::Exact } else { Self::Probable }
    }
}

impl Entry {
    pub fn new((lower, upper): (i32, i32), depth: u32, selectivity: Selectivity, best: u8) -> Self {
        Self { lower: lower as i16, upper: upper as i16, depth: depth as u8, selectivity, best }
    }

    /// Whether it stems from a search that was at least as deep and not more selective.
    #[inline]
    pub fn is_as_deep(&self, depth: u32, selectivity: Selectivity) -> bool {
        u32::from(self.depth) >= depth && self.selectivity >= selectivity
    }

    /// The value for a search within (`alpha`, `beta`), if the entry decides it.
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
}

impl Replacement for Entry {
    const EMPTY: i32 = 0;

    #[inline]
    fn update(mut self, known: Self, _: u8) -> Option<Self> {
        if (known.depth, known.selectivity) == (self.depth, self.selectivity) {
            let (lower, upper) = (known.lower.max(self.lower), known.upper.min(self.upper));
            // Selective searches may contradict each other: then the newer one counts.
            if lower <= upper {
                // The move that proves the higher bound: a search that failed low knows no best move.
                if known.lower > self.lower && known.best != NO_SQUARE {
                    self.best = known.best;
                }
                (self.lower, self.upper) = (lower, upper);
            }
        }
        if self.best == NO_SQUARE {
            self.best = known.best;
        }
        Some(self)
    }

    #[inline]
    fn worth(&self, age: u8, place: usize, new: &Self) -> i32 {
        // The first place is for the deepest entry, the second for the newest.
        let kept = if place == 0 { self } else { new };
        if age > 0 { 0 } else { kept.depth.into() }
    }
}

/// The best known square of a position; if `proven`, only of an exact search to the end that knows the value. One bound alone
/// does not show the best move.
pub fn best_known<B: Board>(table: &Table, own: B::Set, other: B::Set, proven: bool) -> Option<u8> {
    let entry = table.get(hash::<B>(own, other))?;
    let searched = entry.is_as_deep(B::empty(own, other).count(), Selectivity::Exact);
    // The largest margin comes from finished games only.
    let is_exact = entry.lower == entry.upper && (searched || i32::from(entry.lower).abs() == most::<B>());
    let is_known = entry.best != NO_SQUARE && (is_exact || !proven);
    (is_known && legal_moves::<B>(own, other).has(entry.best.into())).then_some(entry.best)
}
