//! What UCI and UCCI, the two protocols of Xiangqi's programs, have in common.
//!
//! For the engine that a board talks to: `searcher` has the position and its search, `info` writes what it finds, `running`
//! waits for the best move, `words` reads what follows `go`. For another program: `player` has it play, `line` has the moves in
//! its notation, `offered` its options.

mod info;
mod line;
mod offered;
mod player;
mod running;
mod searcher;
mod words;

pub(super) use info::Dialect;
pub(super) use player::Player;
pub(super) use running::{Running, Until};
pub(super) use searcher::{GAME, HASH, MOST_HASH, Searcher, Wanted};
pub(super) use words::Words;
