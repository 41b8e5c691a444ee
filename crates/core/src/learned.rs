//! What an evaluation with learned weights offers to the program that learns them (`crates/train`).
//!
//! A position's value is the sum of the weights of the features that count there, each as often as it counts: a few hand-made
//! terms, or tables of patterns with millions of entries, of which each position has some dozens. A small network may correct
//! the sum.

use crate::position::Position;
use crate::rng::Rng;
use crate::search::Engine;

/// A game whose evaluation has learned weights.
pub trait Learned: Position {
    /// The engine that plays against itself.
    type Engine: Engine<Self> + Default;

    /// Counts of terms are in so many parts of one: above 1 where features count in part, as those of one phase of a game.
    const PARTS: i32 = 1;
    /// How many sets of weights the evaluation has, equally long and stored in sequence: one per phase of the game.
    const PHASES: usize = 1;
    /// The first weight of the move ordering, where it is learned. All before it are the evaluation's.
    const ORDERING: Option<usize> = None;
    /// The network, where there is one.
    const NETWORK: Option<NetworkShape> = None;

    /// The current weights, one per feature.
    fn weights() -> Vec<i32>;

    /// Calls back with each feature of the position that counts, and how often it counts for the first player. The sum of
    /// their weights is in hundredths of a point where the game is played for points, else in units of the evaluation's own.
    fn each_term(&self, add: &mut dyn FnMut(usize, i32));

    /// Whether the position can be evaluated as it stands, where a search found `best`.
    fn is_quiet(&self, best: Self::Move) -> bool;

    /// A random move for variety, where some legal moves would lead to positions that no game comes to.
    fn plausible_move(&self, _: &mut Rng) -> Option<Self::Move> {
        None
    }

    /// Calls back with each move that a search orders, and its features. `line` has the moves before, the last one at the end.
    fn each_ordered_move(&self, _line: &[Self::Move], _add: &mut dyn FnMut(Self::Move, &[usize])) {}

    /// What the network sees.
    fn network_input(&self) -> NetworkInput {
        NetworkInput::default()
    }
}

/// Layers of weights: rows; the local layer and its biases; the hidden layer, its biases and what features add to them; the
/// last layer, what features add to the value, and its bias.
pub const LAYERS: usize = 9;
/// What numbers that come out of the local layer are divided by on their way to the hidden layer.
pub const OUTWARD_SHARE: i32 = 4;

/// How many weights layers of these sizes have.
#[must_use]
pub const fn count_weights(layers: [usize; LAYERS]) -> usize {
    let (mut sum, mut layer) = (0, 0);
    while layer < LAYERS {
        sum += layers[layer];
        layer += 1;
    }
    sum
}

/// How many weights a network has, and how they are stored.
#[derive(Clone, Copy, Debug)]
pub struct NetworkShape {
    /// The first of its weights, which come behind all others.
    pub first: usize,
    /// How many weights each layer has.
    pub layers: [usize; LAYERS],
    /// The parts of one that a weight of each layer counts; in the last three, parts of a value.
    pub parts: [i32; LAYERS],
    /// Numbers of a point's vector in a view, and of the hidden layer: 16 and 32, or 32 and 16.
    pub width: usize,
    /// Numbers of the hidden layer.
    pub hidden: usize,
    /// Numbers of the local layer; none without regions.
    pub local: usize,
    /// About how many rows a point names in a view.
    pub rows: usize,
    /// What sums are divided by on their way to the hidden layer.
    pub share: i32,
    /// And those of a region on their way to the local layer.
    pub local_share: i32,
}

/// What a network sees of a position.
#[derive(Clone, Debug, Default)]
pub struct NetworkInput {
    /// Whether the first player is to move.
    pub is_first: bool,
    /// The yes-or-no features that hold, as bits.
    pub features: u32,
    /// The rows that points name: of each point those of the view of the side to move, then as many of the other one's.
    pub rows: Vec<u16>,
    /// How much of the output counts.
    pub share: f32,
    /// Points: how many rows each has in a view, and how often there are such. Points of a region follow each other.
    pub points: Vec<(u16, u16)>,
    /// The number of `points` in each region; empty without a local layer.
    pub regions: Vec<u16>,
}
