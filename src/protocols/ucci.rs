//! UCCI, the Universal Chinese Chess Protocol, version 3.0, of Xiangqi's engines and interfaces in China.
//!
//! `engine` executes the commands of an interface; `go` holds what may follow that command.
//! What it shares with UCI is in `xiangqi`, and so is the side that has another program play.

mod engine;
mod go;

pub use engine::serve;
