//! Fitting weights to games (Österlund's "Texel tuning", 2014, by stochastic gradient descent).
//!
//! Errors are measured on held-out games only. Results alone are poor targets: a result is one bit for a whole game, most of it
//! chance (docs/measurements/xiangqi.jsonl, "weights fitted to results alone").

use serde::{Deserialize, Serialize};

use crate::chances::Chances;
use crate::data::Data;
use crate::replay::Replay;
use crate::samples::Games;
use crate::{correction, evaluation, moves};

pub use crate::phases::Phase;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Passes through all positions.
    pub epochs: u32,
    /// How far a batch moves the weight of a frequent feature at first; the last batch moves it hardly at all.
    pub rate: f64,
    /// How much of the target is what the search of a position expected; the rest is the game's result.
    pub expected: f64,
    /// How much of what was expected of a position is what was expected of the next one of its game, and so on to the result
    /// (TD(λ), Sutton 1988): 0 for the position's own search alone.
    #[serde(default)]
    pub lambda: f64,
    /// The share of games held out.
    pub validation: f64,
    /// Each weight is held at its start as strongly as by so many positions in which its feature occurs once.
    pub held: f64,
    /// How much a position counts for the phases before and after its own, whose weights are fitted to it as well.
    #[serde(default)]
    pub shared: f64,
    /// How much of the rate each batch takes from the weights of a network (decay).
    #[serde(default)]
    pub decay: f64,
    /// The width of the logistic from values to points, where it is not to be the one that suits the weights in force best.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Where weights start.
    pub start: Start,
    /// Whether the order of moves is fitted, to the moves that searches found best, in place of the evaluation.
    #[serde(default)]
    pub moves: bool,
    /// Whether the network that corrects the evaluation is fitted, in place of the evaluation.
    #[serde(default)]
    pub network: bool,
    /// What decides which games are held out, and the order of the others.
    pub seed: u64,
}

/// Where weights start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// At zero.
    Zero,
    /// At the weights in force.
    Current,
}

/// A pass through all positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean error of the positions learned from, each before it moved the weights; in games played for points squared points,
    /// else the negative logarithm of the likelihood.
    pub training: f64,
    /// Mean error of the positions held out, after the epoch.
    pub validation: f64,
}

/// What was fitted.
#[derive(Clone, Debug, Default)]
pub struct Fitted {
    /// The weights, rounded.
    pub weights: Vec<i32>,
    /// Positions learned from.
    pub positions: u64,
    /// Positions held out.
    pub held_out: u64,
    /// Features that occur in the positions learned from.
    pub features: usize,
    /// Mean errors of the positions held out, with the weights in force and with the new ones.
    pub errors: [f64; 2],
    /// How often the best move comes first in the positions held out, with the weights in force and with the new ones, where
    /// the order of moves was fitted.
    pub first: Option<[f64; 2]>,
    /// Where values become chances, with the weights in force and with the new ones; none in games played for points.
    pub chances: Option<[Chances; 2]>,
    /// All epochs.
    pub epochs: Vec<Epoch>,
    /// The positions held out, by plies played.
    pub phases: Vec<Phase>,
}

/// What a fit tells of its progress.
pub enum Heard<'a> {
    /// So many games of so many have been looked through for positions.
    Choosing(u64, u64),
    /// So many positions of so many have been learned from in an epoch of this number.
    Learning(u32, u64, u64),
    /// An epoch is over; the function gives the bytes of a checkpoint.
    Done(&'a Epoch, &'a dyn Fn() -> Vec<u8>),
}

/// Who hears of progress, and says whether to go on.
pub type Hear<'a> = dyn FnMut(Heard<'_>) -> bool + 'a;

/// Fits weights to games. `checkpoint` is what an interrupted fit has left.
///
/// # Errors
/// When a game cannot be read or replayed, no position can be used, the checkpoint is another fit's, or the fit was broken off.
pub fn fit(
    replay: &dyn Replay,
    games: &mut dyn Games,
    plan: &Fit,
    checkpoint: Option<&[u8]>,
    hear: &mut Hear<'_>,
) -> Result<Fitted, String> {
    let data = Data::choose(replay, games, plan, hear)?;
    let fit = match plan {
        Fit { moves: true, .. } => moves::fit,
        Fit { network: true, .. } => correction::fit,
        _ => evaluation::fit,
    };
    fit(data, checkpoint, hear)
}
