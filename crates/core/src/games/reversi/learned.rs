//! Training features of the evaluation's weights.

use super::board::Eight;
use super::{Reversi, ReversiSearcher, Square, evaluation};
use crate::learned::Learned;
use crate::search::deepening::AlphaBeta;

impl Learned for Reversi<Eight> {
    type Engine = AlphaBeta<ReversiSearcher>;

    const PHASES: usize = evaluation::PHASES;

    fn weights() -> Vec<i32> {
        evaluation::all_weights()
    }

    fn each_term(&self, add: &mut dyn FnMut(usize, i32)) {
        evaluation::each_term(self, add);
    }

    fn is_quiet(&self, _: Square) -> bool {
        true
    }
}
