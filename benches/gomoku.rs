//! Gomoku on one core: random games per second, complete sets of renju's forbidden points per second, and public problems
//! solved by fours alone (where the public data is beside the checkout). `cargo bench --bench gomoku`, with `-- problems` these
//! alone. Other words after `--` ask for the alpha-beta search instead:
//!
//! - `claims 100`: a slow solver examines so many claims of wins; other numbers behind it are the seed and how often it may ask
//!   the search for a move where it does not find one itself.
//! - `vct`: public problems that threes win, at most a second each.
//! - `depth`: how deep a tenth of a second gets in `tests/data/gomoku_middlegames.jsonl`; `middlegames` prints such positions
//!   anew.
//! - `forced 300000`: of how many positions of `tests/data/gomoku_forced_wins.jsonl` so many nodes know who wins.
//!
//! Each figure of the first table is the best of several rounds, so that a noisy machine disturbs it least.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tesuji_core::games::Game;
use tesuji_core::games::gomoku::{CodePlayout, CodedPosition, Gomoku, GomokuVariant, Vcf, VcfAnswer};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::mcts::{Playout, Policy};

use problems::Problem;

type Board = Gomoku<88>;

const ROUNDS: usize = 5;

#[path = "../tests/it/gomoku/claims.rs"]
mod claims;
#[path = "../tests/it/gomoku/grid.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod grid;
#[path = "../tests/it/gomoku/problems.rs"]
mod problems;
#[path = "../tests/it/gomoku/proofs.rs"]
mod proofs;
#[path = "gomoku/searches.rs"]
mod searches;
#[path = "../tests/it/gomoku/slow.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod slow;
#[path = "../tests/it/gomoku/zone.rs"]
mod zone;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    match words.first().map(String::as_str) {
        Some("claims") => searches::examine_claims(
            number(1).unwrap_or(100) as usize,
            number(2).unwrap_or(1),
            number(3).unwrap_or(4000),
        ),
        Some("vct") => searches::solve_by_threes(),
        Some("depth") => searches::measure_depth(),
        Some("forced") => searches::see_forced_wins(number(1).unwrap_or(300_000)),
        Some("middlegames") => searches::print_middlegames(),
        Some("problems") => solve_problems(),
        _ => {
            speeds();
            solve_problems();
        }
    }
}

fn speeds() {
    println!("{:<32} {:>14}", "15x15", "per second");
    for name in ["freestyle", "standard", "caro", "renju"] {
        show(&format!("{name}, uniform playouts"), playouts(Policy::Uniform, name));
        show(&format!("{name}, decisive playouts"), playouts(Policy::Decisive, name));
    }
    show("renju, sets of forbidden points", forbidden_sets());
    let [stones, points] = pattern_updates();
    show("stones placed and taken back", stones);
    show("points whose patterns changed", points);
}

fn show(what: &str, figure: f64) {
    println!("{what:<32} {figure:>14.0}");
}

fn variant(name: &str) -> GomokuVariant {
    serde_json::from_str(&format!(r#"{{"name":"{name}"}}"#)).expect("the variant is valid")
}

/// Runs of `work`, counted in things done, per second.
fn rate(mut work: impl FnMut(u64) -> usize) -> f64 {
    let mut best = 0.0f64;
    for round in 0..ROUNDS {
        let (mut count, begin) = (0, Instant::now());
        while begin.elapsed() < Duration::from_millis(200) {
            count += work(round as u64);
        }
        best = best.max(count as f64 / begin.elapsed().as_secs_f64());
    }
    best
}

/// Whole games from the empty board.
fn playouts(policy: Policy, name: &str) -> f64 {
    let start = CodedPosition::new(&Board::start(&variant(name)));
    let (playout, mut rng) = (CodePlayout::default(), Rng::new(1, 0));
    rate(|_| {
        for _ in 0..200 {
            black_box(playout.finish(policy, start.clone(), &mut rng));
        }
        200
    })
}

/// Boards of random games, each judged on all its empty points. Random stones crowd as no player's do: the more there is to
/// evaluator.
fn forbidden_sets() -> f64 {
    let mut rng = Rng::new(2, 0);
    let mut boards = Vec::new();
    for _ in 0..50 {
        let mut position = Board::start(&variant("renju"));
        while position.outcome().is_none() {
            boards.push(position.clone());
            position.play(position.random_move(&mut rng));
        }
    }
    rate(|_| {
        black_box(boards.iter().map(|board| board.forbidden().count()).sum::<usize>());
        boards.len()
    })
}

/// Stones on the alpha-beta search's board of middle games, each placed and taken back, and the points whose patterns they
/// change.
fn pattern_updates() -> [f64; 2] {
    let boards: Vec<_> = searches::middlegames().iter().map(CodedPosition::new).collect();
    [0, 1].map(|which| rate(|_| boards.clone().iter_mut().map(|board| black_box(board.try_all())[which]).sum()))
}

/// Files of problems, and the rule to solve them under.
const PROBLEMS: [(&str, &str); 3] =
    [("vcf_freestyle", "freestyle"), ("vcf_renju", "renju"), ("vct_freestyle", "freestyle")];

/// What a search for fours may take: a second of a slow machine.
const POSITIONS: u64 = 1_000_000;

/// Solves each public problem anew, and tells how many are won, how many have no win by fours, and what that took.
fn solve_problems() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/gomoku");
    println!(
        "\n{:<14} {:<10} {:>9} {:>5} {:>9} {:>5} {:>8} {:>9} {:>8} {:>7}  slowest (ms)",
        "problems", "rule", "positions", "won", "shortest", "none", "unknown", "visited", "mean ms", "in 1 s"
    );
    for (file, rule) in PROBLEMS {
        let Ok(text) = std::fs::read_to_string(format!("{folder}/{file}.jsonl")) else {
            println!("{file}: the public data is not beside this checkout");
            continue;
        };
        let (mut won, mut shortest, mut none, mut unknown, mut visited) = (0, 0, 0, 0, 0);
        let (mut times, mut slowest) = (Vec::new(), (Duration::ZERO, String::new()));
        for line in text.lines().skip(1) {
            let problem = Problem::read(line);
            let position = Board::parse(&variant(rule), &problem.text()).expect("the position is one");
            let begin = Instant::now();
            let mut vcf = Vcf::new(4 << 20);
            let answer = black_box(vcf.find(&position, u8::MAX, POSITIONS, || true));
            times.push(begin.elapsed());
            slowest = slowest.max((begin.elapsed(), problem.id));
            visited += vcf.nodes();
            match answer {
                VcfAnswer::Win(line) => {
                    won += 1;
                    shortest += usize::from(problem.freestyle_vcf_plies == Some(line.len()));
                }
                VcfAnswer::None => none += 1,
                VcfAnswer::Unknown => unknown += 1,
            }
        }
        let millis = |time: Duration| 1000.0 * time.as_secs_f64();
        let mean = millis(times.iter().sum()) / times.len() as f64;
        let in_time = times.iter().filter(|time| **time < Duration::from_secs(1)).count();
        let (slowest, id) = (millis(slowest.0), slowest.1);
        println!(
            "{file:<14} {rule:<10} {:>9} {won:>5} {shortest:>9} {none:>5} {unknown:>8} {visited:>9} {mean:>8.3} {in_time:>7}  {id} ({slowest:.0})",
            times.len(),
        );
    }
}
