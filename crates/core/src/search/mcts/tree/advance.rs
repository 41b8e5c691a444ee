//! Advancing the tree with the game: a child becomes the root and keeps its subtree.

use super::{Block, LANES, NodeId, ROOT, Tree, mean_and_spread, place, sqrt_2_ln};
use crate::position::{Position, Side};
use crate::search::mcts::record::Record;
use crate::search::mcts::utility::Utility;

impl<M: Copy> Tree<M> {
    /// Makes a child of the root the root, where `turn` is to move, and frees all nodes outside its subtree. The statistics of
    /// its children and of the nodes below stay unchanged.
    ///
    /// Reports take the root's value from its children, and so does the new root: its counts are the sums of theirs. A bound
    /// that it has from recycled children is forgotten, because at the root the move that attains it must be known.
    ///
    /// No simulation may be under way.
    pub fn advance<P: Position>(&mut self, child: NodeId, turn: Side, utility: Utility) {
        let (block, lane) = place(child);
        let Block { first_child, child_count, mv, .. } = self.blocks[block];
        let mut root = Block::new(&mv[lane..=lane]);
        (root.first_child[0], root.child_count[0]) = (first_child[lane], child_count[lane]);
        self.blocks[0] = root;
        self.sweep(|_, _, _| true);
        let mut sum = Record::new(self.limit);
        for child in self.children(ROOT) {
            let (block, lane) = place(child);
            let record = self.records[block][lane];
            sum.visits += record.visits;
            sum.wins += record.wins;
            sum.draws += record.draws;
            sum.total = sum.total.saturating_add(record.total);
            // The arm may have been dropped for a bound that is forgotten now.
            let visited = record.visits > 0;
            let arms = &mut self.blocks[block];
            (arms.mean[lane], arms.spread[lane]) =
                if visited { mean_and_spread::<P>(&record, turn, utility) } else { (f32::INFINITY, 0.0) };
        }
        if sum.visits > 0 {
            sum.sqrt_2_ln = sqrt_2_ln(sum.visits);
        }
        self.records[0] = [Record::new(self.limit); LANES];
        self.records[0][0] = sum;
        if !self.is_leaf(ROOT) {
            self.learn(ROOT, turn);
        }
    }

    /// Gives the tree another budget. A larger tree is cut down like a full one.
    pub fn resize(&mut self, bytes: u64, families: u64) {
        self.reserve(bytes, self.family_blocks(ROOT).len(), families);
        if self.blocks.len() > self.capacity {
            self.recycle(0);
        }
        self.blocks.shrink_to(self.capacity);
        self.records.shrink_to(self.capacity);
        self.priors.shrink_to(self.capacity);
        self.amaf.shrink_to(self.capacity);
    }

    /// Releases unused memory. [`Tree::resize`] must be called before the tree grows again.
    pub fn shrink(&mut self) {
        self.blocks.shrink_to_fit();
        self.records.shrink_to_fit();
        self.priors.shrink_to_fit();
        self.amaf.shrink_to_fit();
        self.capacity = self.blocks.len();
    }

    /// The deepest ply reached from the root through one of its children, as far as the tree still shows it: 1 for the child
    /// itself, 0 until it has been visited.
    pub fn depth(&self, child: NodeId) -> u32 {
        let (mut deepest, mut open) = (0, vec![(child, 1)]);
        while let Some((id, depth)) = open.pop() {
            if self.record(id).visits > 0 {
                deepest = deepest.max(depth);
                open.extend(self.children(id).map(|child| (child, depth + 1)));
            }
        }
        deepest
    }
}

#[cfg(test)]
impl<M: Copy> Tree<M> {
    /// Checks the invariants of a tree whose root is `position`, without simulations under way: families lie one after the
    /// other behind their parents, visits and bounds of parents and children fit together, and arms agree with records.
    pub fn check<P: Position<Move = M>>(&self, position: &P) {
        use crate::search::mcts::store::Store as _;
        let utility = Utility::of::<P>(position.score_limit());
        let (mut blocks, mut open) = (1, vec![(ROOT, position.clone())]);
        while let Some((id, position)) = open.pop() {
            let (turn, node) = (position.turn(), self.record(id));
            let (mut visits, mut best) = (0, (-self.limit, -self.limit));
            for child in self.children(id) {
                let (block, lane) = place(child);
                let (arms, record) = (&self.blocks[block], self.record(child));
                let (lo, hi) = record.seen_from(turn);
                visits += record.visits;
                best = (best.0.max(lo), best.1.max(hi));
                let arm = (arms.mean[lane], arms.spread[lane]);
                match arm.0 {
                    f32::NEG_INFINITY => assert!(record.is_solved() || hi <= node.seen_from(turn).0),
                    f32::INFINITY => assert!(record.visits == 0 && arm.1 == 0.0),
                    _ => assert_eq!(arm, mean_and_spread::<P>(record, turn, utility)),
                }
                let mut next = position.clone();
                next.play(self.mv(child));
                open.push((child, next));
            }
            if !self.is_leaf(id) {
                blocks += self.family_blocks(id).len();
                assert!(self.first_child(id) as usize / LANES > id as usize / LANES);
                let (lo, hi) = node.seen_from(turn);
                assert!(best.0 <= lo && lo <= hi && hi <= best.1, "{lo}..={hi} from {best:?}");
                // A node's first visit was to itself, and there may have been more before its children were recycled.
                assert!(if id == ROOT { visits == node.visits } else { visits < node.visits });
            }
        }
        assert_eq!(blocks, self.blocks.len());
        assert!(blocks <= self.capacity);
    }
}
