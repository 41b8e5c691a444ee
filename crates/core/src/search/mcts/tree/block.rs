//! Eight siblings, and all children of a node.

use super::NodeId;
use crate::search::mcts::arms::{AmafStats, Arms, LANES, Siblings};

/// Eight siblings as the arms of a bandit: the data that their parent's selection compares. The last block of a family has idle
/// lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Block<M> {
    /// Mean utility for the side to move in the parent, in [0, 1]; infinite while unvisited, minus infinite once the node
    /// cannot change the parent's value any more, and in idle lanes.
    pub(super) mean: [f32; LANES],
    /// 1 / sqrt(visits); 0 where the mean is infinite.
    pub(super) spread: [f32; LANES],
    /// The place of the first child: lane 0 of a block.
    pub(super) first_child: [NodeId; LANES],
    /// The number of children; 0 until they are made.
    pub(super) child_count: [u16; LANES],
    /// The move that leads to the node.
    pub(super) mv: [M; LANES],
}

impl<M: Copy> Block<M> {
    /// New nodes below one parent; at most eight, at least one.
    pub(super) fn new(moves: &[M]) -> Self {
        Self {
            mean: std::array::from_fn(|lane| if lane < moves.len() { f32::INFINITY } else { f32::NEG_INFINITY }),
            spread: [0.0; LANES],
            first_child: [0; LANES],
            child_count: [0; LANES],
            mv: std::array::from_fn(|lane| moves[lane.min(moves.len() - 1)]),
        }
    }
}

/// The children of a node.
#[derive(Debug)]
pub struct Family<'a, M> {
    pub(super) blocks: &'a [Block<M>],
    pub(super) priors: &'a [[f32; LANES]],
    pub(super) amaf: &'a [AmafStats],
}

/// The siblings of one block.
impl<M: Copy> Siblings for (&Family<'_, M>, usize) {
    #[inline(always)]
    fn arms(&self) -> Arms {
        let block = &self.0.blocks[self.1];
        Arms { mean: block.mean, spread: block.spread }
    }

    #[inline(always)]
    fn priors(&self) -> [f32; LANES] {
        self.0.priors[self.1]
    }

    #[inline(always)]
    fn amaf(&self) -> [f32; LANES] {
        self.0.amaf[self.1].mean
    }
}
