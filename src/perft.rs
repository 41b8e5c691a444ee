//! Counting all lines of play to a depth: the classic proof of a game's rules.

use crate::games::{EarlyEnds, Game};

/// The number of leaves of the game tree at `depth` plies (see [`EarlyEnds`] for games that end before).
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 && G::PERFT == EarlyEnds::Dropped {
        return position.count_moves();
    }
    let mut leaves = 0;
    let mut over = true;
    for mv in position.moves() {
        over = false;
        let mut next = position.clone();
        next.play(mv);
        leaves += perft(&next, depth - 1);
    }
    if over && G::PERFT == EarlyEnds::Counted { 1 } else { leaves }
}
