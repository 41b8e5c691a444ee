//! Monte-Carlo tree search on Connect Four: tesuji beside its peers, taking turns in one run.
//!
//! - Seconds are seconds on a processor, since every program runs on one thread: waiting for a busy machine costs nobody. What
//!   remains (shared caches, clock rates) slows all programs in a round. So the ratios within a run mean something; seconds of
//!   different runs must not be compared.
//! - Every search has a process of its own, because the small allocations of a search scatter the heap for the next one:
//!   `minimax` was 1.7 times slower by the clock in the fifth round of a shared process than in the first.

mod connect_four;
mod peers;

use std::error::Error;
use std::process::{Command, Stdio};

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use cpu_time::ProcessTime;

/// Simulations per second on 7x6 Connect Four from the empty board, uniform random playouts, one thread.
#[derive(Parser)]
struct Options {
    /// How often each program takes its turn; the table shows medians.
    #[arg(long, default_value_t = 5, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    rounds: usize,
    /// Simulations per search.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    simulations: u32,
    /// Make a single search, by the program in this row of the table (from 0), and print its CPU seconds: what each turn runs.
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(..peers::ALL.len() as u64))]
    row: Option<usize>,
    /// The seed of that single search.
    #[arg(long, default_value_t = 0, requires = "row")]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some(row) = options.row {
        let start = ProcessTime::now();
        (peers::ALL[row].search)(options.simulations, options.seed);
        println!("{}", start.elapsed().as_secs_f64());
        return Ok(());
    }
    let mut turns = peers::ALL.map(|_| Turns::default());
    for round in 0..options.rounds {
        for (row, turns) in turns.iter_mut().enumerate() {
            turns.first.push(search_apart(row, options.simulations, round)?);
            turns.again.push(search_apart(row, options.simulations, round)?);
        }
    }
    println!("{} rounds, {}", options.rounds, instructions());
    print_table("first search", options.simulations, turns.each_ref().map(|turns| spread(&turns.first)));
    print_table("the same again", options.simulations, turns.each_ref().map(|turns| spread(&turns.again)));
    Ok(())
}

/// The CPU seconds of a program's turns. A turn is two equal searches, told apart because either alone would be partial: the
/// first takes memory that a virtual machine may have to fetch back from its host, which costs huge pages, and so tesuji,
/// the most; the second takes what the first has just given back.
#[derive(Default)]
struct Turns {
    first: Vec<f64>,
    again: Vec<f64>,
}

/// The CPU seconds of one search in a fresh process. They are taken there, so the process's start is not among them.
fn search_apart(row: usize, simulations: u32, seed: usize) -> Result<f64, Box<dyn Error>> {
    let child = Command::new(std::env::current_exe()?)
        .args(["--row", &row.to_string()])
        .args(["--simulations", &simulations.to_string()])
        .args(["--seed", &seed.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    if !child.status.success() {
        return Err(format!("{}: {}", peers::ALL[row].name, child.status).into());
    }
    Ok(String::from_utf8(child.stdout)?.trim().parse()?)
}

/// What all programs of this binary were compiled for: the repository's cargo configuration asks for x86-64-v3, and cargo
/// finds it only when it runs inside the repository.
const fn instructions() -> &'static str {
    if cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "popcnt")) {
        "compiled for x86-64-v3"
    } else {
        "compiled for any processor of this kind, not for x86-64-v3"
    }
}

/// What is told of the CPU seconds that a program took.
struct Spread {
    least: f64,
    median: f64,
    most: f64,
}

fn spread(seconds: &[f64]) -> Spread {
    let mut seconds = seconds.to_vec();
    seconds.sort_by(f64::total_cmp);
    let (middle, last) = (seconds.len() / 2, seconds.len() - 1);
    // Of an even number, the mean of the two in the middle.
    Spread { least: seconds[0], median: f64::midpoint(seconds[middle], seconds[last - middle]), most: seconds[last] }
}

fn print_table(title: &str, simulations: u32, spreads: [Spread; peers::ALL.len()]) {
    println!("\n| {title} | simulations | CPU seconds, median (least to most) | simulations/s | tesuji's speed |");
    println!("|---|--:|--:|--:|--:|");
    for (peer, spread) in peers::ALL.iter().zip(&spreads) {
        let Spread { least, median, most } = spread;
        let speed = f64::from(simulations) / median;
        let ratio = median / spreads[0].median;
        println!(
            "| {:<29} | {simulations} | {median:.3} ({least:.3} to {most:.3}) | {speed:>7.0} | {ratio:.2}x |",
            peer.name
        );
    }
}
