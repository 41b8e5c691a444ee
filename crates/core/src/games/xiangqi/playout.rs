//! Monte-Carlo tree search for Xiangqi: leaves valued by quiescence search, and move priorities.
//!
//! Random games of Xiangqi last hundreds of plies and say little. Instead, the alpha-beta search's quiescence search plays out
//! captures that win material and answers to checks; the terms and the network evaluate the quiet position that results.

use super::Xiangqi;
use super::exchange;
use super::material::{self, WORTH};
use super::piece::{Kind, Step};
use super::search::{Memory, Path, Search, Table, WIN, WON};
use super::searcher::{self, XiangqiSearcher, outlook};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::mcts::{Leaf, MoveOrder, Playout, Policies, Policy, Selection, draw_result, uniform};
use crate::search::searcher::Searcher;
use crate::search::techniques::Options;

/// Bytes of the table of a worker's quiescence searches: it fits the L2 cache. With the search's memory that is 2 MB per
/// worker, which a tree's memory need not count.
const BYTES: u64 = 1 << 18;
/// Leaves after which the table's entries age.
const LEAVES: u32 = 1 << 10;

/// More than any priority.
const LOSING: i32 = 100_000;

/// Evaluates leaves once captures are played out; or plays random games.
#[derive(Debug, Default)]
pub struct EvaluatedPlayout {
    /// None before the first leaf.
    quiescence: Option<Quiescence>,
}

/// The memory of a worker's quiescence searches.
#[derive(Debug)]
struct Quiescence {
    table: Table,
    memory: Memory,
    leaves: u32,
}

impl Quiescence {
    fn new() -> Self {
        Self { table: Table::new(BYTES), memory: Memory::default(), leaves: 0 }
    }

    /// The value of a position for the side to move.
    fn value(&mut self, position: &Xiangqi) -> i32 {
        self.leaves += 1;
        if self.leaves.is_multiple_of(LEAVES) {
            self.table.next_age();
        }
        let techniques = Options::default().techniques(XiangqiSearcher::SUPPORTED);
        Search::new(Path::new(position), (&self.table, &mut self.memory), techniques, |_| true).quiescence()
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
            // Losing moves come last.
            _ if balance < 0 => balance - LOSING,
            // An even exchange can wait.
            Some(_) if balance < WORTH[Kind::Pawn as usize] => 0,
            _ => material::priority(position, mv),
        }
    }

    fn leaf(&mut self, policy: Policy, position: &mut Xiangqi) -> Leaf {
        if policy != Policy::Cut {
            return Leaf::Unknown;
        }
        let value = self.quiescence.get_or_insert_with(Quiescence::new).value(position);
        let sign = position.turn().sign();
        if value.abs() < WON {
            return Leaf::Expected(outlook(value * i32::from(sign)));
        }
        let score = if value > 0 { sign } else { -sign };
        Leaf::Proven { score, plies: (WIN - value.abs()) as u16, is_exact: false }
    }

    fn finish(&self, policy: Policy, position: Xiangqi, rng: &mut Rng) -> i16 {
        match policy {
            Policy::Cut => draw_result(outlook(searcher::value(&position)), rng),
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

    /// A rook that can be taken counts for the side that takes it, and the value is the first player's whichever side is to
    /// move.
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

    /// Whether the side to move wins within `plies` plies, by trying all moves.
    fn wins(position: &Xiangqi, plies: u16) -> bool {
        let side = position.turn();
        plies > 0
            && after(position).any(|next| match next.outcome() {
                Some(outcome) => outcome.winner == Some(side),
                None => loses(&next, plies - 1),
            })
    }

    /// Whether every move loses within `plies` plies.
    fn loses(position: &Xiangqi, plies: u16) -> bool {
        let enemy = position.turn().other();
        plies > 0
            && after(position).all(|next| match next.outcome() {
                Some(outcome) => outcome.winner == Some(enemy),
                None => wins(&next, plies - 1),
            })
    }

    fn after(position: &Xiangqi) -> impl Iterator<Item = Xiangqi> {
        position.moves().map(|mv| {
            let mut next = position.clone();
            next.play(mv);
            next
        })
    }

    /// Proofs in random games with few men hold, whichever rule ends the game.
    #[test]
    fn what_is_proven_is_so() {
        let (mut rng, mut seen) = (Rng::new(9, 0), [0; 4]);
        for game in 0..60 {
            let text = ["3k5/4P4/9/R8/9/9/9/9/9/4K4 w", "4k4/4a4/4R4/9/2r6/9/9/9/4A4/3K5 w"][game % 2];
            let mut position = Xiangqi::parse(&Default::default(), text).expect("it is a position");
            let mut playout = EvaluatedPlayout::default();
            for _ in 0..80 {
                if position.outcome().is_some() {
                    break;
                }
                let sign = position.turn().sign();
                if let Leaf::Proven { score, plies: plies @ 1..=3, .. } = playout.leaf(Policy::Cut, &mut position) {
                    let holds = if score == sign { wins(&position, plies) } else { loses(&position, plies) };
                    assert!(holds, "{position}: {score} in {plies}");
                    seen[usize::from(plies)] += 1;
                }
                position.play(position.random_move(&mut rng));
            }
        }
        assert!(seen[1] > 0 && seen[2] + seen[3] > 0, "{seen:?}");
    }
}
