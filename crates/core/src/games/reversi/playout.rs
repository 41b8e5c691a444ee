//! Playouts of Reversi: the evaluation in place of a game, or a random game.

use super::evaluation::{self, POINT};
use super::{Reversi, Square};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection, uniform};

/// What the evaluation makes of a position, or random games.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluatedPlayout;

impl Policies for EvaluatedPlayout {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl Playout<Reversi> for EvaluatedPlayout {
    fn priority(&self, position: &Reversi, mv: Square) -> i32 {
        let mut next = position.clone();
        next.play(mv);
        value(&next) * i32::from(position.turn().sign())
    }

    fn finish(&self, policy: Policy, position: Reversi, rng: &mut Rng) -> i16 {
        match policy {
            Policy::Cut => (value(&position) / POINT) as i16,
            _ => uniform(position, rng),
        }
    }
}

/// What a position is worth to the first player, in hundredths of a disc.
fn value(position: &Reversi) -> i32 {
    match position.outcome() {
        Some(outcome) => POINT * i32::from(outcome.score()),
        None => evaluation::value(position),
    }
}
