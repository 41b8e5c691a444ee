//! The alpha-beta search at work: whether what it claims to be won holds, how many problems with threes it wins, how deep it
//! gets.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tesuji_core::games::Game;
use tesuji_core::games::gomoku::Negamax;
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::{Budget, Control, Engine, Report, Signals, Task, alone};

use crate::claims::{Board, Claim, claims, nodes, played, variant};
use crate::problems::Problem;
use crate::proofs::Proof;

/// Bytes of table of each search.
const MEMORY: u64 = 64 << 20;

/// Positions that the proof of one claim may visit.
const BUDGET: u64 = 30_000;

/// By how many plies a win may be longer than claimed and still confirm that there is one.
const MORE: u32 = 40;

/// Examines so many claims of wins, and those that the solver neither confirms nor refutes itself by the search's advice: first
/// the length that is claimed, then that there is a win. Prints every claim that is refuted, and each that stays open.
pub fn examine_claims(count: usize, seed: u64, advice: u64) {
    let (mut counts, mut plies, mut times) = ([0; 5], [0; 5], [Duration::ZERO; 3]);
    let mut begin = Instant::now();
    for claim in claims(&["freestyle", "standard", "renju"], seed).take(count) {
        times[0] += std::mem::replace(&mut begin, Instant::now()).elapsed();
        let proof = claim.prove(BUDGET);
        times[1] += std::mem::replace(&mut begin, Instant::now()).elapsed();
        let advised = |more: u32| claim.prove_by_advice(more, advice) == Proof::Confirmed;
        let row = match proof {
            Proof::Confirmed => 0,
            Proof::Unknown if advised(0) => 1,
            Proof::Unknown if advised(MORE) => 2,
            Proof::Unknown => 3,
            Proof::Refuted => 4,
        };
        times[2] += std::mem::replace(&mut begin, Instant::now()).elapsed();
        match row {
            3 => println!("unknown: {claim}"),
            4 => println!("REFUTED: {claim}"),
            _ => {}
        }
        counts[row] += 1;
        plies[row] += claim.plies;
    }
    println!("{:<34} {:>6} {:>11}", "claims", "number", "mean plies");
    let rows = ["confirmed", "confirmed by advice", "the win confirmed, not its length", "unknown", "refuted"];
    for (row, name) in rows.into_iter().enumerate() {
        println!("{name:<34} {:>6} {:>11.1}", counts[row], f64::from(plies[row]) / f64::from(counts[row].max(1)));
    }
    let [searches, proofs, advised] = times.map(|time| time.as_secs_f64());
    println!("{searches:.1} s of searches, {proofs:.1} s of proofs, {advised:.1} s of proofs by advice");
}

