//! Learning from games: files of games and checkpoints, self-play on several threads, learning curves.
//!
//! What is played and how weights are fitted is `tesuji_core::learning`; here are the files and threads that it needs.

mod chart;
mod files;
mod selfplay;

pub use chart::chart;
pub use files::{GameFiles, GameWriter, replace};
pub use selfplay::play;
