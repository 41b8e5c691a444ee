//! Judges who wins a position, or which moves can win.

use super::connections::{Connections, Link};
use super::grid::{Grid, Stones};
use super::inferior::Rings;
use crate::bits::Bits;
use crate::position::Side;

/// The judgement of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement<S> {
    /// This side wins.
    Won(Side),
    /// Undecided. One of the `moves` wins if any move does, and all moves outside `must_play` lose; neither set is empty.
    Open {
        /// The moves that block all connections found for the other side.
        must_play: S,
        /// The moves of `must_play` that are neither vulnerable nor dominated.
        moves: S,
    },
}

/// Judges positions of one board.
#[derive(Debug)]
pub struct Judge<S> {
    pub grid: Grid<S>,
    connections: Connections<S>,
}

impl<S: Bits> Judge<S> {
    pub fn new(size: u32) -> Self {
        let grid = Grid::new(size);
        let connections = Connections::new(&grid);
        Self { grid, connections }
    }

    /// Bytes of the memory of a judge for boards of this size.
    pub fn bytes(size: u32) -> u64 {
        Connections::<S>::bytes(size * size)
    }

    /// The same position with stones on all cells that are found dead or captured.
    pub fn filled(&self, stones: Stones<S>) -> Stones<S> {
        let mut rings = Rings::new(&self.grid, stones);
        rings.fill(self.grid.board);
        rings.stones
    }

    /// Judges a filled position.
    pub fn judge(&mut self, stones: Stones<S>, mover: Side) -> Judgement<S> {
        let Self { grid, connections } = self;
        for side in [Side::First, Side::Second] {
            if grid.is_connected(side, stones.0[side.index()]) {
                return Judgement::Won(side);
            }
        }
        if connections.link(grid, stones, mover, true) != Link::None {
            return Judgement::Won(mover);
        }
        let must_play = match connections.link(grid, stones, mover.other(), false) {
            Link::Full => return Judgement::Won(mover.other()),
            Link::Semi(common) => common,
            Link::None => grid.board & !stones.all(),
        };
        let moves = Rings::new(grid, stones).without_inferior(mover, must_play);
        if moves.is_empty() { Judgement::Won(mover.other()) } else { Judgement::Open { must_play, moves } }
    }
}
