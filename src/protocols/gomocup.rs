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

/// The rules that a manager may ask for, and their numbers.
const RULES: [(&str, u64); 4] = [("freestyle", 0), ("standard", 1), ("renju", 4), ("caro", 8)];
