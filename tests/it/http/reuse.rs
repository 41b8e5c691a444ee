//! Searches that continue with the trees of earlier ones.

use serde_json::{Value, json};
use tesuji::settings::Settings;

use super::Server;

fn reused(answer: &Value) -> u64 {
    assert_eq!(answer["reuse"]["entries"], 0);
    answer["reuse"]["visits"].as_u64().expect("it is reported")
}

/// Searches, and checks that the visits are those of this search and of the tree it continued.
fn search(server: &Server, request: &Value) -> Value {
    let answer = server.search(request).ok();
    let visits = answer["root"]["visits"].as_u64().expect("simulations are counted");
    let used = answer["budget"]["used"]["simulations"].as_u64().expect("simulations are counted");
    assert_eq!(visits, used + reused(&answer));
    answer
}

fn request(moves: &[Value], options: &Value) -> Value {
    json!({"game": "connect-four", "moves": moves, "engine": options, "budget": {"simulations": 5000}})
}

#[test]
fn a_game_reuses_its_tree() {
    for options in [
        json!({"name": "mcts"}),
        json!({"name": "mcts", "parallel": "tree"}),
        json!({"name": "mcts", "transpositions": "shared"}),
    ] {
        let server = Server::set_up(&Settings::default());
        let mut moves = Vec::new();
        for turn in 0..4 {
            let answer = search(&server, &request(&moves, &options));
            // Replies of the expected line may lose: once that is proven, there is nothing to search.
            if answer["stop_reason"] == "proven" {
                assert!(turn > 1 && reused(&answer) > 0, "{options}, turn {turn}: nothing is proven so soon");
                assert_ne!(answer["root"]["proven"], Value::Null, "{options}, turn {turn}");
                break;
            }
            assert_eq!(answer["budget"]["used"]["simulations"], 5000);
            assert_eq!(reused(&answer) > 0, turn > 0, "{options}, turn {turn}");
            // The same search again begins with the whole tree.
            let again = search(&server, &request(&moves, &options));
            assert_eq!(reused(&again), reused(&answer) + 5000, "{options}, turn {turn}");
            // The expected line, two moves on.
            let line = answer["children"][0]["pv"].as_array().expect("a line");
            moves.extend(line[..2].iter().cloned());
        }
    }
}

#[test]
fn a_game_reuses_its_table() {
    let server = Server::set_up(&Settings::default());
    for game in ["reversi", "xiangqi", "dots-and-boxes"] {
        let mut moves = Vec::new();
        for turn in 0..3 {
            let request = json!({"game": game, "moves": moves, "engine": "negamax",
                "budget": {"nodes": 40_000, "memory_mb": 4}});
            let answer = server.search(&request).ok();
            let entries = answer["reuse"]["entries"].as_u64().expect("it is reported");
            assert_eq!((entries > 0, answer["reuse"]["visits"].as_u64()), (turn > 0, Some(0)), "{game}, turn {turn}");
            moves.push(answer["move"].clone());
        }
    }
}

#[test]
fn the_position_can_be_given_in_any_form() {
    let server = Server::set_up(&Settings::default());
    let options = json!({"name": "mcts"});
    let first = search(&server, &request(&[], &options));
    let line = first["children"][0]["pv"].as_array().expect("a line")[..2].to_vec();
    let response =
        server.ask("POST", "/v1/positions", &[], json!({"game": "connect-four", "moves": line}).to_string()).ok();
    let mut next = request(&[], &options);
    next["position"] = response["text"].clone();
    assert!(reused(&search(&server, &next)) > 0);
}

#[test]
fn only_what_fits_is_reused() {
    let server = Server::set_up(&Settings::default());
    let options = json!({"name": "mcts"});
    let first = request(&[], &options);
    let with = |field: &str, value: Value| {
        let mut request = first.clone();
        request[field] = value;
        request
    };
    search(&server, &first);
    for (field, value) in [
        ("reuse", json!(false)),
        ("seed", json!(1)),
        ("engine", json!({"name": "mcts", "exploration": 0.7})),
        ("variant", json!({"columns": 8})),
        ("game", json!("reversi")),
        ("moves_filter", json!({"avoid": ["4"]})),
    ] {
        let asked = with(field, value);
        assert_eq!(reused(&search(&server, &asked)), 0, "{asked}");
        search(&server, &first);
    }
    assert!(reused(&search(&server, &first)) >= 5000, "it is there all the same");
    // A server that keeps no trees reuses none.
    let none = Server::set_up(&Settings { kept_memory_mb: Some(0), ..Settings::default() });
    search(&none, &first);
    assert_eq!(reused(&search(&none, &first)), 0);
}

#[test]
fn the_past_counts_where_it_decides() {
    let server = Server::set_up(&Settings::default());
    let ask = |position: &str, moves: &[Value]| {
        search(
            &server,
            &json!({"game": "xiangqi", "position": position, "moves": moves, "engine": "mcts",
                "budget": {"simulations": 4000}}),
        )
    };
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let first = ask(start, &[]);
    assert_eq!(reused(&ask(start, &[])), 4000);
    let line = first["children"][0]["pv"].as_array().expect("a line");
    let next = ask(start, &line[..1]);
    assert!(reused(&next) > 0);
    let text = next["position"]["text"].as_str().expect("a text");
    assert_eq!(reused(&ask(text, &[])), 0, "the same position without its past");
}

#[test]
fn a_game_in_which_nothing_is_searched_reuses_nothing() {
    let server = Server::new(1, 4);
    let over = server.search(&json!({"game": "tic-tac-toe", "position": "xxx/oo1/3 o"})).ok();
    assert_eq!(over["reuse"], json!({"visits": 0, "entries": 0}));
}
