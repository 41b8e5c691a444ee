//! Every combination of options proves only what is true, and solves the position.

use serde_json::{Value, json};
use tesuji_core::games::connect_four::{Custom, Decisive};
use tesuji_core::games::dots_and_boxes::CaptureEvaluator;
use tesuji_core::games::tic_tac_toe;
use tesuji_core::position::Position;
use tesuji_core::search::Engine;
use tesuji_core::search::mcts::{Mcts, Playout, Uniform};

use super::{check_claims, late, search, simulations};
use crate::minimax::{Minimax, Toy};

/// The options that change how a tree grows, in all combinations that `engine` takes for the game.
fn combinations<P: Position, F: Playout<P>>() -> Vec<Mcts<F>> {
    let mut all = Vec::new();
    for selection in ["ucb1", "puct", "rave"] {
        for (order, widening) in [("random", 0.0), ("evaluation", 0.0), ("evaluation", 1.5)] {
            for (parallel, transpositions) in
                [("root", "separate"), ("tree", "separate"), ("root", "shared"), ("tree", "shared")]
            {
                for virtual_loss in [true, false] {
                    let options = json!({
                        "selection": selection, "order": order, "widening": widening, "parallel": parallel,
                        "transpositions": transpositions, "virtual_loss": virtual_loss,
                    });
                    let engine: Mcts<F> = serde_json::from_value(options).expect("options of the right form");
                    if Engine::<P>::check(&engine).is_ok() {
                        all.push(engine);
                    }
                }
            }
        }
    }
    all
}

/// Searches with every combination, at several budgets, by one worker and by three in sequence, with enough room and with
/// hardly any.
fn check<P: Position, F: Playout<P>>(oracle: &mut Minimax, position: &P, enough: u64, turn: usize) {
    let all = combinations::<P, F>();
    assert!(all.len() >= 8, "{} combinations", all.len());
    // A few at each position; all of them in turn.
    for engine in all.iter().cycle().skip(turn * 3 % all.len()).take(3) {
        for (seed, budget) in [1, 7, 60, 400].into_iter().enumerate() {
            check_claims(oracle, position, &search(engine, position, simulations(budget), seed as u64, 1));
            check_claims(oracle, position, &search(engine, position, simulations(budget), seed as u64, 3));
        }
        let mut small = simulations(2000);
        small.memory = Some(20_000);
        check_claims(oracle, position, &search(engine, position, small, 5, 1));
        let report = search(engine, position, simulations(enough), 1, 1);
        check_claims(oracle, position, &report);
        let exact = oracle.value(position).score;
        assert_eq!(report.root.bounds.exact(), Some(exact), "{position} is not proven by {}", json!(engine));
    }
}

#[test]
fn toy_games_are_proven_by_every_combination() {
    let (mut plain, mut points) = (Minimax::default(), Minimax::default());
    for seed in 0..150 {
        check::<_, Uniform>(&mut plain, &Toy::<false>::new(seed), 60_000, seed as usize);
        check::<_, Uniform>(&mut points, &Toy::<true>::new(seed), 60_000, seed as usize);
    }
}

#[test]
fn small_games_are_proven_by_every_combination() {
    let mut oracle = Minimax::default();
    let three = serde_json::from_str("{}").expect("a valid variant");
    let columns = serde_json::from_str(r#"{"columns":4,"rows":4,"connect":3}"#).expect("a valid variant");
    let boxes = serde_json::from_str(r#"{"columns":2,"rows":2}"#).expect("a valid variant");
    for seed in 0..40 {
        let turn = seed as usize;
        let game: tesuji_core::games::tic_tac_toe::TicTacToe<u64> = late(&three, 7, seed);
        check::<_, tic_tac_toe::Decisive>(&mut oracle, &game, 60_000, turn);
        let game: tesuji_core::games::connect_four::ConnectFour<Custom<u64>> = late(&columns, 9, seed);
        check::<_, Decisive>(&mut oracle, &game, 60_000, turn);
        let game: tesuji_core::games::dots_and_boxes::DotsAndBoxes = late(&boxes, 8, seed);
        check::<_, CaptureEvaluator>(&mut oracle, &game, 60_000, turn);
    }
}

/// Workers on separate threads, in one tree and in one graph: nothing is lost, and no false proof is made.
#[test]
fn threads_share_a_tree() {
    use std::time::Duration;
    use tesuji_core::search::{Budget, Control, Signals, Task};

    let mut oracle = Minimax::default();
    let columns = serde_json::from_str(r#"{"columns":5,"rows":4,"connect":4}"#).expect("a valid variant");
    for seed in 0..24 {
        let position: tesuji_core::games::connect_four::ConnectFour<Custom<u64>> = late(&columns, 12, seed);
        if position.outcome().is_some() {
            continue;
        }
        for options in [
            json!({"parallel": "tree"}),
            json!({"parallel": "tree", "virtual_loss": false}),
            json!({"transpositions": "shared"}),
        ] {
            let engine: Mcts<Decisive> = serde_json::from_value(options).expect("valid options");
            // Little memory: the graph is full now and then, and one worker stops all others to copy it.
            let budget = Budget { simulations: Some(12_000), memory: Some(400_000), ..Budget::default() };
            let moves: Vec<_> = position.moves().collect();
            let whole = Task { seed, ..Task::new(&position, &moves, budget) };
            let shared = Engine::share(&engine, &whole, 4);
            let signals = Signals::default();
            let reports = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..4)
                    .map(|worker| {
                        let (engine, shared, signals, whole) = (&engine, &shared, &signals, &whole);
                        scope.spawn(move || {
                            let task = Task { budget: budget.share(worker, 4), worker, ..*whole };
                            let control = Control::new(signals, None, Duration::from_secs(60));
                            Engine::search(engine, &task, &control, shared)
                        })
                    })
                    .collect();
                workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
            });
            let report = Engine::merge(&engine, &position, reports, &shared);
            check_claims(&mut oracle, &position, &report);
            if report.root.bounds.exact().is_none() {
                assert_eq!(report.visits, Some(12_000), "{position}: simulations were lost");
            }
        }
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let refused = |options: Value| {
        let engine: Mcts<Decisive> = serde_json::from_value(options).expect("options of the right form");
        Engine::<tesuji_core::games::connect_four::ConnectFour<Custom<u64>>>::check(&engine)
            .expect_err("refused")
            .to_string()
    };
    assert!(refused(json!({"selection": "rave"})).starts_with("`selection`"));
    assert!(refused(json!({"selection": "puct", "order": "random"})).contains("expected `order` to be `evaluation`"));
    assert!(refused(json!({"selection": "ucb1", "widening": 1.0, "order": "random"})).starts_with("`widening`"));
    assert!(refused(json!({"widening": -1.0})).starts_with("`widening`"));
    let engine: Mcts<tesuji_core::games::xiangqi::EvaluatedPlayout> =
        serde_json::from_value(json!({"transpositions": "shared"})).expect("options of the right form");
    let problem = Engine::<tesuji_core::games::xiangqi::Xiangqi>::check(&engine).expect_err("refused").to_string();
    assert!(problem.starts_with("`transpositions`"), "{problem}");
}
