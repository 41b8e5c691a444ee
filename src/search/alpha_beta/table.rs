//! The transposition table: what is known of positions met before.
//!
//! Sixteen bytes an entry, four entries to a cache line, the shallowest of a line's entries replaced first. The best move is
//! kept as its index among the position's moves, which is the same whenever the position is met.

use crate::search::Bound;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub value: i32,
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: u8,
    /// Whether the value rests on finished games only; then it holds at any depth.
    pub complete: bool,
    /// Index of the best move.
    pub best: u16,
}

const ENTRIES: usize = 4;

/// A line of entries, as pairs of words: key, packed entry. Zero is an empty entry, so that a new table's pages are not
/// touched before they are used.
type Line = [u64; 2 * ENTRIES];

/// A fixed-size table.
#[derive(Debug)]
pub struct Table {
    lines: Vec<Line>,
}

impl Table {
    /// A table of about `bytes`, at least one line; smaller when there is not that much memory.
    pub fn new(bytes: u64) -> Self {
        let mut lines = (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Line>()).max(1);
        // Asked first, because an allocation that fails would end the whole process. What is made then is zeroed by the
        // system as it is touched.
        while lines > 1 && Vec::<Line>::new().try_reserve_exact(lines).is_err() {
            lines /= 2;
        }
        Self { lines: vec![[0; 2 * ENTRIES]; lines] }
    }

    pub fn bytes(&self) -> u64 {
        size_of_val(self.lines.as_slice()) as u64
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        ((u128::from(key) * self.lines.len() as u128) >> 64) as usize
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let line = &self.lines[self.line(key)];
        line.chunks_exact(2).find(|pair| pair[0] == key && pair[1] != 0).map(|pair| unpack(pair[1]))
    }

    #[inline]
    pub fn put(&mut self, key: u64, entry: Entry) {
        let index = self.line(key);
        let line = &mut self.lines[index];
        let worth = |pair: &[u64]| match pair {
            [_, 0] => -1,
            [k, _] if *k == key => -2,
            [_, packed] => {
                let known = unpack(*packed);
                i32::from(known.depth) + 256 * i32::from(known.complete)
            }
            _ => unreachable!("pairs have two words"),
        };
        if let Some(pair) = line.chunks_exact_mut(2).min_by_key(|pair| worth(pair)) {
            // What holds at any depth is not given up for what does not, unless that says more here.
            let keep = pair[0] == key && pair[1] != 0 && !entry.complete && {
                let known = unpack(pair[1]);
                known.complete && (known.bound == Bound::Exact || entry.bound != Bound::Exact)
            };
            if !keep {
                (pair[0], pair[1]) = (key, pack(entry));
            }
        }
    }
}

const USED: u64 = 1 << 63;
const COMPLETE: u64 = 1 << 62;

fn pack(entry: Entry) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    USED | (if entry.complete { COMPLETE } else { 0 })
        | bound << 56
        | u64::from(entry.depth) << 48
        | u64::from(entry.best) << 32
        | u64::from(entry.value as u32)
}

fn unpack(packed: u64) -> Entry {
    Entry {
        value: packed as u32 as i32,
        best: (packed >> 32) as u16,
        depth: (packed >> 48) as u8,
        bound: match packed >> 56 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        complete: packed & COMPLETE != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for (value, depth, complete, best) in [(0, 0, false, 0), (-1_000_000, 255, true, 65535), (77, 3, false, 6)]
            {
                let entry = Entry { value, bound, depth, complete, best };
                assert_eq!(unpack(pack(entry)), entry);
                let mut table = Table::new(1);
                table.put(5, entry);
                assert_eq!(table.get(5), Some(entry));
                assert_eq!(table.get(6), None);
            }
        }
    }

    #[test]
    fn the_deepest_entries_stay() {
        let mut table = Table::new(1);
        let entry = |depth| Entry { value: 0, bound: Bound::Exact, depth, complete: false, best: 0 };
        for depth in 1..=9 {
            table.put(depth.into(), entry(depth));
        }
        assert_eq!(table.get(9), Some(entry(9)));
        assert_eq!((1..=9).filter(|&key| table.get(key).is_some()).count(), 4);
    }
}
