//! Playouts that overlook no five: they make one where they can, stop the opponent's where they can, and else play at random,
//! to the end of the game or for a few plies after which the evaluator values the position.
//!
//! Only a side's own stone opens a new point where that side makes five, and only on a line through the stone. A side that has
//! such a point uses it at its next turn, so nothing is left over from earlier stones: it is exact to look through the last
//! stone's four lines alone. Whether the position that the playout starts from has such points is found by looking everywhere
//! once.

use super::lines::{At, Colour, bits};
use super::{Gomoku, Move, PatternEvaluator};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::alpha_beta::Evaluator;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, draw_result, uniform};

/// Plays fives and stops fives, and else plays random moves, each with the same chance; cut after a few plies or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

/// Plies after which a playout that is cut is evaluated.
const CUT: u32 = 4;

/// Where a colour may have points that make five.
#[derive(Clone, Copy)]
enum Search {
    Everywhere,
    Near(At),
    Nowhere,
}

impl<const LINES: usize> Gomoku<LINES> {
    /// A point where `colour` makes a five that wins, if one of them suits.
    #[inline]
    fn five(&self, colour: Colour, search: Search, suits: impl Fn(At) -> bool) -> Option<At> {
        match search {
            Search::Nowhere => None,
            Search::Near(at) => self.lines.through(at, colour).into_iter().enumerate().find_map(|(direction, line)| {
                if (line.own & line.near()).count_ones() < 4 {
                    return None;
                }
                bits(self.rule.fives(&line, colour)).map(|bit| at.along(direction, bit)).find(|&at| suits(at))
            }),
            Search::Everywhere => self.lines.all(colour).find_map(|(direction, first, line)| {
                bits(self.rule.fives(&line, colour)).map(|bit| first.along(direction, bit)).find(|&at| suits(at))
            }),
        }
    }
}

impl Policies for Decisive {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Decisive, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const WIDENING: f64 = 0.25;
}

impl<const LINES: usize> Playout<Gomoku<LINES>> for Decisive {
    fn priority(&self, position: &Gomoku<LINES>, mv: Move) -> i32 {
        PatternEvaluator.priority(position, mv)
    }

    fn decisive(&self, position: &Gomoku<LINES>) -> Option<Move> {
        if !position.is_placing() {
            return None;
        }
        let (own, other) = (position.colour(), position.colour().other());
        let stops = || position.five(other, Search::Everywhere, |at| position.allows(at));
        let at = position.five(own, Search::Everywhere, |_| true).or_else(stops)?;
        Some(Move::Stone { at, foul: None })
    }

    fn finish(&self, policy: Policy, mut position: Gomoku<LINES>, rng: &mut Rng) -> i16 {
        if policy == Policy::Uniform {
            return uniform(position, rng);
        }
        let mut search = [Search::Everywhere; 2];
        for ply in 0.. {
            if policy == Policy::Cut && ply >= CUT {
                break;
            }
            let (own, other) = (position.colour(), position.colour().other());
            let mv = decide(&position, &mut search, rng);
            position.play(mv);
            if let Some(outcome) = position.outcome() {
                return outcome.score();
            }
            if let Move::Stone { at, .. } = mv {
                search[own as usize] = Search::Near(at);
            }
            debug_assert!(position.colour() == other || !matches!(mv, Move::Stone { .. }));
        }
        draw_result(PatternEvaluator.outlook(&position, PatternEvaluator.value(&position)), rng)
    }
}

/// The next move of a playout.
#[inline]
fn decide<const LINES: usize>(position: &Gomoku<LINES>, search: &mut [Search; 2], rng: &mut Rng) -> Move {
    let (own, other) = (position.colour(), position.colour().other());
    // Where colours are chosen no five is near.
    if position.is_placing() {
        if let Some(at) = position.five(own, search[own as usize], |_| true) {
            return Move::Stone { at, foul: None };
        }
        let mut any = false;
        let suits = |at| position.allows(at);
        if let Search::Everywhere | Search::Near(_) = search[other as usize] {
            if let Some(at) = position.five(other, search[other as usize], suits) {
                return Move::Stone { at, foul: None };
            }
            // In renju a five may be there that Black is forbidden to stop.
            any = position.is_restricted() && position.five(other, search[other as usize], |_| true).is_some();
        }
        if !any {
            search[other as usize] = Search::Nowhere;
        }
    }
    position.random_move(rng)
}
