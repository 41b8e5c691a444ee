//! Playouts of Reversi: the static evaluation in place of a game, or a random game.

use super::board::Board;
use super::evaluation::POINT;
use super::{Reversi, Square, static_value};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection, uniform};

/// Playouts that return the static evaluation, or random ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluatedPlayout;

impl Policies for EvaluatedPlayout {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl<B: Board> Playout<Reversi<B>> for EvaluatedPlayout {
    fn priority(&self, position: &Reversi<B>, mv: Square<B>) -> i32 {
        let mut next = position.clone();
        next.play(mv);
        value(&next) * i32::from(position.turn().sign())
    }

    fn finish(&self, policy: Policy, position: Reversi<B>, rng: &mut Rng) -> i16 {
        match policy {
            Policy::Cut => (value(&position) / POINT) as i16,
            _ => uniform(position, rng),
        }
    }
}

/// The value of a position for the first player, in hundredths of a disc.
fn value<B: Board>(position: &Reversi<B>) -> i32 {
    match position.outcome() {
        Some(outcome) => POINT * i32::from(outcome.score()),
        None => static_value(position),
    }
}
