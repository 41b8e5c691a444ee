//! The interface for learning the evaluation's weights.

use super::{Step, Xiangqi, XiangqiSearcher, evaluation};
use crate::learned::{Learned, NetworkInput, NetworkShape};
use crate::search::deepening::AlphaBeta;

impl Learned for Xiangqi {
    type Engine = AlphaBeta<XiangqiSearcher>;

    const PARTS: i32 = evaluation::PARTS;
    const NETWORK: Option<NetworkShape> = Some(evaluation::SHAPE);

    fn weights() -> Vec<i32> {
        evaluation::all_weights()
    }

    fn each_term(&self, add: &mut dyn FnMut(usize, i32)) {
        evaluation::terms_of(self, add);
    }

    /// The side to move is not in check, and the move is not a capture.
    fn is_quiet(&self, best: Step) -> bool {
        !self.safety.in_check && self.board.man(best.to).is_none()
    }

    fn network_input(&self) -> NetworkInput {
        evaluation::network_input(self)
    }
}
