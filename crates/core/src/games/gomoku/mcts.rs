//! Monte-Carlo tree search for Gomoku: the generic search, on positions with a board of codes.

mod playout;

pub use playout::CodePlayout;
