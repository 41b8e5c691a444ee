//! The parameters of a fit, its progress and its result.

use serde::{Deserialize, Serialize};

use crate::chances::Chances;
use crate::phases::Phase;

/// Parameters of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Passes over all positions.
    pub epochs: u32,
    /// Initial learning rate: the step of a frequent feature's weight per batch. It falls to zero over the fit.
    pub rate: f64,
    /// Share of the search's value in a position's target; the rest is the game's result.
    pub expected: f64,
    /// λ of TD(λ) (Sutton 1988): weight of the next position's expectation in a position's own, and so on up to the result. 0
    /// uses only the position's search.
    #[serde(default)]
    pub lambda: f64,
    /// The share of games held out.
    pub validation: f64,
    /// Strength that holds each weight at its start, as a number of positions in which its feature occurs once.
    pub held: f64,
    /// Weight with which a position also counts for the phases before and after its own.
    #[serde(default)]
    pub shared: f64,
    /// Weight decay of the network: each batch reduces a weight by this share, times the rate.
    #[serde(default)]
    pub decay: f64,
    /// Fixed width of the logistic from values to points; by default the width that suits the current weights best.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Initial weights.
    pub start: Start,
    /// Fits the move ordering to the best moves found by searches, in place of the evaluation.
    #[serde(default)]
    pub moves: bool,
    /// Fits the network that corrects the evaluation, in place of the evaluation.
    #[serde(default)]
    pub network: bool,
    /// Seed for the choice of held-out games, the order of the others, and the random weights of a network.
    pub seed: u64,
}

/// Initial weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Zero; for a network, small random weights.
    Zero,
    /// The current weights.
    Current,
}

/// A pass over all positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean error of the training positions, each before its batch moved the weights: squared points in games played for
    /// points, else negative log-likelihood.
    pub training: f64,
    /// Mean error of the held-out positions, after the epoch.
    pub validation: f64,
}

/// The result of a fit.
#[derive(Clone, Debug, Default)]
pub struct Fitted {
    /// The weights, rounded.
    pub weights: Vec<i32>,
    /// Number of training positions.
    pub positions: u64,
    /// Number of held-out positions.
    pub held_out: u64,
    /// Number of features that occur in the training positions; for a network, of its weights.
    pub features: usize,
    /// Mean errors of the held-out positions, with the current weights and with the new ones.
    pub errors: [f64; 2],
    /// Share of held-out positions whose best move is ordered first, with the current weights and with the new ones; only for
    /// a fit of the move ordering.
    pub first: Option<[f64; 2]>,
    /// The curve from values to chances, with the current weights and with the new ones; only for a fit of the evaluation, and
    /// not in games played for points.
    pub chances: Option<[Chances; 2]>,
    /// All epochs.
    pub epochs: Vec<Epoch>,
    /// Prediction of the held-out positions by phase of the game; only for a fit of the evaluation.
    pub phases: Vec<Phase>,
}

/// The progress of a fit.
pub enum Progress<'a> {
    /// Selecting positions: games done, and games in total.
    Choosing(u64, u64),
    /// Training: the number of the epoch, positions done, and positions in total.
    Learning(u32, u64, u64),
    /// An epoch has ended; the function returns the bytes of a checkpoint.
    Done(&'a Epoch, &'a dyn Fn() -> Vec<u8>),
}

/// Receives progress, and returns whether to continue.
pub type OnProgress<'a> = dyn FnMut(Progress<'_>) -> bool + 'a;
