//! The lines of a kept tree by which later searches find it.

use crate::search::Line;

/// The empty line, and all lines of one or two moves along `children`, which returns the children of a node that have children
/// and enough visits, with their moves.
pub fn lines<N: Copy, M: Copy>(root: N, children: impl Fn(N) -> Vec<(M, N)>) -> Vec<Line<M>> {
    let mut lines = vec![Line::new()];
    for (mv, node) in children(root) {
        lines.push(Line::from_slice(&[mv]));
        lines.extend(children(node).into_iter().map(|(reply, _)| Line::from_slice(&[mv, reply])));
    }
    lines
}
