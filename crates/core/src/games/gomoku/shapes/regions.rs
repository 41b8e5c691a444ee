//! Regions of the board: squares of 5 x 5 points, by which the network sums the points.

use super::super::variant::LARGEST;
use super::points::{CELLS, ROW};

/// Points of a region's side.
const SIDE: usize = 5;
/// Regions of the largest board.
pub const MOST_REGIONS: usize = regions_of(LARGEST);

/// The number of regions of a board of this size, which are the first ones on every board.
pub const fn regions_of(size: u32) -> usize {
    let side = (size as usize).div_ceil(SIDE);
    side * side
}

/// The region of a point, by its cell.
#[inline]
pub fn region_of(cell: usize) -> usize {
    REGIONS[cell].into()
}

const REGIONS: [u8; CELLS] = {
    let (mut regions, mut cell) = ([0; CELLS], 0);
    while cell < CELLS {
        let (column, row) = (cell % ROW / SIDE, cell / ROW / SIDE);
        // Regions of smaller boards come first: each size adds a column and a row.
        regions[cell] = if column < row { row * row + column } else { column * column + column + row } as u8;
        cell += 1;
    }
    regions
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::lines::Point;
    use crate::games::gomoku::shapes::points::cell;

    /// The regions of a board are numbered without gaps, and none has more points than a square of its side.
    #[test]
    fn boards_are_divided_into_regions() {
        for size in 5..=LARGEST {
            let mut points = vec![0; regions_of(size)];
            for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
                points[region_of(cell(Point::new(column, row)))] += 1;
            }
            assert!(points.iter().all(|&count| (1..=SIDE * SIDE).contains(&count)), "{size}: {points:?}");
        }
        assert_eq!(region_of(cell(Point::new(4, 4))), region_of(cell(Point::new(0, 0))));
        assert_ne!(region_of(cell(Point::new(5, 4))), region_of(cell(Point::new(4, 4))));
        assert_eq!((regions_of(15), MOST_REGIONS), (9, 25));
    }
}
