//! UCI, the Universal Chess Interface (Kahlen and Meyer-Kahlen 2000), for Xiangqi.
//!
//! `engine` executes the commands of a board; `go` holds what may follow that command. `player` has another program play.
//! What it shares with UCCI is in `xiangqi`.

mod engine;
mod go;
mod player;
mod rating;

pub use engine::serve;
pub(super) use player::Player;
