//! Priors of moves, from the stones around the cell, its place on the board and its offset from the last move (idea: Huang,
//! Arneson, Hayward, Müller and Pawlewicz 2013). The logit is a sum of learned weights (docs/learning.md). Both sides share
//! them: a board is turned so that the side to move connects top and bottom.

use std::sync::LazyLock;

use super::{Cell, Hex, LARGEST, Move};
use crate::bits::Bits;
use crate::games::Game;
use crate::position::Side;
use crate::weights::{self, Features};

/// Lines of cells beyond each edge of the board.
const FRAME: usize = 2;
const WIDTH: usize = LARGEST as usize + 2 * FRAME;
/// Steps to the six neighbours, in circular order.
const AROUND: [isize; 6] = [1, WIDTH as isize, WIDTH as isize - 1, -1, -(WIDTH as isize), 1 - WIDTH as isize];

/// The contents of a cell. Beyond the board there are stones of the side that owns the edge.
const EMPTY: u8 = 0;
const OWN: u8 = 1;
const OTHER: u8 = 2;

/// Offsets of the weights, by kind of feature. The ring: the contents of the six neighbours, and which of them was taken last.
const RING: usize = 0;
const RINGS: usize = 729;
/// A sector: two neighbours side by side, the cell that forms a bridge through them, and the cell behind each of the two. A
/// board turned by 180 degrees is equivalent, so only three sectors have separate weights.
const SECTOR: usize = RING + 7 * RINGS;
const SECTORS: usize = 243;
/// The place: its distance from the side's own edges and from the other side's, at most 5 each, by phase of the game.
const PLACE: usize = SECTOR + 3 * SECTORS;
const PLACES: usize = 36;
/// The offset from the last stone, at most three rows and columns.
const REPLY: usize = PLACE + 3 * PLACES;
const REPLIES: usize = 50;
const COUNT: usize = REPLY + REPLIES;
/// Stones on the board when the second and the third phase begin.
const PHASES: [u32; 2] = [4, 16];
/// Units of a weight per logit.
const LOGIT: f32 = 100.0;

/// The number of features of a move.
const OF_MOVE: usize = 9;

/// The features that the weights belong to.
pub fn features() -> Features {
    Features { name: "cells-1", count: COUNT, unit: "a hundredth of a logit" }
}

/// The current weights, one per feature.
pub fn all_weights() -> Vec<i32> {
    weights::current(Hex::<u64>::NAME, &features(), include_bytes!("weights.bin"))
}

/// The current weights, laid out for [`add_priors`].
static WEIGHTS: LazyLock<Vec<i16>> = LazyLock::new(|| all_weights().into_iter().map(|weight| weight as i16).collect());

/// Loads the weights, unless they are loaded.
pub fn prepare() {
    LazyLock::force(&WEIGHTS);
}

/// A board from the view of the side to move.
pub struct View {
    cells: [u8; WIDTH * WIDTH],
    size: usize,
    /// Whether rows and columns are exchanged.
    turned: bool,
    /// The index of the last stone; 0, beyond the board, if the last move placed none.
    last: usize,
    phase: usize,
}

impl View {
    pub fn new<B: Bits>(position: &Hex<B>) -> Self {
        let size = usize::from(position.size);
        let turned = position.turn == Side::Second;
        let mut cells = [OTHER; WIDTH * WIDTH];
        for row in (0..FRAME).chain(FRAME + size..size + 2 * FRAME) {
            cells[row * WIDTH..][..size + 2 * FRAME].fill(OWN);
        }
        for row in FRAME..FRAME + size {
            cells[row * WIDTH + FRAME..][..size].fill(EMPTY);
        }
        let own = position.turn.index();
        for (stones, kind) in [(position.stones[own], OWN), (position.stones[1 - own], OTHER)] {
            stones.iter().for_each(|index| cells[place(turned, position.cell(index))] = kind);
        }
        let stones = (position.stones[0] | position.stones[1]).count();
        let phase = PHASES.into_iter().filter(|&begin| stones >= begin).count();
        Self { cells, size, turned, last: position.last.map_or(0, |cell| place(turned, cell)), phase }
    }

