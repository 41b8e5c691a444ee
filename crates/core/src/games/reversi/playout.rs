//! Playouts of Reversi: random games, or two random plies and then the evaluator's margin.

use super::{MobilityEvaluator, Reversi};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::alpha_beta::Evaluator;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection, uniform};

/// Empty squares from which games are played out all the same: so near the end random play says more than the evaluator.
const ENDGAME: u32 = 10;

/// Random games, or two random plies and then what [`MobilityEvaluator`] makes of the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluatedPlayout;

impl Policies for EvaluatedPlayout {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl Playout<Reversi> for EvaluatedPlayout {
    fn priority(&self, position: &Reversi, mv: <Reversi as Position>::Move) -> i32 {
        MobilityEvaluator.priority(position, mv)
    }

    fn finish(&self, policy: Policy, mut position: Reversi, rng: &mut Rng) -> i16 {
        if policy != Policy::Cut || position.empty().count_ones() <= ENDGAME {
            return uniform(position, rng);
        }
        // One ply of each side, so that the evaluator does not always see the same side's tempo.
        for _ in 0..2 {
            let mv = position.random_move(rng);
            position.play(mv);
            if let Some(outcome) = position.outcome() {
                return outcome.score();
            }
        }
        (MobilityEvaluator.value(&position) / 100) as i16
    }
}
