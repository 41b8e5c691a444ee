//! Which child the next simulation goes to: UCB1 over those that can still matter.

use super::tree::{Node, NodeId, ROOT, Tree, seen_from};
use crate::position::{Position, Side};
use crate::search::Outlook;

/// Turns results into a utility in [0, 1] for the first player.
///
/// Without points it is the share of wins, draws counting half. With points it is half of that and half of the mean margin,
/// so that a simulation prefers winning, and winning by more. Both rise with the score, so that exact scores and means agree
/// on which is better.
#[derive(Clone, Copy, Debug)]
pub struct Utility {
    win: f32,
    point: f32,
    base: f32,
}

impl Utility {
    /// The utility of game `P`, whose scores lie in `-limit..=limit`.
    pub fn of<P: Position>(limit: i16) -> Self {
        if P::POINTS {
            Self { win: 0.5, point: 0.25 / f32::from(limit), base: 0.25 }
        } else {
            Self { win: 1.0, point: 0.0, base: 0.0 }
        }
    }

    /// The mean over a visited node's simulations.
    #[inline(always)]
    fn mean<P: Position>(self, node: &Node<P::Move>, share: f32) -> f32 {
        let wins = (2 * node.wins + node.draws) as f32 * (0.5 * share);
        if P::POINTS { self.win * wins + self.point * share * node.total as f32 + self.base } else { wins }
    }

    /// The utility of a known score.
    #[inline]
    fn exact(self, score: i16) -> f32 {
        self.win * 0.5 * f32::from(score.signum() + 1) + self.point * f32::from(score) + self.base
    }

    /// The utility of chances and a mean margin.
    pub fn expected(self, outlook: Outlook, score: f64) -> f64 {
        f64::from(self.win) * (outlook.win + 0.5 * outlook.draw) + f64::from(self.point) * score + f64::from(self.base)
    }
}

/// The child of `id` that the next simulation goes to: an unvisited one, or the one with the largest
/// mean + `exploration` * sqrt(2 ln N / n). Solved children take part with their exact value, since leaving them out would bias
/// the parent's mean; not so at the root, whose mean nobody backs up. Children that cannot change the parent's value any more
/// are passed over.
#[inline]
pub fn select<P: Position>(tree: &Tree<P::Move>, id: NodeId, turn: Side, utility: Utility, exploration: f32) -> NodeId {
    let node = tree.node(id);
    let (floor, _) = seen_from(turn, node);
    let at_root = id == ROOT;
    let width = 2.0 * exploration * exploration * ln(node.visits);
    let (mut best, mut best_bound) = (0, f32::NEG_INFINITY);
    for (index, child) in tree.children(id).iter().enumerate() {
        if child.visits == 0 {
            best = index;
            break;
        }
        let (lo, hi) = seen_from(turn, child);
        let share = 1.0 / child.visits as f32;
        let mut mean = utility.mean::<P>(child, share);
        if hi <= floor || lo == hi {
            if at_root || lo != hi || lo < floor {
                continue;
            }
            mean = utility.exact(child.lo.into());
        }
        if turn == Side::Second {
            mean = 1.0 - mean;
        }
        let bound = mean + (width * share).sqrt();
        if bound > best_bound {
            (best, best_bound) = (index, bound);
        }
    }
    node.first_child + best as NodeId
}

/// The natural logarithm to within 0.007: what an exploration term needs, at a tenth of the price. 0 for 0.
#[inline]
fn ln(n: u32) -> f32 {
    let bits = (n.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    // A parabola through log2 at 1, 2 and near the middle.
    let log2 = (-mantissa / 3.0 + 2.0) * mantissa - 5.0 / 3.0;
    (exponent + log2) * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    #[test]
    fn ln_is_near_enough() {
        for n in (1..100_000u32).chain((1..1000).map(|i| i * 4_000_000)) {
            let exact = f64::from(n).ln();
            assert!((f64::from(super::ln(n)) - exact).abs() < 0.007, "ln {n}");
        }
    }
}
