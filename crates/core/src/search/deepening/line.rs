//! Principal variations, read from the searcher's memory.

use super::root::Root;
use crate::position::{Position, Side};
use crate::search::LONGEST_LINE;
use crate::search::searcher::Searcher;
use crate::search::value::{SearchValue, distance};

/// The proven end of a game.
#[derive(Clone, Copy, Debug)]
pub struct ProvenEnd {
    pub winner: Side,
    /// Plies until the game is over.
    pub plies: u32,
    /// Whether best play takes exactly this many plies.
    pub is_exact: bool,
}

impl ProvenEnd {
    /// The proven end for a root with this value for the side to move; `None` if nothing is decided.
    pub fn of<P: Position>(root: &P, value: i32, is_exact: bool) -> Option<Self> {
        let winner = if value > 0 { root.turn() } else { root.turn().other() };
        distance::<P>(value).map(|plies| Self { winner, plies, is_exact })
    }
}

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    /// The principal variation of a root move with the value `found`. If the end of the game is proven, each move is known to
    /// lead there, no sooner and no later; if the distance `is_exact`, the loser's moves too are known to be the best.
    pub fn line(&self, mv: P::Move, found: &SearchValue, is_exact: bool) -> Vec<P::Move> {
        let mut line = vec![mv];
        let mut proven_end = ProvenEnd::of(self.task.position, found.value, is_exact);
        let mut position = self.task.position.clone();
        position.play(mv);
        while line.len() < LONGEST_LINE && position.outcome().is_none() {
            if let Some(proven_end) = &mut proven_end {
                proven_end.plies -= 1;
            }
            let next = match proven_end {
                Some(proven_end) => self.best_known(&position, proven_end),
                None if found.complete => self.searcher.proven_best(&position),
                None => self.searcher.expected(&position),
            };
            let Some(mv) = next else { break };
            position.play(mv);
            line.push(mv);
        }
        line
    }

    /// A move of a position that leads to this end, if one is known.
    pub fn best_known(&self, position: &P, proven_end: ProvenEnd) -> Option<P::Move> {
        let ProvenEnd { winner, plies, is_exact } = proven_end;
        if plies == 0 {
            return None;
        }
        let wins = position.turn() == winner;
        if let Some(mv) = self.searcher.exact_move(position, wins, plies) {
            return Some(mv);
        }
        let mut moves = Vec::new();
        let covers_all = self.searcher.candidates(position, &mut |mv| moves.push(mv));
        if covers_all && moves.len() == 1 {
            return moves.pop();
        }
        // A loser that can hold out this long may be able to hold out longer.
        let may_choose = wins || !is_exact;
        moves.into_iter().filter(|_| may_choose).find(|&mv| {
            let mut after = position.clone();
            after.play(mv);
            self.ends_within(&after, winner) == Some(plies - 1)
        })
    }

    /// The plies within which `winner` is known to win a position.
    fn ends_within(&self, position: &P, winner: Side) -> Option<u32> {
        match position.outcome() {
            Some(outcome) => (outcome.winner == Some(winner)).then_some(0),
            None => self.searcher.ends_within(position, position.turn() == winner),
        }
    }
}
