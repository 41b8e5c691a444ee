//! All moves as first: a simulation tells something of every move that was played in it, not only of those it began with
//! (Brügmann 1993; Gelly and Silver 2011).

use crate::position::{Position, Side};
use crate::search::mcts::Playout;

/// Who played which cell in the simulation that has just ended.
#[derive(Debug)]
pub struct AsFirst<M> {
    /// What the playout added to the moves of the path.
    pub played: Vec<(Side, M)>,
    /// For each cell and side the last simulation in which that side took it.
    last: Vec<[u32; 2]>,
    /// The number of the current simulation.
    simulation: u32,
}

impl<M: Copy> AsFirst<M> {
    /// Room for moves to as many cells.
    pub fn new(cells: usize) -> Self {
        Self { played: Vec::new(), last: vec![[0; 2]; cells], simulation: 0 }
    }

    /// Notes what was played in a simulation: on its path in the tree, and then in its playout.
    pub fn note<P: Position<Move = M>, F: Playout<P>>(&mut self, playout: &F, path: impl Iterator<Item = (Side, M)>) {
        if self.simulation == u32::MAX {
            self.last.fill([0; 2]);
            self.simulation = 0;
        }
        self.simulation += 1;
        for (side, mv) in path.chain(self.played.drain(..)) {
            self.last[playout.cell(mv)][side as usize] = self.simulation;
        }
    }

    /// Whether `side` played this move in the simulation that was noted last. Asked of a move that was legal at some moment, it
    /// means from then on: a cell is taken once.
    pub fn has<P: Position<Move = M>, F: Playout<P>>(&self, playout: &F, side: Side, mv: M) -> bool {
        self.last[playout.cell(mv)][side as usize] == self.simulation
    }
}
