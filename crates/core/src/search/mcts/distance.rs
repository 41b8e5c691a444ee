//! The distance of a proven win or loss, and whether it is exact.
//!
//! A tree proves a win by one line and looks no further, though another move may win sooner. So each distance records whether
//! it is that of best play (the shortest win, the longest resistance) or only a limit. A limit becomes exact once no other
//! child can be sooner.

use crate::position::{Position, Side};
use crate::search::{Bound, Bounds, Evaluation, Verdict};

/// Plies to the end of the game on the line that proves a win or loss, in twelve bits: 2,047 at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance(u16);

/// The bit that marks a limit.
const LIMIT: u16 = 1 << 11;

impl Distance {
    /// The game is over.
    pub const END: Self = Self(0);

    /// An end within this many plies, or in exactly as many if `is_exact`.
    pub fn new(plies: u16, is_exact: bool) -> Self {
        Self(plies.min(LIMIT - 1) | if is_exact { 0 } else { LIMIT })
    }

    pub fn plies(self) -> u16 {
        self.0 & !LIMIT
    }

    /// Whether best play takes exactly this many plies.
    pub fn is_exact(self) -> bool {
        self.0 & LIMIT == 0
    }

    pub fn to_word(self) -> u16 {
        self.0
    }

    pub fn from_word(word: u16) -> Self {
        Self(word)
    }

    /// Writes the distance of a solved position to the evaluation of the move to it.
    pub fn report<P: Position>(self, evaluation: &mut Evaluation) {
        if let Some(Verdict::Wins(side)) = evaluation.bounds.verdict().filter(|_| !P::POINTS) {
            evaluation.distance = Some(u32::from(self.plies()) + 1);
            evaluation.bound = if self.is_exact() { Bound::Exact } else { Bound::of_win(side) };
        }
    }

    /// Whether a node at this distance may precede one at the distance `below` on its line: one ply less, and exact if this one
    /// is.
    pub fn follows(self, below: Self) -> bool {
        below.plies() + 1 == self.plies() && (below.is_exact() || !self.is_exact())
    }
}

/// A child's bounds and distance, and whether it was visited: if so and it is not solved, the game was not over there.
pub type ChildProof = (Bounds, Distance, bool);

/// The distance of a node that its `children` have solved with a win or loss; `turn` is to move there.
pub fn of_children(children: impl Iterator<Item = ChildProof>, solved: Bounds, turn: Side) -> Distance {
    let for_first = solved.lo > 0;
    let winner_moves = for_first == (turn == Side::First);
    // The winner takes the shortest win, the loser the longest.
    let better = |known: Option<u16>, new: u16| {
        Some(known.map_or(new, |known| if winner_moves { known.min(new) } else { known.max(new) }))
    };
    // The proven distance, and the least possible one.
    let (mut proven, mut least) = (None, None);
    for (bounds, distance, visited) in children {
        let may_be = if for_first { bounds.hi > 0 } else { bounds.lo < 0 };
        if !may_be {
            continue;
        }
        let wins = bounds == solved;
        if wins {
            proven = better(proven, distance.plies());
        }
        least = better(least, if wins && distance.is_exact() { distance.plies() } else { visited.into() });
    }
    Distance::new(proven.unwrap_or(0).saturating_add(1), proven.is_some() && least >= proven)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: Bounds = Bounds { lo: 1, hi: 1 };
    const LOST: Bounds = Bounds { lo: -1, hi: -1 };
    const OPEN: Bounds = Bounds { lo: -1, hi: 1 };

    fn at(plies: u16, is_exact: bool) -> Distance {
        Distance::new(plies, is_exact)
    }

    fn check(children: &[ChildProof], solved: Bounds, turn: Side, expected: Distance) {
        assert_eq!(of_children(children.iter().copied(), solved, turn), expected);
    }

    #[test]
    fn a_win_is_a_limit_while_another_move_may_be_sooner() {
        let unvisited = (OPEN, Distance::END, false);
        check(&[(WON, Distance::END, true), unvisited], WON, Side::First, at(1, true));
        check(&[(WON, at(1, true), true), unvisited], WON, Side::First, at(2, false));
        check(&[(WON, at(1, true), true), (OPEN, Distance::END, true)], WON, Side::First, at(2, true));
        check(&[(WON, at(2, true), true), (OPEN, Distance::END, true)], WON, Side::First, at(3, false));
        check(&[(WON, at(2, true), true), (LOST, at(1, true), true)], WON, Side::First, at(3, true));
        check(&[(WON, at(2, true), true), (WON, at(4, false), true)], WON, Side::First, at(3, false));
        check(&[(LOST, at(2, true), true), (WON, at(8, false), true)], LOST, Side::Second, at(3, true));
    }

    #[test]
    fn a_loss_is_as_long_as_its_longest_resistance() {
        check(&[(LOST, at(3, true), true), (LOST, at(3, false), true)], LOST, Side::First, at(4, true));
        check(&[(LOST, at(3, true), true), (LOST, at(5, false), true)], LOST, Side::First, at(6, false));
        check(&[(WON, at(1, true), true), (WON, Distance::END, true)], WON, Side::Second, at(2, true));
    }

    #[test]
    fn distances_survive_packing() {
        for distance in [Distance::END, at(1, true), at(77, false), at(u16::MAX, false)] {
            assert_eq!(Distance::from_word(distance.to_word()), distance);
        }
        assert_eq!((at(u16::MAX, true).plies(), at(5, false).plies()), (LIMIT - 1, 5));
    }
}
