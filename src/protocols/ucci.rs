//! UCCI, the Universal Chinese Chess Protocol, version 3.0, of Xiangqi's engines and interfaces in China.
//!
//! `engine` executes the commands of an interface; `go` holds what may follow that command. `player` has another program play.
//! What it shares with UCI is in `xiangqi`.

mod engine;
mod go;
mod player;

pub use engine::serve;
pub(super) use player::Player;
