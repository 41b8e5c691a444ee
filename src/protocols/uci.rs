//! UCI, the Universal Chess Interface (Kahlen and Meyer-Kahlen 2000), for Xiangqi.
//!
//! `engine` executes the commands of a board; `go` holds what may follow that command, `info` writes what a search has found,
//! `running` waits for its best move. `player` has another program play.

mod engine;
mod go;
mod info;
mod player;
mod rating;
mod running;

pub use engine::serve;
pub(super) use player::Player;
