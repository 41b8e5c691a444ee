//! `tesuji puzzles`: generates puzzles from self-play, and verifies them.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tesuji::puzzles::{self, MOST_PLIES, Maker, Progress, Proof};
use tesuji_core::catalog::Catalog;
use tesuji_core::parallel;
use tesuji_core::rng::Rng;

use super::arguments::{GameArguments, OwnGames};
use super::{CommandError, on_threads, print_stderr};

/// Options of `puzzles`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    own: OwnGames,
    /// Number of puzzles to generate.
    #[arg(long, value_name = "N", default_value_t = 60)]
    count: usize,
    /// Maximum number of games to play.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    most_games: u64,
    /// Generate wins within this many plies (`MAX` or `MIN-MAX`), proven by full-width search. Without this option, an engine
    /// proves the exact result of every move, which needs positions near the end of a game.
    #[arg(long, value_parser = read_plies)]
    plies: Option<Plies>,
    /// Number of positions to consider per game, counted from its end.
    #[arg(long, value_name = "N", default_value_t = 12)]
    last: usize,
    /// Maximum nodes to prove one move; unused with `--plies`.
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    nodes: u64,
    /// Seed: equal seeds give equal puzzles (default: random).
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The file to write, instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Verify the puzzles in a file instead of generating any.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "plies", "count", "seed"])]
    check: Option<PathBuf>,
    /// Threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Plies {
    least: u32,
    most: u32,
}

fn read_plies(text: &str) -> Result<Plies, String> {
    let (least, most) = text.split_once('-').unwrap_or(("1", text));
    let plies = least.parse().ok().zip(most.parse().ok()).map(|(least, most)| Plies { least, most });
    let in_order = |plies: &Plies| (1..=plies.most).contains(&plies.least) && plies.most <= MOST_PLIES;
    plies.filter(in_order).ok_or_else(|| format!("expected a number from 1 to {MOST_PLIES}, or a range such as 3-5"))
}

/// Generates puzzles, or verifies those of a file.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.own.catalog()?;
    on_threads(arguments.threads, || match &arguments.check {
        Some(file) => check(arguments, &catalog, file),
        None => make(arguments, &catalog),
    })
}

fn make(arguments: &Arguments, catalog: &Catalog) -> Result<(), CommandError> {
    let variant: Value = arguments.game.open(catalog)?.view().variant;
    let proof = match arguments.plies {
        Some(Plies { least, most }) => Proof::Within { least, most },
        None => Proof::Exact { nodes: arguments.nodes },
    };
    let (game, seed) = (arguments.game.name(catalog), arguments.seed.unwrap_or_else(Rng::fresh_seed));
    let maker = Maker { catalog, game, variant: &variant, proof, last: arguments.last, seed };
    let report =
        |Progress { games, made }| print_stderr(format_args!("{games} games, puzzles by difficulty: {made:?}"));
    let made = maker.make(arguments.count, arguments.most_games, report)?;
    let text = puzzles::write(&made)?;
    let Some(file) = &arguments.out else { return Ok(stdout().write_all(text.as_bytes())?) };
    fs::write(file, text).map_err(|error| CommandError::failed(format_args!("{}: {error}", file.display())))
}

fn check(arguments: &Arguments, catalog: &Catalog, file: &Path) -> Result<(), CommandError> {
    let at_file =
        |problem: &dyn std::fmt::Display| CommandError::refused(format_args!("{}: {problem}", file.display()));
    let bytes = fs::read(file).map_err(|error| at_file(&error))?;
    let puzzles = puzzles::read(&bytes).map_err(|error| at_file(&error))?;
    let count = puzzles.len();
    let checked = parallel::map(puzzles, |puzzle| puzzle.check(catalog, arguments.nodes));
    checked.into_iter().collect::<Result<(), String>>().map_err(|problem| at_file(&problem))?;
    Ok(writeln!(stdout(), "{count} puzzles verified")?)
}
