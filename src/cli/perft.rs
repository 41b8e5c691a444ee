//! `tesuji perft`: the number of lines of play to each depth, the classic check of a game's rules.

use std::io::{Write, stdout};
use std::time::Instant;

use super::arguments::{RecordedGame, parse_position};
use serde::Serialize;

use super::{CommandError, words};

/// Options of `perft`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: RecordedGame,
    /// Depth to count to, in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// The position in the game's notation (default: the start position).
    #[arg(long, allow_hyphen_values = true, value_parser = parse_position)]
    position: Option<String>,
    /// Print a line of JSON per depth.
    #[arg(long)]
    json: bool,
}

/// The number of lines of play to a depth.
#[derive(Serialize)]
struct Count {
    depth: u32,
    leaves: u64,
    seconds: f64,
}

/// Counts and prints, depth by depth.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.game.catalog()?;
    let game_start = arguments.game.read_start(&catalog, arguments.position.as_deref())?;
    let session = game_start.open(&catalog, &game_start.all_moves())?;
    let mut out = stdout().lock();
    if !arguments.json {
        writeln!(out, "{:>5} {:>20} {:>12} {:>10}", "depth", "leaves", "seconds", "leaves/s")?;
    }
    for depth in 1..=arguments.depth {
        let start = Instant::now();
        let leaves = session.perft(depth);
        let seconds = start.elapsed().as_secs_f64();
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string(&Count { depth, leaves, seconds })?)?;
            continue;
        }
        writeln!(out, "{depth:>5} {leaves:>20} {seconds:>12.6} {:>10}", words::rate(leaves, seconds))?;
    }
    Ok(())
}
