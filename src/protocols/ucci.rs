//! UCCI 3.0, the Universal Chinese Chess Protocol of Chinese Xiangqi engines and interfaces.
//!
//! `engine` executes an interface's commands; `go` parses the command `go`. `xiangqi` has the parts shared with UCI, and the
//! side that lets another program play.

mod engine;
mod go;

pub use engine::serve;
