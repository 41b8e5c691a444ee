//! Boxes that a side can take in a row: a chain is open where one of its boxes lacks a single edge.

use super::{DotsAndBoxes, Edge};
use crate::bits::Bits;
use crate::grade::{Kind, Reason};
use crate::position::Position;

/// The boxes that a move opens to the opponent, if it does.
pub(super) fn opened(position: &DotsAndBoxes, mv: Edge) -> Option<Reason> {
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

/// The edges that complete boxes one after the other, and the number of these boxes. The order of the edges does not matter: a
/// box that can be completed stays so.
fn takeable(mut position: DotsAndBoxes) -> (Vec<Edge>, u32) {
    let (mut edges, mut boxes) = (Vec::new(), 0);
    while let Some(index) = position.free().iter().find(|&index| position.completes(index as u8) > 0) {
        boxes += u32::from(position.completes(index as u8));
        edges.push(position.edge(index));
        position.drawn |= 1 << index;
    }
    (edges, boxes)
}
