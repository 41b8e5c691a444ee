//! Playouts that never miss a five: they make one if they can, else stop the opponent's, else play at random, to the end of the
//! game.
//!
//! Only a side's own stone can open a new point where that side makes five, and only on a line through the stone. A side with
//! such a point uses it on its next turn, so nothing is left over from earlier stones: checking the four lines through the last
//! stone is exact. Only the starting position needs one check of the whole board.

use super::lines::{Colour, Point, bits};
use super::{Gomoku, Move};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::mcts::{Policy, uniform};

/// Where a colour may have points that make five.
#[derive(Clone, Copy)]
pub(super) enum Search {
    Everywhere,
    Near(Point),
    Nowhere,
}

impl<const LINES: usize> Gomoku<LINES> {
    /// A point where `colour` makes a winning five, if one satisfies `suits`.
    #[inline]
    pub(super) fn five(&self, colour: Colour, search: Search, suits: impl Fn(Point) -> bool) -> Option<Point> {
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

/// Plays to the end of the game, with random moves or, depending on `policy`, decisive ones. Returns the score.
pub(super) fn play_out<const LINES: usize>(policy: Policy, mut position: Gomoku<LINES>, rng: &mut Rng) -> i16 {
    if policy == Policy::Uniform {
        return uniform(position, rng);
    }
    let mut search = [Search::Everywhere; 2];
    loop {
        let own = position.colour();
        let mv = decide(&position, &mut search, rng);
        position.play(mv);
        if let Some(outcome) = position.outcome() {
            return outcome.score();
        }
        if let Move::Stone { at, .. } = mv {
            search[own as usize] = Search::Near(at);
        }
    }
}

/// The next move of a playout.
#[inline]
fn decide<const LINES: usize>(position: &Gomoku<LINES>, search: &mut [Search; 2], rng: &mut Rng) -> Move {
    let (own, other) = (position.colour(), position.colour().other());
    // While colours are chosen, no five is near.
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
            // In renju Black may be forbidden to stop a five.
            any = position.is_restricted() && position.five(other, search[other as usize], |_| true).is_some();
        }
        if !any {
            search[other as usize] = Search::Nowhere;
        }
    }
    position.random_move(rng)
}
