//! Grades of every move of random positions against exact values: how many are wrong, and how many a minute are made.
//! `cargo bench --bench grades -- [POSITIONS]`, by default 1,600 of Connect Four (some 10,000 grades), a fifth of it in each
//! other game. Time is that of the searches and of what the API makes of them, on one thread. Then, for a fortieth of it in each
//! game and by each engine, how many mistakes of known kinds have the right reasons, and how many proven claims are false.

#[path = "../tests/it/grades/check.rs"]
mod check;
#[path = "../tests/it/minimax.rs"]
#[expect(dead_code, reason = "tests use the rest")]
mod minimax;
#[path = "../tests/it/grades/mistakes.rs"]
mod mistakes;
#[path = "../tests/it/grades/reasons.rs"]
mod reasons;

use serde_json::{Value, json};
use tesuji_core::games::connect_four::{ConnectFour, Standard};
use tesuji_core::games::dots_and_boxes::DotsAndBoxes;
use tesuji_core::games::reversi::Reversi;
use tesuji_core::games::tic_tac_toe::TicTacToe;

use check::{Grader, Tally, connect_four};
use mistakes::Reasons;

fn main() {
    // Cargo passes `--bench` too.
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1600);
    println!(
        "{:15} {:8} {:>9} {:>7} {:>7} {:>6} {:>9}",
        "game", "engine", "positions", "grades", "exact", "wrong", "a minute"
    );
    let solver = grader("connect-four", "solver", json!({"time_ms": 60_000}));
    show(&solver, &Tally::of::<ConnectFour<Standard>>(&solver, (count, 12..42, 1), connect_four()));
    for (engine, budget) in [("negamax", json!({"nodes": 100_000})), ("mcts", json!({"simulations": 10_000}))] {
        let (many, seed) = (count / 5, 2);
        let grader = |game| grader(game, engine, budget.clone());
        let four = grader("connect-four");
        show(&four, &Tally::of::<ConnectFour<Standard>>(&four, (many, 30..42, seed), connect_four()));
        let reversi = grader("reversi");
        show(&reversi, &Tally::of::<Reversi>(&reversi, (many, 50..60, seed), check::minimax()));
        let toe = grader("tic-tac-toe");
        show(&toe, &Tally::of::<TicTacToe<u64>>(&toe, (many, 0..9, seed), check::minimax()));
        let dots = Grader { variant: json!({"columns": 2, "rows": 2}), ..grader("dots-and-boxes") };
        show(&dots, &Tally::of::<DotsAndBoxes>(&dots, (many, 0..12, seed), check::minimax()));
    }
    show_reasons(count / 40);
}

fn show_reasons(count: usize) {
    println!(
        "\n{:15} {:8} {:>8} {:>8} {:>9} {:>6}  right of each kind",
        "game", "engine", "checked", "open", "estimates", "false"
    );
    let mut total = Reasons::default();
    for (Grader { game, engine, .. }, reasons) in reasons::all(count) {
        show_line(game, engine, &reasons);
        total.join(reasons);
    }
    show_line("all", "", &total);
    total.wrong.iter().for_each(|claim| println!("  false: {claim}"));
    total.missed.iter().for_each(|reason| println!("  missing: {reason}"));
}

fn show_line(game: &str, engine: &str, reasons: &Reasons) {
    let Reasons { kinds, checked, unchecked, estimates, wrong, .. } = reasons;
    let kinds: Vec<String> = kinds.iter().map(|(kind, (all, right))| format!("{kind} {right}/{all}")).collect();
    let (wrong, kinds) = (wrong.len(), kinds.join(", "));
    println!("{game:15} {engine:8} {checked:>8} {unchecked:>8} {estimates:>9} {wrong:>6}  {kinds}");
}

fn grader(game: &'static str, engine: &'static str, budget: Value) -> Grader {
    Grader { game, variant: Value::Null, engine, budget }
}

fn show(grader: &Grader, tally: &Tally) {
    let Tally { positions, grades, exact, wrong, time, .. } = tally;
    let rate = *grades as f64 * 60.0 / time.as_secs_f64();
    println!(
        "{:15} {:8} {positions:>9} {grades:>7} {exact:>7} {:>6} {rate:>9.0}",
        grader.game,
        grader.engine,
        wrong.len()
    );
    wrong.iter().for_each(|claim| println!("  {claim}"));
}
