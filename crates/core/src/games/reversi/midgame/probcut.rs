//! Multi-ProbCut (Buro 1997): a shallow search predicts a deep one's value with an error of known size; if the prediction is
//! outside the window by more than a margin, the deep search is skipped.

use super::super::board::Board;
use super::super::evaluator::Evaluator;
use super::node::Node;
use super::{Search, most};

/// Least depth at which a shallow search is worth its cost.
const LEAST: u32 = 3;

/// Which branches are pruned; the greater value prunes less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Selectivity {
    /// Branches whose value probably lies outside the window.
    Probable,
    /// Nothing.
    Exact,
}

/// By tens of empty squares: the margin around a shallow search's value, in hundredths of a disc, and its growth with each ply
/// between the two depths. About half a standard error at 40 empty squares, one elsewhere; chosen by matches
/// (docs/measurements/reversi-learning.md).
const MARGINS: [(f32, f32); 7] =
    [(300.0, 60.0), (300.0, 60.0), (240.0, 60.0), (170.0, 25.0), (105.0, 8.0), (100.0, 5.0), (100.0, 5.0)];

/// The margin around the value of a search of `shallow` plies as a forecast of one of `depth`, in hundredths of a disc.
fn margin(depth: u32, shallow: u32, empty: u32) -> f32 {
    let (tens, part) = ((empty / 10).min(5) as usize, empty.min(59) % 10);
    let [(base, growth), (next_base, next_growth)] = [MARGINS[tens], MARGINS[tens + 1]];
    let between = |low: f32, high: f32| low + (high - low) * part as f32 / 10.0;
    between(base, next_base) + between(growth, next_growth) * (depth - shallow) as f32
}

/// The depth of the shallow search for one of `depth`: half, and of the same parity.
fn shallow(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

impl<B: Board, T: FnMut(u64) -> bool> Search<'_, B, T> {
    /// The bound that a shallow search makes probable enough, if any.
    pub fn probcut(&mut self, node: &Node<B>, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if depth < LEAST || self.selectivity == Selectivity::Exact {
            return None;
        }
        let empty = node.empty();
        let shallow = shallow(depth);
        let margin = margin(depth, shallow, empty) as i32;
        let value = self.evaluator.value(&node.numbers, (node.own, node.other), empty);
        let high = beta + margin;
        if high <= most::<B>() && value >= beta - margin / 2 {
            let found = self.visit::<false>(node, shallow, high - 1, high, false);
            if found >= high && !self.solver.stopped {
                return Some(beta);
            }
        }
        let low = alpha - margin;
        if low >= -most::<B>() && value <= alpha + margin / 2 {
            let found = self.visit::<false>(node, shallow, low, low + 1, false);
            if found <= low && !self.solver.stopped {
                return Some(alpha);
            }
        }
        None
    }
}
