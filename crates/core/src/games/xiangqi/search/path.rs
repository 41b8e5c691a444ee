//! The board of a search and the moves that led to it, made and taken back.
//!
//! A repetition within the line is scored as the rules score the third occurrence, as an estimate: waiting for the third would
//! search every line through the loop twice. After two occurrences in the game, the third is a proof.

use super::super::board::Board;
use super::super::evaluation::{Evaluation, Sums};
use super::super::generate::Safety;
use super::super::piece::{Kind, Man, Step};
use super::super::repetition::{self, OCCURRENCES, Past, RepetitionEnd};
use super::super::{CaptureClock, Xiangqi};
use super::{FORBIDDEN, WIN};
use crate::position::Side;
use crate::rng::mix;

/// The limit of evaluations.
const MAX_VALUE: i32 = 15_000;

/// The state of a position beside its board.
#[derive(Clone, Copy, Debug)]
struct State {
    safety: Safety,
    capture_clock: CaptureClock,
    /// The piece captured by the move that led to it.
    captured: Option<Man>,
    /// The index in `past` of the first move since the last irreversible one.
    first: usize,
    past_hash: u64,
    loops: bool,
    occurrences: u32,
    /// Whether it is drawn because no attacking pieces are left.
    drawn: bool,
}

/// A board with the moves that led to it.
pub struct Path {
    pub board: Board,
    /// The moves of the game since the last irreversible one, and those of the search.
    past: Vec<Past>,
    states: Vec<State>,
    /// Whether the game is played on without attacking pieces.
    waived_material: bool,
    /// The evaluation's sums, now and before each of the moves.
    sums: Vec<Sums>,
    evaluation: &'static Evaluation,
}

impl Path {
    /// Begins at a position of a game.
    pub fn new(position: &Xiangqi) -> Self {
        let Xiangqi { board, past, safety, past_hash, loops, occurrences, capture_clock, waived_material, .. } =
            position;
        let evaluation = Evaluation::get();
        let state = State {
            safety: *safety,
            capture_clock: *capture_clock,
            captured: None,
            first: 0,
            past_hash: *past_hash,
            loops: *loops,
            occurrences: *occurrences,
            drawn: !board.can_attack() && !waived_material,
        };
        Self {
            board: board.clone(),
            past: past.to_vec(),
            states: vec![state],
            waived_material: *waived_material,
            sums: vec![evaluation.sums(board)],
            evaluation,
        }
    }

    #[inline]
    fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    #[inline]
    pub fn safety(&self) -> &Safety {
        &self.state().safety
    }

    #[inline]
    pub fn in_check(&self) -> bool {
        self.state().safety.in_check
    }

    /// The key of the position in tables: as [`Xiangqi::key`].
    #[inline]
    pub fn key(&self) -> u64 {
        let state = self.state();
        let mut key = self.board.key();
        if state.loops {
            key ^= mix(state.past_hash ^ u64::from(state.occurrences));
        }
        if state.capture_clock.plies + 16 >= state.capture_clock.limit {
            key ^= mix(!u64::from(state.capture_clock.plies));
        }
        key
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, step: Step) {
        let key = self.board.key();
        let mover = self.board.turn();
        let man = self.board.man(step.from);
        let forward = step.from.file() == step.to.file() && man.is_some_and(|man| man.kind() == Kind::Pawn);
        let mut state = *self.state();
        state.captured = self.board.make(step);
        if let (Some(man), Some(sums)) = (man, self.sums.last()) {
            self.sums.push(self.evaluation.moved(sums, man, step, state.captured));
        }
        state.safety = self.board.safety();
        let check = state.safety.in_check;
        self.past.push(Past { key, step, check });
        match state.captured {
            Some(_) => {
                state.capture_clock.restart();
                state.drawn = !self.board.can_attack() && !self.waived_material;
            }
            None => state.capture_clock.count(mover, check),
        }
        if state.captured.is_some() || forward {
            (state.first, state.past_hash, state.loops, state.occurrences) = (self.past.len(), 0, false, 1);
        } else {
            state.past_hash ^= mix(key);
            state.occurrences = repetition::occurrences(&self.board, &self.past[state.first..]);
            state.loops |= state.occurrences > 1;
        }
        self.states.push(state);
    }

