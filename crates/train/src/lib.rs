//! Learned evaluations: self-play games, and weights fitted to them.
//!
//! A game takes part by naming the features of its positions ([`tesuji_core::learned`]).
//!
//! - [`mod@learner`]: the games with learned weights, type-erased.
//! - `play`: a game of self-play. Each position is stored with the result of its search; some moves are random, for variety.
//!   `selfplay` plays games on several threads.
//! - [`records`]: the format of game files, a few bytes per position; `files` reads and writes them.
//! - `replay`: the input of fits, extracted from games independently of the position type.
//! - `samples` and `choices`: the positions that models learn from; `targets`: what their values should predict.
//! - `plan`: the parameters and result of a fit; [`mod@fit`] is its entry. `data` divides the games into training and held-out
//!   games; `optimiser` is the loop of every fit: stochastic gradient descent over the games, which are read again in each
//!   epoch.
//! - `model`: the trait of models. `evaluation`, `moves` and `correction` implement it: the sum of weights, the move ordering,
//!   and the small `network` that corrects the sum. `sharing` smooths weights between phases of a game.
//! - `chances` is the curve from values to probabilities; `chart` draws the learning curve.

mod adam;
mod chances;
mod chart;
mod checkpoint;
mod choices;
mod correction;
mod data;
mod evaluation;
mod files;
pub mod fit;
pub mod learner;
mod model;
mod moves;
mod network;
mod optimiser;
mod phases;
mod plan;
mod play;
pub mod records;
mod replay;
mod samples;
mod selfplay;
mod sharing;
mod targets;

pub use chances::Chances;
pub use chart::chart;
pub use files::{GameFiles, GameWriter, replace};
pub use learner::{Learner, learner};
pub use phases::Phase;
pub use plan::{Epoch, Fit, Fitted, OnProgress, Progress, Start};
pub use play::SelfPlay;
pub use records::{Header, Ply, Record};
pub use samples::Games;
pub use selfplay::{PlayError, play};

use replay::ReplayOf;
use targets::Targets;
