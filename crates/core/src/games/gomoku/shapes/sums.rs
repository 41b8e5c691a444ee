//! Sums over all empty points of a board: of the weights of their codes, and of the network's vectors. A search updates them
//! only when it evaluates a position; the search for fours and table hits do not need them.

use super::super::lines::{Colour, Point};
use super::board::Board;
use super::log::SavedPoint;
use super::network::{Local, Network, Vectors};
use super::points::{at, cell};
use super::regions::{MOST_REGIONS, region_of, regions_of};

/// The sums over all empty points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// By region: the sum of its points' vectors, and the output of its local layer. Regions beyond the board are zero.
    vectors: [Vectors; MOST_REGIONS],
    local: [Local; MOST_REGIONS],
    /// By colour: the sum when it is to move, and when the other is.
    worths: [[i32; 2]; 2],
}

/// Regions whose points have changed, as bits.
type Changed = u32;

impl<const LINES: usize> Board<LINES> {
    /// Computes the sums from scratch.
    pub fn sums(&self, network: &Network) -> Sums {
        let mut sums = Sums { worths: self.worths(), ..Sums::default() };
        let add = |at: Point| network.add(&mut sums.vectors[region_of(cell(at))], self.codes_at(at));
        self.lines.empty_points().for_each(add);
        for region in 0..self.regions() {
            sums.local[region] = network.local(&sums.vectors[region]);
        }
        sums
    }

    #[inline]
    fn regions(&self) -> usize {
        regions_of(self.lines.size.into())
    }

    fn worths(&self) -> [[i32; 2]; 2] {
        let mut worths = [[0; 2]; 2];
        self.lines.empty_points().for_each(|at| self.add_worths(&mut worths, self.codes_at(at), 1));
        worths
    }

    #[inline(always)]
    fn add_worths(&self, worths: &mut [[i32; 2]; 2], codes: [u16; 2], sign: i32) {
        for colour in [Colour::Black, Colour::White] {
            let worth = self.evaluation.worth(colour, codes[colour as usize]);
            worths[colour as usize][0] += sign * i32::from(worth.to_move);
            worths[colour as usize][1] += sign * i32::from(worth.waiting);
        }
    }

    /// Updates the sums of an earlier position from the log of the stones placed since.
    #[inline]
    pub fn follow_sums(&self, network: &Network, before: &Sums, sums: &mut Sums, log: &[SavedPoint], stones: usize) {
        let regions = self.regions();
        sums.vectors[..regions].copy_from_slice(&before.vectors[..regions]);
        sums.local[..regions].copy_from_slice(&before.local[..regions]);
        sums.worths = before.worths;
        let changed =
            if stones == 1 { self.follow_stone(network, sums, log) } else { self.follow_stones(network, sums, log) };
        for region in super::super::lines::bits(changed) {
            sums.local[region as usize] = network.local(&sums.vectors[region as usize]);
        }
    }

    #[inline(always)]
    fn follow_stone(&self, network: &Network, sums: &mut Sums, log: &[SavedPoint]) -> Changed {
        // The first entry is the stone's point; no other point occurs twice.
        let Some((stone, others)) = log.split_first() else { return 0 };
        let stone = self.leave(network, sums, stone);
        others.iter().fold(stone, |changed, saved| changed | self.change(network, sums, saved))
    }

    #[inline(always)]
    fn follow_stones(&self, network: &Network, sums: &mut Sums, log: &[SavedPoint]) -> Changed {
        let (mut changed, mut seen) = (0, super::Points::default());
        for saved in log {
            // Only a point's first entry counts.
            let point = at(saved.cell());
            if seen.has(point) {
                continue;
            }
            seen.add(point);
            changed |= match self.lines.get(point) {
                None => self.change(network, sums, saved),
                Some(_) => self.leave(network, sums, saved),
            };
        }
        changed
    }

    /// Subtracts a point that a stone occupies.
    #[inline(always)]
    fn leave(&self, network: &Network, sums: &mut Sums, saved: &SavedPoint) -> Changed {
        let (codes, region) = (self.codes_by(saved.state()), region_of(saved.cell()));
        network.subtract(&mut sums.vectors[region], codes);
        self.add_worths(&mut sums.worths, codes, -1);
        1 << region
    }

    /// Updates an empty point whose codes changed.
    #[inline(always)]
    fn change(&self, network: &Network, sums: &mut Sums, saved: &SavedPoint) -> Changed {
        let (before, now, region) =
            (self.codes_by(saved.state()), self.codes_of(saved.cell()), region_of(saved.cell()));
        network.exchange(&mut sums.vectors[region], before, now);
        self.add_worths(&mut sums.worths, before, -1);
        self.add_worths(&mut sums.worths, now, 1);
        1 << region
    }

    /// The value for the side to move, by the sum of weights and the network.
    #[inline]
    pub fn value_by(&self, network: &Network, sums: &Sums) -> i32 {
        let (turn, threats) = (self.turn, self.threats(self.turn));
        let regions = (&sums.vectors[..self.regions()], &sums.local[..self.regions()]);
        let corrected = network.value(regions, turn, threats, self.stones);
        super::evaluation::bounded(self.value_of(sums.worths) + corrected)
    }

    /// The value by the sum of weights alone, computed from scratch.
    pub fn value(&self) -> i32 {
        self.value_of(self.worths())
    }

    #[inline]
    fn value_of(&self, worths: [[i32; 2]; 2]) -> i32 {
        let (own, other) = (self.turn as usize, self.turn.other() as usize);
        self.evaluation.value(self.turn, worths[own][0] + worths[other][1], self.threats(self.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::gomoku::variant::{Opening, Rule};
    use crate::games::gomoku::{Gomoku, GomokuVariant};
    use crate::rng::Rng;

    /// After any sequence of stones, placed or taken back singly or together, the sums are those of a new board.
    #[test]
    fn sums_follow_the_stones() {
        let network = Network::get();
        let mut rng = Rng::new(4, 0);
        for game in 0..12 {
            let name = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro][game % 4];
            let variant = GomokuVariant { name, size: [9, 15, 22][game % 3], opening: Opening::Free };
            let mut board = Board::new(&Gomoku::<130>::start(&variant));
            let mut log = Vec::new();
            for _ in 0..12 {
                let before = board.sums(network);
                let mut undone = Vec::new();
                for stones in 1..=4 {
                    let empty: Vec<_> = board.lines.empty_points().collect();
                    undone.push(board.try_move(empty[rng.below(empty.len() as u32) as usize], &mut log));
                    let mut sums = before;
                    board.follow_sums(network, &before, &mut sums, &log, stones);
                    assert_eq!(sums, board.sums(network));
                }
                while undone.len() > 1 {
                    board.take_back(&undone.pop().expect("there are more"), &mut log);
                }
                log.clear();
            }
        }
    }

    /// Swapping the colours leaves the value unchanged, where both have the same rules.
    #[test]
    fn both_colours_are_seen_alike() {
        let variant = GomokuVariant { name: Rule::Freestyle, size: 15, opening: Opening::Free };
        let read = |text: &str| Board::new(&Gomoku::<88>::parse(&variant, text).expect("it is a position"));
        let black = read("15/15/15/15/15/15/6oxo6/5ox8/6ox7/7x7/15/15/15/15/15 x");
        let mut white = read("15/15/15/15/15/15/6xox6/5xo8/6xo7/7o7/15/15/15/15/15 x");
        white.pass();
        let network = Network::get();
        assert_eq!(black.value_by(network, &black.sums(network)), white.value_by(network, &white.sums(network)),);
    }
}
