//! The NBoard protocol, versions 1 and 2 (Welty), for Reversi.
//!
//! `engine` executes the commands of a board; `command` reads them, `game` has the game that they are about, `searcher` its
//! searches, and `running` what they write. `player` has another program play.

mod command;
mod engine;
mod game;
mod player;
mod running;
mod searcher;

pub use engine::serve;
pub(super) use player::Player;

/// The game that is played over this protocol.
const GAME: &str = "reversi";

/// The pass, as the game writes it and as the protocol does.
const PASS: [&str; 2] = ["pass", "PA"];

/// A move of the protocol's in the game's notation.
fn read_move(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "pa" => PASS[0].to_owned(),
        mv => mv.to_owned(),
    }
}

/// A move of the game's in the protocol's notation.
fn write_move(mv: &str) -> String {
    if mv == PASS[0] { PASS[1].to_owned() } else { mv.to_ascii_uppercase() }
}
