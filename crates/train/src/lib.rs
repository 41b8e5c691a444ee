//! Evaluations that are learned: games of an engine against itself, and weights fitted to them.
//!
//! A game takes part by naming the features of its positions ([`tesuji_core::learned`]).
//!
//! - [`mod@learner`]: the games that learn, with their types erased.
//! - `play`: self-play. Each position keeps what its search found; some moves are random, for variety. `selfplay` plays on
//!   several threads.
//! - [`records`]: the format of such games, a few bytes a position; `files` reads and writes files of them.
//! - `replay`: what fits read of games, whatever the type of position.
//! - `samples`: which positions of the games are used, and `targets`: what their values are to predict.
//! - [`mod@fit`]: what to fit and how, and what came out. `data` divides the games into those learned from and those held out;
//!   `optimiser` is the loop of every fit: stochastic gradient descent over the games, read anew for each epoch.
//! - `evaluation`, `moves` and `correction` are fitted by it: the sum of weights, the order in which moves are tried, and the
//!   small `network` that corrects the sum. Phases of a game share weights by `sharing`.
//! - `chances` has the curve from values to probabilities, `chart` draws the learning curve.

mod adam;
mod chances;
mod chart;
mod checkpoint;
mod correction;
mod data;
mod evaluation;
mod files;
pub mod fit;
pub mod learner;
mod moves;
mod network;
mod optimiser;
mod phases;
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
pub use fit::{Epoch, Fit, Fitted, Heard, Phase, Start};
pub use learner::{Learner, learner};
pub use play::SelfPlay;
pub use records::{Header, Ply, Record};
pub use samples::Games;
pub use selfplay::play;

use replay::ReplayOf;
use targets::Targets;
