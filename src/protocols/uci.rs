//! UCI, the Universal Chess Interface (Kahlen and Meyer-Kahlen 2000), for Xiangqi.
//!
//! `engine` executes a board's commands; `go` parses the command `go`. `xiangqi` has the parts shared with UCCI, and the side
//! that lets another program play.

mod engine;
mod go;
mod rating;

pub use engine::serve;
