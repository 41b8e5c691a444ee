//! A game of one's own, searched by both generic searches: `cargo run -p tesuji-core --example own_game`.
//!
//! Nim: take any number of stones from one heap; whoever takes the last stone wins.

use std::fmt::{Display, Formatter, Result};

use tesuji_core::position::{Outcome, Position, Side};
use tesuji_core::rng::mix;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::mcts::Mcts;
use tesuji_core::search::plain::{Plain, RulesOnly};
use tesuji_core::search::{Budget, alone};

#[derive(Clone)]
struct Nim(Vec<u8>, Side);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Take(usize, u8);

impl Display for Nim {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:?} {}", self.0, self.1)
    }
}
impl Display for Take {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

impl Position for Nim {
    type Move = Take;
    fn turn(&self) -> Side {
        self.1
    }
    fn ply(&self) -> u32 {
        0
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.iter().all(|&heap| heap == 0).then(|| Outcome::win(self.1.other(), "last_stone"))
    }
    fn moves(&self) -> impl Iterator<Item = Take> {
        self.0.iter().enumerate().flat_map(|(heap, &stones)| (1..=stones).map(move |count| Take(heap, count)))
    }
    fn play(&mut self, Take(heap, count): Take) {
        self.0[heap] -= count;
        self.1 = self.1.other();
    }
    fn key(&self) -> u64 {
        self.0.iter().fold(mix(self.1.index() as u64), |key, &heap| mix(key ^ u64::from(heap)))
    }
}

fn main() {
    let nim = Nim(vec![3, 4, 5], Side::First);
    let budget = Budget { nodes: Some(1_000_000), ..Budget::default() };
    let by_tree = alone(&<Mcts>::default(), &nim, budget, 1);
    let by_depth = alone(&AlphaBeta::<Plain<RulesOnly>>::default(), &nim, budget, 1);
    for report in [by_tree, by_depth] {
        println!("{}: {:?} after {} nodes", report.children[0].mv, report.root.bounds.verdict(), report.nodes);
        assert_eq!(report.children[0].mv, Take(0, 2), "the only move that makes the heaps' exclusive or zero");
    }
}
