//! Which child the next simulation goes to: UCB1 over those that can still matter.

use super::tree::{NodeId, Tree, unpack};
use super::utility::Utility;
use crate::position::Side;

/// Where a simulation goes on, and what its ancestors hear of it.
pub struct Selected {
    pub child: NodeId,
    /// The score of a solved sibling that is as good as the child may hope to be: what counts for the parent.
    pub instead: Option<i8>,
}

/// The child of `id` that the next simulation goes to: an unvisited one, or else the one with the largest
/// mean + `exploration` * sqrt(2 ln N / n).
///
/// Only unsolved children that can still change the parent's value are simulated. When a solved one has an exact value that
/// no other's bound exceeds, plain UCB would play it: so that value is what the parent takes for this simulation, or the
/// parent's mean would be biased towards moves it would not play; the simulation itself is still spent where it may prove
/// something.
#[inline(always)]
pub fn select<M: Copy>(tree: &Tree<M>, id: NodeId, turn: Side, utility: Utility, exploration: f32) -> Selected {
    let record = tree.record(id);
    let width = exploration * record.reach;
    let (mut best, mut first) = (i32::MIN, 0);
    for (octet, index) in tree.family(id).iter().zip((0..).step_by(8)) {
        let candidate = octet.best(width);
        if candidate > best {
            (best, first) = (candidate, index);
        }
    }
    let (bound, lane) = unpack(best);
    let (floor, _) = record.seen_from(turn);
    let mut instead = None;
    // A floor above the lowest score is some child's: when that child is solved, its value is at hand.
    if floor > -tree.limit() {
        let score = if turn == Side::First { floor } else { -floor };
        instead = (utility.exact_for(turn, score.into()) >= bound).then_some(score);
    }
    Selected { child: tree.first_child(id) + first + lane, instead }
}
