//! Counting all lines of play to a depth: the classic test of a game's rules.

use crate::games::{EarlyEnds, Game};
use crate::parallel;

/// Above this depth a position's moves are counted on all cores: tasks are then long enough to be worth distributing.
const SEQUENTIAL: u32 = 3;

/// The number of leaves of the game tree at `depth` plies (see [`EarlyEnds`] for games that end earlier).
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 && G::PERFT == EarlyEnds::Dropped {
        return position.count_moves();
    }
    let below = |mv| {
        let mut next = position.clone();
        next.play(mv);
        perft(&next, depth - 1)
    };
    let (mut leaves, mut over) = (0, true);
    if depth > SEQUENTIAL {
        let moves: Vec<G::Move> = position.moves().collect();
        over = moves.is_empty();
        leaves = parallel::map(moves, below).into_iter().sum();
    } else {
        for mv in position.moves() {
            over = false;
            leaves += below(mv);
        }
    }
    if over && G::PERFT == EarlyEnds::Counted { 1 } else { leaves }
}
