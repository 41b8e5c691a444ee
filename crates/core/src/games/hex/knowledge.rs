//! Static knowledge of Hex positions: which cells cannot matter, and which stones are virtually connected.
//!
//! - `grid`: the cells of a board, their neighbours and edges.
//! - `inferior`: cells that are dead, captured, dominated or vulnerable.
//! - `connections`: virtual connections, found from smaller ones (H-search).
//! - `flow`: an estimate of how much of both sides' play goes through each cell.
//! - `judge`: combines the first three: who wins, or which moves can win.

mod connections;
mod flow;
mod grid;
mod inferior;
mod judge;

pub use flow::flow;
pub use grid::{Grid, Stones};
pub use judge::{Judge, Judgement};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{Bits, Wide};
    use crate::position::Side;
    use crate::rng::Rng;

    /// The cells of random stones of both sides, about as many of each.
    fn scattered(size: u32, stones: u32, seed: u64) -> [Vec<u32>; 2] {
        let mut rng = Rng::new(seed, size.into());
        let mut cells: Vec<u32> = (0..size * size).collect();
        let mut sides = [Vec::new(), Vec::new()];
        for stone in 0..stones {
            sides[stone as usize % 2].push(cells.swap_remove(rng.below(cells.len() as u32) as usize));
        }
        sides
    }

    /// The judgement of a position, as lists of cells: the winner, or the sets `must_play` and `moves`.
    fn known<S: Bits>(size: u32, stones: &[Vec<u32>; 2]) -> (Option<Side>, [Vec<u32>; 2]) {
        let mut judge = Judge::<S>::new(size);
        let stones = [0, 1].map(|side| stones[side].iter().fold(S::EMPTY, |set, &cell| set | S::single(cell)));
        let filled = judge.filled(Stones(stones));
        match judge.judge(filled, Side::First) {
            Judgement::Won(side) => (Some(side), [Vec::new(), Vec::new()]),
            Judgement::Open { must_play, moves } => (None, [must_play.iter().collect(), moves.iter().collect()]),
        }
    }

    #[test]
    fn sets_of_every_width_know_the_same() {
        let mut open = 0;
        for (size, stones, count) in [(4, 5, 60), (6, 10, 60), (7, 12, 20)] {
            for seed in 0..count {
                let stones = scattered(size, stones, seed);
                let small = known::<u64>(size, &stones);
                assert_eq!(small, known::<u128>(size, &stones), "{size}: {stones:?}");
                assert_eq!(small, known::<Wide<3>>(size, &stones), "{size}: {stones:?}");
                assert_eq!(small, known::<Wide<6>>(size, &stones), "{size}: {stones:?}");
                open += u32::from(small.0.is_none());
            }
        }
        assert!(open > 10, "{open} are open");
        for (size, stones) in [(11, 40), (13, 60)] {
            let stones = scattered(size, stones, 1);
            assert_eq!(known::<Wide<3>>(size, &stones), known::<Wide<6>>(size, &stones), "{size}: {stones:?}");
        }
        let stones = scattered(11, 40, 2);
        assert_eq!(known::<u128>(11, &stones), known::<Wide<3>>(11, &stones), "{stones:?}");
        // The largest board has its edges in the last bits.
        assert!(Grid::<Wide<6>>::fits(19));
        known::<Wide<6>>(19, &scattered(19, 150, 3));
    }
}
