//! The interface between an evaluation with learned weights and the trainer (`crates/train`).
//!
//! A position's value is the sum of the weights of its features, each times its count: a few hand-made terms, or tables of
//! patterns with millions of entries, of which each position has some dozens. A small network may correct the sum.

use crate::position::Position;
use crate::rng::Rng;
use crate::search::Engine;

/// A game whose evaluation has learned weights.
pub trait Learned: Position {
    /// The engine that plays against itself.
    type Engine: Engine<Self> + Default;

    /// The denominator of the counts of features: above 1 where features count in part, like those of one phase of a game.
    const PARTS: i32 = 1;
    /// The number of sets of weights, equally long and stored in sequence: one per phase of the game.
    const PHASES: usize = 1;
    /// The index of the first weight of the move ordering, if it is learned. All weights before it are the evaluation's.
    const ORDERING: Option<usize> = None;
    /// The network, if there is one.
    const NETWORK: Option<NetworkShape> = None;

    /// The current weights, one per feature.
    fn weights() -> Vec<i32>;

    /// Calls `add` with each feature of the position and its count for the first player. The sum of their weights is in
    /// hundredths of a point in games for points, otherwise in the evaluation's own units.
    fn each_term(&self, add: &mut dyn FnMut(usize, i32));

    /// Whether the position can be evaluated statically, given that a search found `best`.
    fn is_quiet(&self, best: Self::Move) -> bool;

    /// A random move for variety, in games where some legal moves lead to positions that do not occur in play.
    fn plausible_move(&self, _: &mut Rng) -> Option<Self::Move> {
        None
    }

    /// Calls back with each move that a search orders, and its features. `_line` has the moves before, in order.
    fn each_ordered_move(&self, _line: &[Self::Move], _add: &mut dyn FnMut(Self::Move, &[usize])) {}

    /// The network's input for the position.
    fn network_input(&self) -> NetworkInput {
        NetworkInput::default()
    }
}

/// Layers of weights: rows; the local layer and its biases; the hidden layer, its biases and the features' part in them; the
/// last layer, the features' part in the value, and its bias.
pub const LAYERS: usize = 9;
/// The divisor of the local layer's outputs on their way to the hidden layer.
pub const OUTWARD_SHARE: i32 = 4;

/// The number of weights in layers of these sizes.
#[must_use]
pub const fn count_weights(layers: [usize; LAYERS]) -> usize {
    let (mut sum, mut layer) = (0, 0);
    while layer < LAYERS {
        sum += layers[layer];
        layer += 1;
    }
    sum
}

/// The size of a network, and the layout of its weights.
#[derive(Clone, Copy, Debug)]
pub struct NetworkShape {
    /// The index of its first weight; they come after all others.
    pub first: usize,
    /// The number of weights in each layer.
    pub layers: [usize; LAYERS],
    /// The denominators of the weights of each layer; those of the last three are parts of a value.
    pub parts: [i32; LAYERS],
    /// The length of a point's vector in a view. It and the hidden layer are 16 and 32, or 32 and 16.
    pub width: usize,
    /// Outputs of the hidden layer.
    pub hidden: usize,
    /// Outputs of the local layer; 0 without regions.
    pub local: usize,
    /// The approximate number of rows of a point in a view.
    pub rows: usize,
    /// The divisor of sums on their way to the hidden layer.
    pub share: i32,
    /// The divisor of a region's sums on their way to the local layer.
    pub local_share: i32,
}

/// A network's input for a position.
#[derive(Clone, Debug, Default)]
pub struct NetworkInput {
    /// Whether the first player is to move.
    pub is_first: bool,
    /// The boolean features that hold, as bits.
    pub features: u32,
    /// The rows of all points: for each point the rows in the view of the side to move, then as many in the other side's.
    pub rows: Vec<u16>,
    /// The share of the output that counts.
    pub share: f32,
    /// Points, equal ones as one: the number of rows in a view, and the number of equal points. A region's are consecutive.
    pub points: Vec<(u16, u16)>,
    /// The number of `points` in each region; empty without a local layer.
    pub regions: Vec<u16>,
}
