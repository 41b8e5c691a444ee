//! The games, positions and engines whose mistakes are graded: a few in the tests, many in `cargo bench --bench grades`.

use serde_json::{Value, json};
use tesuji_core::games::connect_four::{ConnectFour, Standard};
use tesuji_core::games::dots_and_boxes::DotsAndBoxes;
use tesuji_core::games::gomoku::Gomoku;
use tesuji_core::games::reversi::Reversi;
use tesuji_core::games::tic_tac_toe::TicTacToe;
use tesuji_core::games::{Game, Variant};
use tesuji_core::grade::Kind;
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;

use super::check::{Grader, minimax, random};
use super::mistakes::{Own, Reasons, within};
use crate::minimax::Exact;

/// Grades all moves of `count` positions of each game and engine.
pub fn all(count: usize) -> Vec<(Grader, Reasons)> {
    let mut all = Vec::new();
    let engines = [("negamax", json!({"nodes": 200_000})), ("mcts", json!({"simulations": 20_000}))];
    for (engine, budget) in engines {
        let grader = |game, variant| Grader { game, variant, engine, budget: budget.clone() };
        let boxes = |columns: u32, rows: u32| grader("dots-and-boxes", json!({"columns": columns, "rows": rows}));
        let small = grader("gomoku", json!({"size": 7}));
        // Random play meets few mistakes there, and wins and losses within two plies are known at once.
        all.push(run::<Gomoku<130>>(small, count, (14, 34), |position| within(position, 2), |_, _| None));
        all.push(exact::<TicTacToe<u64>>(grader("tic-tac-toe", Value::Null), 2 * count, (1, 8), |_, _| None));
        all.push(exact::<ConnectFour<Standard>>(grader("connect-four", Value::Null), count, (34, 41), |_, _| None));
        all.push(exact::<Reversi>(grader("reversi", Value::Null), count, (53, 60), corner));
        all.push(exact::<DotsAndBoxes>(boxes(2, 2), count, (3, 12), chain));
        all.push(exact::<DotsAndBoxes>(boxes(3, 3), count, (15, 24), chain));
    }
    let solver =
        Grader { game: "connect-four", variant: Value::Null, engine: "solver", budget: json!({"time_ms": 60_000}) };
    all.push(exact::<ConnectFour<Standard>>(solver, 2 * count, (34, 41), |_, _| None));
    all
}

fn exact<G: Game<Variant: Variant>>(grader: Grader, count: usize, plies: (u32, u32), own: Own<G>) -> (Grader, Reasons) {
    let mut value = minimax::<G>();
    run(grader, count, plies, move |position| Some(value(position)), own)
}

/// Grades moves of random positions after some number of plies.
fn run<G: Game<Variant: Variant>>(
    grader: Grader,
    count: usize,
    (least, most): (u32, u32),
    value: impl FnMut(&G) -> Option<Exact>,
    own: Own<G>,
) -> (Grader, Reasons) {
    let parameters = if grader.variant.is_null() { json!({}) } else { grader.variant.clone() };
    let variant: G::Variant = serde_json::from_value(parameters).expect("a variant of the game");
    let mut rng = Rng::new(count as u64, 9);
    let positions = std::iter::repeat_with(|| {
        let plies = least + rng.below(most - least);
        random::<G>(&variant, plies, &mut rng).map(|(position, _)| position)
    });
    let reasons = Reasons::of(&grader, count, positions.flatten(), value, own);
    (grader, reasons)
}

/// A corner given away: the opponent can take one that he could not take if it were his turn before the move.
fn corner(before: &Reversi, after: &Reversi) -> Option<(Kind, Option<u32>)> {
    if before.turn() == after.turn() {
        return None;
    }
    let text = before.to_string();
    let (board, side) = text.split_at(text.len() - 1);
    let turned = format!("{board}{}", if side == "X" { "O" } else { "X" });
    let turned = <Reversi>::parse(&Default::default(), &turned).expect("it is a position");
    let corners = |position: &Reversi| -> Vec<String> {
        let moves = position.moves().map(|mv| mv.to_string());
        moves.filter(|mv| ["a1", "a8", "h1", "h8"].contains(&mv.as_str())).collect()
    };
    let could = corners(&turned);
    corners(after).iter().any(|corner| !could.contains(corner)).then_some((Kind::GivesCorner, None))
}

/// A chain opened: the opponent can take more boxes in a row than the player could.
fn chain(before: &DotsAndBoxes, after: &DotsAndBoxes) -> Option<(Kind, Option<u32>)> {
    let opened = most_boxes(after).checked_sub(most_boxes(before)).filter(|&opened| opened > 0)?;
    (before.turn() != after.turn()).then_some((Kind::OpensChain, Some(opened)))
}

/// The most boxes that the side to move can take in a row, by trying every order.
fn most_boxes(position: &DotsAndBoxes) -> u32 {
    let boxes = |position: &DotsAndBoxes| -> u32 {
        let text = position.to_string();
        let score = text.split(' ').nth(1).expect("a score");
        score.split('-').map(|boxes| boxes.parse::<u32>().expect("a number")).sum()
    };
    let taken = position.moves().filter_map(|mv| {
        let mut after = position.clone();
        after.play(mv);
        let taken = boxes(&after) - boxes(position);
        (taken > 0).then(|| taken + most_boxes(&after))
    });
    taken.max().unwrap_or(0)
}