    /// Takes the last move back.
    #[inline]
    pub fn take_back(&mut self) {
        if let (Some(state), Some(past)) = (self.states.pop(), self.past.pop()) {
            self.board.unmake(past.step, state.captured);
            self.sums.pop();
        }
    }

    /// Passes; what was played before no longer counts for repetitions.
    pub fn pass(&mut self) {
        self.board.pass();
        let (safety, first) = (self.board.safety(), self.past.len());
        let state = *self.state();
        self.states.push(State { safety, first, past_hash: 0, loops: false, occurrences: 1, ..state });
    }

    /// Takes a pass back.
    pub fn take_pass_back(&mut self) {
        self.states.pop();
        self.board.pass();
    }

    /// The value for the side to move of a position that ends the line, by a repetition or because nobody can win; mates are
    /// not considered. The line consists of the last `ply` plies and the move to its first position; a side that repeats an
    /// earlier position can still deviate.
    #[inline]
    pub fn ended(&self, ply: u32) -> Option<i32> {
        let state = self.state();
        if state.occurrences > 1 {
            let past = &self.past[state.first..];
            let within = repetition::length(&self.board, past).is_some_and(|length| length <= ply + 1);
            if within || state.occurrences >= OCCURRENCES {
                // A third occurrence after two in the game ends it: that is a proof, and such positions have separate keys.
                let worth = if within { FORBIDDEN } else { WIN - ply as i32 };
                return Some(match repetition::adjudicate(&self.board, past) {
                    RepetitionEnd::PerpetualCheck(side) | RepetitionEnd::PerpetualChase(side, _)
                        if side == self.board.turn() =>
                    {
                        -worth
                    }
                    RepetitionEnd::PerpetualCheck(_) | RepetitionEnd::PerpetualChase(..) => worth,
                    RepetitionEnd::Repetition => 0,
                });
            }
        }
        (state.drawn || state.capture_clock.is_up() && self.board.has_legal_move(&state.safety)).then_some(0)
    }

    /// The evaluation of the board for the side to move, without its past.
    #[inline]
    pub fn evaluate(&self) -> i32 {
        self.evaluation.value(&self.board, &self.sums[self.sums.len() - 1]).clamp(-MAX_VALUE, MAX_VALUE)
    }

    /// The nearer the draw without captures, the less an advantage is worth.
    #[inline]
    pub fn damp(&self, value: i32) -> i32 {
        let capture_clock = &self.state().capture_clock;
        damped(value, capture_clock)
    }

    /// Whether the side to move has attacking pieces other than pawns.
    #[inline]
    pub fn is_strong(&self) -> bool {
        self.board.is_strong(self.board.turn())
    }

    #[inline]
    pub fn turn(&self) -> Side {
        self.board.turn()
    }
}

/// A value, reduced with progress towards the draw without captures.
#[inline]
pub fn damped(value: i32, capture_clock: &CaptureClock) -> i32 {
    value - value * capture_clock.plies.min(capture_clock.limit) as i32 / (2 * capture_clock.limit.max(1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::position::Position;
    use crate::rng::Rng;

    /// After moves and passes are made and taken back, the sums are those of the board.
    #[test]
    fn sums_follow_the_moves() {
        let mut rng = Rng::new(5, 0);
        for _ in 0..40 {
            let mut position = Xiangqi::start(&Default::default());
            let mut path = Path::new(&position);
            for ply in 0..60 {
                if position.outcome().is_some() {
                    break;
                }
                let tried: Vec<Step> = position.moves().collect();
                for &step in &tried {
                    path.play(step);
                    assert_eq!(path.sums.last(), Some(&path.evaluation.sums(&path.board)), "{position} {step:?}");
                    path.take_back();
                }
                if ply % 7 == 3 && !path.in_check() {
                    path.pass();
                    assert_eq!(path.sums.last(), Some(&path.evaluation.sums(&path.board)), "{position}");
                    path.take_pass_back();
                }
                let step = tried[rng.below(tried.len() as u32) as usize];
                position.play(step);
                path.play(step);
            }
        }
    }
}
