//! What greed knows: boxes first, and none for the opponent as long as that can be helped.

use super::{DotsAndBoxes, Edge};
use crate::search::Outlook;
use crate::search::alpha_beta::Judge;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection};

/// Takes boxes first and gives them last; values a position by the boxes already owned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greed;

impl Judge<DotsAndBoxes> for Greed {
    const EVALUATES: bool = true;

    fn value(&self, position: &DotsAndBoxes) -> i32 {
        100 * (i32::from(position.boxes[0]) - i32::from(position.boxes[1]))
    }

    fn outlook(&self, position: &DotsAndBoxes, value: i32) -> Outlook {
        // Every box still open may go either way: the spread of the final margin is about the root of their number.
        let open = position.box_count() as i32 - i32::from(position.boxes[0]) - i32::from(position.boxes[1]);
        Outlook::logistic(value, 50, 60.0 * f64::from(open).sqrt().max(1.0))
    }

    fn priority(&self, position: &DotsAndBoxes, mv: Edge) -> i32 {
        i32::from(position.completes(mv.index)) - i32::from(position.gives(mv.index))
    }
}

impl Policies for Greed {
    const POLICIES: &'static [Policy] = &[Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Judge;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl Playout<DotsAndBoxes> for Greed {
    fn priority(&self, position: &DotsAndBoxes, mv: Edge) -> i32 {
        Judge::priority(self, position, mv)
    }
}
