//! UCI, the Universal Chess Interface (Kahlen and Meyer-Kahlen 2000), for Xiangqi.
//!
//! `engine` executes the commands of a board; `go` holds what may follow that command.
//! What it shares with UCCI is in `xiangqi`, and so is the side that has another program play.

mod engine;
mod go;
mod rating;

pub use engine::serve;
