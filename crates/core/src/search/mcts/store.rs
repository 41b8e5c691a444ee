//! The access to nodes that proofs and reports need, whether nodes are stored as a tree in blocks or as a graph of atomics.

use std::cmp::Reverse;

use super::distance::{Distance, of_children};
use super::proof::Proof;
use crate::position::Side;
use crate::search::{Bounds, LONGEST_LINE, Outlook};

/// A graded child gets one visit for this many of the most visited child: more than a quarter, the minimum for comparing moves.
const SHARE: u64 = 3;

/// Nodes below a root.
pub trait Store {
    type Move: Copy;
    type Node: Copy;
    /// A child as its parent knows it.
    type Edge: Copy;

    /// The children of a node, visited or not.
    fn edges(&self, node: Self::Node) -> impl Iterator<Item = Self::Edge>;

    /// The child's node, if it has been visited.
    fn child(&self, edge: Self::Edge) -> Option<Self::Node>;

    /// The move that leads to the child.
    fn mv(&self, edge: Self::Edge) -> Self::Move;

    /// The simulations that took the edge.
    fn visits(&self, edge: Self::Edge) -> u32;

    /// The child's proof.
    fn proof(&self, edge: Self::Edge) -> Proof;

    /// A node's proof.
    fn proof_of(&self, node: Self::Node) -> Proof;

    /// The child's prior.
    fn prior(&self, edge: Self::Edge) -> f32;

    /// The number of a node's results, their outlook, and their mean score or residual; `None` without results.
    fn results(&self, node: Self::Node) -> Option<(u64, Outlook, f64)>;

    /// Whether each child of a root is graded; empty if none is.
    #[cold]
    fn graded(&self, root: Self::Node, graded: &[Self::Move]) -> Vec<bool>
    where
        Self::Move: PartialEq,
    {
        let mut all = Vec::new();
        if !graded.is_empty() {
            self.edges(root).for_each(|edge| all.push(graded.contains(&self.mv(edge))));
        }
        all
    }

    /// The graded child of a root that the simulation of this `number` must visit, regardless of the selection rule: the
    /// unsolved one with the fewest visits. Before the root is solved, at most every second simulation does so, while that
    /// child has less than its [`SHARE`] of the most visited child's visits: enough for a comparison, too few to be chosen.
    /// Afterwards every simulation does so, until the graded children are solved too.
    #[inline]
    fn due_grade(&self, root: Self::Node, graded: &[bool], number: u64) -> Option<Self::Edge> {
        if graded.is_empty() { None } else { self.find_due_grade(root, graded, number) }
    }

    /// [`Store::due_grade`] if a child is graded.
    #[cold]
    #[inline(never)]
    fn find_due_grade(&self, root: Self::Node, graded: &[bool], number: u64) -> Option<Self::Edge> {
        let is_solved = self.proof_of(root).is_solved();
        if !is_solved && number.is_multiple_of(2) {
            return None;
        }
        let (mut due_grade, mut least, mut most) = (None, u32::MAX, 0);
        for (edge, &graded) in self.edges(root).zip(graded) {
            let visits = self.visits(edge);
            most = most.max(visits);
            if graded && visits < least && !self.proof(edge).is_solved() {
                (due_grade, least) = (Some(edge), visits);
            }
        }
        due_grade.filter(|_| is_solved || u64::from(least) * SHARE < u64::from(most))
    }

    /// The next child of the expected line: the one that proves a solved node's value, else the most visited. `None` if no
    /// child has been visited, or if the one that proves the value has been recycled: a line may end early, but it never
    /// continues with an unrelated move.
    fn expected(&self, node: Self::Node) -> Option<Self::Edge> {
        let whole = self.proof_of(node);
        let proves = |proof: Proof| {
            proof.bounds() == whole.bounds() && (whole.lo == 0 || whole.distance.follows(proof.distance))
        };
        let open = !whole.is_solved();
        let edges = self.edges(node).enumerate().filter(|&(_, edge)| open || proves(self.proof(edge)));
        // The first among equals.
        let best = edges.max_by_key(|&(index, edge)| (self.visits(edge), Reverse(index)));
        best.map(|(_, edge)| edge).filter(|&edge| self.child(edge).is_some())
    }

    /// The expected line through a child, starting with the move to it.
    fn line(&self, from: Self::Edge) -> Vec<Self::Move> {
        let next = |&edge: &Self::Edge| self.child(edge).and_then(|node| self.expected(node));
        std::iter::successors(Some(from), next).take(LONGEST_LINE).map(|edge| self.mv(edge)).collect()
    }

    /// The proof of a node by its children and its own bounds; `turn` is to move there. Bounds only become narrower: new
    /// children do not know what recycled ones proved.
    #[inline(always)]
    fn learned(&self, node: Self::Node, turn: Side) -> Proof {
        let known = self.proof_of(node).seen_from(turn);
        // From the view of the side to move, the node is worth the best of its children.
        let (mut lo, mut hi) = (known.0, i16::MIN);
        for edge in self.edges(node) {
            let seen = self.proof(edge).seen_from(turn);
            (lo, hi) = (lo.max(seen.0), hi.max(seen.1));
        }
        hi = hi.min(known.1);
        let (lo, hi) = if turn == Side::First { (lo, hi) } else { (-hi, -lo) };
        let mut distance = Distance::END;
        if lo == hi && lo != 0 {
            let seen = self.edges(node).map(|edge| {
                let proof = self.proof(edge);
                (proof.bounds(), proof.distance, self.child(edge).is_some())
            });
            distance = of_children(seen, Bounds::exactly(lo), turn);
        }
        Proof { lo, hi, distance }
    }

    /// Whether the most visited open child of a node also has the highest mean; `turn` is to move there.
    fn is_settled(&self, node: Self::Node, turn: Side, mean: impl Fn(Self::Edge) -> f32) -> bool {
        let floor = self.proof_of(node).seen_from(turn).0;
        let open =
            || self.edges(node).filter(|&edge| self.visits(edge) > 0 && !self.proof(edge).is_closed(floor, turn));
        let robust = open().max_by_key(|&edge| self.visits(edge));
        robust.is_none_or(|robust| open().all(|other| mean(other) <= mean(robust)))
    }
}
