//! What a report holds of a tree or graph: the root's children, and as much as was asked for below them.

use std::cmp::Reverse;

use super::final_move::standard_error;
use super::proof::Proof;
use super::sample::with_rest;
use crate::position::Position;
use crate::search::{Below, Branches, Child, Evaluation, Outlook};
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

/// The root's children, each with the deepest ply reached below it, and below them no more nodes than a report can carry; the
/// root's position is `position`.
pub fn children<P: Position, T: Branching<P>>(
    tree: &T,
    roots: &[(T::Node, u32)],
    position: &P,
    branches: Branches,
) -> Vec<Child<P::Move>> {
    let mut all = Vec::new();
    for &(node, _) in roots {
        visits(tree, node, branches, &mut all);
    }
    let min_visits = branches.min_visits.max(threshold(all, Branches::MOST));
    let branches = Branches { min_visits, ..branches };
    let child = |&(node, depth): &(T::Node, u32)| Child {
        mv: tree.mv(node),
        visits: Some(tree.visits(node)),
        nodes: None,
        prior: tree.prior(node),
        evaluation: tree.evaluation(node),
        depth,
        pv: tree.line(node),
        below: if branches.depth > 0 {
            descend(tree, node, &after(position, tree.mv(node)), branches, 1)
        } else {
            None
        },
    };
    roots.iter().map(child).collect()
}

/// What is known of a node by its proof, or else by its `visits`: the chances `counted`, and the mean of scores or rests.
pub fn evaluation<P: Position>(proof: Proof, means: Option<(Outlook, f64)>, visits: u64, limit: i16) -> Evaluation {
    let mut evaluation = Evaluation { bounds: proof.bounds(), ..Evaluation::unknown(limit) };
    if proof.is_solved() {
        evaluation.outlook = Some(Outlook::of_score(proof.lo));
        evaluation.score = P::POINTS.then_some(proof.lo.into());
        proof.distance.tell::<P>(&mut evaluation);
    } else if let Some((counted, score)) = means {
        // Early simulations may have had results that are proven impossible by now.
        let outlook = with_rest(counted, if P::POINTS { 0.0 } else { score }).within(evaluation.bounds);
        evaluation.outlook = Some(outlook);
        evaluation.stderr = standard_error(outlook, visits);
        evaluation.score = P::POINTS.then(|| evaluation.bounds.clamp(score));
    }
    evaluation
}

/// The position after a move.
fn after<P: Position>(position: &P, mv: P::Move) -> P {
    let mut next = position.clone();
    next.play(mv);
    next
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
            below: descend(tree, child, &after(position, tree.mv(child)), branches, level + 1),
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
fn threshold(mut all: Vec<u64>, most: usize) -> u64 {
    if all.len() <= most {
        return 0;
    }
    let (_, kth, _) = all.select_nth_unstable_by_key(most, |&visits| Reverse(visits));
    *kth + 1
}

/// The visits of all nodes that `branches` asks for below `node`.
fn visits<P: Position, T: Branching<P>>(tree: &T, node: T::Node, branches: Branches, into: &mut Vec<u64>) {
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
