//! `tesuji-train selfplay`: games of an engine against itself, for `fit`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use clap::builder::PossibleValuesParser;
use clap::value_parser;
use indicatif::HumanCount;
use serde_json::Value;
use tesuji_core::catalog::parse_parameters;
use tesuji_train::learner::names;
use tesuji_train::{GameWriter, PlayError, Ply, SelfPlay, learner, play};

use super::{Failed, log_line, on_threads, progress};

/// Options of `selfplay`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game.
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    game: String,
    /// The variant: `KEY=VALUE,…`, a name, `NAME:KEY=VALUE,…`, or JSON.
    #[arg(long, value_parser = parse_parameters)]
    variant: Option<Value>,
    /// Game file. A file made with the same options is continued, even after an interruption.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Games in the file at the end.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Node limit of each search.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), required_unless_present = "depth")]
    nodes: Option<u64>,
    /// Depth limit of each search, in plies.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Maximum number of random opening plies; each game draws a number from 0 to N.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(0..=100))]
    opening: u32,
    /// Maximum imbalance of an opening: winning minus losing chances in the game's first search. Openings beyond it are drawn
    /// again, up to 100 times.
    #[arg(long, value_name = "VALUE", value_parser = share)]
    balance: Option<f64>,
    /// Probability of a random move after the opening. Its position is searched too, so it keeps a label.
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = share)]
    random: f64,
    /// Draw random moves from the learned move order at this temperature: near 0 the likeliest move, 1 as searches choose
    /// (Gomoku, Hex). Uniform by default.
    #[arg(long, value_name = "T", value_parser = temperature)]
    temperature: Option<f64>,
    /// Games at once (default: one per core). The file does not depend on it.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed. Equal seeds and options give equal games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Reads a number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads a temperature.
fn temperature(text: &str) -> Result<f64, String> {
    let temperature = text.parse::<f64>().ok().filter(|temperature| (0.01..=100.0).contains(temperature));
    temperature.ok_or_else(|| "expected a number from 0.01 to 100".to_owned())
}

/// Plays the games and writes them to the output file.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let Arguments { games, nodes, depth, opening, balance, random, temperature, seed, .. } = *arguments;
    let settings = SelfPlay { nodes, depth, opening, balance, random, temperature, seed };
    let variants: Vec<Value> = arguments.variant.iter().cloned().collect();
    let learner = learner(&arguments.game, &variants).map_err(Failed::Refused)?;
    if temperature.is_some() && !learner.orders_moves() {
        return Err(Failed::Refused(format!("--temperature: {} has no learned move order", arguments.game)));
    }
    let refuse = |problem| Failed::Refused(format!("--output, {problem}"));
    let mut file = GameWriter::open(&arguments.output, &learner.header(&settings)).map_err(refuse)?;
    let before = file.games;
    let stop = Arc::new(AtomicBool::new(false));
    progress::stop_on_signal(&stop).map_err(|error| Failed::Broken(error.to_string()))?;
    let bar = progress::bar(games, "{bar:24} {pos}/{len} games  {elapsed} (about {eta} left)  {msg}");
    bar.set_position(before);
    bar.reset_eta();
    let (begin, searched) = (Instant::now(), AtomicU64::new(0));
    let positions = |more: u64| {
        let all = searched.fetch_add(more, Ordering::Relaxed) + more;
        format!("{} positions a second", progress::rate(all, begin.elapsed().as_secs_f64()))
    };
    on_threads(arguments.threads, || {
        play(&*learner, &settings, &mut file, games, &stop, &|record| {
            let labelled = record.plies.iter().filter(|ply| !matches!(ply, Ply::Drawn { .. }));
            bar.set_message(positions(labelled.count() as u64));
            bar.inc(1);
        })
        .map_err(|error| match error {
            PlayError::File(error) => Failed::Broken(format!("--output, {}: {error}", arguments.output.display())),
            PlayError::Game(problem) => Failed::Broken(problem),
        })
    })?;
    bar.finish_and_clear();
    let speed = positions(0);
    let (all, new) = (HumanCount(file.games), HumanCount(file.games - before));
    let searched = HumanCount(searched.into_inner());
    let output = arguments.output.display();
    log_line(format_args!("{output}: {all} games, {new} of them new; {searched} positions searched, {speed}"));
    Ok(())
}
