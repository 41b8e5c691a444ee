//! Boxes that a side can take in a row: a chain is open where one of its boxes lacks a single edge.

use super::{DotsAndBoxes, Edge, Edges};
use crate::bits::Bits;
use crate::grade::{Kind, Reason};
use crate::position::Position;

/// The boxes that a move opens to the opponent, if any.
pub(super) fn opened<B: Bits>(position: &DotsAndBoxes<B>, mv: Edge) -> Option<Reason> {
    let mut after = position.clone();
    after.play(mv);
    if after.turn == position.turn {
        return None;
    }
    let ((_, before), (edges, boxes)) = (takeable(position.clone()), takeable(after));
    let line = std::iter::once(mv).chain(edges).map(|edge| edge.to_string()).collect();
    let opened = boxes.checked_sub(before).filter(|&opened| opened > 0)?;
    Some(Reason { points: Some(opened), ..Reason::proven(Kind::OpensChain, line) })
}

/// The edges that complete boxes one after another, and the number of these boxes. The order of the edges does not matter: a
/// box that can be completed stays so.
fn takeable<B: Bits>(mut position: DotsAndBoxes<B>) -> (Vec<Edge>, u32) {
    let (mut edges, mut boxes) = (Vec::new(), 0);
    while let Some(edge) = position.free.iter().find(|&edge| !position.completed(edge).is_empty()) {
        boxes += position.completed(edge).count();
        edges.push(edge);
        position.free = position.free - Edges::single(edge);
    }
    (edges, boxes)
}
