//! The trainer: plays an engine against itself and fits its evaluation to the games (docs/learning.md).

mod fit;
mod progress;
mod selfplay;

use std::fmt::Display;
use std::fs;
use std::io::{Write as _, stderr};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tesuji_core::catalog::Catalog;

/// Train Tesuji's evaluations by self-play
#[derive(Debug, Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Weights to use in place of the built-in ones: a file of `fit`, which names its game, or `zero:GAME`. Goes after the
    /// subcommand; can be repeated.
    #[arg(long, value_name = "FILE", global = true)]
    weights: Vec<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play an engine against itself and write the games to a file.
    Selfplay(selfplay::Arguments),
    /// Fit the weights of a game's evaluation to games of `selfplay`.
    Fit(fit::Arguments),
}

/// Why a command failed.
enum Failed {
    /// A retry fails again. The exit code is 2, as for clap's usage errors.
    Refused(String),
    /// A retry may succeed. The exit code is 1.
    Broken(String),
}

fn main() -> ExitCode {
    let CommandLine { command, weights } = CommandLine::parse();
    let replaced = Catalog::standard().replace_weights(&weights, |file| fs::read(file));
    let replaced = replaced.map_err(|problem| Failed::Refused(format!("--weights, {problem}")));
    let run = || match command {
        Command::Selfplay(arguments) => selfplay::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
    };
    let (problem, code) = match replaced.and_then(|()| run()) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failed::Refused(problem)) => (problem, ExitCode::from(2)),
        Err(Failed::Broken(problem)) => (problem, ExitCode::FAILURE),
    };
    log_line(format_args!("tesuji-train: {problem}"));
    code
}

/// Runs work on this many threads, or on all cores.
fn on_threads<R: Send>(threads: Option<u16>, work: impl FnOnce() -> Result<R, Failed> + Send) -> Result<R, Failed> {
    let threads = threads.map_or(0, usize::from); // 0: one for each core
    // Stacks suffice for the deepest recursion of any game.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(16 << 20).build();
    pool.map_err(|error| Failed::Broken(error.to_string()))?.install(work)
}

/// Writes a line to standard error. Unlike `eprintln!`, it does not panic when the other end is closed.
fn log_line(line: impl Display) {
    drop(writeln!(stderr(), "{line}"));
}
