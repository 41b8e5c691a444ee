//! The protocol of the Gomocup tournaments (Lastovicka's "Gomoku AI protocol").
//!
//! `engine` executes a manager's commands; `command` parses them, `board` has the stones, `limits` the limits of a move,
//! `swap2` the swap2 opening. `player` lets another program play.

mod board;
mod command;
mod engine;
mod limits;
mod player;
mod swap2;

pub use engine::serve;
pub(super) use player::Player;

/// The rules that a manager can set, and their numbers.
const RULES: [(&str, u64); 4] = [("freestyle", 0), ("standard", 1), ("renju", 4), ("caro", 8)];
