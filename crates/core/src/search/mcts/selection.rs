//! Which child the next simulation goes to, of those that can still matter.
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
    /// By which bound children are compared.
    pub enum Selection {
        /// mean + c * sqrt(2 ln N / n) (Auer, Cesa-Bianchi and Fischer 2002).
        Ucb1 = "ucb1",
        /// mean + 2c * P * sqrt(N) / (1 + n) with priors P by the evaluator's order of the moves (Rosin 2011, in the form of
        /// Silver and others 2017); an unvisited child's mean is its parent's.
        Puct = "puct",
        /// mean + 30c * P / (1 + n), over means that begin as those of all moves as first (Gelly and Silver 2011); without an
        /// order all priors are the same.
        Rave = "rave",
    }
}

/// The visits at which a child's own mean weighs as much as that of all moves as first.
const EQUAL: f32 = 100.0;
/// The weight of priors. In PUCT it is 2 * sqrt(N); this one does not grow with the parent's visits
/// (docs/measurements/hex.md, "Selection").
const PRIORS: f32 = 30.0;

/// A rule of selection: a bound, its constant, and how many children it may choose from.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub selection: Selection,
    /// The constant c.
    pub exploration: f32,
    /// Of a node with N visits the first `widening` * sqrt(N) children may be visited, but at least [`NARROWEST`]; 0 where all
    /// may. Progressive unpruning (Chaslot and others 2008).
    pub widening: f32,
}

/// So many children may always be visited.
const NARROWEST: usize = 2;

impl Selection {
    /// Whether it reads priors.
    pub fn reads_priors(self) -> bool {
        self != Self::Ucb1
    }

    /// Whether it reads means of all moves as first.
    pub fn reads_firsts(self) -> bool {
        self == Self::Rave
    }
}

impl Rule {
    /// How many of `count` children of a node with `visits` may be visited.
    #[inline(always)]
    pub fn open(&self, visits: u32, count: usize) -> usize {
        if self.widening == 0.0 {
            return count;
        }
        ((self.widening * (visits as i32 as f32).sqrt()) as usize).clamp(NARROWEST.min(count), count)
    }

    /// The best of the children that may be visited, by its number, and its bound; its parent is one with `count` children and
    /// `visits`, of whose logarithm `reach` is made (see the tree's records), and with the `mean` utility for the side to move.
    /// `family` gives the blocks in their order. A child that may not be visited yet is, when those before it cannot matter any
    /// more.
    #[inline(always)]
    pub fn choose<S: Siblings>(
        &self,
        (visits, reach): (u32, f32),
        mean: impl FnOnce() -> f32,
        count: usize,
        mut family: impl FnMut(usize) -> S,
    ) -> (f32, u32) {
        match self.selection {
            Selection::Ucb1 => {
                let width = self.exploration * reach;
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
                siblings.arms().rave(&siblings.firsts(), &siblings.priors(), PRIORS * self.exploration, EQUAL)
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
                // All lanes of the last block of a whole family may be chosen: idle ones never win.
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

/// Where a simulation goes on, and what its ancestors hear of it.
pub struct Selected {
    pub child: NodeId,
    /// The score of a solved sibling that is as good as the child may hope to be: what counts for the parent.
    pub instead: Option<i16>,
}

/// The child of `id` that the next simulation goes to: the one with the largest bound by the rule.
///
/// Only unsolved children that can still change the parent's value are simulated. When a solved one has an exact value that
/// no other's bound exceeds, the rule would play it: so that value is what the parent takes for this simulation, or the
/// parent's mean would be biased towards moves it would not play; the simulation itself is still spent where it may prove
/// something.
#[inline(always)]
pub fn select<P: Position>(tree: &Tree<P::Move>, id: NodeId, turn: Side, utility: Utility, rule: &Rule) -> Selected {
    let record = tree.record(id);
    let count = tree.children(id).len();
    let mean = || {
        let mean = utility.mean::<P>(record, 1.0 / record.visits as i32 as f32);
        if turn == Side::First { mean } else { 1.0 - mean }
    };
    let family = tree.family(id);
    let (bound, index) = rule.choose((record.visits, record.reach), mean, count, |block| (&family, block));
    let child = tree.first_child(id) + index;
    Selected { child, instead: instead(record.seen_from(turn).0, turn, utility, tree.limit(), bound) }
}

/// A solved child's score that counts in place of a simulation through a child of this `bound`, if there is one. `floor` is
/// what is certain for the side to move.
#[inline(always)]
pub fn instead(floor: i16, turn: Side, utility: Utility, limit: i16, bound: f32) -> Option<i16> {
    // A floor above the lowest score is some child's: when that child is solved, its value is at hand.
    if floor <= -limit {
        return None;
    }
    let score = if turn == Side::First { floor } else { -floor };
    (utility.exact_for(turn, score) >= bound).then_some(score)
}
