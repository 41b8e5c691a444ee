//! Gomoku on one core: random games per second, and complete sets of renju's forbidden points per second.
//! `cargo bench --bench gomoku`.
//!
//! Each figure is the best of several rounds, so that a noisy machine disturbs it least.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tesuji::games::Game;
use tesuji::games::gomoku::{Decisive, Gomoku, GomokuVariant};
use tesuji::position::Position;
use tesuji::rng::Rng;
use tesuji::search::mcts::{Playout, Policy};

type Board = Gomoku<88>;

const ROUNDS: usize = 5;

fn main() {
    println!("{:<32} {:>14}", "15x15", "per second");
    for name in ["freestyle", "standard", "caro", "renju"] {
        show(&format!("{name}, uniform playouts"), playouts(Policy::Uniform, name));
        show(&format!("{name}, decisive playouts"), playouts(Policy::Decisive, name));
    }
    show("renju, sets of forbidden points", forbidden_sets());
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
    let start = Board::start(&variant(name));
    let mut rng = Rng::new(1, 0);
    rate(|_| {
        for _ in 0..200 {
            black_box(Decisive.finish(policy, start.clone(), &mut rng));
        }
        200
    })
}

/// Boards of random games, each judged on all its empty points. Random stones crowd as no player's do: the more there is to
/// judge.
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
