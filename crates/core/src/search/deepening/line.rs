//! Principal variations, read from the searcher's memory.

use super::root::Root;
use crate::position::{Position, Side};
use crate::search::LONGEST_LINE;
use crate::search::searcher::Searcher;
use crate::search::value::{Found, distance};

/// The way to a proven end.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub winner: Side,
    /// Plies until the game is over.
    pub plies: u32,
    /// Whether best play takes so long, and not less.
    pub is_exact: bool,
}

impl Course {
    /// The course from a root whose side to move has found this value; none where nothing is decided.
    pub fn of<P: Position>(root: &P, value: i32, is_exact: bool) -> Option<Self> {
        let winner = if value > 0 { root.turn() } else { root.turn().other() };
        distance::<P>(value).map(|plies| Self { winner, plies, is_exact })
    }
}

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    /// The expected line after a root move whose search has `found` so much. Where the end of the game is proven, each move is
    /// known to lead there, no sooner and no later; where the distance `is_exact`, the loser's moves too are known to be the
    /// best.
    pub fn line(&self, mv: P::Move, found: &Found, is_exact: bool) -> Vec<P::Move> {
        let mut line = vec![mv];
        let mut course = Course::of(self.task.position, found.value, is_exact);
        let mut position = self.task.position.clone();
        position.play(mv);
        while line.len() < LONGEST_LINE && position.outcome().is_none() {
            if let Some(course) = &mut course {
                course.plies -= 1;
            }
            let next = match course {
                Some(course) => self.best_known(&position, course),
                None => self.searcher.expected(&position),
            };
            let Some(mv) = next else { break };
            position.play(mv);
            line.push(mv);
        }
        line
    }

    /// The move of a position from which the game takes this course, if one is known.
    pub fn best_known(&self, position: &P, course: Course) -> Option<P::Move> {
        let Course { winner, plies, is_exact } = course;
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
        // A loser who can hold out so long may be able to hold out longer.
        let may_choose = wins || !is_exact;
        moves.into_iter().filter(|_| may_choose).find(|&mv| {
            let mut after = position.clone();
            after.play(mv);
            self.ends_within(&after, winner) == Some(plies - 1)
        })
    }

    /// Within how many plies a side is known to win a position.
    fn ends_within(&self, position: &P, winner: Side) -> Option<u32> {
        match position.outcome() {
            Some(outcome) => (outcome.winner == Some(winner)).then_some(0),
            None => self.searcher.ends_within(position, position.turn() == winner),
        }
    }
}
