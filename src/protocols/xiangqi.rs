//! Shared parts of UCI and UCCI, the two protocols of Xiangqi programs.
//!
//! For the engine: `searcher` has the position and its search, `info` writes its progress, `running` waits for the best move,
//! `words` parses the words after `go`. For another program: `player` lets it play, `line` has the moves in its notation,
//! `options` its options.

mod info;
mod line;
mod options;
mod player;
mod running;
mod searcher;
mod words;

pub(super) use info::Dialect;
pub(super) use player::Player;
pub(super) use running::{Running, Until};
pub(super) use searcher::{GAME, HASH, MOST_HASH, SearchParameters, Searcher};
pub(super) use words::Words;
