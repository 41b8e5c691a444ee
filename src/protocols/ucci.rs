//! UCCI 3.0, the Universal Chinese Chess Protocol of Chinese Xiangqi engines and interfaces.
//!
//! `engine` executes an interface's commands; `go` parses that command. `xiangqi` has what UCI shares, and the side that lets
//! another program play.

mod engine;
mod go;

pub use engine::serve;
