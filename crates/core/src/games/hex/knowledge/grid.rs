//! The cells of a board, numbered row by row without gaps, with their neighbours and edges.

use super::super::LARGEST;
use crate::bits::Bits;
use crate::position::Side;

/// Cells of the largest board.
pub const CELLS: usize = (LARGEST * LARGEST) as usize;

/// Steps to the six neighbours, as columns and rows, in circular order.
const AROUND: [(isize, isize); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The stones of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones<S>(pub [S; 2]);

impl<S: Bits> Stones<S> {
    /// The stones of both sides together.
    #[inline]
    pub fn all(self) -> S {
        self.0[0] | self.0[1]
    }

    /// These stones and one more.
    #[inline]
    #[must_use]
    pub fn with(mut self, side: Side, cell: u32) -> Self {
        self.0[side.index()] = self.0[side.index()] | S::single(cell);
        self
    }
}

/// A board of any size that fits in `S`, with two elements to spare for a side's two edges.
#[derive(Debug)]
pub struct Grid<S> {
    pub size: u32,
    /// All cells.
    pub board: S,
    /// The neighbours of each cell, on the board.
    pub neighbours: Vec<S>,
    /// The neighbours in circular order; beyond the board, [`Grid::edge`].
    pub rings: Vec<[u16; 6]>,
    /// For each side, the cells along each of its edges: top and bottom, left and right.
    pub rims: [[S; 2]; 2],
}

impl<S: Bits> Grid<S> {
    /// Whether a board of this size fits in `S`.
    pub const fn fits(size: u32) -> bool {
        size * size + 2 <= S::WIDTH
    }

    /// The board of this size.
    pub fn new(size: u32) -> Self {
        let cells = size * size;
        let span = 0..size as isize;
        let place = |index: u32, (right, down): (isize, isize)| {
            let (column, row) = ((index % size) as isize + right, (index / size) as isize + down);
            match (span.contains(&column), span.contains(&row)) {
                (true, true) => (row as u32 * size + column as u32) as u16,
                // Beyond a corner either colour has the same effect.
                (_, false) => (cells + Side::First as u32) as u16,
                (false, true) => (cells + Side::Second as u32) as u16,
            }
        };
        let rings: Vec<[u16; 6]> = (0..cells).map(|index| AROUND.map(|step| place(index, step))).collect();
        let set = |cells: &mut dyn Iterator<Item = u32>| cells.fold(S::EMPTY, |set, cell| set | S::single(cell));
        let on_board =
            |ring: &[u16; 6]| set(&mut ring.iter().map(|&cell| u32::from(cell)).filter(|&cell| cell < cells));
        let line = |first: u32, step: u32| set(&mut (0..size).map(|index| first + index * step));
        Self {
            size,
            board: set(&mut (0..cells)),
            neighbours: rings.iter().map(on_board).collect(),
            rings,
            rims: [[line(0, 1), line(cells - size, 1)], [line(0, size), line(size - 1, size)]],
        }
    }

    /// The number of cells.
    #[inline]
    pub const fn cells(&self) -> u32 {
        self.size * self.size
    }

    /// The number of a side's edges in [`Grid::rings`].
    #[inline]
    pub const fn edge(&self, side: Side) -> usize {
        (self.cells() + side as u32) as usize
    }

    /// `from` and all cells of `stones` connected with it.
    pub fn flood(&self, from: S, stones: S) -> S {
        let (mut all, mut grown) = (from, from);
        while !grown.is_empty() {
            let around = grown.iter().fold(S::EMPTY, |set, cell| set | self.neighbours[cell as usize]);
            grown = around & stones & !all;
            all = all | grown;
        }
        all
    }

    /// Whether a side's edges are connected.
    pub fn is_connected(&self, side: Side, stones: S) -> bool {
        let [first, second] = self.rims[side.index()];
        !(self.flood(first & stones, stones) & second).is_empty()
    }
}
