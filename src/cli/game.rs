//! `tesuji game`: tools for authors of games.

#[cfg(feature = "own-games")]
mod check;
mod new;

use super::CommandError;

/// Options of `game`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Create a folder with a small working game to start from.
    New(new::Arguments),
    /// Check a game's file, and measure its speed.
    #[cfg(feature = "own-games")]
    Check(check::Arguments),
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    match &arguments.command {
        Command::New(arguments) => new::run(arguments),
        #[cfg(feature = "own-games")]
        Command::Check(arguments) => check::run(arguments),
    }
}
