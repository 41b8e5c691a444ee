//! What is known of positions near the end: bounds of their margins and the best move, shared by all workers without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::memory::prefetch;
use crate::rng::mix;

/// Bounds of the margin for the side to move, and a square; 64: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub lower: i8,
    pub upper: i8,
    pub best: u8,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lower: -64, upper: 64, best: 64 };
}

/// Two entries to look for a position at, of two words each: the key combined with the content, and the content.
type Line = [AtomicU64; 4];

/// A fixed-size table.
#[derive(Debug)]
pub struct Table {
    lines: Box<[Line]>,
}

/// A position's hash.
#[inline]
pub fn hash(own: u64, other: u64) -> u64 {
    mix(own ^ mix(other))
}

impl Table {
    /// A table of about `bytes`; smaller when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        let mut lines = (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Line>()).max(1);
        let lines = loop {
            match bytemuck::allocation::try_zeroed_slice_box::<Line>(lines) {
                Ok(zeroed) => break zeroed,
                Err(()) if lines > 1 => lines /= 2,
                Err(()) => break Box::new([Line::default()]),
            }
        };
        Self { lines }
    }

    pub fn bytes(&self) -> u64 {
        size_of_val::<[Line]>(&self.lines) as u64
    }

    #[inline]
    fn line(&self, key: u64) -> &Line {
        &self.lines[((u128::from(key) * self.lines.len() as u128) >> 64) as usize]
    }

    /// Has the processor fetch what will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.line(key));
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Bounds> {
        self.line(key).chunks_exact(2).find_map(|pair| {
            let content = pair[1].load(Relaxed);
            (pair[0].load(Relaxed) ^ content == key && content != 0).then(|| unpack(content))
        })
    }

    /// Adds what was found about a position with so many empty squares.
    #[inline]
    pub fn put(&self, key: u64, empty: u32, mut bounds: Bounds) {
        let line = self.line(key);
        let mut place = 0;
        let mut least = u64::MAX;
        for (index, pair) in line.chunks_exact(2).enumerate() {
            let content = pair[1].load(Relaxed);
            if content != 0 && pair[0].load(Relaxed) ^ content == key {
                let known = unpack(content);
                // Both are true; where other workers wrote in between, the new one is kept.
                if known.lower.max(bounds.lower) <= known.upper.min(bounds.upper) {
                    bounds.lower = bounds.lower.max(known.lower);
                    bounds.upper = bounds.upper.min(known.upper);
                }
                if bounds.best == 64 {
                    bounds.best = known.best;
                }
                place = index;
                break;
            }
            // The first place is for whatever took most work, the second for whatever came last.
            let worth = if index == 0 { content >> EMPTY & 63 } else { u64::from(empty) };
            if worth < least {
                (place, least) = (index, worth);
            }
        }
        let content = pack(empty, bounds);
        line[2 * place].store(key ^ content, Relaxed);
        line[2 * place + 1].store(content, Relaxed);
    }
}

const EMPTY: u32 = 24;
const USED: u64 = 1 << 63;

fn pack(empty: u32, Bounds { lower, upper, best }: Bounds) -> u64 {
    USED | u64::from(empty) << EMPTY | u64::from(best) << 16 | u64::from(upper as u8) << 8 | u64::from(lower as u8)
}

fn unpack(content: u64) -> Bounds {
    Bounds { lower: content as i8, upper: (content >> 8) as i8, best: (content >> 16) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_narrow() {
        let table = Table::new(1);
        assert_eq!(table.get(7), None);
        table.put(7, 12, Bounds { lower: -10, upper: 64, best: 3 });
        table.put(7, 12, Bounds { lower: -64, upper: 20, best: 64 });
        assert_eq!(table.get(7), Some(Bounds { lower: -10, upper: 20, best: 3 }));
        assert_eq!(table.get(8), None);
    }
}
