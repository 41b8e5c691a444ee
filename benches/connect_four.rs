//! Connect Four's solver: mean time and nodes for the score of a position, on Pascal Pons' six sets.
//! `cargo bench --bench connect_four -- [SET=COUNT,…]`, e.g. `L1_R3=20,L2_R2=500`; all positions without arguments. With
//! `threads=N` among them, each position is solved by so many threads, too, and times are seconds of the clock. `empty=MIB`
//! solves the empty board, with a table of so many MiB.
//!
//! The sets are read from `../shared/data/connect-four`, or from the folder that `CONNECT_FOUR_SETS` names; every score is
//! compared with the set's. Times are CPU seconds of the search alone, with the table forgotten before each position, and
//! with it kept.

use std::path::PathBuf;
use std::time::Instant;

use cpu_time::ThreadTime;
use tesuji_core::games::Game;
use tesuji_core::games::connect_four::{ConnectFour, Oracle, Standard};

const SETS: [&str; 6] = ["L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3"];
/// Bytes of table: what Pons' program takes.
const MEMORY: u64 = 64 << 20;

fn main() {
    // Cargo passes `--bench` too.
    let asked = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect::<Vec<_>>().join(",");
    let asked: Vec<_> = asked.split(',').filter_map(|part| part.split_once('=')).collect();
    let number = |name: &str| {
        let value = asked.iter().find(|(asked, _)| *asked == name).map(|(_, value)| value);
        value.map(|value| value.parse().expect("NAME=NUMBER"))
    };
    if let Some(memory) = number("empty") {
        return solve_the_empty_board(memory << 20);
    }
    let folder = std::env::var_os("CONNECT_FOUR_SETS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/connect-four"), PathBuf::from);
    if !folder.is_dir() {
        println!("no test sets in {}", folder.display());
        return;
    }
    let threads = number("threads").map(|threads| threads as u32);
    let all = asked.iter().all(|(name, _)| *name == "threads");
    match threads {
        Some(_) => println!("set    positions   µs, 1 thread    µs, threads     ratio     nodes"),
        None => println!("set    positions      µs, reset       µs, kept   nodes, reset       M/s"),
    }
    for set in SETS {
        let Some(count) = number(set).or(all.then_some(u64::MAX)) else { continue };
        let text = std::fs::read_to_string(folder.join(format!("Test_{set}.txt"))).expect("the set can be read");
        let lines: Vec<_> = text.lines().filter_map(|line| line.split_once(' ')).take(count as usize).collect();
        match threads {
            Some(threads) => beside_one_thread(set, &lines, threads),
            None => with_one_thread(set, &lines),
        }
    }
}

fn solve_the_empty_board(memory: u64) {
    let mut oracle = Oracle::new(memory);
    let begin = ThreadTime::now();
    let score = oracle.score(&ConnectFour::start(&Default::default()));
    let seconds = begin.elapsed().as_secs_f64();
    // Allen and Allis, 1988: the first player wins with its last stone.
    assert_eq!(score, Some(1));
    println!("empty board: {seconds:.1} s, {} nodes, {:.1} M/s", oracle.nodes(), oracle.nodes() as f64 / seconds / 1e6);
}

fn with_one_thread(set: &str, lines: &[(&str, &str)]) {
    let (reset, nodes) = run(lines, true);
    let (kept, _) = run(lines, false);
    let mean = |total: f64| total / lines.len() as f64;
    println!(
        "{set:<6} {:>9} {:>14.1} {:>14.1} {:>14.1} {:>9.1}",
        lines.len(),
        mean(1e6 * reset),
        mean(1e6 * kept),
        mean(nodes as f64),
        nodes as f64 / reset / 1e6
    );
}

/// Solves each position with one thread and with several, by turns; prints seconds of the clock, and nodes of several threads
/// over those of one.
fn beside_one_thread(set: &str, lines: &[(&str, &str)], threads: u32) {
    let mut oracles = [Oracle::new(MEMORY), Oracle::with_threads(MEMORY, threads)];
    let mut seconds = [0.0; 2];
    for (moves, score) in lines {
        let position = after(moves);
        for (oracle, seconds) in oracles.iter_mut().zip(&mut seconds) {
            oracle.forget();
            let begin = Instant::now();
            let found = oracle.score(&position);
            *seconds += begin.elapsed().as_secs_f64();
            assert_eq!(found, score.trim().parse().ok(), "{moves}");
        }
    }
    let [one, several] = seconds.map(|seconds| 1e6 * seconds / lines.len() as f64);
    let nodes = oracles[1].nodes() as f64 / oracles[0].nodes() as f64;
    println!("{set:<6} {:>9} {one:>14.1} {several:>14.1} {:>9.2} {nodes:>9.2}", lines.len(), one / several);
}

fn after(moves: &str) -> ConnectFour<Standard> {
    let mut position = ConnectFour::start(&Default::default());
    position.replay(moves).expect("the moves are legal");
    position
}

/// Solves all positions; seconds and nodes in all.
fn run(lines: &[(&str, &str)], reset: bool) -> (f64, u64) {
    let mut oracle = Oracle::new(MEMORY);
    let mut seconds = 0.0;
    for (moves, score) in lines {
        let position = after(moves);
        if reset {
            oracle.forget();
        }
        let begin = ThreadTime::now();
        let found = oracle.score(&position);
        seconds += begin.elapsed().as_secs_f64();
        assert_eq!(found, score.trim().parse().ok(), "{moves}");
    }
    (seconds, oracle.nodes())
}
