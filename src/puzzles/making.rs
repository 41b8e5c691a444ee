//! Puzzles from self-play.
//!
//! A game's number determines its players' levels and its seeds, so the puzzles do not depend on the number of threads. Of a
//! game's last positions, in random order, the first with a claim becomes a puzzle. The levels of play measure its difficulty.

use std::collections::HashSet;

use serde_json::Value;
use tesuji_core::catalog::{AnySession, Catalog, Refusal, SearchSpec, Strength};
use tesuji_core::parallel;
use tesuji_core::position::Side;
use tesuji_core::rng::{Rng, mix};

use super::claim::{Claim, PuzzlePosition, search};
use super::{HARDEST, Proof, Puzzle};

/// Makes puzzles of a game.
#[derive(Clone, Copy, Debug)]
pub struct Maker<'a> {
    /// All games.
    pub catalog: &'a Catalog,
    /// The game's name.
    pub game: &'a str,
    /// Its variant, with all its parameters.
    pub variant: &'a Value,
    /// The kind of proof.
    pub proof: Proof,
    /// The number of positions considered in each game, counted from its end.
    pub last: usize,
    /// The seed of all games.
    pub seed: u64,
}

/// The state of the work.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games played.
    pub games: u64,
    /// Puzzles made, by difficulty.
    pub made: [usize; DIFFICULTIES],
}

const DIFFICULTIES: usize = HARDEST as usize;
/// The levels of self-play: the strong ones leave little to find.
const LEVELS: u32 = 7;
/// The number of opening plies, which the weakest level plays.
const OPENING: usize = 3;
/// The maximum length of a game in plies; longer ones are discarded.
const LONGEST: usize = 150;
/// The number of searches by which a level is tested on a puzzle.
const TRIES: usize = 6;
/// The number of games in a batch, played on all threads.
const BATCH: u64 = 16;

/// A puzzle and its canonical key, which its symmetric images share.
type KeyedPuzzle = (Puzzle, u64);

