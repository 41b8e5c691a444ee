//! What wins at once and what must be stopped, by bitboards.

use super::{Cell, TicTacToe};
use crate::bits::Bits;
use crate::search::mcts::{Playout, Policies, Policy};

/// Playouts of the m,n,k family: random, or such that overlook no line one stone away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

impl Policies for Decisive {
    const POLICIES: &'static [Policy] = &[Policy::Uniform, Policy::Decisive];
}

impl<B: Bits> Playout<TicTacToe<B>> for Decisive {
    #[inline]
    fn decisive(&self, position: &TicTacToe<B>) -> Option<Cell> {
        let empty = position.empty();
        let (k, width) = (u32::from(position.k), u32::from(position.columns) + 1);
        let completing = |stones: B| {
            let straight = stones.completing(k, 1) | stones.completing(k, width);
            (straight | stones.completing(k, width + 1) | stones.completing(k, width - 1)) & empty
        };
        let own = usize::from(position.ply % 2);
        let wins = completing(position.stones[own]);
        let decides = if wins.is_empty() { completing(position.stones[1 - own]) } else { wins };
        (!decides.is_empty()).then(|| position.cell(decides.nth(0)))
    }
}
