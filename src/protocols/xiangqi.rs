//! What UCI and UCCI, the two protocols of Xiangqi's programs, have in common.
//!
//! For the engine that a board talks to: `searcher` has the position and the searches, `info` writes what they find, `running`
//! waits for the best move, `words` reads
//! what follows `go`. For another program that plays: `line` has the moves in its notation, `offered` its
//! options.

mod info;
mod line;
mod offered;
mod running;
mod searcher;
mod words;

pub(super) use info::Dialect;
pub(super) use line::{Line, nodes, word_after};
pub(super) use offered::Offered;
pub(super) use running::{Running, Until};
pub(super) use searcher::{GAME, HASH, MOST_HASH, Searcher, Wanted, commands};
pub(super) use words::Words;
