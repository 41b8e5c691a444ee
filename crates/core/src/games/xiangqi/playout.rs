//! What Monte-Carlo tree search is told of a position of Xiangqi: what quiescence search makes of a leaf, and which moves look
//! best.
//!
//! Random games of Xiangqi last hundreds of plies and say little. Captures that win material, and answers to checks, are played
//! out by the search of its own; what then stands still is evaluated by the terms and the network.

use super::evaluation;
use super::evaluator::outlook;
use super::exchange;
use super::material::{MaterialEvaluator, WORTH};
use super::piece::{Kind, Step};
use super::search::{Memory, Path, Search, Table, WIN, WON};
use super::{Xiangqi, XiangqiEvaluator};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::alpha_beta::{Evaluator, Options};
use crate::search::mcts::{Leaf, MoveOrder, Playout, Policies, Policy, Selection, draw_result, uniform};

/// Bytes of the table of a worker's quiescence searches: it fits the second cache, and a tree's memory need not count it.
const BYTES: u64 = 1 << 18;

/// More than any priority.
const LOSING: i32 = 100_000;

/// What the evaluation makes of a leaf once captures are played out, or random games.
#[derive(Debug)]
pub struct EvaluatedPlayout {
    table: Table,
    memory: Memory,
}

impl Default for EvaluatedPlayout {
    fn default() -> Self {
        Self { table: Table::new(BYTES), memory: Memory::default() }
    }
}

impl Clone for EvaluatedPlayout {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Policies for EvaluatedPlayout {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl Playout<Xiangqi> for EvaluatedPlayout {
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

    fn leaf(&mut self, policy: Policy, position: &mut Xiangqi) -> Leaf {
        if policy != Policy::Cut {
            return Leaf::Unknown;
        }
        let techniques = Options::default().techniques::<Xiangqi, XiangqiEvaluator>();
        let mut search = Search::new(Path::new(position), (&self.table, &mut self.memory), techniques, |_| true);
        let (value, sign) = (search.settled(), position.turn().sign());
        if value.abs() < WON {
            return Leaf::Expected(outlook(value * i32::from(sign)));
        }
        let score = if value > 0 { sign } else { -sign };
        Leaf::Proven { score, plies: (WIN - value.abs()) as u16, is_exact: false }
    }

    fn finish(&self, policy: Policy, position: Xiangqi, rng: &mut Rng) -> i16 {
        match policy {
            Policy::Cut => {
                draw_result(outlook(evaluation::value(&position.board) * i32::from(position.turn().sign())), rng)
            }
            _ => uniform(position, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;

    fn leaf(text: &str) -> Leaf {
        let mut position = Xiangqi::parse(&Default::default(), text).expect("it is a position");
        EvaluatedPlayout::default().leaf(Policy::Cut, &mut position)
    }

    fn expected(text: &str) -> f64 {
        match leaf(text) {
            Leaf::Expected(outlook) => outlook.win - outlook.loss,
            other => panic!("{text}: {other:?}"),
        }
    }

    /// A rook that can be taken counts for whoever takes it, and the value is the first player's whoever is to move.
    #[test]
    fn captures_are_played_out() {
        let quiet = expected("3akab2/9/4b4/p1p1p1p1p/1r7/9/P1P1P1P1P/4B4/9/1R1AKAB2 w");
        assert!(quiet > 0.3, "{quiet}");
        let mirrored = expected("1r1akab2/9/4b4/p1p1p1p1p/9/1R7/P1P1P1P1P/4B4/9/3AKAB2 b");
        assert!((quiet + mirrored).abs() < 0.01, "{quiet} {mirrored}");
        let even = expected("3akab2/9/4b4/p1p1p1p1p/9/9/P1P1P1P1P/4B4/9/3AKAB2 w");
        assert!(even.abs() < 0.3, "{even}");
    }

    /// A capture that mates is a proof.
    #[test]
    fn mates_by_captures_are_proven() {
        for (text, expected) in [("r3k4/1R7/R8/9/9/9/9/9/9/3K5 w", 1), ("3k5/9/9/9/9/9/9/r8/1r7/R3K4 b", -1)] {
            let Leaf::Proven { score, plies: 1, is_exact: false } = leaf(text) else {
                panic!("{text}: {:?}", leaf(text))
            };
            assert_eq!(score, expected, "{text}");
        }
    }
}
