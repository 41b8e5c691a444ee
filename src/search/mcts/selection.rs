//! Which child the next simulation goes to: UCB1 over those that can still matter.

use super::tree::{NodeId, Tree};
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
    let mut best = i64::MIN;
    for (index, arm) in tree.arms(id).iter().enumerate() {
        best = best.max(sortable(arm.bound(width), index));
    }
    let (best_bound, best) = unsorted(best);
    let (floor, _) = record.seen_from(turn);
    let mut instead = None;
    // A floor above the lowest score is some child's: when that child is solved, its value is at hand.
    if floor > -tree.limit() {
        let score = if turn == Side::First { floor } else { -floor };
        instead = (utility.exact_for(turn, score.into()) >= best_bound).then_some(score);
    }
    Selected { child: tree.first_child(id) + NodeId::from(best), instead }
}

/// A bound and an index as one number that is larger for a larger bound, and for equal bounds for a smaller index. The maximum
/// is then found without a branch; which child wins is all but random, and a wrong guess costs more than all comparisons.
/// Bounds are not negative, save the minus infinity of a dead arm; so their bits are in the order of their values.
#[inline(always)]
fn sortable(bound: f32, index: usize) -> i64 {
    i64::from(bound.to_bits() as i32) << 16 | i64::from(u16::MAX - index as u16)
}

/// The reverse of [`sortable`].
#[inline(always)]
fn unsorted(packed: i64) -> (f32, u16) {
    (f32::from_bits((packed >> 16) as u32), u16::MAX - packed as u16)
}

#[cfg(test)]
mod tests {
    #[test]
    fn packed_bounds_sort() {
        let bounds = [f32::NEG_INFINITY, 0.0, 0.25, 0.5, 1.75, f32::INFINITY];
        for (lower, higher) in bounds.iter().zip(&bounds[1..]) {
            assert!(super::sortable(*lower, 0) < super::sortable(*higher, 65535));
            assert!(super::sortable(*lower, 1) < super::sortable(*lower, 0));
            assert_eq!(super::unsorted(super::sortable(*higher, 7)), (*higher, 7));
        }
    }
}
