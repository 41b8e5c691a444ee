//! The children about to be added to a node, in the order in which they will first be visited.

use std::cmp::Reverse;

use super::{MoveOrder, Playout};
use crate::position::Position;
use crate::rng::Rng;

/// Moves and the room to sort them, kept from node to node to save allocations.
#[derive(Debug)]
pub struct Brood<M> {
    /// The moves, the first to be visited first.
    pub moves: Vec<M>,
    ranked: Vec<(i32, M)>,
}

impl<M> Default for Brood<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), ranked: Vec::new() }
    }
}

impl<M: Copy + PartialEq> Brood<M> {
    /// Takes up the moves of a position: by the judge's priority or in random order, equals in random order in any case, and
    /// before all the one that the playout knows to decide.
    pub fn gather<P: Position<Move = M>, F: Playout<P>>(
        &mut self,
        playout: &F,
        order: MoveOrder,
        position: &P,
        moves: impl Iterator<Item = M>,
        rng: &mut Rng,
    ) {
        self.moves.clear();
        self.moves.extend(moves);
        shuffle(&mut self.moves, rng);
        if order == MoveOrder::Judge {
            self.ranked.clear();
            self.ranked.extend(self.moves.iter().map(|&mv| (playout.priority(position, mv), mv)));
            self.ranked.sort_by_key(|&(priority, _)| Reverse(priority));
            self.moves.clear();
            self.moves.extend(self.ranked.iter().map(|&(_, mv)| mv));
        }
        if let Some(first) = playout.decisive(position)
            && let Some(index) = self.moves.iter().position(|&mv| mv == first)
        {
            self.moves[..=index].rotate_right(1);
        }
    }
}

/// Puts moves in random order (Fisher and Yates).
fn shuffle<M>(moves: &mut [M], rng: &mut Rng) {
    for index in (1..moves.len()).rev() {
        let other = rng.below(index as u32 + 1) as usize;
        moves.swap(index, other);
    }
}
