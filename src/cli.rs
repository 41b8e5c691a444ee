//! The command line: reads arguments, calls the library, prints. It contains no other logic.

mod analyze;
mod arguments;
mod bench;
mod book;
mod convert;
mod error;
mod explain;
mod export;
mod game;
mod gomocup;
mod healthcheck;
mod input;
mod key;
mod matches;
#[cfg(feature = "mcp")]
mod mcp;
mod nboard;
mod packaging;
mod perft;
mod play;
#[cfg(target_arch = "x86_64")]
mod processor;
mod puzzles;
mod review;
mod searcher;
mod serve;
mod terminal;
mod ucci;
mod uci;
mod words;

use std::fmt::Display;
use std::fs;
use std::io::{Write as _, stderr};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use tesuji_core::catalog::Catalog;
use tesuji_core::custom::guarded;

use self::error::CommandError;

/// A game-AI service: a game state and a budget go in, the chosen move and statistics for every child come out.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Searching<serve::Arguments>,
}

/// The arguments of a command that searches, and the weights of its searches.
#[derive(Debug, clap::Args)]
struct Searching<A: clap::Args> {
    #[command(flatten)]
    arguments: A,
    /// Replace a game's built-in weights with a file written by `tesuji-train fit`, which names its game, or with none:
    /// `zero:GAME`. Can be repeated.
    #[arg(long, value_name = "FILE")]
    weights: Vec<String>,
}

impl<A: clap::Args> Searching<A> {
    /// Runs the command with its weights.
    fn run(&self, command: impl FnOnce(&A) -> Result<(), CommandError>) -> Result<(), CommandError> {
        let replaced = Catalog::standard().replace_weights(&self.weights, |file| fs::read(file));
        replaced.map_err(|problem| CommandError::refused(format_args!("--weights, {problem}")))?;
        command(&self.arguments)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the HTTP API (the default).
    Serve(Box<Searching<serve::Arguments>>),
    /// Serve the games as tools for language models (MCP), on standard input and output.
    #[cfg(feature = "mcp")]
    Mcp(Box<Searching<mcp::Arguments>>),
    /// Search a position and print the chosen move with statistics for every child.
    #[command(visible_alias = "analyse")]
    Analyze(Searching<analyze::Arguments>),
    /// Explain a move: its class, its loss compared to the best move, and the reasons.
    Explain(Searching<explain::Arguments>),
    /// Review a whole game, move by move.
    Review(Box<Searching<review::Arguments>>),
    /// Convert a game record between formats (SGF, PGN, GGF and others).
    Convert(convert::Arguments),
    /// Play against an engine in the terminal.
    Play(Searching<play::Arguments>),
    /// Count the lines of play from a position, depth by depth (perft).
    Perft(perft::Arguments),
    /// Play a match between two engines and print the difference in strength (Elo, SPRT).
    Match(Box<Searching<matches::Arguments>>),
    /// Play Gomoku over the Gomocup protocol, on standard input and output.
    Gomocup(Searching<gomocup::Arguments>),
    /// Play Reversi over the NBoard protocol, on standard input and output.
    Nboard(Searching<nboard::Arguments>),
    /// Create and check your own games.
    Game(game::Arguments),
    /// Check whether a running server is ready.
    Healthcheck(Box<healthcheck::Arguments>),
    /// Create an API key for a client.
    Key(key::Arguments),
    /// Measure every engine on fixed positions (about 30 seconds).
    Bench(Searching<bench::Arguments>),
    /// Compute an opening book.
    Book(book::Arguments),
    /// Generate puzzles from self-play, or verify the puzzles in a file.
    Puzzles(Box<Searching<puzzles::Arguments>>),
    /// Play Xiangqi over UCI, for boards and match tools.
    Uci(Searching<uci::Arguments>),
    /// Play Xiangqi over UCCI, for Chinese user interfaces.
    Ucci(Searching<ucci::Arguments>),
    /// Write the web page and its engine as files for any web server.
    Export(export::Arguments),
    /// Print a shell's completion script.
    Completions(packaging::CompletionsArguments),
    /// Write the manual pages, one per command.
    Manual(packaging::ManualArguments),
}

/// Runs the program.
pub fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    if !processor::suffices() {
        print_stderr(format_args!("tesuji: {}", processor::TOO_OLD));
        return ExitCode::FAILURE;
    }
    // `ArgMatches` distinguishes given values from defaults.
    let matches = CommandLine::command().get_matches();
    let CommandLine { command, serve } = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let given = matches.subcommand().map_or(&matches, |(_, given)| given);
    let run = || match command.unwrap_or(Command::Serve(Box::new(serve))) {
        Command::Serve(searching) => searching.run(|arguments| serve::run(arguments, given)),
        #[cfg(feature = "mcp")]
        Command::Mcp(searching) => searching.run(|arguments| mcp::run(arguments, given)),
        Command::Healthcheck(arguments) => healthcheck::run(&arguments, given),
        Command::Key(arguments) => key::run(&arguments),
        Command::Analyze(searching) => searching.run(analyze::run),
        Command::Explain(searching) => searching.run(explain::run),
        Command::Review(searching) => searching.run(review::run),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Play(searching) => searching.run(play::run),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Match(searching) => searching.run(matches::run),
        Command::Game(arguments) => game::run(&arguments),
        Command::Gomocup(searching) => searching.run(gomocup::run),
        Command::Nboard(searching) => searching.run(nboard::run),
        Command::Bench(searching) => searching.run(bench::run),
        Command::Book(arguments) => book::run(&arguments),
        Command::Puzzles(searching) => searching.run(puzzles::run),
        Command::Uci(searching) => searching.run(uci::run),
        Command::Ucci(searching) => searching.run(ucci::run),
        Command::Export(arguments) => export::run(&arguments),
        Command::Completions(arguments) => packaging::completions(&arguments, CommandLine::command()),
        Command::Manual(arguments) => packaging::manual(&arguments, CommandLine::command()),
    };
    match guarded(run).unwrap_or_else(|fault| Err(CommandError::failed(fault))) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe, as `head` does.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            print_stderr(format_args!("tesuji: {error}"));
            error.code()
        }
    }
}

/// Stack size of a search thread, in bytes: enough for the deepest recursion of any game.
const STACK: usize = 16 << 20;

/// Runs a command on this many threads, or on all cores.
fn on_threads<R: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> Result<R, CommandError> + Send,
) -> Result<R, CommandError> {
    let threads = threads.map_or(0, usize::from); // 0: one for each core
    rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?.install(work)
}

/// Writes a line to standard error. `eprintln!` would panic if it is closed.
fn print_stderr(line: impl Display) {
    drop(writeln!(stderr(), "{line}"));
}
