//! A game's knowledge for alpha-beta, beyond its rules.
//!
//! Every item has a default that keeps the search correct: an empty evaluator gives a full-width search of all legal moves to
//! the end of the game. Knowledge makes the search faster or stronger, and never turns an estimate into a proof.

use std::hash::{Hash, Hasher};

use crate::position::Position;
use crate::rng::mix;
use crate::search::Outlook;

/// A win or a loss that an evaluator has proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof<M> {
    /// The side to move wins with this move, within this many plies.
    Win {
        /// Plies until the game is over.
        plies: u32,
        /// The move that wins.
        mv: M,
    },
    /// The side to move loses within this many plies.
    Loss {
        /// Plies until the game is over.
        plies: u32,
    },
}

/// Evaluates unfinished positions and orders moves. A type parameter of the search, never a trait object. All workers of a
/// search start with clones of one evaluator.
pub trait Evaluator<P: Position>: Default + Clone + Send + Sync + 'static {
    /// Whether [`Evaluator::value`] is implemented. Without it, unfinished positions count as even, nothing unproven is
    /// reported as a value, and no move is searched less deep than others.
    const EVALUATES: bool = false;
    /// Half of the first aspiration window: the usual change of the value from one iteration to the next. 0: no window.
    const WINDOW: i32 = 0;
    /// The number of history slots (see [`Evaluator::slot`]); 0: no history is kept.
    const SLOTS: usize = 0;
    /// Weight of one step of [`Evaluator::priority`] against history, which lies within ±16,384.
    const PRIORITY: i32 = 64;

    /// The value of an unfinished position for the first player: in hundredths of a point if the game is played for points (and
    /// then less than a won game's margin), else in units of the evaluator's choice, below 100,000 in absolute value.
    fn value(&self, _position: &P) -> i32 {
        0
    }

    /// The chances of the results when a search from `root` finds `value` (as in [`Evaluator::value`]) without proving it.
    fn outlook(&self, _root: &P, value: i32) -> Outlook {
        Outlook::logistic(value, 0, 400.0)
    }

    /// The priority of a move: larger ones are tried first, equal ones in the order of the rules at the root, and about in that
    /// order below it.
    fn priority(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// A win or loss of an unfinished position that the evaluator proves without searching its moves, with `depth` plies left.
    /// `tick` counts the evaluator's nodes; once it returns false, the search must stop.
    fn proof(&mut self, _position: &P, _depth: u32, _tick: &mut impl FnMut(u64) -> bool) -> Option<Proof<P::Move>> {
        None
    }

    /// The move's code in the transposition table: sixteen bits, unique within the position, never 0. The default is a hash:
    /// rare collisions cost time, and may spoil a reported line.
    fn code(&self, mv: P::Move) -> u16 {
        let mut hasher = Mixer(0);
        mv.hash(&mut hasher);
        ((hasher.finish() >> 40) as u16).max(1)
    }

    /// The legal move with this code, if any.
    fn recall(&self, position: &P, code: u16) -> Option<P::Move> {
        position.moves().find(|&mv| self.code(mv) == code)
    }

    /// The slot of a move's history, below [`Evaluator::SLOTS`]: usually by piece and destination.
    fn slot(&self, _position: &P, _mv: P::Move) -> usize {
        0
    }
}

/// No knowledge beyond the rules: the search is at full width, to the end of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct RulesOnly;

impl<P: Position> Evaluator<P> for RulesOnly {}

/// Hashes the few bytes of a move.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte));
        }
    }

    /// Enum discriminants hash as this type: widened, they hash the same on every machine.
    fn write_usize(&mut self, number: usize) {
        self.write(&(number as u64).to_le_bytes());
    }
}
