//! What a report tells of a tree below the root's children.

use std::cmp::Reverse;

use crate::position::Position;
use crate::search::{Below, Branches, Child, Evaluation};
use crate::sorting;

/// A tree or graph that can be looked into, node by node.
pub trait Branching<P: Position> {
    /// A node below the root, as its parent knows it.
    type Node: Copy;

    /// The children of a node, visited or not.
    fn below(&self, node: Self::Node) -> Vec<Self::Node>;

    /// The move that leads to a node.
    fn mv(&self, node: Self::Node) -> P::Move;

    /// The simulations that came to it.
    fn visits(&self, node: Self::Node) -> u64;

    /// What PUCT expected of the move.
    fn prior(&self, node: Self::Node) -> Option<f64>;

    /// What the position there is worth; distances count the move itself.
    fn evaluation(&self, node: Self::Node) -> Evaluation;

    /// The line expected from there on, the move itself first.
    fn line(&self, node: Self::Node) -> Vec<P::Move>;
}

/// What is below `node`, which is a child of the root, after whose move the position is `position`.
pub fn below<P: Position, T: Branching<P>>(
    tree: &T,
    node: T::Node,
    position: &P,
    branches: Branches,
) -> Option<Below<P::Move>> {
    descend(tree, node, position, branches, 1)
}

fn descend<P: Position, T: Branching<P>>(
    tree: &T,
    node: T::Node,
    position: &P,
    branches: Branches,
    level: u32,
) -> Option<Below<P::Move>> {
    if level > branches.depth {
        return None;
    }
    let seen = tree.below(node).into_iter().filter(|&child| tree.visits(child) >= branches.min_visits.max(1));
    let children = seen.map(|child| {
        let mut next = position.clone();
        next.play(tree.mv(child));
        let mut evaluation = tree.evaluation(child);
        // From the root, as everywhere in a report.
        evaluation.distance = evaluation.distance.map(|distance| distance + level);
        let pv = tree.line(child);
        Child {
            mv: tree.mv(child),
            visits: Some(tree.visits(child)),
            nodes: None,
            prior: tree.prior(child),
            evaluation,
            depth: level + pv.len() as u32,
            pv,
            below: descend(tree, child, &next, branches, level + 1),
        }
    });
    let mut children: Vec<_> = children.collect();
    sort_below(&mut children);
    (!children.is_empty()).then(|| Below { mover: position.turn(), children })
}

/// Puts the children of a node below the root into the order of a report: the solved ones first, then by visits.
pub fn sort_below<M>(children: &mut [Child<M>]) {
    sorting::by_key(children, |child| {
        let unsolved = child.evaluation.bounds.exact().is_none();
        [unsolved.into(), child.visits.map_or(1, |visits| -(visits as i64))]
    });
}

/// The visits that a node must have to be reported, so that no more than `most` are; `all` are those of every node that might
/// be.
pub fn threshold(mut all: Vec<u64>, most: usize) -> u64 {
    if all.len() <= most {
        return 0;
    }
    let (_, kth, _) = all.select_nth_unstable_by_key(most, |&visits| Reverse(visits));
    *kth + 1
}

/// The visits of all nodes that `branches` asks for below `node`.
pub fn visits<P: Position, T: Branching<P>>(tree: &T, node: T::Node, branches: Branches, into: &mut Vec<u64>) {
    if branches.depth == 0 {
        return;
    }
    for child in tree.below(node) {
        let visits_here = tree.visits(child);
        if visits_here >= branches.min_visits.max(1) {
            into.push(visits_here);
            visits(tree, child, Branches { depth: branches.depth - 1, ..branches }, into);
        }
    }
}
