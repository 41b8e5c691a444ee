//! The cells of a board as bits: rows of the board's size and a guard column between them.

use super::{Cell, Hex};
use crate::bits::Bits;
use crate::position::Side;

impl<B: Bits> Hex<B> {
    #[inline]
    pub(super) fn width(&self) -> u32 {
        u32::from(self.size) + 1
    }

    #[inline]
    pub(super) fn index(&self, cell: Cell) -> u32 {
        u32::from(cell.row) * self.width() + u32::from(cell.column)
    }

    #[inline]
    pub(super) fn cell(&self, index: u32) -> Cell {
        Cell { column: (index % self.width()) as u8, row: (index / self.width()) as u8 }
    }

    #[inline]
    pub(super) fn empty(&self) -> B {
        self.board & !(self.stones[0] | self.stones[1])
    }

    /// The neighbours of a set of cells. They can include guard cells and cells beyond the board: intersect them with the
    /// board.
    #[inline]
    pub(super) fn neighbours(&self, set: B) -> B {
        let width = self.width();
        let row = set << 1 | set >> 1;
        row | set << width | set >> width | set << (width - 1) | set >> (width - 1)
    }

    /// The cells along one of a side's two edges.
    #[inline]
    pub(super) fn rim(&self, side: Side, edge: usize) -> B {
        let step = if side == Side::First { self.width() } else { 1 };
        let inner = if edge == 0 { self.board << step } else { self.board >> step };
        self.board & !inner
    }

    /// The cells where a stone of this side would be connected with one of its edges.
    #[inline]
    pub(super) fn reach(&self, side: Side, edge: usize) -> B {
        (self.neighbours(self.linked[side.index()][edge]) | self.rim(side, edge)) & self.empty()
    }

    /// Whether a cell lies along one of a side's two edges.
    #[inline]
    pub(super) fn is_at(&self, cell: Cell, side: Side, edge: usize) -> bool {
        let along = if side == Side::First { cell.row } else { cell.column };
        along == if edge == 0 { 0 } else { self.size - 1 }
    }

    /// Places a stone, and updates the connections and the winner.
    #[inline]
    pub(super) fn place(&mut self, side: Side, cell: Cell) {
        let (bit, own) = (B::single(self.index(cell)), side.index());
        self.stones[own] = self.stones[own] | bit;
        let around = self.neighbours(bit);
        for edge in 0..2 {
            let linked = self.linked[own][edge];
            if self.is_at(cell, side, edge) || !(around & linked).is_empty() {
                self.linked[own][edge] = self.flood(bit, self.stones[own], linked);
            }
        }
        if !(self.linked[own][0] & self.linked[own][1]).is_empty() {
            self.winner = Some(side);
        }
    }

    /// `known`, `from`, and all of `stones` that are connected with `from`.
    #[inline]
    pub(super) fn flood(&self, from: B, stones: B, known: B) -> B {
        let (mut all, mut grown) = (known | from, from);
        while !grown.is_empty() {
            grown = self.neighbours(grown) & stones & !all;
            all = all | grown;
        }
        all
    }

    /// Whether the second player can swap now.
    #[inline]
    pub(super) fn can_swap(&self) -> bool {
        self.swap && self.turn == Side::Second && self.stones[1].is_empty() && self.stones[0].count() == 1
    }

    /// Whether the first stone was swapped: Blue then has more stones than the turn implies, as can also happen in a set-up
    /// position.
    pub(super) fn is_swapped(&self) -> bool {
        let [red, blue] = self.stones.map(Bits::count);
        red < blue + u32::from(self.turn == Side::Second)
    }

    /// `r`, `b` or nothing.
    pub(super) fn letter(&self, cell: Cell) -> Option<char> {
        let index = self.index(cell);
        if self.stones[0].has(index) { Some('r') } else { self.stones[1].has(index).then_some('b') }
    }
}
