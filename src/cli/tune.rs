//! `tesuji tune`: fits the weights of a game's evaluation, and writes the file that holds them.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use indicatif::ProgressBar;
use tesuji_core::catalog::Catalog;
use tesuji_core::search::alpha_beta::{Chances, Effort};

use super::Failed;

/// Options of `tune`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game.
    #[arg(value_parser = PossibleValuesParser::new(Catalog::standard().names()))]
    game: String,
    /// Games to play, each from a random opening.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Nodes of each search.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random plies at the beginning of each game.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100))]
    opening: u32,
    /// Passes through all positions.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// How much what the search of a position expected counts in what is reported: 0, only its game's result; 1, only the
    /// search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.6, value_parser = share)]
    expected: f64,
    /// Seed of openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where the weights are written; without it, to standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Plays, fits, writes.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let Arguments { games, nodes, opening, epochs, expected, seed, .. } = *arguments;
    let effort = Effort { games, nodes, opening, epochs, expected, seed };
    let bar = ProgressBar::new(games);
    let tuned = super::on_threads(None, || {
        Ok(Catalog::standard().tune(&arguments.game, &effort, &mut |played, _| bar.set_position(played)))
    })?;
    bar.finish_and_clear();
    let Some(tuned) = tuned else { return Err(format!("{} has no weights to fit", arguments.game).into()) };
    let command = format!(
        "tesuji tune {} --games {games} --nodes {nodes} --opening {opening} --epochs {epochs} --expected {expected} --seed {seed}",
        arguments.game
    );
    let [before, after] = tuned.errors;
    eprintln!("{} positions, mean error {before:.4} before and {after:.4} after", tuned.positions);
    for (weights, chances) in ["in force", "new"].into_iter().zip(tuned.chances) {
        let Chances { even, spread } = chances;
        eprintln!(
            "chances, weights {weights}: a draw likeliest within {even:.0} of zero, logistic of width {spread:.0}"
        );
    }
    let text = format!("# {command}: {} positions\n{}", tuned.positions, tuned.text);
    match &arguments.output {
        Some(path) => std::fs::write(path, text).map_err(|error| format!("--output, {}: {error}", path.display()))?,
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}
