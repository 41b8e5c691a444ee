//! Opening principles: the first stone goes to the centre, the second next to it. A search of a few plies reaches neither the
//! edge nor a neighbour from there, so all points look alike to it.

use super::lines::Point;
use super::opening::Phase;
use super::{Gomoku, Move};
use crate::position::Position;
use crate::rng::Rng;

impl<const LINES: usize> Gomoku<LINES> {
    /// The distance of a first or second stone from its preferred points, in steps; 0 for later stones, and where an opening
    /// rule asks for even chances.
    pub(super) fn remoteness(&self, mv: Move) -> i32 {
        let (Move::Stone { at, .. }, Phase::Play { .. }) = (mv, &self.phase) else { return 0 };
        match self.stones {
            0 => {
                let last = self.size() as i32 - 1;
                // In half steps, since the centre of an even board lies between points.
                let off = |place: u8| (2 * i32::from(place) - last).abs() / 2;
                off(at.column).max(off(at.row))
            }
            1 => self.first_stone().map_or(0, |stone| {
                let off = |one: u8, other: u8| i32::from(one.abs_diff(other));
                off(at.column, stone.column).max(off(at.row, stone.row)) - 1
            }),
            _ => 0,
        }
    }

    /// A random legal move at most three steps from a stone. The first stone may lie anywhere: tournaments begin games near the
    /// edges too.
    pub(super) fn random_near_move(&self, rng: &mut Rng) -> Move {
        const STEPS: u8 = 3;
        const TRIES: u32 = 64;
        let near = |at: Point| {
            let steps = |one: u8, other: u8| one.abs_diff(other) <= STEPS;
            let beside = |stone: Point| steps(at.column, stone.column) && steps(at.row, stone.row);
            self.stones == 0 || self.points_taken().any(beside)
        };
        for _ in 0..TRIES {
            match self.random_move(rng) {
                Move::Stone { at, .. } if !near(at) => {}
                mv => return mv,
            }
        }
        self.random_move(rng)
    }

    fn points_taken(&self) -> impl Iterator<Item = Point> {
        let size = self.size();
        let points = (0..size * size).map(move |place| Point::new(place % size, place / size));
        points.filter(|&at| self.lines.get(at).is_some())
    }

    fn first_stone(&self) -> Option<Point> {
        self.points_taken().next()
    }
}
