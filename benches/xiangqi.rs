//! Mates that Xiangqi's alpha-beta search should find:
//!
//! - `cargo bench --bench xiangqi -- found 400000`: how many of `tests/data/xiangqi_mates.jsonl` it proves with so many nodes.
//! - `cargo bench --bench xiangqi -- mates`: prints such positions anew.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Deserialize;
use tesuji_core::games::Game;
use tesuji_core::games::xiangqi::{Xiangqi, XiangqiSearcher};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::{Budget, Verdict, alone};

use solver::{Solver, is_mate};

#[path = "../tests/it/xiangqi/solver.rs"]
mod solver;

/// The lengths wanted, how many of each at most, and in all. Long ones are rare.
const LENGTHS: RangeInclusive<u32> = 3..=8;
const OF_EACH: usize = 45;
const POSITIONS: usize = 200;
/// How long a game may take.
const PLIES: usize = 240;
/// Positions that the solver may visit for each proof.
const PROOF: u64 = 2_000_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    match words.first().map(String::as_str) {
        Some("mates") => print_mates(number(1).unwrap_or(1)),
        _ => count_found(number(1).unwrap_or(400_000)),
    }
}

/// A line of the file.
#[derive(Deserialize)]
struct Mate {
    position: String,
    mate_in: u32,
}

/// What became of the mates of one length.
#[derive(Default)]
struct Row {
    mates: u32,
    found: u32,
    shortest: u32,
    nodes: u64,
}

/// Searches each position of the file with so many nodes.
fn count_found(nodes: u64) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/xiangqi_mates.jsonl");
    let text = std::fs::read_to_string(file).expect("the positions are part of the checkout");
    let budget = Budget { nodes: Some(nodes), memory: Some(64 << 20), ..Budget::default() };
    let mut table: BTreeMap<u32, Row> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let Mate { position: text, mate_in } = serde_json::from_str(line).expect("each line is a mate");
        let position = Xiangqi::parse(&Default::default(), &text).expect("the position is one");
        let report = alone(&AlphaBeta::<XiangqiSearcher>::default(), &position, budget, 1);
        let found = report.root.bounds.verdict() == Some(Verdict::Wins(position.turn()));
        if !found {
            println!("not found: {mate_in} moves: {text}");
        }
        let row = table.entry(mate_in).or_default();
        row.mates += 1;
        row.found += u32::from(found);
        row.shortest += u32::from(found && report.root.distance.is_some_and(|plies| plies < 2 * mate_in));
        row.nodes += report.nodes;
    }
    println!("{:<6} {:>6} {:>6} {:>9} {:>11}", "moves", "mates", "found", "shortest", "mean nodes");
    for (moves, row) in &table {
        let mean = row.nodes / u64::from(row.mates);
        println!("{moves:<6} {:>6} {:>6} {:>9} {mean:>11}", row.mates, row.found, row.shortest);
    }
    let sum = |value: fn(&Row) -> u64| table.values().map(value).sum::<u64>();
    let (mates, nodes) = (sum(|row| row.mates.into()), sum(|row| row.nodes));
    let (found, shortest) = (sum(|row| row.found.into()), sum(|row| row.shortest.into()));
    println!("{:<6} {mates:>6} {found:>6} {shortest:>9} {:>11}", "all", nodes / mates.max(1));
}

/// Prints mates for `count_found`, no two of one game.
fn print_mates(seed: u64) {
    let mut counts: BTreeMap<u32, usize> = LENGTHS.map(|length| (length, 0)).collect();
    for number in 0.. {
        let played = game(&mut Rng::new(seed, number));
        if !played.last().is_some_and(is_mate) {
            continue;
        }
        let mates = mates_of(&played);
        // The length that has been found least often.
        let wanted = mates.iter().filter(|(_, length)| counts[length] < OF_EACH);
        let Some((position, length)) = wanted.min_by_key(|(_, length)| counts[length]) else { continue };
        println!(r#"{{"position":"{position}","mate_in":{length}}}"#);
        counts.entry(*length).and_modify(|count| *count += 1);
        if counts.values().sum::<usize>() == POSITIONS {
            break;
        }
    }
}

/// A quick game from random moves on: its positions. One side may search many times as long as the other.
fn game(rng: &mut Rng) -> Vec<Xiangqi> {
    let mut position = Xiangqi::start(&Default::default());
    let mut played = vec![position.clone()];
    let random = 4 + rng.below(10) as usize;
    let nodes = [200 << rng.below(4), 200 << rng.below(4)];
    while position.outcome().is_none() && played.len() < PLIES {
        let mv = if played.len() < random {
            position.random_move(rng)
        } else {
            let nodes = Some(nodes[position.turn().index()]);
            let budget = Budget { nodes, memory: Some(1 << 20), ..Budget::default() };
            alone(&AlphaBeta::<XiangqiSearcher>::default(), &position, budget, 1).children[0].mv
        };
        position.play(mv);
        played.push(position.clone());
    }
    played
}

/// The positions of a game that ended by mate in which the winner had a longer one, from the game's end back, and its length.
/// They lose their past, as texts do.
fn mates_of(played: &[Xiangqi]) -> Vec<(Xiangqi, u32)> {
    let mut mates = Vec::new();
    for position in played.iter().rev().skip(1).step_by(2) {
        let position = Xiangqi::parse(&Default::default(), &position.to_string()).expect("it was printed");
        match Solver::new(PROOF).mate(&position, *LENGTHS.end()) {
            Ok(Some(length)) => mates.extend(LENGTHS.contains(&length).then_some((position, length))),
            // Before that, the winner did not know either.
            Ok(None) | Err(_) => break,
        }
    }
    mates
}
