//! Cells that cannot change the winner, and moves for which another move is at least as good, found from the stones around
//! single cells.
//!
//! - A cell is *dead* if a stone on it can never be on a shortest chain of either side: however the six places around it are
//!   filled, neither colour has two separate parts there.
//! - Two neighbouring cells are *captured* by a side if its stone on either kills the other: both count as its own.
//! - A move *dominates* the cells that it kills or captures.
//! - A cell is *vulnerable* for a side if a stone of the other side kills it. A side that wins by a move there wins by another,
//!   too, since after the killing reply it still wins, although the other side is one stone ahead.
//!
//! Source: Hayward and van Rijswijck, "Hex and combinatorics" (2006); Henderson, "Playing and solving the game of Hex" (2010).

use super::grid::{CELLS, Grid, Stones};
use crate::bits::Bits;
use crate::position::Side;

/// An empty place of a ring, as a digit of base 3; the other digits are the sides.
const EMPTY: usize = 2;
/// The number of possible rings.
const RINGS: usize = 729;
/// The value of each digit.
const DIGITS: [usize; 6] = [1, 3, 9, 27, 81, 243];
/// By ring: whether the cell in its middle is dead.
static IS_DEAD: [bool; RINGS] = dead_rings();

const fn dead_rings() -> [bool; RINGS] {
    let mut table = [false; RINGS];
    let mut ring = 0;
    while ring < RINGS {
        table[ring] = is_dead_in(ring);
        ring += 1;
    }
    table
}

/// Whether no filling of a ring's empty places has more than two changes of colour around it.
const fn is_dead_in(ring: usize) -> bool {
    let mut filling = 0;
    while filling < 64 {
        let (mut changes, mut side) = (0, 0);
        let mut before = colour(ring, filling, 5);
        while side < 6 {
            let now = colour(ring, filling, side);
            changes += (now != before) as u32;
            before = now;
            side += 1;
        }
        if changes > 2 {
            return false;
        }
        filling += 1;
    }
    true
}

/// The colour of a place of a ring whose empty places are filled by the bits of `filling`.
const fn colour(ring: usize, filling: usize, side: usize) -> usize {
    let digit = ring / DIGITS[side] % 3;
    if digit == EMPTY { filling >> side & 1 } else { digit }
}

/// The contents of each cell and edge, as digits.
pub struct Rings<'a, S> {
    grid: &'a Grid<S>,
    digits: [u8; CELLS + 2],
    pub stones: Stones<S>,
}

impl<'a, S: Bits> Rings<'a, S> {
    pub fn new(grid: &'a Grid<S>, stones: Stones<S>) -> Self {
        let mut digits = [EMPTY as u8; CELLS + 2];
        for side in [Side::First, Side::Second] {
            stones.0[side.index()].iter().for_each(|cell| digits[cell as usize] = side as u8);
            digits[grid.edge(side)] = side as u8;
        }
        Self { grid, digits, stones }
    }

    /// The ring around a cell.
    #[inline]
    fn ring(&self, cell: u32) -> usize {
        let places = &self.grid.rings[cell as usize];
        (0..6).map(|side| DIGITS[side] * usize::from(self.digits[usize::from(places[side])])).sum()
    }

    /// Whether the cell in the middle is dead once `owner` has a stone on the empty neighbour at this place of its ring.
    #[inline]
    fn is_killed(ring: usize, side: usize, owner: Side) -> bool {
        IS_DEAD[ring - DIGITS[side] * (EMPTY - owner as usize)]
    }

    fn put(&mut self, owner: Side, cell: u32) {
        self.digits[cell as usize] = owner as u8;
        self.stones = self.stones.with(owner, cell);
    }

    /// Puts stones on cells that are dead or captured, until there are none.
    pub fn fill(&mut self, among: S) {
        let mut open = among & !self.stones.all();
        while !open.is_empty() {
            let cell = open.nth(0);
            open = open & !S::single(cell);
            let filled = self.fill_at(cell);
            let near = filled.iter().fold(S::EMPTY, |set, at| set | self.grid.neighbours[at as usize]);
            open = (open | near) & !self.stones.all();
        }
    }

    /// Fills a cell if it is dead, and it and a neighbour if they are captured; returns what was filled.
    fn fill_at(&mut self, cell: u32) -> S {
        let ring = self.ring(cell);
        if IS_DEAD[ring] {
            self.put(Side::First, cell);
            return S::single(cell);
        }
        for owner in [Side::First, Side::Second] {
            for side in 0..6 {
                let place = self.grid.rings[cell as usize][side];
                let is_empty = usize::from(self.digits[usize::from(place)]) == EMPTY;
                if is_empty && Self::is_killed(ring, side, owner) {
                    let other = u32::from(place);
                    // From the other cell, this one lies in the opposite direction.
                    if Self::is_killed(self.ring(other), (side + 3) % 6, owner) {
                        self.put(owner, cell);
                        self.put(owner, other);
                        return S::single(cell) | S::single(other);
                    }
                }
            }
        }
        S::EMPTY
    }

    /// `moves` without those that are vulnerable, or dominated by a move that is kept. If none is left, the side to move
    /// loses.
    pub fn without_inferior(&self, mover: Side, moves: S) -> S {
        let mut left = moves;
        let mut dominated = [(0, S::EMPTY); CELLS];
        let mut count = 0;
        for cell in moves.iter() {
            let ring = self.ring(cell);
            let mut by = S::EMPTY;
            for side in 0..6 {
                let place = self.grid.rings[cell as usize][side];
                if usize::from(self.digits[usize::from(place)]) != EMPTY {
                    continue;
                }
                if Self::is_killed(ring, side, mover.other()) {
                    left = left & !S::single(cell);
                    break;
                }
                if Self::is_killed(ring, side, mover) {
                    by = by | S::single(place.into());
                }
            }
            if !by.is_empty() {
                (dominated[count], count) = ((cell, by), count + 1);
            }
        }
        for (cell, by) in &dominated[..count] {
            // A dominating move outside `moves` loses, and so does the move that it dominates.
            if left.has(*cell) && (!(*by & left).is_empty() || !(*by & !moves).is_empty()) {
                left = left & !S::single(*cell);
            }
        }
        left
    }
}
