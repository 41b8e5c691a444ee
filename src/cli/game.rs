//! `tesuji game`: for authors of games.

mod new;

use super::Failed;

/// Options of `game`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a folder with a small working game, to be changed into another one.
    New(new::Arguments),
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    match &arguments.command {
        Command::New(arguments) => new::run(arguments),
    }
}
