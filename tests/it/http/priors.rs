//! The priors of PUCT: probabilities that sum to 1 over the moves of every position.

use serde_json::{Value, json};
use tesuji_core::rng::Rng;

use super::{Server, position, search};

/// Checks the priors of a node with `moves` moves to search, if all of them are present.
#[track_caller]
pub fn check(children: &[Value], moves: usize) {
    let priors: Vec<f64> = children.iter().filter_map(|child| child["prior"].as_f64()).collect();
    assert!(priors.is_empty() || priors.len() == children.len());
    let sum: f64 = priors.iter().sum();
    // Each is rounded to six digits.
    let rounded = 1e-6 * priors.len() as f64;
    assert!(priors.len() < moves || priors.is_empty() || (sum - 1.0).abs() <= rounded, "{sum}: {priors:?}");
}

/// A search of a game by PUCT with further options of the engine and fields of the request.
fn puct(game: &Value, options: &Value) -> Value {
    let mut request = game.clone();
    request["engine"] = json!({"name": "mcts", "selection": "puct"});
    request["budget"] = json!({"simulations": 700});
    for (option, value) in options["engine"].as_object().into_iter().flatten() {
        request["engine"][option] = value.clone();
    }
    for (field, value) in options["request"].as_object().into_iter().flatten() {
        request[field] = value.clone();
    }
    request
}

/// The part of a search's request that sets the game up.
fn setup(request: &Value) -> Value {
    let mut setup = json!({"game": request["game"], "moves": request["moves"]});
    if let Some(variant) = request.get("variant") {
        setup["variant"] = variant.clone();
    }
    setup
}

fn legal_moves(setup: &Value) -> Vec<Value> {
    position(setup)["legal_moves"].as_array().expect("a list").clone()
}

/// A position of a random game: `plies` moves from its start.
fn line(game: &Value, plies: u32, rng: &mut Rng) -> Value {
    let mut request = game.clone();
    request["moves"] = json!([]);
    for _ in 0..plies {
        let legal = legal_moves(&request);
        if legal.len() < 2 {
            break;
        }
        let mv = legal[rng.below(legal.len() as u32) as usize].clone();
        request["moves"].as_array_mut().expect("a list").push(mv);
    }
    request
}

fn games() -> Vec<Value> {
    vec![
        json!({"game": "connect-four"}),
        json!({"game": "connect-four", "variant": {"columns": 9, "rows": 9, "blocked": "e9"}}),
        json!({"game": "gomoku"}),
        json!({"game": "gomoku", "variant": {"name": "renju", "size": 9}}),
        json!({"game": "hex", "variant": {"size": 5}}),
        json!({"game": "tic-tac-toe", "variant": {"columns": 7, "rows": 7, "k": 4}}),
        json!({"game": "reversi"}),
        json!({"game": "xiangqi"}),
        json!({"game": "dots-and-boxes"}),
    ]
}

#[test]
fn a_move_that_decides_takes_nothing_from_the_others() {
    let moves = ["7", "6", "7", "6", "4", "5", "5", "6"];
    let result = search(&json!({"game": "connect-four", "moves": moves, "engine": "mcts",
        "budget": {"simulations": 50}, "seed": 1}));
    let priors = result["children"].as_array().expect("a list").iter().map(|child| child["prior"].as_f64());
    let sum: f64 = priors.map(|prior| prior.expect("selected by priors")).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
}

#[test]
fn priors_add_up_to_one() {
    let server = Server::set_up(&tesuji::settings::Settings::default());
    let mut rng = Rng::new(4, 0);
    let mut searched = 0;
    for game in games() {
        for options in [
            json!({}),
            json!({"request": {"threads": 3, "seed": 2}}),
            json!({"engine": {"parallel": "tree"}, "request": {"threads": 2}}),
            json!({"engine": {"transpositions": "shared"}}),
            json!({"engine": {"playout": "uniform"}}),
            json!({"request": {"budget": {"simulations": 6000, "memory_mb": 1}}}),
        ] {
            let plies = rng.below(24);
            let mut request = puct(&line(&game, plies, &mut rng), &options);
            let legal = legal_moves(&setup(&request));
            // Twice: the second continues with the first one's tree. Then for half of the moves.
            for filter in [None, None, Some(legal.len().div_ceil(2))] {
                if let Some(count) = filter {
                    request["moves_filter"] = json!({"allow": legal[..count]});
                }
                // Some games have no order of moves, or no such playout.
                let answer = server.search(&request);
                if answer.status == 422 || legal.is_empty() {
                    continue;
                }
                let result = answer.ok();
                check(result["children"].as_array().expect("a list"), filter.unwrap_or(legal.len()));
                searched += usize::from(result["children"][0]["prior"].is_number());
            }
        }
    }
    assert!(searched > 80, "{searched}");
}
