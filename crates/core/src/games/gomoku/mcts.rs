//! Monte-Carlo tree search for Gomoku: the generic one, on positions with a board of codes.

mod playout;

pub use playout::CodePlayout;
