//! The interface for learning the evaluation's weights.

use super::{Gomoku, Move, Negamax, shapes};
use crate::learned::{Learned, NetworkInput, NetworkShape};
use crate::rng::Rng;

impl<const LINES: usize> Learned for Gomoku<LINES> {
    type Engine = Negamax;

    const ORDERING: Option<usize> = Some(shapes::VALUES);
    const NETWORK: Option<NetworkShape> = Some(shapes::SHAPE);

    fn weights() -> Vec<i32> {
        shapes::all_weights()
    }

    fn each_term(&self, add: &mut dyn FnMut(usize, i32)) {
        shapes::each_term(self, add);
    }

    fn is_quiet(&self, _: Move) -> bool {
        shapes::is_quiet(self)
    }

    fn plausible_move(&self, rng: &mut Rng) -> Option<Move> {
        Some(self.random_near_move(rng))
    }

    fn each_ordered_move(&self, line: &[Move], add: &mut dyn FnMut(Move, &[usize])) {
        shapes::each_ordered_move(self, line, add);
    }

    fn network_input(&self) -> NetworkInput {
        shapes::network_input(self)
    }
}
