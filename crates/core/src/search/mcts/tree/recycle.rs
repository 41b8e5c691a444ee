//! Recycling of a full tree: the least visited nodes lose their children, and the rest is compacted.
//!
//! A node that loses its children keeps its record (its counts and its proof) and becomes a leaf again: it gets new children
//! when simulations come back to it. No node has more visits than its parent, so the subtree of a node that goes for its few
//! visits would have gone too.

use super::{LANES, NodeId, ROOT, Tree, place};
use crate::search::LONGEST_LINE;
use crate::search::mcts::store::Store as _;
use crate::sorting;

/// One part in this many of a full tree is freed: the cost of a pass over the tree is then spread over many new families.
const SHARE: usize = 4;

/// Expected lines may keep one part in this many of the tree, regardless of their visits.
const LINES: usize = 8;

/// The number of classes of visits, eight per power of two: see [`class`].
const CLASSES: usize = 160 * 8;

/// The class of a number of visits, exact up to 15: the exponent and top three mantissa bits of a floating-point number.
fn class(visits: u32) -> usize {
    (visits as f32).to_bits() as usize >> 20
}

/// Which nodes lose their children.
struct Cut {
    /// The lowest class of visits that keeps its children.
    keeps: usize,
    /// The number of blocks to free from the class below that one, the oldest first.
    surplus: usize,
}

impl<M: Copy> Tree<M> {
    /// Makes room for `wanted` more siblings, and for a quarter of the tree if that is more. Nodes that no simulation will
    /// reach again go first: those below solved nodes, and below those that cannot change their parent's value. The children of
    /// the least visited nodes follow. The root keeps its children, and the expected lines stay within an eighth of the tree.
    /// Places of nodes change. Returns `false`, and changes nothing, if that cannot make enough room.
    ///
    /// No simulation may be under way.
    pub fn recycle(&mut self, wanted: usize) -> bool {
        let least = 1 + self.family_blocks(ROOT).len();
        let most = self.capacity.saturating_sub(wanted.div_ceil(LANES));
        if most < least {
            return false;
        }
        let most = most.min((self.capacity - self.capacity / SHARE).max(least));
        let lines = self.lines((most - least).min(self.capacity / LINES));
        let Cut { keeps, mut surplus } = self.cut(most, &lines);
        let mut lines = lines.into_iter().peekable();
        self.sweep(|tree, old, new| {
            if old == ROOT || lines.next_if_eq(&old).is_some() {
                return true;
            }
            let class = class(tree.record(new).visits);
            if tree.is_dropped(new) || class + 1 < keeps {
                return false;
            }
            if class >= keeps || surplus == 0 {
                return true;
            }
            surplus = surplus.saturating_sub(tree.family_blocks(new).len());
            false
        });
        true
    }

    /// Whether a node is removed from selection: no simulation will pass through it again.
    fn is_dropped(&self, id: NodeId) -> bool {
        let (block, lane) = place(id);
        self.blocks[block].mean[lane] == f32::NEG_INFINITY
    }

    /// The nodes whose children the expected lines of the root's children need, in the order of their places. The lines of the
    /// most visited children come first, as long as the nodes' children fit into `room` blocks.
    fn lines(&self, mut room: usize) -> Vec<NodeId> {
        let mut starts: Vec<_> = self.children(ROOT).collect();
        sorting::by_key(&mut starts, |&child| [-(self.record(child).visits as i64), 0]);
        let mut nodes = Vec::new();
        for start in starts {
            let mut id = start;
            for _ in 1..LONGEST_LINE {
                let Some(next) = self.expected(id) else { break };
                let Some(left) = room.checked_sub(self.family_blocks(id).len()) else { break };
                room = left;
                nodes.push(id);
                id = next;
            }
        }
        nodes.sort_unstable();
        nodes
    }

    /// Determines which nodes must lose their children for `most` blocks to be left, if those in `lines` keep theirs.
    fn cut(&self, most: usize, lines: &[NodeId]) -> Cut {
        let mut lines = lines.iter().peekable();
        let mut live = vec![false; self.blocks.len()];
        live[0] = true;
        let mut sizes = [0; CLASSES];
        let mut left = 1;
        for block in 0..live.len() {
            if !live[block] {
                continue;
            }
            for lane in (0..LANES).filter(|&lane| self.blocks[block].child_count[lane] > 0) {
                let id = (block * LANES + lane) as NodeId;
                let size = self.family_blocks(id).len();
                if id == ROOT || lines.next_if_eq(&&id).is_some() {
                    left += size;
                } else if self.is_dropped(id) {
                    continue;
                } else {
                    sizes[class(self.record(id).visits)] += size;
                }
                let first = self.first_child(id) as usize / LANES;
                live[first..first + size].fill(true);
            }
        }
        let mut keeps = CLASSES;
        while keeps > 0 && left + sizes[keeps - 1] <= most {
            keeps -= 1;
            left += sizes[keeps];
        }
        Cut { keeps, surplus: if keeps == 0 { 0 } else { left + sizes[keeps - 1] - most } }
    }

