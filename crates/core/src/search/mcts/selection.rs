//! Selection of the child that the next simulation goes to, among those that can still matter.
//!
//! Solved children, and those whose bounds cannot beat the parent's, are skipped. When the best solved child is as good as the
//! best open bound, the parent backs up the solved value, and the simulation itself goes to the open child: no bias towards
//! moves that would not be played, and no simulation wasted.

use super::arms::{LANES, Siblings, best, unpack};
use super::tree::{NodeId, Tree};
use super::utility::Utility;
use crate::choices;
use crate::position::{Position, Side};

choices! {
    /// The bound by which children are compared.
    pub enum Selection {
        /// mean + c * sqrt(2 ln N / n) (Auer, Cesa-Bianchi and Fischer 2002).
        Ucb1 = "ucb1",
        /// mean + 2c * P * sqrt(N) / (1 + n) with priors P by the evaluator's order of the moves (Rosin 2011, in the form of
        /// Silver and others 2017); an unvisited child's mean is its parent's.
        Puct = "puct",
        /// mean + 30c * P / (1 + n), over means that begin as the all-moves-as-first means (Gelly and Silver 2011); without an
        /// order all priors are the same.
        Rave = "rave",
    }
}

/// The visits at which a child's own mean weighs as much as its all-moves-as-first mean.
const RAVE_EQUIVALENCE: f32 = 100.0;
/// The weight of priors. In PUCT it is 2 * sqrt(N); this one does not grow with the parent's visits
/// (docs/measurements/hex.md, "Selection").
const RAVE_PRIOR_WEIGHT: f32 = 30.0;

/// A rule of selection: a bound, its constant, and how many children it may choose from.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub selection: Selection,
    /// The constant c.
    pub exploration: f32,
    /// A node with N visits opens its first `widening` * sqrt(N) children, at least [`NARROWEST`]; 0 opens all. Progressive
    /// unpruning (Chaslot and others 2008).
    pub widening: f32,
}

/// The minimum number of open children.
const NARROWEST: usize = 2;

impl Selection {
    /// Whether it reads priors.
    pub fn reads_priors(self) -> bool {
        self != Self::Ucb1
    }

    /// Whether it reads all-moves-as-first means.
    pub fn reads_amaf(self) -> bool {
        self == Self::Rave
    }
}

impl Rule {
    /// The number of open children of a node with `visits` and `count` children.
    #[inline(always)]
    pub fn open(&self, visits: u32, count: usize) -> usize {
        if self.widening == 0.0 {
            return count;
        }
        ((self.widening * (visits as i32 as f32).sqrt()) as usize).clamp(NARROWEST.min(count), count)
    }

    /// The bound and the index of the best open child. The parent has `visits`, from whose logarithm `sqrt_2_ln` is made (see
    /// the tree's records), the `mean` utility for the side to move, and `count` children; `family` returns their blocks in
    /// order. Further children are opened if the open ones can no longer matter.
    #[inline(always)]
    pub fn choose<S: Siblings>(
        &self,
        (visits, sqrt_2_ln): (u32, f32),
        mean: impl FnOnce() -> f32,
        count: usize,
        mut family: impl FnMut(usize) -> S,
    ) -> (f32, u32) {
        match self.selection {
            Selection::Ucb1 => {
                let width = self.exploration * sqrt_2_ln;
                self.scan(visits, count, |block| family(block).arms().ucb(width))
            }
            Selection::Puct => {
                let width = 2.0 * self.exploration * (visits.max(1) as i32 as f32).sqrt();
                let unseen = if visits == 0 { 0.5 } else { mean().max(0.0) };
                self.scan(visits, count, |block| {
                    let siblings = family(block);
                    siblings.arms().puct(&siblings.priors(), width, unseen)
                })
            }
            Selection::Rave => self.scan(visits, count, |block| {
                let siblings = family(block);
                siblings.arms().rave(
                    &siblings.amaf(),
                    &siblings.priors(),
                    RAVE_PRIOR_WEIGHT * self.exploration,
                    RAVE_EQUIVALENCE,
                )
            }),
        }
    }

    #[inline(always)]
    fn scan(&self, visits: u32, count: usize, mut bounds: impl FnMut(usize) -> [f32; LANES]) -> (f32, u32) {
        let mut open = self.open(visits, count);
        loop {
            let (mut most, mut first) = (i32::MIN, 0);
            for block in 0..open.div_ceil(LANES) {
                let mut bounds = bounds(block);
                // The last block of a whole family needs no mask: idle lanes never win.
                if open < count && (block + 1) * LANES > open {
                    bounds[open % LANES..].fill(f32::NEG_INFINITY);
                }
                let candidate = best(bounds);
                if candidate > most {
                    (most, first) = (candidate, block * LANES);
                }
            }
            let (bound, lane) = unpack(most);
            if bound > f32::NEG_INFINITY || open == count {
                return (bound, first as u32 + lane);
            }
            open = (open + LANES).min(count);
        }
    }
}

/// The child to which a simulation goes on, and the value that may replace its result.
pub struct Selected {
    pub child: NodeId,
    /// The score of a solved sibling that is no worse than the child's bound: it counts for the parent.
    pub substitute: Option<i16>,
}

/// The child of `id` that the next simulation goes to: the one with the largest bound by the rule.
///
/// Only unsolved children that can still change the parent's value are simulated. If no bound exceeds the exact value of a
/// solved child, the rule would play that child. So the parent counts its value for this simulation; otherwise the parent's
/// mean would be biased towards moves it would not play. The simulation itself still goes where it may prove something.
#[inline(always)]
pub fn select<P: Position>(tree: &Tree<P::Move>, id: NodeId, turn: Side, utility: Utility, rule: &Rule) -> Selected {
    let record = tree.record(id);
    let count = tree.children(id).len();
    let mean = || {
        let mean = utility.mean::<P>(record, 1.0 / record.visits as i32 as f32);
        if turn == Side::First { mean } else { 1.0 - mean }
    };
    let family = tree.family(id);
    let (bound, index) = rule.choose((record.visits, record.sqrt_2_ln), mean, count, |block| (&family, block));
    let child = tree.first_child(id) + index;
    Selected { child, substitute: substitute(record.seen_from(turn).0, turn, utility, tree.limit(), bound) }
}

/// The score of a solved child that counts in place of a simulation through a child of this `bound`, if any. `floor` is the
/// score that the side to move has for certain.
#[inline(always)]
pub fn substitute(floor: i16, turn: Side, utility: Utility, limit: i16, bound: f32) -> Option<i16> {
    // A floor above the lowest score is some child's; if that child is solved, the floor is its value.
    if floor <= -limit {
        return None;
    }
    let score = if turn == Side::First { floor } else { -floor };
    (utility.exact_for(turn, score) >= bound).then_some(score)
}