    /// The features of a move to an empty cell.
    #[inline]
    pub fn features(&self, cell: Cell) -> [usize; OF_MOVE] {
        let at = place(self.turned, cell);
        let kind = |step: isize| usize::from(self.cells[at.wrapping_add_signed(step)]);
        let near = AROUND.map(kind);
        let behind = AROUND.map(|step| kind(2 * step));
        let ring = near.iter().rev().fold(0, |ring, &kind| ring * 3 + kind);
        let taken = AROUND.iter().position(|&step| at.wrapping_add_signed(step) == self.last).unwrap_or(AROUND.len());
        let mut features = [0; OF_MOVE];
        features[0] = RING + taken * RINGS + ring;
        for side in 0..6 {
            let next = (side + 1) % 6;
            let bridge = kind(AROUND[side] + AROUND[next]);
            let sector = near[side] + 3 * near[next] + 9 * bridge + 27 * behind[side] + 81 * behind[next];
            features[1 + side] = SECTOR + side % 3 * SECTORS + sector;
        }
        let (row, column) = (at / WIDTH - FRAME, at % WIDTH - FRAME);
        let to_edge = |along: usize| along.min(self.size - 1 - along).min(5);
        features[7] = PLACE + self.phase * PLACES + to_edge(row) * 6 + to_edge(column);
        let down = (at / WIDTH + 3).wrapping_sub(self.last / WIDTH);
        let right = (at % WIDTH + 3).wrapping_sub(self.last % WIDTH);
        let is_near = self.last > 0 && down < 7 && right < 7;
        features[8] = REPLY + if is_near { down * 7 + right } else { REPLIES - 1 };
        features
    }

    /// The logit of a move, in units of the weights; 0 for the swap, which has no features.
    #[inline]
    pub fn logit(&self, weights: &[i16], mv: Move) -> i32 {
        match mv {
            Move::Stone(cell) => self.features(cell).into_iter().map(|feature| i32::from(weights[feature])).sum(),
            Move::Swap => 0,
        }
    }
}

/// A cell's index in a view.
#[inline]
fn place(turned: bool, cell: Cell) -> usize {
    let (column, row) = (usize::from(cell.column) + FRAME, usize::from(cell.row) + FRAME);
    if turned { column * WIDTH + row } else { row * WIDTH + column }
}

/// e to the power of a logit, the same on every machine.
#[inline]
fn exp(logit: i32) -> f32 {
    let power = logit as f32 * (std::f32::consts::LOG2_E / LOGIT);
    let whole = power.floor().clamp(-60.0, 60.0);
    let part = power - whole;
    // A parabola through 2^x at 0, 1/2 and 1.
    let fraction = 1.0 + part * (0.656_854_2 + part * 0.343_145_8);
    fraction * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// Adds, for each move, its probability of being the best, up to a common factor.
pub fn add_priors<B: Bits>(position: &Hex<B>, moves: &[Move], priors: &mut Vec<f32>) {
    let (view, weights) = (View::new(position), &**WEIGHTS);
    priors.extend(moves.iter().map(|&mv| exp(view.logit(weights, mv))));
}

/// The logit of a single move, in units of the weights.
pub fn logit<B: Bits>(position: &Hex<B>, mv: Move) -> i32 {
    View::new(position).logit(&WEIGHTS, mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn exp_is_near_enough() {
        for logit in -3000..3000 {
            let (found, right) = (f64::from(exp(logit)), (f64::from(logit) / 100.0).exp());
            assert!((found / right - 1.0).abs() < 0.004, "exp({logit} / 100) is {right}, not {found}");
        }
    }

    /// A board that is mirrored at its long diagonal, with the colours exchanged, is the same to the side to move.
    #[test]
    fn both_sides_share_their_weights() {
        let mut rng = crate::rng::Rng::new(1, 0);
        let mirrored = |mv: Move| match mv {
            Move::Stone(cell) => Move::Stone(Cell { column: cell.row, row: cell.column }),
            Move::Swap => Move::Swap,
        };
        let mut red = Hex::<u128>::start(&serde_json::from_str(r#"{"size": 8, "swap": false}"#).expect("a variant"));
        let mut blue = Hex { turn: Side::Second, ..red.clone() };
        while red.outcome().is_none() {
            for mv in red.moves() {
                let Move::Stone(cell) = mv else { continue };
                let Move::Stone(image) = mirrored(mv) else { continue };
                assert_eq!(View::new(&red).features(cell), View::new(&blue).features(image));
            }
            let mv = red.random_move(&mut rng);
            red.play(mv);
            blue.play(mirrored(mv));
        }
    }
}
