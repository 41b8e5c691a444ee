//! A game's knowledge for alpha-beta, beyond its rules.
//!
//! Everything but the type itself has a default that keeps the search right: an empty evaluator gives a full-width
//! search of all legal moves to the end of the game. Its knowledge makes the search faster or stronger, and never
//! makes a proof of what is none.

use std::hash::{Hash, Hasher};

use crate::position::Position;
use crate::rng::mix;
use crate::search::Outlook;

/// A win or a loss that an evaluator has proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof<M> {
    /// The side to move wins, and the game is over after at most so many plies when it begins with this move.
    Win {
        /// Plies until the game is over.
        plies: u32,
        /// The move that wins.
        mv: M,
    },
    /// The side to move loses, and can make the game last for at most so many plies.
    Loss {
        /// Plies until the game is over.
        plies: u32,
    },
}

/// Evaluates unfinished positions and orders moves. A type parameter of the search, never a trait object. All workers of a
/// search begin with clones of one evaluator.
pub trait Evaluator<P: Position>: Default + Clone + Send + Sync + 'static {
    /// Whether [`Evaluator::value`] is implemented. Without it, unfinished positions count as even, nothing unproven is
    /// reported as a value, and no move is searched less deep than others.
    const EVALUATES: bool = false;
    /// By how much the value may differ from one iteration to the next, mostly: half of the first aspiration window. 0: none.
    const WINDOW: i32 = 0;
    /// How many values [`Evaluator::slot`] has; 0: no history is kept.
    const SLOTS: usize = 0;
    /// How much one step of [`Evaluator::priority`] counts against history, which lies within -16,384 and 16,384.
    const PRIORITY: i32 = 64;

    /// What an unfinished position is worth to the first player: in hundredths of a point where the game is played for points
    /// (and then less than a won game's margin), else in units of the evaluator's own, less than 100,000 in size.
    fn value(&self, _position: &P) -> i32 {
        0
    }

    /// The chances of the results when a search from `root` finds `value` (as in [`Evaluator::value`]) without proving it.
    fn outlook(&self, _root: &P, value: i32) -> Outlook {
        Outlook::logistic(value, 0, 400.0)
    }

    /// How early to try a move: the largest first, equals in the order of the rules.
    fn priority(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// A win or a loss of an unfinished position that is proven without searching its moves, where so many plies are left to
    /// search. `tick` counts nodes of the evaluator's own; once it returns false, the search must stop.
    fn proof(&mut self, _position: &P, _depth: u32, _tick: &mut impl FnMut(u64) -> bool) -> Option<Proof<P::Move>> {
        None
    }

    /// The move's code in the transposition table: sixteen bits, unique within the position, never 0.
    /// The default is a hash: two moves may, rarely, be taken for each other, which costs time and may spoil a reported line.
    fn code(&self, mv: P::Move) -> u16 {
        let mut hasher = Mixer(0);
        mv.hash(&mut hasher);
        ((hasher.finish() >> 40) as u16).max(1)
    }

    /// The legal move of that code, if there is one.
    fn recall(&self, position: &P, code: u16) -> Option<P::Move> {
        position.moves().find(|&mv| self.code(mv) == code)
    }

    /// Where a move's history is kept, below [`Evaluator::SLOTS`]: by what moves, and to where.
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

    /// Enums hash as such a number: the same on every machine.
    fn write_usize(&mut self, number: usize) {
        self.write(&(number as u64).to_le_bytes());
    }
}
