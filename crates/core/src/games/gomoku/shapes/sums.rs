//! What all empty points of a board add up to, by the weights of their codes and by the network's vectors. A search brings
//! that up to date only where a value is asked for: the search for fours, and positions that the table answers for, need none.

use super::super::lines::{At, Colour};
use super::board::Board;
use super::log::Was;
use super::network::{Local, Network, Vectors};
use super::points::{at, cell};
use super::regions::{MOST_REGIONS, region_of, regions_of};

/// What all points add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// By region: what its points add up to, and what comes out of its local layer. Regions beyond the board have nothing.
    vectors: [Vectors; MOST_REGIONS],
    local: [Local; MOST_REGIONS],
    /// By colour: when it is to move, and when the other is.
    worths: [[i32; 2]; 2],
}

/// Regions whose points have changed, as bits.
type Changed = u32;

impl<const LINES: usize> Board<LINES> {
    /// What all empty points add up to.
    pub fn sums(&self, network: &Network) -> Sums {
        let mut sums = Sums { worths: self.worths(), ..Sums::default() };
        let add = |at: At| network.add(&mut sums.vectors[region_of(cell(at))], self.codes_at(at));
        self.lines.empty_points().for_each(add);
        for region in 0..self.regions() {
            sums.local[region] = network.local(&sums.vectors[region]);
        }
        sums
    }

    /// How many regions it has.
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

    /// The sums now, given those of a position before and the log since: of one stone, or of several.
    #[inline]
    pub fn follow_sums(&self, network: &Network, before: &Sums, sums: &mut Sums, log: &[Was], stones: usize) {
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
    fn follow_stone(&self, network: &Network, sums: &mut Sums, log: &[Was]) -> Changed {
        // The first entry is the stone's own point, and no other occurs twice.
        let Some((stone, others)) = log.split_first() else { return 0 };
        let stone = self.leave(network, sums, stone);
        others.iter().fold(stone, |changed, was| changed | self.change(network, sums, was))
    }

    #[inline(always)]
    fn follow_stones(&self, network: &Network, sums: &mut Sums, log: &[Was]) -> Changed {
        let (mut changed, mut seen) = (0, super::Points::default());
        for was in log {
            // What a point was at first counts.
            let point = at(was.cell());
            if seen.has(point) {
                continue;
            }
            seen.add(point);
            changed |= match self.lines.get(point) {
                None => self.change(network, sums, was),
                Some(_) => self.leave(network, sums, was),
            };
        }
        changed
    }

    /// A stone takes a point.
    #[inline(always)]
    fn leave(&self, network: &Network, sums: &mut Sums, was: &Was) -> Changed {
        let (codes, region) = (self.codes_by(was.here()), region_of(was.cell()));
        network.subtract(&mut sums.vectors[region], codes);
        self.add_worths(&mut sums.worths, codes, -1);
        1 << region
    }

    /// An empty point has other codes.
    #[inline(always)]
    fn change(&self, network: &Network, sums: &mut Sums, was: &Was) -> Changed {
        let (before, now, region) = (self.codes_by(was.here()), self.codes_of(was.cell()), region_of(was.cell()));
        network.exchange(&mut sums.vectors[region], before, now);
        self.add_worths(&mut sums.worths, before, -1);
        self.add_worths(&mut sums.worths, now, 1);
        1 << region
    }

    /// What the position is worth to the side to move, by the sum of weights and the network.
    #[inline]
    pub fn value_by(&self, network: &Network, sums: &Sums) -> i32 {
        let (turn, threats) = (self.turn, self.threats(self.turn));
        let regions = (&sums.vectors[..self.regions()], &sums.local[..self.regions()]);
        let corrected = network.value(regions, turn, threats, self.stones);
        super::evaluation::bounded(self.value_of(sums.worths) + corrected)
    }

    /// What it is worth by the sum of weights alone, looked up anew.
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

    /// However stones came and went, one by one or several at once, the sums are those of a board that is set up anew.
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

    /// The other side's view is the same with the colours changed, where the rule knows no colours.
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
