//! Grades: exact ones are true, estimated ones are searched as deep as the best move, and requests are refused where a grade
//! would mean nothing. `cargo bench --bench grades` compares many more.

mod check;
mod mistakes;
mod reasons;

use serde_json::{Value, json};
use tesuji_core::games::connect_four::{ConnectFour, Standard};
use tesuji_core::games::dots_and_boxes::DotsAndBoxes;
use tesuji_core::games::reversi::Reversi;
use tesuji_core::games::tic_tac_toe::TicTacToe;

use self::check::{Grader, Tally, connect_four, minimax};
use self::mistakes::Reasons;

fn grader(game: &'static str, engine: &'static str, budget: Value) -> Grader {
    Grader { game, variant: Value::Null, engine, budget }
}

#[track_caller]
fn all_true(tally: &Tally) {
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
}

#[test]
fn exact_grades_of_connect_four_agree_with_each_move_solved_by_itself() {
    let solver = grader("connect-four", "solver", json!({"time_ms": 60_000}));
    let tally = Tally::of::<ConnectFour<Standard>>(&solver, (60, 16..41, 1), connect_four());
    all_true(&tally);
    assert_eq!(tally.exact, tally.grades);
    // Near the end plain minimax can judge, which shares no code with the solver.
    let tally = Tally::of::<ConnectFour<Standard>>(&solver, (30, 32..41, 2), minimax());
    all_true(&tally);
    assert_eq!(tally.exact, tally.grades);
}

#[test]
fn exact_grades_agree_with_minimax() {
    for (engine, budget) in [("negamax", json!({"nodes": 200_000})), ("mcts", json!({"simulations": 20_000}))] {
        let late = (20, 34..41, 3);
        let grader = |game| grader(game, engine, budget.clone());
        let boxes = Grader { variant: json!({"columns": 2, "rows": 2}), ..grader("dots-and-boxes") };
        let tallies = [
            Tally::of::<DotsAndBoxes>(&boxes, (10, 2..12, 8), minimax()),
            Tally::of::<ConnectFour<Standard>>(&grader("connect-four"), late, minimax()),
            Tally::of::<Reversi>(&grader("reversi"), (10, 54..60, 4), minimax()),
            Tally::of::<TicTacToe<u64>>(&grader("tic-tac-toe"), (20, 1..8, 5), minimax()),
        ];
        for tally in &tallies {
            all_true(tally);
            // The search continues for them once the best move is proven, so almost all are exact.
            assert!(tally.exact * 20 >= tally.grades * 19, "{} of {}: {:#?}", tally.exact, tally.grades, tally.open);
        }
    }
}

#[test]
fn early_grades_claim_nothing_false() {
    // Too little is searched to solve these, so that partial proofs and estimates mix.
    for (engine, budget) in [("negamax", json!({"nodes": 300})), ("mcts", json!({"simulations": 100}))] {
        let grader = |game| grader(game, engine, budget.clone());
        let tallies = [
            Tally::of::<Reversi>(&grader("reversi"), (10, 52..58, 6), minimax()),
            Tally::of::<TicTacToe<u64>>(&grader("tic-tac-toe"), (20, 0..6, 7), minimax()),
        ];
        tallies.iter().for_each(all_true);
    }
}

#[test]
fn mistakes_have_their_reasons_and_no_proven_claim_is_false() {
    let mut all = Reasons::default();
    reasons::all(6).into_iter().for_each(|(_, reasons)| all.join(reasons));
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
    assert!(all.checked > 500 && all.checked > 4 * all.unchecked, "{all:#?}");
    for (kind, (expected, found)) in &all.kinds {
        assert!(*expected > 0 && found * 10 >= expected * 9, "{kind}: {found} of {expected}: {:#?}", all.missed);
    }
    assert!(all.kinds.len() > 7, "{:?}", all.kinds);
}
