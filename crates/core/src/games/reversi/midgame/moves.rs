//! The moves of a node, the most promising first.

use smallvec::SmallVec;

use super::super::board::Board;
use super::super::endgame::{hash, odd_quarters};
use super::super::fills::legal_moves;
use super::node::Node;
use super::{Search, most};
use crate::bits::Bits;

/// Moves that are stored without an allocation: more than a game on 8x8 ever has.
const INLINE_MOVES: usize = 36;
/// The weight of a move tried before all others.
const FIRST: i32 = 1 << 24;

/// A move.
#[derive(Clone, Copy)]
pub struct Move<B: Board> {
    /// The discs that it turns.
    pub turned: B::Set,
    pub square: u8,
    weight: i32,
}

impl<B: Board> Move<B> {
    /// Whether it has been postponed.
    #[inline]
    pub fn is_postponed(&self) -> bool {
        self.weight < -FIRST
    }
}

/// The moves that are left to try.
pub struct Moves<B: Board> {
    list: SmallVec<[Move<B>; INLINE_MOVES]>,
}

impl<B: Board> Moves<B> {
    /// The moves of a node that is searched `depth` plies deep; `best` is the one that the table recommends.
    pub fn list<T: FnMut(u64) -> bool>(
        search: &mut Search<'_, B, T>,
        node: &Node<B>,
        legal: B::Set,
        depth: u32,
        best: u8,
    ) -> Self {
        let empty = node.empty();
        let to_end = depth >= empty;
        let odd = odd_quarters::<B>(B::empty(node.own, node.other));
        let ahead = look_ahead(depth, empty);
        let mut list = SmallVec::new();
        for square in legal.iter() {
            let turned = node.turned(square);
            let (own, other) = node.discs_after(square, turned);
            search.table.prefetch(hash::<B>(own, other));
            let weight = if own.is_empty() {
                2 * FIRST
            } else if square == u32::from(best) {
                FIRST
            } else {
                let value = match ahead {
                    None => 0,
                    Some(0) => search.value_after(node, square, turned),
                    Some(ahead) => {
                        let next = node.after(search.evaluator, square, turned);
                        search.visit::<true>(&next, ahead, -most::<B>() - 1, most::<B>() + 1, false)
                    }
                };
                let replies = legal_moves::<B>(own, other);
                let replies = (replies.count() + (replies & B::CORNERS).count()) as i32;
                match to_end {
                    true => -value - 300 * replies + i32::from(odd.has(square)) * 100,
                    false => -value - 30 * replies,
                }
            };
            list.push(Move { turned, square: square as u8, weight });
        }
        Self { list }
    }

    /// All moves, unordered.
    pub fn all(&self) -> impl Iterator<Item = &Move<B>> {
        self.list.iter()
    }

    /// Puts a move after all others.
    pub fn postpone(&mut self, mv: Move<B>) {
        self.list.push(Move { weight: mv.weight - 4 * FIRST, ..mv });
    }

    /// The most promising move that is left.
    #[inline]
    pub fn next(&mut self) -> Option<Move<B>> {
        let mut best = None;
        let mut most = i32::MIN;
        for (index, mv) in self.list.iter().enumerate() {
            if mv.weight > most {
                (best, most) = (Some(index), mv.weight);
            }
        }
        let mv = self.list[best?];
        self.list[best?].weight = i32::MIN;
        Some(mv)
    }
}

/// Depth of the searches that order the moves; `None` if the moves are not even evaluated. In the midgame, deeper searches cost
/// more than they save: with them, depth 14 took twice the nodes.
fn look_ahead(depth: u32, empty: u32) -> Option<u32> {
    match depth {
        _ if depth >= empty => Some((empty.saturating_sub(14) / 3).min(4)),
        ..3 => None,
        _ => Some(0),
    }
}
