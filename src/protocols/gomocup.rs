//! The protocol of the Gomocup tournaments (Lastovicka's "Gomoku AI protocol").
//!
//! `engine` executes the commands of a manager; `command` reads them, `board` has the stones, `limits` what a move may take,
//! `swap2` the opening of that name. `player` has another program play.

mod board;
mod command;
mod engine;
mod limits;
mod player;
mod swap2;

pub use engine::serve;
pub(super) use player::Player;
