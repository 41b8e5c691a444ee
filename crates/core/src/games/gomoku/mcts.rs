//! Monte-Carlo tree search for Gomoku: the generic one, on positions with a board of codes.

mod engine;
mod playout;

pub use engine::MonteCarlo;
pub use playout::CodePlayout;
