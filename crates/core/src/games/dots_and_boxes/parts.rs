//! The parts of a position without boxes to take: safe edges, between joints or between a joint and the rim; chains and loops
//! of boxes that lack two edges each.

use super::edges::{Edge, Edges};
use crate::bits::Bits;

/// A chain or a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<B> {
    pub boxes: B,
    pub length: u32,
    /// The boxes at its ends that lack more than two edges.
    pub joints: B,
    /// The number of its ends at the rim; 0 for a loop.
    pub rims: u32,
}

impl<B: Bits> Chain<B> {
    /// The chain or loop through a box, among boxes that lack two edges.
    #[inline]
    pub fn through(start: B, free: Edges<B>, second: B, board: B) -> Self {
        let boxes = free.connected(start, second);
        let ends = free.out_of(boxes);
        let joints = ends.boxes() & board & !boxes;
        Self { boxes, length: boxes.count(), joints, rims: ends.out_of(board).count() }
    }

    /// The edge that opens it, between two of its boxes if possible: in a chain of two this leaves the other side no choice.
    #[inline]
    pub fn opening(&self, free: Edges<B>) -> Edge {
        let around = free.and(Edges::around(B::single(self.boxes.nth(0))));
        let inner = around.within(self.boxes);
        if inner.is_empty() { around } else { inner }.nth(0)
    }

    /// Whether it has no ends.
    #[inline]
    pub fn is_loop(&self) -> bool {
        self.rims == 0 && self.joints.is_empty()
    }
}

/// The chains and loops among boxes that lack two edges.
#[inline]
pub(super) fn chains<B: Bits>(free: Edges<B>, second: B, board: B) -> impl Iterator<Item = Chain<B>> {
    let mut left = second;
    std::iter::from_fn(move || {
        let start = (!left.is_empty()).then(|| B::single(left.nth(0)))?;
        let chain = Chain::through(start, free, second, board);
        left = left & !chain.boxes;
        Some(chain)
    })
}
