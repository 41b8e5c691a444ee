//! The tree: nodes in one arena, the children of a node side by side.

use crate::position::Side;
use crate::search::Bounds;

/// A node's place in the arena.
pub type NodeId = u32;

/// The root's place.
pub const ROOT: NodeId = 0;

/// A position of the tree, seen as the move that leads to it. Statistics are from the first player's view.
#[derive(Clone, Copy, Debug)]
pub struct Node<M> {
    /// Simulations that passed through.
    pub visits: u32,
    /// Of these, the first player's wins.
    pub wins: u32,
    /// Of these, draws.
    pub draws: u32,
    /// Sum of scores.
    pub total: i32,
    /// Where its children begin.
    pub first_child: NodeId,
    /// How many children it has; 0 until they are made.
    pub child_count: u16,
    /// Once a win or loss is proven: plies to the end of the game on the line that proves it.
    pub distance: u16,
    /// Proven: the score is at least this.
    pub lo: i8,
    /// Proven: the score is at most this.
    pub hi: i8,
    /// The move that leads here.
    pub mv: M,
}

impl<M> Node<M> {
    pub fn new(mv: M, limit: i8) -> Self {
        Self {
            visits: 0,
            wins: 0,
            draws: 0,
            total: 0,
            first_child: 0,
            child_count: 0,
            distance: 0,
            lo: -limit,
            hi: limit,
            mv,
        }
    }

    #[inline]
    pub fn is_solved(&self) -> bool {
        self.lo == self.hi
    }

    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds { lo: self.lo.into(), hi: self.hi.into() }
    }

    /// Takes one simulation's score into the statistics.
    #[inline]
    pub fn count(&mut self, score: i16) {
        self.visits += 1;
        self.wins += u32::from(score > 0);
        self.draws += u32::from(score == 0);
        self.total += i32::from(score);
    }
}

/// An arena of nodes. It never grows past the capacity it was given: memory is bounded by the budget.
#[derive(Debug)]
pub struct Tree<M> {
    nodes: Vec<Node<M>>,
    capacity: usize,
}

impl<M: Copy> Tree<M> {
    /// A tree of a root only, which may grow to `bytes`.
    pub fn new(root: Node<M>, bytes: u64) -> Self {
        let most = NodeId::MAX as usize;
        let mut capacity = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Node<M>>();
        capacity = capacity.clamp(1, most);
        let mut nodes = Vec::new();
        // Address space is reserved at once, so that a growing tree is never copied; the pages come as they are touched.
        while nodes.try_reserve_exact(capacity).is_err() {
            capacity = (capacity / 2).max(1);
        }
        nodes.push(root);
        Self { nodes, capacity }
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id as usize]
    }

    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<M> {
        &mut self.nodes[id as usize]
    }

    #[inline]
    pub fn children(&self, id: NodeId) -> &[Node<M>] {
        let node = self.node(id);
        let first = node.first_child as usize;
        &self.nodes[first..first + usize::from(node.child_count)]
    }

    /// Gives a node its children. `false`, and nothing changed, when there is no room.
    pub fn expand(&mut self, id: NodeId, children: &[Node<M>]) -> bool {
        if self.nodes.len() + children.len() > self.capacity {
            return false;
        }
        let first_child = self.nodes.len() as NodeId;
        self.nodes.extend_from_slice(children);
        let node = self.node_mut(id);
        node.first_child = first_child;
        node.child_count = u16::try_from(children.len()).expect("no game here has 65,536 moves in a position");
        true
    }

    /// Bytes that a tree of `nodes` nodes takes.
    pub const fn bytes_for(nodes: usize) -> u64 {
        (nodes * size_of::<Node<M>>()) as u64
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        Self::bytes_for(self.nodes.len())
    }

    /// Takes over what the children of `id` prove about it, `turn` being to move there. `true` when that was news.
    pub fn update_bounds(&mut self, id: NodeId, turn: Side) -> bool {
        let (mut lo, mut hi) = (i8::MIN, i8::MIN);
        let children = self.children(id);
        // From the view of the side to move, the node is worth the best of its children.
        for child in children {
            let (child_lo, child_hi) = seen_from(turn, child);
            lo = lo.max(child_lo);
            hi = hi.max(child_hi);
        }
        let node = self.node(id);
        if (lo, hi) == seen_from(turn, node) {
            return false;
        }
        let mut distance = 0;
        if lo == hi && lo != 0 {
            // The winner hurries, the loser resists.
            let solved = children.iter().filter(|child| seen_from(turn, child) == (lo, hi));
            let distances = solved.map(|child| child.distance);
            let best = if lo > 0 { distances.min() } else { distances.max() };
            distance = best.unwrap_or(0).saturating_add(1);
        }
        let (lo, hi) = if turn == Side::First { (lo, hi) } else { (-hi, -lo) };
        let node = self.node_mut(id);
        (node.lo, node.hi, node.distance) = (lo, hi, distance);
        true
    }
}

/// A node's bounds from a side's view.
#[inline]
pub fn seen_from<M>(side: Side, node: &Node<M>) -> (i8, i8) {
    if side == Side::First { (node.lo, node.hi) } else { (-node.hi, -node.lo) }
}
