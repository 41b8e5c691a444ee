//! The expected move of a search, edge by edge.

use super::captures::Captures;
use super::edges::{Edge, Edges};
use super::images::Images;
use super::loony;
use super::parts::chains;
use super::search::Node;
use super::table::Table;
use crate::bits::Bits;
use crate::search::value::POINT;

/// The expected move of a position, from the table or from the position after the captures.
pub(super) fn expected<B: Bits>(free: Edges<B>, board: B, images: &Images, table: &Table) -> Option<Edge> {
    let captures = Captures::of(free, board);
    if captures.boxes == 0 && is_loony(free, board) {
        return opening(free, board);
    }
    if captures.boxes == 0 {
        let node = Node::new(free, board, images);
        let (key, image) = node.key();
        return node.recall(table.get(key)?.best()?, image, images, board);
    }
    let takes = |edge: &Edge| !(edge.sides::<B>() & board & !(free - Edges::single(*edge)).boxes()).is_empty();
    let own = || (free - captures.rest).iter();
    if captures.price == 0 || rest_value(captures.rest, board, images, table)? >= -captures.price {
        return own().find(takes);
    }
    // Keep control: take all but the price.
    let after = |edge: Edge| Captures::of(free - Edges::single(edge), board);
    let keeps = own().find(|&edge| takes(&edge) && after(edge).price == captures.price);
    keeps.or_else(|| own().find(|&edge| !takes(&edge) && after(edge).boxes == captures.price))
}

/// Whether only chains and loops are left of a position without boxes to take. The table has no such positions.
fn is_loony<B: Bits>(free: Edges<B>, board: B) -> bool {
    let [_, second] = free.with_one_or_two();
    (free.boxes() & board & !second).is_empty()
}

/// The best opening of a chain or a loop: the values of the captures and of what they leave are known.
fn opening<B: Bits>(free: Edges<B>, board: B) -> Option<Edge> {
    let gain = |edge: &Edge| {
        let captures = Captures::of(free - Edges::single(*edge), board);
        captures.worth(loony::value(captures.rest, board), 1)
    };
    let [_, second] = free.with_one_or_two();
    chains(free, second & board, board).map(|chain| chain.opening(free)).min_by_key(gain)
}

/// The known value for the side to move of a position without boxes to take, in boxes.
fn rest_value<B: Bits>(rest: Edges<B>, board: B, images: &Images, table: &Table) -> Option<i32> {
    if is_loony(rest, board) {
        return Some(loony::value(rest, board));
    }
    table.get(Node::new(rest, board, images).key().0).map(|entry| entry.value() / POINT)
}
