//! The oracle: plain minimax, as slow and as simple as can be, and a toy game that is a random tree.

use std::collections::HashMap;
use std::fmt;

use tesuji_core::position::{IllegalMove, Outcome, Position, Side};
use tesuji_core::rng::mix;

/// Exact values of positions, remembered by their text.
#[derive(Default)]
pub struct Minimax {
    known: HashMap<String, Exact>,
}

/// The exact value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// First minus second; a win counts 1 in games without points.
    pub score: i16,
    /// Plies to the end when the winner hurries and the loser resists; meaningless in draws and games with points.
    pub distance: u32,
}

impl Minimax {
    pub fn value<P: Position>(&mut self, position: &P) -> Exact {
        if let Some(outcome) = position.outcome() {
            return Exact { score: outcome.score(), distance: 0 };
        }
        let text = position.to_string();
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        let sign = position.turn().sign();
        let values = position.moves().map(|mv| {
            let mut next = position.clone();
            next.play(mv);
            let Exact { score, distance } = self.value(&next);
            Exact { score, distance: distance + 1 }
        });
        // The best score for the side to move; the shortest way to win, the longest to lose.
        let best = values.max_by_key(|exact| {
            let own = exact.score * sign;
            let wait = i64::from(exact.distance);
            (own, if own > 0 { -wait } else { wait })
        });
        let best = best.expect("a position that is not over has a move");
        self.known.insert(text, best);
        best
    }
}

/// A game whose tree is a hash: random branching, ends and margins, and either side to move anywhere, so that double
/// moves and passes are everywhere. `POINTS` states whether margins count, or only who wins.
#[derive(Clone, Debug)]
pub struct Toy<const POINTS: bool> {
    node: u64,
    depth: u32,
}

impl<const POINTS: bool> Toy<POINTS> {
    pub fn new(seed: u64) -> Self {
        Self { node: mix(seed), depth: 0 }
    }

    fn branching(&self) -> u64 {
        match self.depth {
            0..2 => 2 + self.node % 3,
            2..7 => self.node % 5,
            _ => 0,
        }
    }
}

impl<const POINTS: bool> fmt::Display for Toy<POINTS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}/{}", self.node, self.depth)
    }
}

impl<const HAS_POINTS: bool> Position for Toy<HAS_POINTS> {
    type Move = u8;
    const POINTS: bool = HAS_POINTS;

    fn turn(&self) -> Side {
        if self.node >> 40 & 1 == 0 { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.depth
    }

    fn outcome(&self) -> Option<Outcome> {
        let margin = (self.node >> 20) as i16 & 7;
        (self.branching() == 0).then(|| {
            let outcome = Outcome::points((margin - 3).min(3), "leaf");
            if HAS_POINTS { outcome } else { Outcome { margin: None, ..outcome } }
        })
    }

    fn score_limit(&self) -> i16 {
        if HAS_POINTS { 3 } else { 1 }
    }

    fn moves(&self) -> impl Iterator<Item = u8> {
        0..self.branching() as u8
    }

    fn play(&mut self, mv: u8) {
        self.node = mix(self.node ^ u64::from(mv));
        self.depth += 1;
    }

    fn parse_move(&self, text: &str) -> Result<u8, IllegalMove> {
        let mv = text.parse().ok().filter(|mv| u64::from(*mv) < self.branching());
        mv.ok_or_else(|| IllegalMove::new(text, "expected a branch"))
    }

    fn key(&self) -> u64 {
        self.node
    }
}
