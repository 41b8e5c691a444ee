//! A node of the search.

use super::super::board::Board;
use super::super::evaluator::Evaluator;
use crate::bits::Bits;

/// Discs and the evaluation's numbers, for the side to move.
#[derive(Clone, Debug)]
pub struct Node<B: Board> {
    pub own: B::Set,
    pub other: B::Set,
    pub numbers: <B::Evaluator as Evaluator<B>>::Numbers,
}

impl<B: Board> Node<B> {
    /// Computes the numbers from scratch.
    pub fn new(evaluator: &B::Evaluator, own: B::Set, other: B::Set) -> Self {
        Self { own, other, numbers: evaluator.numbers(own, other) }
    }

    /// Empty squares.
    #[inline]
    pub fn empty(&self) -> u32 {
        B::empty(self.own, self.other).count()
    }

    /// The discs that a move turns.
    #[inline]
    pub fn turned(&self, square: u32) -> B::Set {
        B::flips(self.own, self.other, square)
    }

    /// The discs after a move that turns these: the discs of the side then to move, and of the other.
    #[inline]
    pub fn discs_after(&self, square: u32, turned: B::Set) -> (B::Set, B::Set) {
        (self.other & !turned, self.own | turned | B::Set::single(square))
    }

    /// The position after a move that turns these discs.
    #[inline]
    pub fn after(&self, evaluator: &B::Evaluator, square: u32, turned: B::Set) -> Self {
        let (own, other) = self.discs_after(square, turned);
        Self { own, other, numbers: evaluator.after(&self.numbers, square, turned) }
    }

    /// The position after a pass.
    pub fn passed(&self, evaluator: &B::Evaluator) -> Self {
        Self { own: self.other, other: self.own, numbers: evaluator.turned(&self.numbers) }
    }
}
