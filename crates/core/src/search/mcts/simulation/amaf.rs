//! All moves as first: a simulation counts for every move that was played in it, not only for those it began with (Brügmann
//! 1993; Gelly and Silver 2011).

use crate::position::{Position, Side};
use crate::search::mcts::Playout;

/// Which side took which cell in the last simulation.
#[derive(Debug)]
pub struct Amaf<M> {
    /// The moves of the playout, after those of the path.
    pub played: Vec<(Side, M)>,
    /// For each cell and side the last simulation in which that side took it.
    last: Vec<[u32; 2]>,
    /// The number of the current simulation.
    simulation: u32,
}

impl<M: Copy> Amaf<M> {
    /// For moves to `cells` cells.
    pub fn new(cells: usize) -> Self {
        Self { played: Vec::new(), last: vec![[0; 2]; cells], simulation: 0 }
    }

    /// Records the moves of a simulation: on its path in the tree, then in its playout.
    pub fn record<P: Position<Move = M>, F: Playout<P>>(&mut self, playout: &F, path: impl Iterator<Item = (Side, M)>) {
        if self.simulation == u32::MAX {
            self.last.fill([0; 2]);
            self.simulation = 0;
        }
        self.simulation += 1;
        for (side, mv) in path.chain(self.played.drain(..)) {
            self.last[playout.cell(mv)][side as usize] = self.simulation;
        }
    }

    /// Whether `side` played this move in the last recorded simulation. For a move that is legal at a node of the path, this
    /// means from the node on, since a cell is taken only once.
    pub fn has<P: Position<Move = M>, F: Playout<P>>(&self, playout: &F, side: Side, mv: M) -> bool {
        self.last[playout.cell(mv)][side as usize] == self.simulation
    }
}
