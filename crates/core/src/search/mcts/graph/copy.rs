//! Copies of a part of a graph: of its most visited nodes when it is full, or of the graph below a new root.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::node::{Means, Node};
use super::table::Table;
use super::{Edge, Graph, ROOT};
use crate::position::{Position, Side};
use crate::search::mcts::proof::Proof;
use crate::search::mcts::store::Store;
use crate::search::mcts::utility::Utility;

impl<M: Copy + Send + Sync> Graph<M> {
    /// A copy in which only the most visited nodes have children, as many as fill half of what a graph may; the others become
    /// leaves and keep their statistics. Nodes below solved ones are not needed any more and are dropped.
    ///
    /// No simulation may be under way. Once `must_stop` returns true, no more children are copied.
    pub fn pruned_copy(&self, must_stop: impl FnMut() -> bool) -> Self {
        let depths = self.depths.iter().map(|depth| AtomicU32::new(depth.load(Relaxed))).collect();
        self.copy(ROOT, self.node(ROOT).bare(), (self.visited.load(Relaxed), depths), self.memory, must_stop)
    }

    /// A copy of the graph below a node, as much as may be kept within `memory`, with this node as the root, where `turn` is to
    /// move.
    ///
    /// A bound that the node has from dropped children is forgotten, because at the root the move that attains it must be
    /// known.
    pub fn subgraph<P: Position<Move = M>>(&self, id: u32, turn: Side, memory: u64) -> Self {
        let depths = (0..self.node(id).child_count()).map(|_| AtomicU32::new(0)).collect();
        let root = self.node(id).with_proof(Proof::unknown(self.limit));
        let new = self.copy(id, root, (1, depths), memory, || false);
        new.learn(ROOT, turn);
        let (floor, utility) = (new.node(ROOT).proof().seen_from(turn).0, Utility::of::<P>(self.limit));
        new.edges(ROOT).for_each(|edge| new.update_arm::<P>(edge, floor, turn, utility));
        new
    }

    fn copy(
        &self,
        from: u32,
        root: Node,
        (visited, depths): (u64, Vec<AtomicU32>),
        memory: u64,
        mut must_stop: impl FnMut() -> bool,
    ) -> Self {
        let new = Self {
            nodes: boxcar::Vec::new(),
            blocks: boxcar::Vec::new(),
            table: self.table.as_ref().map(Table::emptied),
            limit: self.limit,
            memory,
            options: self.options,
            visited: AtomicU64::new(visited),
            depths,
        };
        /// Not copied.
        const GONE: u32 = u32::MAX;
        let mut places = vec![GONE; self.nodes.count()];
        new.nodes.push(root);
        places[from as usize] = ROOT;
        let mut open = BinaryHeap::from([(u32::MAX, from)]);
        while let Some((_, old)) = open.pop() {
            let place = places[old as usize];
            let solved = old != from && self.node(old).proof().is_solved();
            let full = old != from && (new.is_half_full() || must_stop());
            if solved || full || self.node(old).family().is_none() {
                new.collapse(place);
                continue;
            }
            let blocks: Vec<_> = self.family(old).map(|(block, _)| block).collect();
            let mut next = None;
            for &block in blocks.iter().rev() {
                next = Some(new.blocks.push(self.block(block).bare(next)) as u32);
            }
            let Some(first) = next else { continue };
            new.node(place).begin_family();
            new.node(place).announce(first, self.node(old).child_count());
            let kept: Vec<Edge> = new.edges(place).collect();
            for (was, is) in self.edges(old).zip(kept) {
                let Some(child) = self.child(was) else { continue };
                if places[child as usize] == GONE {
                    places[child as usize] = new.add(self.node(child).bare());
                    open.push((self.node_visits(child), child));
                }
                new.block(is.block).link(is.lane, places[child as usize]);
            }
        }
        new
    }

    fn is_half_full(&self) -> bool {
        self.bytes() / super::FILL >= self.memory / super::OF / 2
    }

    fn add(&self, node: Node) -> u32 {
        let key = node.key;
        let push = || self.nodes.push(node) as u32;
        match &self.table {
            None => push(),
            // No two nodes have equal positions, except those for which the table had no room.
            Some(table) => table.find_or_make(key, |_| false, push),
        }
    }

    /// Converts a node without children: all its simulations count as ended there.
    fn collapse(&self, id: u32) {
        if self.table.is_none() {
            return;
        }
        let node = self.node(id);
        let means = Means { win: node.win.get(), draw: node.draw.get(), score: node.score.get() };
        node.counts.set(node.visits.load(Relaxed), means);
        node.substitutions.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Block;
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::search::Branches;
    use crate::search::mcts::Mcts;
    use crate::search::mcts::arms::LANES;
    use crate::search::mcts::sample::Sample;

    #[test]
    fn the_most_visited_stay() {
        let options = <Mcts>::default().report_options(Branches::default());
        let memory = 60 * size_of::<Block<char>>() as u64;
        let graph = Graph::new(0, (&['a', 'b', 'c'], &[]), 1, memory, false, options);
        assert_eq!(graph.edges(ROOT).count(), 3);
        let edges: Vec<_> = graph.edges(ROOT).collect();
        for (index, &edge) in edges.iter().enumerate() {
            let node = graph.nodes.push(Node::new(index as u64, Proof::unknown(1))) as u32;
            graph.block(edge.block).link(edge.lane, node);
            (0..=index).for_each(|_| graph.node(node).counts.add::<TicTacToe<u64>>(Sample::exactly(1)));
            let moves = vec!['x'; LANES * 10];
            assert!(graph.expand(node, &moves, &[]));
        }
        let kept = graph.pruned_copy(|| false);
        let has = |graph: &Graph<char>| -> Vec<_> {
            graph.edges(ROOT).map(|edge| graph.edges(graph.child(edge).expect("a child")).count()).collect()
        };
        assert_eq!((has(&graph), has(&kept)), (vec![80; 3], vec![0, 80, 80]));
        assert_eq!(graph.edges(ROOT).map(|edge| graph.node_visits(graph.child(edge).unwrap_or(0))).max(), Some(3));
        assert!(kept.bytes() < graph.bytes());
    }
}
