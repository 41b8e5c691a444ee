//! The moves of a node, the most promising first.

use smallvec::SmallVec;

use super::super::endgame::odd_quarters;
use super::super::legal_moves;
use super::super::mobility::CORNERS;
use super::node::Node;
use super::table::hash;
use super::{MOST, Search};
use crate::bits::Bits;

/// More moves than a game ever has; positions that no game reaches may have more.
const USUAL: usize = 36;
/// Tried before all others.
const FIRST: i32 = 1 << 24;

/// A move and the position after it.
pub struct Move {
    pub node: Node,
    pub square: u8,
    weight: i32,
}

/// The moves that are left to try.
pub struct Moves {
    list: SmallVec<[Move; USUAL]>,
    tried: u64,
}

impl Moves {
    /// The moves of a node that is searched `depth` plies deep; `best` is the one that the table recommends.
    pub fn list<T: FnMut(u64) -> bool>(
        search: &mut Search<'_, T>,
        node: &Node,
        legal: u64,
        depth: u32,
        best: u8,
    ) -> Self {
        let empty = node.empty();
        let to_end = depth >= empty;
        let odd = odd_quarters(!(node.own | node.other));
        let ahead = look_ahead(depth, empty);
        let mut list = SmallVec::new();
        for square in legal.iter() {
            let (next, wiped) = node.play(search.evaluation.patterns, square);
            search.table.prefetch(hash(next.own, next.other));
            let weight = if wiped {
                2 * FIRST
            } else if square == u32::from(best) {
                FIRST
            } else {
                let value = match ahead {
                    0 => search.evaluation.value(&next.numbers, empty - 1),
                    ahead => search.visit::<true>(&next, ahead, -MOST - 1, MOST + 1, false),
                };
                let replies = legal_moves(next.own, next.other);
                let replies = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
                match to_end {
                    true => -value - 200 * replies + i32::from(odd.has(square)) * 100,
                    false => -value - 30 * replies,
                }
            };
            list.push(Move { node: next, square: square as u8, weight });
        }
        Self { list, tried: 0 }
    }

    /// All moves, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Move> {
        self.list.iter()
    }

    /// The most promising move that is left.
    pub fn next(&mut self) -> Option<&Move> {
        let left = (0..self.list.len()).filter(|&index| self.tried >> index & 1 == 0);
        let best = left.max_by_key(|&index| self.list[index].weight)?;
        self.tried |= 1 << best;
        Some(&self.list[best])
    }
}

/// How many plies the moves are searched for their order.
fn look_ahead(depth: u32, empty: u32) -> u32 {
    if depth >= empty {
        return (empty.saturating_sub(14) / 3).min(4);
    }
    match depth {
        ..5 => 0,
        5..9 => 1,
        _ => 2,
    }
}
