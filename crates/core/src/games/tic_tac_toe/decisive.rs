//! Immediate wins and forced blocks, by bitboards.

use super::{Cell, CentreEvaluator, TicTacToe};
use crate::bits::Bits;
use crate::search::mcts::{Playout, Policies, Policy, Selection};
use crate::search::plain::Evaluator;

/// Playouts of the m,n,k family: uniformly random, or decisive, which never miss a line that one stone completes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

impl Policies for Decisive {
    const POLICIES: &'static [Policy] = &[Policy::Uniform, Policy::Decisive];
    const ORDERS: bool = true;
    const SELECTIONS: &'static [Selection] = &[Selection::Rave, Selection::Ucb1];
    const CELLS: usize = 32 * 32;
}

impl<B: Bits> Playout<TicTacToe<B>> for Decisive {
    fn priority(&self, position: &TicTacToe<B>, mv: Cell) -> i32 {
        CentreEvaluator.priority(position, mv)
    }

    #[inline]
    fn cell(&self, mv: Cell) -> usize {
        usize::from(mv.row) * 32 + usize::from(mv.column)
    }

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
