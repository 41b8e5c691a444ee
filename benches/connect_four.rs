//! Connect Four's solver on one core: mean time and nodes for the score of a position, on Pascal Pons' six sets.
//! `cargo bench --bench connect_four -- [SET=COUNT,…]`, e.g. `L1_R3=20,L2_R2=500`; all positions without arguments.
//!
//! The sets are read from `../shared/data/connect-four`, or from the folder that `CONNECT_FOUR_SETS` names; every score is
//! compared with the set's. Times are CPU seconds of the search alone, with the table forgotten before each position, and
//! with it kept.

use std::path::PathBuf;

use cpu_time::ThreadTime;
use tesuji::games::Game;
use tesuji::games::connect_four::{ConnectFour, Oracle, Standard};

const SETS: [&str; 6] = ["L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3"];
/// Bytes of table: what Pons' program takes.
const MEMORY: u64 = 64 << 20;

fn main() {
    let folder = std::env::var_os("CONNECT_FOUR_SETS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/connect-four"), PathBuf::from);
    if !folder.is_dir() {
        println!("no test sets in {}", folder.display());
        return;
    }
    // Cargo passes `--bench` too.
    let asked = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect::<Vec<_>>().join(",");
    let asked: Vec<_> = asked.split(',').filter_map(|part| part.split_once('=')).collect();
    println!(
        "{:<6} {:>9} {:>14} {:>14} {:>14} {:>9}",
        "set", "positions", "µs, reset", "µs, kept", "nodes, reset", "M/s"
    );
    for set in SETS {
        let count = match asked.iter().find(|(name, _)| *name == set) {
            Some((_, count)) => count.parse().expect("SET=COUNT"),
            None if asked.is_empty() => usize::MAX,
            None => continue,
        };
        let text = std::fs::read_to_string(folder.join(format!("Test_{set}.txt"))).expect("the set can be read");
        let lines: Vec<_> = text.lines().filter_map(|line| line.split_once(' ')).take(count).collect();
        let (reset, nodes) = run(&lines, true);
        let (kept, _) = run(&lines, false);
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
}

/// Solves all positions; seconds and nodes in all.
fn run(lines: &[(&str, &str)], reset: bool) -> (f64, u64) {
    let mut oracle = Oracle::new(MEMORY);
    let mut seconds = 0.0;
    for (moves, score) in lines {
        let mut position = ConnectFour::<Standard>::start(&Default::default());
        position.replay(moves).expect("the moves are legal");
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
