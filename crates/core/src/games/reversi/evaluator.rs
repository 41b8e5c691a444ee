//! Static evaluations: learned patterns on 8x8 ([`super::evaluation`]); mobility, corners and their neighbours on the other
//! boards.

use std::fmt::Debug;

use super::board::Board;
use super::evaluation::POINT;
use super::fills::legal_moves;
use super::mobility::{beside_empty_corners, grown};
use crate::bits::Bits;

/// A static evaluation for the side to move, in hundredths of a disc. Its absolute value is below the largest margin.
pub trait Evaluator<B: Board>: Debug + Send + Sync + 'static {
    /// State that is updated with each move.
    type Numbers: Clone + Debug + Send;

    /// The numbers of a position.
    fn numbers(&self, own: B::Set, other: B::Set) -> Self::Numbers;

    /// The numbers after a move that turns these discs, for the other side.
    fn after(&self, before: &Self::Numbers, square: u32, turned: B::Set) -> Self::Numbers;

    /// The numbers with the other side to move.
    fn turned(&self, numbers: &Self::Numbers) -> Self::Numbers;

    /// The value of a position with these numbers, discs (`own` and `other`) and number of empty squares.
    fn value(&self, numbers: &Self::Numbers, discs: (B::Set, B::Set), empty: u32) -> i32;

    /// The value of a position from its discs alone.
    fn value_of(&self, own: B::Set, other: B::Set) -> i32 {
        self.value(&self.numbers(own, other), (own, other), B::empty(own, other).count())
    }
}

/// Mobility, corners and the squares beside them. The weights are a least-squares fit to searches of four plies with the
/// learned evaluation, from 3,000 random positions on 8x8 (docs/measurements/reversi.md).
#[derive(Clone, Copy, Debug, Default)]
pub struct Positional;

impl<B: Board> Evaluator<B> for Positional {
    type Numbers = ();

    fn numbers(&self, _: B::Set, _: B::Set) {}

    #[inline]
    fn after(&self, (): &(), _: u32, _: B::Set) {}

    fn turned(&self, (): &()) {}

    #[inline]
    fn value(&self, (): &(), (own, other): (B::Set, B::Set), empty: u32) -> i32 {
        /// Bonus for the side to move.
        const MOVE: i32 = 140;
        let (free, exposed) = (B::empty(own, other), beside_empty_corners::<B>(own | other));
        // Mobility weighs more towards the end.
        let mobility = 62 * B::SQUARES as i32 / (empty as i32 + 2);
        let side = |own: B::Set, other: B::Set| {
            mobility * legal_moves::<B>(own, other).count() as i32
                + 20 * (grown::<B>(other) & free).count() as i32
                + 1100 * (own & B::CORNERS).count() as i32
                - 550 * (own & B::X_SQUARES & exposed).count() as i32
                - 330 * (own & B::C_SQUARES & exposed).count() as i32
        };
        let most = POINT * (B::SQUARES as i32 - 1);
        (MOVE + side(own, other) - side(other, own)).clamp(-most, most)
    }
}
