//! A slow board and solver to compare with.

use std::collections::HashMap;

/// A naive board: cells are numbered row by row from the top, and each has a list of neighbours.
pub struct Slow {
    size: usize,
    neighbours: Vec<Vec<usize>>,
}

/// The cells of each side.
pub type Cells = [Vec<bool>; 2];

impl Slow {
    pub fn new(size: usize) -> Self {
        let neighbours = |cell: usize| {
            let (column, row) = ((cell % size) as i32, (cell / size) as i32);
            let around = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
            let places = around.map(|(right, down)| (column + right, row + down));
            let inside = |at: i32| (0..size as i32).contains(&at);
            let on_board = places.into_iter().filter(|&(column, row)| inside(column) && inside(row));
            on_board.map(|(column, row)| row as usize * size + column as usize).collect()
        };
        Self { size, neighbours: (0..size * size).map(neighbours).collect() }
    }

    /// Where a cell lies between the edges of a side: 0 at the first, `size - 1` at the second.
    pub fn along(&self, side: usize, cell: usize) -> usize {
        if side == 0 { cell / self.size } else { cell % self.size }
    }

    /// Whether a side's cells connect its edges: by a search from the first.
    pub fn is_connected(&self, side: usize, has: impl Fn(usize) -> bool) -> bool {
        let mut seen = vec![false; self.neighbours.len()];
        let mut open: Vec<usize> = (0..seen.len()).filter(|&cell| self.along(side, cell) == 0 && has(cell)).collect();
        while let Some(cell) = open.pop() {
            if self.along(side, cell) == self.size - 1 {
                return true;
            }
            if !std::mem::replace(&mut seen[cell], true) {
                open.extend(self.neighbours[cell].iter().filter(|&&next| has(next) && !seen[next]));
            }
        }
        false
    }

    /// Whether `side`, which is to move, wins, by trying everything; each side's cells as bits.
    pub fn wins(&self, side: usize, cells: [u32; 2], known: &mut HashMap<(usize, [u32; 2]), bool>) -> bool {
        if let Some(&wins) = known.get(&(side, cells)) {
            return wins;
        }
        let other = 1 - side;
        let free = |cell: &usize| (cells[0] | cells[1]) >> cell & 1 == 0;
        let wins = !self.is_connected(other, |cell| cells[other] >> cell & 1 == 1)
            && (0..self.neighbours.len()).filter(free).any(|cell| {
                let mut next = cells;
                next[side] |= 1 << cell;
                !self.wins(other, next, known)
            });
        known.insert((side, cells), wins);
        wins
    }
}

/// The openings with which Red wins when Blue does not swap.
pub fn winning_openings(size: usize) -> Vec<String> {
    let (board, mut known) = (Slow::new(size), HashMap::new());
    let name = |cell: usize| format!("{}{}", char::from(b'a' + (cell % size) as u8), cell / size + 1);
    (0..size * size).filter(|&cell| !board.wins(1, [1 << cell, 0], &mut known)).map(name).collect()
}
