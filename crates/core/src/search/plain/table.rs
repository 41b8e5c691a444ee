//! Table entries of plain searches. The shallowest entry of a line is replaced; entries that the last iterations did not renew
//! count for less.

use crate::search::Bound;
use crate::search::table::{self, Replacement, entry};

entry! {
    /// A position's table entry.
    pub struct Entry {
        /// The code of the best move; 0 when there is none.
        best: u16,
        value: i32,
        /// Plies searched below the position.
        depth: u8,
        bound: Bound,
        /// Whether the value rests on finished games only; then it holds at any depth.
        complete: bool,
        /// Whether moves were left out or searched less deep.
        selective: bool,
    }
}

pub type Table = table::Table<Entry>;

impl Replacement for Entry {
    const EMPTY: i32 = -1;

    #[inline]
    fn update(self, known: Self, age: u8) -> Option<Self> {
        let stays = match self.complete || self.bound == Bound::Exact {
            true => known.complete && !self.complete && known.bound == Bound::Exact,
            // A complete value is not replaced by an incomplete one.
            false => known.complete || (age == 0 && known.depth > self.depth + 3),
        };
        let best = if self.best == 0 { known.best } else { self.best };
        (!stays).then_some(Self { best, ..self })
    }

    #[inline]
    fn worth(&self, age: u8, _: usize, _: &Self) -> i32 {
        i32::from(self.depth) + 256 * i32::from(self.complete) - 2 * i32::from(age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_depth(depth: u8) -> Entry {
        Entry { value: 0, bound: Bound::Exact, depth, complete: false, selective: false, best: 0 }
    }

    #[test]
    fn the_deepest_entries_stay() {
        let table = Table::new(1);
        for depth in 1..=9 {
            table.put(depth.into(), of_depth(depth));
        }
        assert_eq!(table.get(9), Some(of_depth(9)));
        assert_eq!((1..=9).filter(|&key| table.get(key).is_some()).count(), 4);
    }

    #[test]
    fn old_entries_go_first() {
        let table = Table::new(1);
        for key in 1..=4 {
            table.put(key, of_depth(10));
        }
        (0..6).for_each(|_| table.next_age());
        table.put(5, of_depth(1));
        table.put(6, of_depth(2));
        assert!(table.get(5).is_some() && table.get(6).is_some());
        assert_eq!((1..=4).filter(|&key| table.get(key).is_some()).count(), 2);
    }

    #[test]
    fn what_holds_at_any_depth_is_kept() {
        let table = Table::new(1);
        let complete = Entry { complete: true, bound: Bound::Lower, ..of_depth(2) };
        table.put(1, complete);
        table.put(1, Entry { bound: Bound::Lower, ..of_depth(30) });
        assert_eq!(table.get(1), Some(complete));
    }
}
