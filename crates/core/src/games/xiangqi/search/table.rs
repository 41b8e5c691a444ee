//! Table entries of Xiangqi's search. The shallowest entry of a cache line is replaced; those of earlier searches count as
//! shallower.

use crate::search::Bound;
use crate::search::table::{self, Replacement, entry};
use crate::search::value::narrow;

entry! {
    /// A position's table entry.
    pub struct Entry {
        /// The code of the best move; 0: none is known.
        best: u16,
        /// For the side to move; distances of wins and losses count from the position.
        value: i16,
        /// Uncorrected static evaluation; [`Entry::NOTHING`]: not known.
        static_eval: i16,
        /// Plies searched below the position; 0: quiescence search only.
        depth: u8,
        bound: Bound,
        /// Whether the position has been on a principal variation.
        principal: bool,
    }
}

pub type Table = table::Table<Entry>;

impl Entry {
    /// No static evaluation.
    pub const NOTHING: i16 = i16::MIN;

    /// The value at a node `ply` plies below the root.
    #[inline]
    pub fn value_at(&self, ply: u32) -> i32 {
        narrow::from_table(self.value.into(), ply)
    }

    /// Whether its value decides this window.
    #[inline]
    pub fn is_conclusive(&self, value: i32, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }
}

impl Replacement for Entry {
    const EMPTY: i32 = -1000;

    #[inline]
    fn update(self, known: Self, age: u8) -> Option<Self> {
        let stays = self.bound != Bound::Exact && age == 0 && known.depth > self.depth + 3;
        let best = if self.best == 0 { known.best } else { self.best };
        (!stays).then_some(Self { best, ..self })
    }

    #[inline]
    fn worth(&self, age: u8, _: usize, _: &Self) -> i32 {
        i32::from(self.depth) - 8 * i32::from(age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_earlier_searches_give_way() {
        let of_depth = |depth| Entry {
            value: 0,
            bound: Bound::Lower,
            depth,
            best: depth.into(),
            static_eval: Entry::NOTHING,
            principal: false,
        };
        let table = Table::new(1);
        table.put(1, of_depth(9));
        table.put(1, of_depth(5));
        assert_eq!(table.get(1), Some(of_depth(9)));
        table.next_age();
        table.put(1, Entry { best: 0, ..of_depth(5) });
        assert_eq!(table.get(1), Some(Entry { best: 9, ..of_depth(5) }));
        (2..=4).for_each(|key| table.put(key, of_depth(20)));
        (0..3).for_each(|_| table.next_age());
        (5..=8).for_each(|key| table.put(key, of_depth(1)));
        assert!((5..=8).all(|key| table.get(key).is_some()));
    }
}
