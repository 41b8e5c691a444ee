//! Evaluations that are learned: games of an engine against itself, and weights fitted to them.
//!
//! A game takes part by naming the features of its positions ([`Learning`]). Its value of a position is then the sum of the
//! weights of the features that count there, each as often as it counts: a few hand-made terms, or tables of patterns with
//! millions of entries, of which each position has some dozens.
//!
//! - [`play`]: self-play. Each position keeps what its search found; some moves are random, for variety.
//! - [`records`]: files of such games, a few bytes a position.
//! - `replay`: what fits read of games, whatever the type of position.
//! - `samples`: which positions of the games are used, and `targets`: what their values are to predict.
//! - `moves`: the order in which moves are tried, fitted to the moves that searches found best.
//! - `network`: a small network that corrects the sum of weights, and `correction`, which fits it.
//! - [`fit`]: stochastic gradient descent over the games, read anew for each epoch; [`chances`] has the
//!   curve from values to probabilities.
//!
//! Nothing here opens files: who calls reads and writes bytes.

mod adam;
pub mod chances;
mod checkpoint;
mod correction;
pub mod fit;
mod model;
mod moves;
mod network;
mod phases;
pub mod play;
pub mod records;
mod replay;
mod samples;
mod targets;

use crate::position::Position;
use crate::rng::Rng;
use crate::search::Engine;
use crate::search::alpha_beta::Evaluator;

pub use chances::Chances;
pub use fit::{Epoch, Fit, Fitted, Heard, Phase, Start};
pub use network::{LAYERS, OUTWARD_SHARE, Seen, Shape, count as count_weights};
pub use play::{Choice, SelfPlay};
pub use records::{Header, Ply, Record};
pub use replay::ReplayOf;
pub use samples::Games;
pub use targets::Targets;

/// What a game offers for its weights to be learned.
#[derive(Clone, Debug)]
pub struct Learning<P: Position> {
    /// Name and version of the features, e.g. `patterns-1`: weights of other features are refused.
    pub features: &'static str,
    /// Calls back with each feature of a position that counts, and how often it counts for the first player. The value of the
    /// position is the sum of their weights: in hundredths of a point where the game is played for points, else in units of
    /// the evaluator's own.
    pub terms: fn(&P, &mut dyn FnMut(usize, i32)),
    /// Counts are in so many parts of one: above 1 where features count in part, as those of one phase of a game.
    pub parts: i32,
    /// The weights in force, by feature; their number is the number of features.
    pub weights: fn() -> Vec<i32>,
    /// How the game's weights are stored.
    pub store: Store,
    /// Makes what chooses the moves of one game, with an engine of its own.
    pub searcher: fn() -> play::Searcher<P>,
    /// Whether a position in which the search chose this move can be evaluated as it stands.
    pub is_quiet: fn(&P, P::Move) -> bool,
    /// A random move for variety, where any legal one would lead to positions that no game comes to.
    pub random_move: Option<fn(&P, &mut Rng) -> P::Move>,
    /// The features of moves, where the order in which a search tries them is learned.
    pub move_terms: Option<MoveTerms<P>>,
    /// What a network sees of positions, where one corrects the sum of weights.
    pub network: Option<NetworkTerms<P>>,
}

/// Features of moves.
#[derive(Clone, Debug)]
pub struct MoveTerms<P: Position> {
    /// The first of them: all that come before it are the evaluation's.
    pub first: usize,
    /// Calls back with each move that a search orders in a position, and the features that it has; the moves before the
    /// position are known, the last one at the end.
    pub each: fn(&P, &[P::Move], HearMove<'_, P>),
}

/// What a network sees, and how its weights are stored.
#[derive(Clone, Debug)]
pub struct NetworkTerms<P: Position> {
    /// Its weights.
    pub shape: Shape,
    /// What it sees of a position.
    pub look: fn(&P) -> Seen,
}

/// Who hears of moves and their features.
pub type HearMove<'a, P> = &'a mut dyn FnMut(<P as Position>::Move, &[usize]);

/// How weights are stored: in the binary format of [`crate::weights`].
#[derive(Clone, Copy, Debug)]
pub struct Store {
    /// What a weight of 1 is worth, in words.
    pub unit: &'static str,
    /// How many weights there are: those that are to replace them are checked before any are read.
    pub count: usize,
}

impl<P: Position> Learning<P> {
    /// Features whose weights are fitted to the games of an engine.
    pub const fn new<E: Engine<P> + Default>(
        features: &'static str,
        terms: fn(&P, &mut dyn FnMut(usize, i32)),
        weights: fn() -> Vec<i32>,
        store: Store,
        is_quiet: fn(&P, P::Move) -> bool,
    ) -> Self {
        Self {
            features,
            terms,
            parts: 1,
            weights,
            store,
            searcher: play::searcher::<P, E>,
            is_quiet,
            random_move: None,
            move_terms: None,
            network: None,
        }
    }
}

/// Whether a position can be evaluated as it stands: nothing has to be answered, and the move takes nothing.
pub fn is_quiet<P: Position, J: Evaluator<P>>(position: &P, mv: P::Move) -> bool {
    let evaluator = J::default();
    !evaluator.is_forced(position) && !evaluator.is_tactical(position, mv)
}
