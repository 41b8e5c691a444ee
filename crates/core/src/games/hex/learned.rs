//! Training features of the priors' weights.

use super::{Bridges, Hex, Move, priors};
use crate::bits::Bits;
use crate::learned::Learned;
use crate::position::Position;
use crate::search::mcts::Mcts;

impl<B: Bits> Learned for Hex<B> {
    type Engine = Mcts<Bridges>;

    const ORDERING: Option<usize> = Some(0);

    fn weights() -> Vec<i32> {
        priors::all_weights()
    }

    /// Hex has no evaluation: playouts stand in for it.
    fn each_term(&self, _: &mut dyn FnMut(usize, i32)) {}

    fn is_quiet(&self, _: Move) -> bool {
        true
    }

    fn each_ordered_move(&self, _: &[Move], add: &mut dyn FnMut(Move, &[usize])) {
        let view = priors::View::new(self);
        for mv in self.moves() {
            if let Move::Stone(cell) = mv {
                add(mv, &view.features(cell));
            }
        }
    }
}
