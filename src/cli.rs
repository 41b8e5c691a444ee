//! The command line: reads arguments, calls the library, prints. No logic of its own.

mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A game-AI service: a game state and a budget go in, the chosen move and statistics for every child come out.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the HTTP API (what a bare `tesuji` does).
    Serve(serve::Arguments),
}

/// Why a command failed, in words for the terminal.
type Failed = Box<dyn std::error::Error>;

/// Runs the program.
pub fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or_else(|| Command::Serve(serve::Arguments::default()));
    let result = match command {
        Command::Serve(arguments) => serve::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tesuji: {error}");
            ExitCode::FAILURE
        }
    }
}
