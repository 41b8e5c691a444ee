//! Forced wins of limited length, by a full-width search: every move of the attacker, every reply of the defender.
//!
//! Nothing is pruned heuristically, so that "no other move wins within n plies" is a proof, too. The move that last refuted an
//! attack at the same depth is tried first, which affects only the speed.

use crate::position::{Position, Side};

/// The moves that win for the side to move within `plies` plies, each with its least number of plies; both sides' moves count,
/// including the winning one.
#[must_use]
pub fn forced_wins<P: Position>(position: &P, plies: u32) -> Vec<(P::Move, u32)> {
    if plies == 0 {
        return Vec::new();
    }
    let mut search = Search { attacker: position.turn(), refutations: vec![None; plies as usize + 1] };
    let fewest = |mv| {
        let mut after = position.clone();
        after.play(mv);
        let mut wins = |plies: &u32| search.wins(&after, plies - 1);
        // Most moves do not win at all.
        if wins(&plies) { (1..=plies).find(wins).map(|plies| (mv, plies)) } else { None }
    };
    position.moves().filter_map(fewest).collect()
}

struct Search<M> {
    attacker: Side,
    /// For each number of plies left, the defender's move that last refuted an attack.
    refutations: Vec<Option<M>>,
}

impl<M: Copy + Eq> Search<M> {
    /// Whether the attacker wins within `plies` plies.
    fn wins<P: Position<Move = M>>(&mut self, position: &P, plies: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.winner == Some(self.attacker);
        }
        let is_attack = position.turn() == self.attacker;
        match plies {
            0 => false,
            1 if is_attack => position.wins_at_once(),
            _ if is_attack => position.moves().any(|mv| self.wins_by(position, mv, plies)),
            _ if position.wins_at_once() => false,
            _ => {
                let likely = self.refutations[plies as usize].filter(|&mv| position.moves().any(|legal| legal == mv));
                let mut replies = likely.into_iter().chain(position.moves().filter(|&mv| Some(mv) != likely));
                let refutation = replies.find(|&mv| !self.wins_by(position, mv, plies));
                self.refutations[plies as usize] = refutation.or(likely);
                refutation.is_none()
            }
        }
    }

    fn wins_by<P: Position<Move = M>>(&mut self, position: &P, mv: M, plies: u32) -> bool {
        let mut after = position.clone();
        after.play(mv);
        self.wins(&after, plies - 1)
    }
}

#[cfg(test)]
#[cfg(feature = "tic-tac-toe")]
mod tests {
    use super::*;
    use crate::games::Game as _;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::rng::Rng;

    type Board = TicTacToe<u64>;

    /// The fewest plies in which `attacker` wins, by plain minimax.
    fn fewest(position: &Board, attacker: Side) -> Option<u32> {
        if let Some(outcome) = position.outcome() {
            return (outcome.winner == Some(attacker)).then_some(0);
        }
        let after = |mv| {
            let mut after = position.clone();
            after.play(mv);
            fewest(&after, attacker).map(|plies| plies + 1)
        };
        let results: Vec<Option<u32>> = position.moves().map(after).collect();
        if position.turn() == attacker {
            results.into_iter().flatten().min()
        } else {
            results.into_iter().collect::<Option<Vec<_>>>()?.into_iter().max()
        }
    }

    #[test]
    fn forced_wins_are_those_of_minimax() {
        let mut rng = Rng::new(1, 0);
        let mut wins = [0; 10];
        for _ in 0..200 {
            let mut position = Board::start(&Default::default());
            for _ in 0..2 + rng.below(4) {
                if position.outcome().is_none() {
                    position.play(position.random_move(&mut rng));
                }
            }
            for plies in [1, 2, 3, 5, 7] {
                let expected: Vec<_> = position
                    .moves()
                    .filter_map(|mv| {
                        let mut after = position.clone();
                        after.play(mv);
                        let fewest = fewest(&after, position.turn())? + 1;
                        (fewest <= plies).then_some((mv, fewest))
                    })
                    .collect();
                let found = forced_wins(&position, plies);
                assert_eq!(found, expected, "{position} within {plies}");
                found.iter().for_each(|&(_, plies)| wins[plies as usize] += 1);
            }
        }
        assert!(wins[1] > 50 && wins[3] > 50 && wins[5] > 0, "{wins:?}");
    }
}