impl Maker<'_> {
    /// Makes up to `count` puzzles from at most `games` games, spread as evenly as possible over the difficulties: the easiest
    /// and shortest first, with ids in that order.
    ///
    /// # Errors
    /// When the game or the variant is refused.
    pub fn make(&self, count: usize, games: u64, report: impl Fn(Progress)) -> Result<Vec<Puzzle>, Refusal> {
        let (mut made, mut seen) = (<[Vec<Puzzle>; DIFFICULTIES]>::default(), HashSet::new());
        for batch in (0..games).step_by(BATCH as usize) {
            let numbers: Vec<u64> = (batch..games.min(batch + BATCH)).collect();
            for found in parallel::map(numbers, |number| self.of_game(number)) {
                if let Some((puzzle, image)) = found?
                    && seen.insert(image)
                {
                    made[usize::from(puzzle.difficulty) - 1].push(puzzle);
                }
            }
            let counts = made.each_ref().map(Vec::len);
            report(Progress { games: games.min(batch + BATCH), made: counts });
            if counts.iter().all(|&made| made * DIFFICULTIES >= count) {
                break;
            }
        }
        let shares = shares(made.each_ref().map(Vec::len), count);
        let easiest_first = |(mut made, share): (Vec<Puzzle>, usize)| {
            made.truncate(share);
            made.sort_by_key(|puzzle| puzzle.plies);
            made
        };
        let chosen = made.into_iter().zip(shares).flat_map(easiest_first);
        let named = |(index, puzzle)| Puzzle { id: format!("{}-{}", self.game, index + 1), ..puzzle };
        Ok(chosen.enumerate().map(named).collect())
    }

    /// The puzzle from a game, if it has one.
    fn of_game(&self, number: u64) -> Result<Option<KeyedPuzzle>, Refusal> {
        let mut rng = Rng::new(self.seed, number);
        let moves = self.play(&mut rng)?;
        let mut lengths: Vec<usize> = (moves.len().saturating_sub(self.last)..moves.len()).collect();
        rng.shuffle(&mut lengths);
        for length in lengths {
            let Self { catalog, game, variant, .. } = *self;
            let position = PuzzlePosition { catalog, game, variant, moves: moves[..length].to_vec() };
            if let Some(claim) = Claim::of(&position, self.proof)? {
                // A long win is never easy, even if weak levels find it.
                let moves = claim.goal.plies.map_or(1, |plies| plies.div_ceil(2) as u8);
                let difficulty = self.difficulty(&position, &claim.solution[0])?.max(moves);
                return self.puzzle(position, claim, difficulty).map(Some);
            }
        }
        Ok(None)
    }

    /// The moves of a game between two levels; empty if it lasts too long.
    fn play(&self, rng: &mut Rng) -> Result<Vec<String>, Refusal> {
        let levels = [(); 2].map(|()| 1 + rng.below(LEVELS) as u8);
        let Self { catalog, game, variant, .. } = *self;
        let mut session = PuzzlePosition { catalog, game, variant, moves: Vec::new() }.open()?;
        let mut moves = Vec::new();
        while session.outcome().is_none() {
            if moves.len() == LONGEST {
                return Ok(Vec::new());
            }
            let level = if moves.len() < OPENING { 1 } else { levels[usize::from(session.turn() == Side::Second)] };
            let Some(mv) = chosen(&*session, level, rng)? else { break };
            // The engine's moves are legal.
            if session.play(&mv).is_err() {
                break;
            }
            moves.push(mv);
        }
        Ok(moves)
    }

    /// The difficulty of a puzzle, from the weakest level that finds its first move.
    fn difficulty(&self, position: &PuzzlePosition<'_>, solution: &str) -> Result<u8, Refusal> {
        let session = position.open()?;
        for level in 1..Strength::FULL {
            let mut rng = Rng::new(mix(self.seed), level.into());
            let mut found = 0;
            for _ in 0..TRIES {
                found += usize::from(chosen(&*session, level, &mut rng)?.as_deref() == Some(solution));
            }
            if 2 * found >= TRIES {
                return Ok(level.div_ceil(2));
            }
        }
        Ok(HARDEST)
    }

    fn puzzle(&self, position: PuzzlePosition<'_>, claim: Claim, difficulty: u8) -> Result<KeyedPuzzle, Refusal> {
        let session = position.open()?;
        let (side, image) = (session.turn(), session.canonical_key());
        let Claim { goal, solution } = claim;
        let puzzle = Puzzle {
            id: String::new(),
            game: self.game.to_owned(),
            variant: self.variant.clone(),
            moves: position.moves,
            side,
            kind: goal.kind,
            plies: goal.plies,
            score: goal.score,
            difficulty,
            solution,
        };
        Ok((puzzle, image))
    }
}

/// The move of a level.
fn chosen(session: &dyn AnySession, level: u8, rng: &mut Rng) -> Result<Option<String>, Refusal> {
    let strength = Strength { level: Some(level), ..Strength::default() };
    let seed = Some(rng.below(u32::MAX).into());
    let report = search(session, &SearchSpec { strength, seed, ..SearchSpec::default() })?;
    Ok(report.and_then(|report| report.children.into_iter().next()).map(|child| child.mv))
}

/// The number of puzzles to take of each difficulty, as equal as possible.
fn shares(made: [usize; DIFFICULTIES], count: usize) -> [usize; DIFFICULTIES] {
    let mut shares = [0; DIFFICULTIES];
    let fewest = |shares: &[usize; DIFFICULTIES]| {
        let open = (0..DIFFICULTIES).filter(|&difficulty| shares[difficulty] < made[difficulty]);
        open.min_by_key(|&difficulty| shares[difficulty])
    };
    for _ in 0..count {
        let Some(difficulty) = fewest(&shares) else { break };
        shares[difficulty] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_as_equal_as_possible() {
        assert_eq!(shares([9, 9, 9, 9, 9], 10), [2; 5]);
        assert_eq!(shares([1, 9, 0, 9, 2], 10), [1, 4, 0, 3, 2]);
        assert_eq!(shares([1, 0, 0, 1, 0], 10), [1, 0, 0, 1, 0]);
    }
}
