//! The cells that matter most to both sides, by electrical circuits (Shannon's; Anshelevich 2002): for each side the board
//! conducts between its edges, well through its stones and not at all through the other side's. Cells that carry much of both
//! currents are promising.

use super::grid::{CELLS, Grid, Stones};
use crate::bits::Bits;
use crate::position::Side;

/// The resistance of a stone, relative to an empty cell. With 0, the relaxation would need many sweeps for chains of stones.
const STONE: f32 = 0.05;
/// Sweeps of the relaxation, in alternating directions, and how far each overshoots the mean of the neighbours (successive
/// over-relaxation).
const SWEEPS: usize = 16;
const RELAXATION: f32 = 1.5;
/// Conductances between two cells by their contents: 0 the side's stone, 1 nothing, 2 the other side's stone.
const CONDUCTANCE: [[f32; 3]; 3] =
    [[0.5 / STONE, 1.0 / (1.0 + STONE), 0.0], [1.0 / (1.0 + STONE), 0.5, 0.0], [0.0, 0.0, 0.0]];
/// Conductances between a cell and an edge, by the cell's contents.
const TO_EDGE: [f32; 3] = [2.0 / STONE, 2.0, 0.0];

/// The share of both sides' currents that flows through each empty cell.
pub fn flow<S: Bits>(grid: &Grid<S>, stones: Stones<S>) -> [f32; CELLS] {
    let mut shares = [0.0; CELLS];
    for side in [Side::First, Side::Second] {
        Circuit::new(grid, stones, side).add_shares(&mut shares);
    }
    shares
}

struct Circuit<'a, S> {
    grid: &'a Grid<S>,
    rims: [S; 2],
    /// The contents of each cell, as in [`CONDUCTANCE`].
    kinds: [u8; CELLS],
    /// From 1 at the first edge to 0 at the second.
    potentials: [f32; CELLS],
}

impl<'a, S: Bits> Circuit<'a, S> {
    fn new(grid: &'a Grid<S>, stones: Stones<S>, side: Side) -> Self {
        let mut kinds = [1; CELLS];
        stones.0[side.index()].iter().for_each(|cell| kinds[cell as usize] = 0);
        stones.0[side.other().index()].iter().for_each(|cell| kinds[cell as usize] = 2);
        let mut potentials = [0.0; CELLS];
        for cell in 0..grid.cells() {
            let along = if side == Side::First { cell / grid.size } else { cell % grid.size };
            potentials[cell as usize] = 1.0 - (along + 1) as f32 / (grid.size + 1) as f32;
        }
        let mut circuit = Self { grid, rims: grid.rims[side.index()], kinds, potentials };
        for sweep in 0..SWEEPS {
            if sweep % 2 == 0 {
                (0..grid.cells()).for_each(|cell| circuit.relax(cell));
            } else {
                (0..grid.cells()).rev().for_each(|cell| circuit.relax(cell));
            }
        }
        circuit
    }

    /// The conductances to the two edges.
    #[inline]
    fn to_edges(&self, cell: u32) -> [f32; 2] {
        let conductance = TO_EDGE[usize::from(self.kinds[cell as usize])];
        self.rims.map(|rim| if rim.has(cell) { conductance } else { 0.0 })
    }

    /// The neighbours on the board, with the conductance and the potential of each.
    #[inline]
    fn around(&self, cell: u32) -> impl Iterator<Item = (f32, f32)> {
        let conductances = &CONDUCTANCE[usize::from(self.kinds[cell as usize])];
        let places = self.grid.rings[cell as usize].iter().map(|&place| usize::from(place));
        let on_board = places.filter(|&place| place < self.grid.cells() as usize);
        on_board.map(|place| (conductances[usize::from(self.kinds[place])], self.potentials[place]))
    }

    fn relax(&mut self, cell: u32) {
        let [first, second] = self.to_edges(cell);
        let (mut flowing, mut conducting) = (first, first + second);
        for (conductance, potential) in self.around(cell) {
            flowing += conductance * potential;
            conducting += conductance;
        }
        if conducting > 0.0 {
            let own = &mut self.potentials[cell as usize];
            *own += RELAXATION * (flowing / conducting - *own);
        }
    }

    fn add_shares(&self, shares: &mut [f32; CELLS]) {
        let own = |cell: u32| self.potentials[cell as usize];
        let cells = 0..self.grid.cells();
        let whole: f32 = cells.clone().map(|cell| self.to_edges(cell)[1] * own(cell)).sum();
        if whole <= 0.0 {
            return;
        }
        for cell in cells.filter(|&cell| self.kinds[cell as usize] == 1) {
            let [first, second] = self.to_edges(cell);
            let edges = first * (1.0 - own(cell)).abs() + second * own(cell).abs();
            let cells: f32 =
                self.around(cell).map(|(conductance, potential)| conductance * (own(cell) - potential).abs()).sum();
            // What flows in flows out again.
            shares[cell as usize] += (edges + cells) / (2.0 * whole);
        }
    }
}