    /// Moves the nodes that can be reached from the root to the front, in order, and frees the rest. `keep` decides for each of
    /// them that has children whether it keeps them. It gets the node's old and new place, in the order of places, before the
    /// children are moved, so that the data at the new place is valid.
    pub(super) fn sweep(&mut self, mut keep: impl FnMut(&Self, NodeId, NodeId) -> bool) {
        /// Cannot be reached: the state of every block until `keep` was called for its parent.
        const GONE: NodeId = NodeId::MAX;
        /// Stays, and no parent refers to it: the root's block, and all but the first block of a family.
        const STAYS: NodeId = NodeId::MAX - 1;
        // Any other value: the first block of a family, with its parent's new place.
        let mut fates = vec![GONE; self.blocks.len()];
        fates[0] = STAYS;
        let mut end = 0;
        for from in 0..fates.len() {
            let fate = fates[from];
            if fate == GONE {
                continue;
            }
            if fate != STAYS {
                let (block, lane) = place(fate);
                self.blocks[block].first_child[lane] = (end * LANES) as NodeId;
            }
            self.blocks[end] = self.blocks[from];
            self.records[end] = self.records[from];
            if self.selection.reads_priors() {
                self.priors[end] = self.priors[from];
            }
            if self.selection.reads_amaf() {
                self.amaf[end] = self.amaf[from];
            }
            for lane in 0..LANES {
                if self.blocks[end].child_count[lane] == 0 {
                    continue;
                }
                let new = (end * LANES + lane) as NodeId;
                if keep(self, (from * LANES + lane) as NodeId, new) {
                    let first = self.first_child(new) as usize / LANES;
                    fates[first..first + self.family_blocks(new).len()].fill(STAYS);
                    fates[first] = new;
                } else {
                    self.blocks[end].first_child[lane] = 0;
                    self.blocks[end].child_count[lane] = 0;
                }
            }
            end += 1;
        }
        self.blocks.truncate(end);
        self.records.truncate(end);
        self.priors.truncate(end);
        self.amaf.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::proof::Proof;
    use super::super::super::selection::Selection;
    use super::super::{Block, Record};
    use super::*;
    use crate::position::Side;

    /// A tree of three blocks: the root, its two children, and one family more.
    fn small() -> Tree<char> {
        let block = size_of::<Block<char>>() + size_of::<[Record; LANES]>() + size_of::<NodeId>();
        let tree = Tree::new((&['a', 'b'], &[]), Selection::Ucb1, 1, 3 * block as u64, 100);
        assert_eq!(tree.children(ROOT), 8..10);
        tree
    }

    #[test]
    fn what_was_proven_stays_proven() {
        let (parent, other) = (8, 9);
        let mut tree = small();
        assert!(tree.expand(parent, &['c', 'd'], &[]));
        let bounds = |tree: &Tree<char>| tree.record(parent).seen_from(Side::First);
        // One child is drawn, so there is at least a draw.
        tree.solve(tree.first_child(parent), Proof::exactly(0));
        assert!(tree.learn(parent, Side::First));
        assert_eq!(bounds(&tree), (0, 1));

        assert!(!tree.expand(other, &['e'], &[]));
        assert!(tree.recycle(1));
        assert!(tree.is_leaf(parent) && tree.expand(other, &['e'], &[]));
        assert_eq!(bounds(&tree), (0, 1));

        // The new children know nothing of the draw. Once none may be won, it is a draw, but the line to it is not known.
        assert!(tree.recycle(1) && tree.expand(parent, &['d', 'c'], &[]));
        assert!(!tree.learn(parent, Side::First));
        for child in tree.children(parent) {
            let proof = crate::search::mcts::proof::Proof { hi: 0, ..tree.record(child).proof() };
            tree.record_mut(child).prove(proof);
        }
        assert!(tree.learn(parent, Side::First));
        assert_eq!((bounds(&tree), tree.expected(parent)), ((0, 0), None));
    }

    #[test]
    fn there_is_an_end_to_recycling() {
        let mut tree = small();
        assert!(tree.expand(8, &['c'], &[]));
        assert!(!tree.recycle(9) && !tree.is_leaf(8), "two blocks do not fit, and nothing may be lost for them");
        assert!(tree.recycle(8) && tree.is_leaf(8));
    }
}