/// Searches each problem that threes win for a second at most, and replays the lines.
pub fn solve_by_threes() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/gomoku/vct_freestyle.jsonl");
    let Ok(text) = std::fs::read_to_string(file) else {
        println!("vct_freestyle: the public data is not beside this checkout");
        return;
    };
    let (mut won, mut lost, mut whole, mut faulty) = (0, 0, 0, 0);
    let mut times = Vec::new();
    println!("{:<36} {:>5} {:>6} {:>9} {:>9}", "problem", "won", "plies", "nodes", "CPU ms");
    for line in text.lines().skip(1) {
        let problem = Problem::read(line);
        let position = Board::parse(&variant("freestyle", 15), &problem.text()).expect("the position is one");
        let begin = ThreadTime::now();
        let report = until_decided(&position);
        let millis = 1000.0 * begin.elapsed().as_secs_f64();
        let claim = Claim::of("freestyle", &position, &report);
        let is_won = claim.as_ref().is_some_and(|claim| claim.winner == position.turn());
        if is_won {
            won += 1;
            times.push(millis);
        }
        let plies = claim.as_ref().map_or("-".to_owned(), |claim| claim.plies.to_string());
        println!("{:<36} {:>5} {plies:>6} {:>9} {millis:>9.1}", problem.id, is_won, report.nodes);
        let Some(claim) = claim else { continue };
        lost += usize::from(!is_won);
        match replay(&claim) {
            Ok(to_the_end) => whole += usize::from(to_the_end),
            Err(why) => {
                faulty += 1;
                println!("FAULTY LINE: {why}: {claim}");
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / f64::max(1.0, times.len() as f64);
    let [median, slowest] = [times.len() / 2, times.len().saturating_sub(1)].map(|at| times.get(at).unwrap_or(&0.0));
    let within = |most: f64| times.iter().filter(|&&time| time <= most).count();
    println!("won {won}, claimed lost {lost}; lines: {whole} whole, {faulty} faulty");
    println!("CPU ms of those won: mean {mean:.1}, median {median:.1}, slowest {slowest:.1}");
    println!("won within 10 ms {}, 100 ms {}, 500 ms {}", within(10.0), within(100.0), within(500.0));
}

/// Searches for a second, or until a win or a loss is proven. It need not be the shortest.
fn until_decided(position: &Board) -> Report<<Board as Position>::Move> {
    let moves: Vec<_> = position.moves().collect();
    let budget = Budget { time: Some(Duration::from_secs(1)), memory: Some(MEMORY), ..Budget::default() };
    let task = Task { seed: 1, ..Task::new(position, &moves, budget) };
    let (engine, signals) = (Negamax::default(), Signals::default());
    let stop = |report: &Report<_>| {
        if report.root.bounds.verdict().is_some() {
            signals.cancel();
        }
    };
    let shared = engine.share(&task, 1);
    let control = Control::new(&signals, budget.time, Duration::from_secs(60));
    let report = engine.search(&task, &control.with_progress(Duration::from_millis(1), &stop), &shared);
    engine.merge(position, vec![report], &shared)
}

/// Replays a claim's line: whether it goes to the end of the game, or why it cannot be right.
fn replay(claim: &Claim) -> Result<bool, String> {
    let mut position = claim.position.clone();
    if claim.line.len() > claim.plies as usize {
        return Err(format!("{} plies", claim.line.len()));
    }
    for text in &claim.line {
        let mv = position.parse_move(text).map_err(|error| format!("{text}: {error}"))?;
        if !position.moves().any(|legal| legal == mv) {
            return Err(format!("{text} is not legal"));
        }
        position.play(mv);
    }
    match position.outcome() {
        None => Ok(false),
        Some(outcome) if outcome.winner == Some(claim.winner) && outcome.reason == "five" => Ok(true),
        Some(outcome) => Err(format!("ends by {}", outcome.reason)),
    }
}

/// The positions of a file in `tests/data`, whose first line tells their source.
fn own<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the positions are part of the checkout");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("each line is a position")).collect()
}

/// A position of the file: its rule and its text.
#[derive(Deserialize)]
struct Middlegame {
    rule: String,
    position: String,
}

/// The positions of tests/data/gomoku_middlegames.jsonl.
pub fn middlegames() -> Vec<Board> {
    let read = |Middlegame { rule, position }: Middlegame| Board::parse(&variant(&rule, 15), &position);
    own("gomoku_middlegames.jsonl").into_iter().map(read).collect::<Result<_, _>>().expect("they are positions")
}

/// Searches each position of tests/data/gomoku_middlegames.jsonl for a tenth of a second.
pub fn measure_depth() {
    let budget = Budget { time: Some(Duration::from_millis(100)), memory: Some(MEMORY), ..Budget::default() };
    let mut table: Vec<(String, f64, f64, f64)> = Vec::new();
    println!("{:<10} {:>6} {:>9} {:>10}  position", "rule", "depth", "nodes", "nodes/s");
    for Middlegame { rule, position } in own("gomoku_middlegames.jsonl") {
        let searched = Board::parse(&variant(&rule, 15), &position).expect("the position is one");
        let begin = ThreadTime::now();
        let report = alone(&Negamax::default(), &searched, budget, 1);
        let seconds = begin.elapsed().as_secs_f64();
        let (depth, nodes) = (f64::from(report.depth), report.nodes as f64);
        println!("{rule:<10} {depth:>6} {nodes:>9} {:>10.0}  {position}", nodes / seconds);
        table.push((rule, depth, nodes, seconds));
    }
    for rule in ["freestyle", "standard", "renju", ""] {
        let rows: Vec<_> = table.iter().filter(|row| rule.is_empty() || row.0 == rule).collect();
        let sum = |value: fn(&(String, f64, f64, f64)) -> f64| rows.iter().map(|row| value(row)).sum::<f64>();
        let (count, nodes) = (rows.len() as f64, sum(|row| row.2));
        let name = if rule.is_empty() { "all" } else { rule };
        println!(
            "mean of {:<3} {name:<10} depth {:>5.2}, {:>8.0} nodes, {:>8.0} nodes per CPU second",
            rows.len(),
            sum(|row| row.1) / count,
            nodes / count,
            nodes / sum(|row| row.3)
        );
    }
}

/// A position of the file in which a win is forced, and who wins.
#[derive(Deserialize)]
struct Forced {
    position: String,
    winner: char,
}

/// Searches each position of tests/data/gomoku_forced_wins.jsonl with so many nodes, and prints of how many the value knows who
/// wins.
pub fn see_forced_wins(most: u64) {
    let budget = Budget { memory: Some(MEMORY), ..nodes(most) };
    let (mut depth, mut loss, mut seen) = (0, 0.0, [0; 3]);
    let limits = [0.9, 0.5, 0.0];
    let positions = own::<Forced>("gomoku_forced_wins.jsonl");
    let count = positions.len() as f64;
    for Forced { position, winner } in positions {
        let position = Board::parse(&variant("freestyle", 15), &position).expect("the position is one");
        let report = alone(&Negamax::default(), &position, budget, 1);
        let value = report.root.outlook.map_or(0.0, |outlook| outlook.value());
        let value = if winner == 'x' { value } else { -value };
        depth += report.depth;
        loss -= ((1.0 + value.clamp(-0.999, 0.999)) / 2.0).ln();
        for (count, limit) in seen.iter_mut().zip(limits) {
            *count += usize::from(value > limit);
        }
    }
    for (seen, limit) in seen.into_iter().zip(limits) {
        println!("value above {limit:<3} for the winner {seen:>4} of {count}");
    }
    println!("mean negative log-likelihood {:.4}, depth {:.2}", loss / count, f64::from(depth) / count);
}

/// Prints positions for `measure_depth`: ten for each rule, ply 20 to 39 of quick self-play, in which no win is found soon.
pub fn print_middlegames() {
    for (number, rule) in ["freestyle", "standard", "renju"].into_iter().enumerate() {
        let mut rng = Rng::new(41, number as u64);
        let open = std::iter::repeat_with(|| {
            let plies = 20 + rng.below(20);
            played(rule, 15, plies, &mut rng)
        })
        .flatten()
        .filter(|position| {
            let root = alone(&Negamax::default(), position, nodes(100_000), 1).root;
            root.bounds.verdict().is_none() && root.outlook.is_some_and(|outlook| outlook.value().abs() < 0.9)
        });
        for position in open.take(10) {
            println!(r#"{{"rule":"{rule}","position":"{position}"}}"#);
        }
    }
}
