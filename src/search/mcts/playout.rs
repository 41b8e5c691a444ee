//! How a simulation is finished once it has left the tree.

use crate::position::Position;
use crate::rng::Rng;

/// Finishes a simulation. A type parameter of the search, so that its inner loop is compiled for each game.
pub trait Playout<P: Position>: Default + Clone + Send + Sync + 'static {
    /// Plays on from a position that is not over, and returns the score from the first player's view
    /// (see [`crate::position::Outcome::score`]).
    fn finish(&self, position: P, rng: &mut Rng) -> i16;

    /// A move that wins at once, or else one that alone may stop a loss, where the playout knows one. A new node's children are
    /// visited in random order but for this one, which is first: among hundreds, the reply that proves a loss comes late else.
    fn decisive(&self, _position: &P) -> Option<P::Move> {
        None
    }
}

/// Plays random moves, each with the same chance, to the end of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<P: Position> Playout<P> for Uniform {
    #[inline]
    fn finish(&self, mut position: P, rng: &mut Rng) -> i16 {
        loop {
            let mv = position.random_move(rng);
            position.play(mv);
            if let Some(outcome) = position.outcome() {
                return outcome.score();
            }
        }
    }
}
