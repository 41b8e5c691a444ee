//! Connection distance of each side: the fewest stones that it still needs, and the number of ways.

use super::{Hex, Move};
use crate::bits::Bits;
use crate::position::{Position, Side};
use crate::search::Outlook;
use crate::search::plain::Evaluator;

/// Evaluates a position by the stones that each side needs to connect, and orders moves near the centre first.
#[derive(Clone, Copy, Debug, Default)]
pub struct DistanceEvaluator;

/// The value of needing one stone less.
const STONE: i32 = 100;
/// The value of an empty cell on a shortest way: more of them are harder to block.
const CELL: i32 = 4;
/// The value of being to move: half a stone.
const MOVE: i32 = 50;
/// Cells of the largest board, guard column included, and the swap.
const MOVES: usize = 19 * 20 + 1;

impl<B: Bits> Hex<B> {
    /// The stones that a side needs to connect its edges if the other side places none, and the number of cells in which a
    /// shortest way can reach the second edge. A side that cannot connect has already lost, and is not evaluated.
    fn missing(&self, side: Side) -> (i32, i32) {
        let (own, empty) = (self.stones[side.index()], self.empty());
        let near = self.reach(side, 1);
        // Grows ring by ring: the empty cells that one more stone reaches, and the stones connected with them.
        let mut reached = self.linked[side.index()][0];
        let mut ring = self.reach(side, 0);
        let mut stones = 1;
        while (ring & near).is_empty() {
            let joined = self.flood(ring, own, reached | ring);
            let next = self.neighbours(joined) & empty & !joined;
            if next.is_empty() {
                return (i32::from(self.size), 0);
            }
            (reached, ring) = (joined, next);
            stones += 1;
        }
        (stones, (ring & near).count() as i32)
    }
}

impl<B: Bits> Evaluator<Hex<B>> for DistanceEvaluator {
    const EVALUATES: bool = true;
    const WINDOW: i32 = 60;
    const SLOTS: usize = 2 * MOVES;

    fn value(&self, position: &Hex<B>) -> i32 {
        let [(red, red_ways), (blue, blue_ways)] = [Side::First, Side::Second].map(|side| position.missing(side));
        let ahead = STONE * (blue - red) + CELL * (red_ways - blue_ways);
        ahead + MOVE * i32::from(position.turn().sign())
    }

    fn outlook(&self, _: &Hex<B>, value: i32) -> Outlook {
        // There are no draws.
        Outlook::logistic(value, 0, 120.0)
    }

    fn priority(&self, position: &Hex<B>, mv: Move) -> i32 {
        let Move::Stone(cell) = mv else { return 0 };
        let off = |at: u8| 2 * i32::from(at) - i32::from(position.size) + 1;
        let (column, row) = (off(cell.column), off(cell.row));
        // The distance on the hexagonal grid.
        -column.abs().max(row.abs()).max((column + row).abs())
    }

    fn slot(&self, position: &Hex<B>, mv: Move) -> usize {
        let at = if let Move::Stone(cell) = mv { position.index(cell) as usize } else { MOVES - 1 };
        position.turn().index() * MOVES + at
    }
}
