//! Simulations per second: playouts alone, one tree, and two root-parallel workers against one. `cargo bench`.
//!
//! Each figure is the best of several rounds, all configurations taking turns, so that a noisy machine disturbs them alike.
//! Compare ratios within one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji::scheduler::{Limits, Scheduler};
use tesuji_core::catalog::{BudgetRequest, Catalog, Policy, SearchSpec, Setup};
use tesuji_core::games::Game;
use tesuji_core::games::connect_four::{ConnectFour, Standard};
use tesuji_core::games::dots_and_boxes::DotsAndBoxes;
use tesuji_core::games::reversi::Reversi;
use tesuji_core::games::tic_tac_toe::TicTacToe;
use tesuji_core::rng::Rng;
use tesuji_core::search::mcts::uniform;

const ROUNDS: usize = 5;

fn main() {
    println!("{:<16} {:>14}", "playouts", "per second");
    playouts::<TicTacToe<u64>>();
    playouts::<ConnectFour<Standard>>();
    playouts::<Reversi>();
    playouts::<DotsAndBoxes>();

    let catalog = Catalog::standard();
    println!("\n{:<16} {:>14} {:>14} {:>7}", "simulations", "1 worker", "2 workers", "ratio");
    // Large enough a game not to be proven, small enough a time for the tree to fit in the default memory.
    let mnk = json!({"columns": 9, "rows": 9, "k": 5});
    for (game, variant) in [
        ("connect-four", json!({})),
        ("tic-tac-toe", mnk),
        ("reversi", json!({})),
        ("dots-and-boxes", json!({"columns": 5, "rows": 5})),
    ] {
        root_parallel(&catalog, game, &variant);
    }
}

/// Random games from the start position, on one core.
fn playouts<G: Game<Variant: tesuji_core::games::Variant>>() {
    let start = G::start(&G::Variant::default());
    let mut best = 0.0f64;
    for round in 0..ROUNDS {
        let mut rng = Rng::new(1, round as u64);
        let (mut count, begin) = (0u32, Instant::now());
        while begin.elapsed() < Duration::from_millis(200) {
            for _ in 0..1000 {
                black_box(uniform(start.clone(), &mut rng));
            }
            count += 1000;
        }
        best = best.max(f64::from(count) / begin.elapsed().as_secs_f64());
    }
    println!("{:<16} {best:>14.0}", G::NAME);
}

/// The same search with one worker and with two, for half a second each, by turns.
fn root_parallel(catalog: &Catalog, game: &str, variant: &Value) {
    let scheduler = Scheduler::new(Limits::of(2, 2)).expect("two threads can be had");
    let policy = Policy { cores: 2, ..Policy::default() };
    let session =
        catalog.open(game, Setup { variant: Some(variant), ..Setup::default() }).expect("the game is on offer");
    let engine = serde_json::json!({ "name": "mcts", "playout": "uniform" });
    let mut best = [0.0f64; 2];
    for round in 0..ROUNDS {
        for threads in [1, 2] {
            let spec = SearchSpec {
                engine: Some(&engine),
                budget: BudgetRequest { time_ms: Some(500), memory_mb: Some(4096), ..BudgetRequest::default() },
                threads: Some(threads),
                seed: Some(round as u64),
                ..SearchSpec::default()
            };
            let search = session.search(&spec, &policy).expect("the order is valid");
            let finished = scheduler.submit(search).expect("there is room").wait().expect("the search ends");
            let speed = finished.report.visits.unwrap_or(0) as f64 / finished.searched.as_secs_f64();
            let best = &mut best[threads as usize - 1];
            *best = best.max(speed);
        }
    }
    println!("{game:<16} {:>14.0} {:>14.0} {:>7.2}", best[0], best[1], best[1] / best[0]);
}
