//! The NBoard protocol, versions 1 and 2 (Welty), for Reversi.
//!
//! `engine` executes a board's commands; `command` parses them, `game` has the current game, `searcher` its searches, and
//! `running` their output. `player` lets another program play.

mod command;
mod engine;
mod game;
mod player;
mod running;
mod searcher;

pub use engine::serve;
pub(super) use player::Player;

/// The game of this protocol.
const GAME: &str = "reversi";

/// A pass, in the game's notation and in the protocol's.
const PASS: [&str; 2] = ["pass", "PA"];

/// A move of the protocol in the game's notation.
fn read_move(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "pa" => PASS[0].to_owned(),
        mv => mv.to_owned(),
    }
}

/// A move of the game in the protocol's notation.
fn write_move(mv: &str) -> String {
    if mv == PASS[0] { PASS[1].to_owned() } else { mv.to_ascii_uppercase() }
}
