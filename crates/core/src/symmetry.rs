//! Images of positions: a board that is rotated or mirrored is the same game.

use crate::rng::mix;

/// The symmetries of a game, which change nothing but the names of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right exchanged.
    Mirror,
    /// All rotations and reflections that map the board onto itself: eight for a square, four for another rectangle.
    Board,
}

/// A hash of a board that its images share. `letter(column, row)` is the content of a cell; both count from 0.
#[must_use]
pub fn canonical(columns: u32, rows: u32, symmetry: Symmetry, letter: impl Fn(u32, u32) -> char) -> u64 {
    let images = match symmetry {
        Symmetry::Mirror => 2,
        Symmetry::Board if columns == rows => 8,
        Symmetry::Board => 4,
    };
    let hash = |image: u32| {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        cells.fold(0, |hash: u64, (column, row)| {
            let letter = letter(column, row);
            let column = if image & 1 == 0 { column } else { columns - 1 - column };
            let row = if image & 2 == 0 { row } else { rows - 1 - row };
            let (column, row) = if image & 4 == 0 { (column, row) } else { (row, column) };
            hash ^ mix(u64::from(letter) << 32 | u64::from(column) << 16 | u64::from(row))
        })
    };
    (0..images).map(hash).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_share_a_hash_and_others_do_not() {
        let at = |columns, rows, symmetry, cell: (u32, u32)| {
            canonical(columns, rows, symmetry, |column, row| if (column, row) == cell { 'x' } else { '.' })
        };
        let square = |cell| at(3, 3, Symmetry::Board, cell);
        assert!([(2, 0), (0, 2), (2, 2)].iter().all(|&corner| square(corner) == square((0, 0))));
        assert!([(0, 1), (2, 1), (1, 2)].iter().all(|&side| square(side) == square((1, 0))));
        assert!(square((1, 1)) != square((0, 0)) && square((1, 0)) != square((0, 0)));
        // A rectangle has no quarter turn, and the pieces of Xiangqi's sides are not images of each other.
        assert_ne!(at(3, 4, Symmetry::Board, (1, 0)), at(3, 4, Symmetry::Board, (0, 1)));
        assert_eq!(at(3, 4, Symmetry::Mirror, (0, 1)), at(3, 4, Symmetry::Mirror, (2, 1)));
        assert_ne!(at(3, 4, Symmetry::Mirror, (0, 0)), at(3, 4, Symmetry::Mirror, (0, 3)));
    }
}
