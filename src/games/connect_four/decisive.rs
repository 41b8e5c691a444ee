//! What wins at once and what must be stopped, by bitboards.

use super::{Board, Column, ConnectFour};
use crate::bits::Bits;
use crate::search::mcts::{Playout, Policies, Policy};

/// Playouts of Connect Four: random, or such that overlook no line one stone away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

impl Policies for Decisive {
    const POLICIES: &'static [Policy] = &[Policy::Decisive, Policy::Uniform];
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

impl<G: Board> Playout<ConnectFour<G>> for Decisive {
    #[inline]
    fn decisive(&self, position: &ConnectFour<G>) -> Option<Column> {
        let landing = position.landing();
        let wins = landing & position.completing(position.own);
        let decides = if wins.is_empty() { landing & position.completing(position.other()) } else { wins };
        (!decides.is_empty()).then(|| Column((decides.nth(0) / (position.board.rows() + 1)) as u8))
    }
}
