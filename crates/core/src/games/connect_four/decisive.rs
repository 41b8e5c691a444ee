//! Immediate wins and forced blocks, by bitboards.

use super::{Board, CentreEvaluator, Column, ConnectFour};
use crate::bits::Bits;
use crate::position::Position;
use crate::rng::Rng;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection, uniform};
use crate::search::plain::Evaluator;

/// Playouts of Connect Four: uniformly random, or decisive, which never miss a line that one stone completes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

impl Policies for Decisive {
    const POLICIES: &'static [Policy] = &[Policy::Decisive, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

impl<G: Board> ConnectFour<G> {
    /// The cells where one more of these stones makes a line.
    #[inline(always)]
    fn completing(&self, stones: G::Bits) -> G::Bits {
        let (connect, height) = (self.board.connect(), self.board.rows() + 1);
        stones.completing(connect, 1)
            | stones.completing(connect, height)
            | stones.completing(connect, height + 1)
            | stones.completing(connect, height - 1)
    }
}

impl<G: Board> ConnectFour<G> {
    /// Plays to the end, taking immediate wins and blocking the opponent's. Both sides' line-completing cells are kept, and
    /// recomputed only for the side that moved. A game is won when one of them can be reached, so the board is never scanned
    /// for lines.
    fn play_decisively(mut self, rng: &mut Rng) -> i16 {
        let mut own = self.completing(self.own);
        let mut other = self.completing(self.other());
        loop {
            let landing = self.landing();
            if !(own & landing).is_empty() {
                return self.turn().sign();
            }
            let stop = other & landing;
            let choice = if stop.is_empty() { landing } else { stop };
            let count = if stop.is_empty() { landing.count() } else { 1 };
            let cell = choice.nth(rng.below(count));
            self.play(Column((cell / (self.board.rows() + 1)) as u8));
            if self.is_full() {
                return 0;
            }
            // The side that moved is the other one now.
            (own, other) = (other, self.completing(self.other()));
        }
    }
}

impl<G: Board> Playout<ConnectFour<G>> for Decisive {
    fn priority(&self, position: &ConnectFour<G>, mv: Column) -> i32 {
        CentreEvaluator.priority(position, mv)
    }

    fn finish(&self, policy: Policy, position: ConnectFour<G>, rng: &mut Rng) -> i16 {
        if policy == Policy::Decisive { position.play_decisively(rng) } else { uniform(position, rng) }
    }

    #[inline]
    fn decisive(&self, position: &ConnectFour<G>) -> Option<Column> {
        let landing = position.landing();
        let wins = landing & position.completing(position.own);
        let decides = if wins.is_empty() { landing & position.completing(position.other()) } else { wins };
        (!decides.is_empty()).then(|| Column((decides.nth(0) / (position.board.rows() + 1)) as u8))
    }
}
