//! How simulations of Xiangqi are finished: a short exchange of captures, then the balance of the pieces.
//!
//! Random games of Xiangqi last hundreds of plies and say little. A few plies, in which whoever can win material does, settle
//! what hangs; the rest is evaluated by material and places, which keeps a simulation short and its result close to what the
//! tree's leaf is worth.

use super::Xiangqi;
use super::exchange;
use super::material::{MaterialEvaluator, WORTH, balance};
use super::piece::{Kind, Square, Step};
use crate::bits::Bits;
use crate::position::Position;
use crate::rng::Rng;
use crate::search::alpha_beta::Evaluator;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection, draw_result, uniform};

/// More than any priority.
const LOSING: i32 = 100_000;

/// Plies after which a playout is evaluated.
const CUT: u32 = 8;

/// Plays a few plies, each the capture that wins most or else a random move, and evaluates the rest by material.
#[derive(Clone, Copy, Debug, Default)]
pub struct CutAndEvaluate;

impl Policies for CutAndEvaluate {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl Playout<Xiangqi> for CutAndEvaluate {
    fn priority(&self, position: &Xiangqi, mv: Step) -> i32 {
        let balance = exchange::balance(&position.board, mv);
        match position.board.man(mv.to) {
            // What loses something comes last.
            _ if balance < 0 => balance - LOSING,
            // An even exchange can wait.
            Some(_) if balance < WORTH[Kind::Pawn as usize] => 0,
            _ => MaterialEvaluator.priority(position, mv),
        }
    }

    fn finish(&self, policy: Policy, mut position: Xiangqi, rng: &mut Rng) -> i16 {
        if policy == Policy::Uniform {
            return uniform(position, rng);
        }
        for _ in 0..CUT {
            let moves = position.board.legal_moves(&position.safety, u128::MAX);
            let mv = best_capture(&position, &moves).unwrap_or_else(|| moves.nth(rng.below(moves.count())));
            position.play(mv);
            if let Some(outcome) = position.outcome() {
                return outcome.score();
            }
        }
        draw_result(MaterialEvaluator.outlook(&position, balance(&position)), rng)
    }
}

/// The capture that wins most at once, if any wins material.
fn best_capture(position: &Xiangqi, moves: &super::generate::Moves) -> Option<Step> {
    let board = &position.board;
    let enemy = position.turn().other();
    let worth = |kind: Kind| WORTH[kind as usize];
    let mut best = None;
    let mut most = 0;
    for &(from, targets) in moves.pieces() {
        for to in (targets & board.side(enemy)).iter().map(Square::from_index) {
            let (Some(taker), Some(victim)) = (board.man(from), board.man(to)) else { continue };
            let mut gain = worth(victim.kind());
            if gain > most && board.is_protected(to, enemy) {
                gain -= worth(taker.kind());
            }
            if gain > most {
                (most, best) = (gain, Some(Step { from, to }));
            }
        }
    }
    best
}
