//! Properties of every search result, and how results follow from requests.

use serde_json::{Value, json};

use super::{Server, position, search};

/// Checks what is true of every result, for any request.
#[track_caller]
pub fn check(result: &Value) {
    let children = result["children"].as_array().expect("children are a list");
    let reported = |child: &Value| child["visits"].as_u64();
    if let (Some(first), true) = (children.first(), result["root"]["visits"].is_u64()) {
        assert!(first["visits"].is_u64());
        let visits: u64 = children.iter().filter_map(reported).sum();
        let legal = legal_moves(result);
        // A report that leaves children out cannot account for all visits.
        let root = result["root"]["visits"].as_u64().expect("checked above");
        assert!(visits == root || (visits < root && children.len() < legal), "{visits} of {root} visits");
        let used = result["budget"]["used"]["simulations"].as_u64().expect("simulations are counted");
        assert_eq!(Some(root), result["reuse"]["visits"].as_u64().map(|reused| reused + used));
        check_root(result, children);
        super::priors::check(children, legal);
    }
    for (order, child) in children.iter().enumerate() {
        assert_eq!(child["order"], order);
        assert_eq!(child["pv"][0], child["move"]);
        check_shares(child);
    }
    check_shares(&result["root"]);
    super::truth::check(result);
    assert_eq!(result["move"], children.first().map_or(Value::Null, |child| child["move"].clone()));
    assert_eq!(result["move"].is_null(), result["stop_reason"] == "terminal");
    let proven = &result["root"]["proven"];
    if let (Some(best), false) = (best_of(result, children), proven.is_null()) {
        assert_eq!(best["proven"], *proven, "a proven root has a child that proves it: {result:#}");
        assert_eq!(best["distance"], result["root"]["distance"]);
    }
    if let Some(least) = children.iter().filter_map(|child| child["loss_vs_best"].as_f64()).min_by(f64::total_cmp) {
        let all_told = children.len() == legal_moves(result);
        assert!(least == 0.0 || !all_told, "some child is the best: {result:#}");
    }
}

/// The child of the best move, which may not be the one that a level chose.
fn best_of<'a>(result: &Value, children: &'a [Value]) -> Option<&'a Value> {
    let best = result["choice"].get("best").unwrap_or(&result["move"]);
    children.iter().find(|child| child["move"] == *best)
}

/// The root's value in a tree is the best move's, also if another move is chosen.
#[track_caller]
fn check_root(result: &Value, children: &[Value]) {
    let Some(best) = best_of(result, children) else { return };
    for field in ["value", "win", "draw", "loss", "stderr", "score", "distance"] {
        assert_eq!(result["root"][field], best[field], "{field}: {result:#}");
    }
    // Beside a proven draw another move may still win.
    let is_open = best["proven"] == "draw" && children.iter().any(|child| child["proven"].is_null());
    let proven = &result["root"]["proven"];
    assert!(*proven == best["proven"] || is_open && proven.is_null(), "{result:#}");
}

fn legal_moves(result: &Value) -> usize {
    let asked = json!({"game": result["game"], "variant": result["variant"], "position": result["position"]["text"]});
    position(&asked)["legal_moves"].as_array().map_or(0, Vec::len)
}

#[track_caller]
fn check_shares(knowledge: &Value) {
    let shares: Vec<f64> = ["win", "draw", "loss"].iter().filter_map(|name| knowledge[name].as_f64()).collect();
    assert!(shares.len() == 3 || (shares.is_empty() && knowledge["value"].is_null()), "{knowledge}");
    if let [win, draw, loss] = shares[..] {
        assert!((win + draw + loss - 1.0).abs() < 1e-9, "win, draw and loss add up to 1: {knowledge}");
        let value = knowledge["value"].as_f64().expect("known with the shares");
        assert!((value - (win - loss)).abs() < 1e-9, "value is win - loss: {knowledge}");
    }
}

/// A short search of each game, in the middle of play.
fn each_game() -> [Value; 5] {
    [
        json!({"game": "tic-tac-toe", "variant": {"columns": 5, "rows": 4, "k": 4}, "moves": ["c2"]}),
        json!({"game": "connect-four", "moves": ["4", "4", "3"]}),
        json!({"game": "connect-four", "variant": {"columns": 10, "rows": 10, "blocked": "e5"}, "moves": ["5"]}),
        json!({"game": "reversi", "moves": ["f5d6c3"]}),
        json!({"game": "dots-and-boxes", "moves": ["h0,1", "v1,0", "h2,2"]}),
    ]
}

/// `request` with more fields.
fn with(request: &Value, fields: Value) -> Value {
    let mut request = request.clone();
    let object = request.as_object_mut().expect("requests are objects");
    object.extend(fields.as_object().expect("fields are an object").clone());
    request
}

/// A result without the fields that can differ between two equal searches.
fn timeless(mut result: Value) -> Value {
    for field in ["id", "timing"] {
        result[field].take();
    }
    for clock in ["time_ms", "cpu_ms"] {
        result["budget"]["used"][clock].take();
    }
    result
}

#[test]
fn equal_seeds_and_budgets_give_equal_answers() {
    for game in each_game() {
        for order in [
            json!({"engine": "mcts", "budget": {"simulations": 2000}, "seed": 11}),
            json!({"engine": "mcts", "budget": {"simulations": 2000}, "seed": 11, "threads": 2}),
            json!({"engine": "mcts", "budget": {"nodes": 1501}, "seed": 12, "threads": 2}),
            json!({"engine": "negamax", "budget": {"depth": 3}, "seed": 13}),
            json!({"engine": "negamax", "budget": {"nodes": 3000}, "seed": 13}),
        ] {
            let request = with(&game, order);
            assert_eq!(timeless(search(&request)), timeless(search(&request)), "{request}");
        }
    }
}

#[test]
fn other_seeds_give_other_searches() {
    let asked = |seed: u64| {
        let order = json!({"game": "connect-four", "budget": {"simulations": 500}, "seed": seed});
        search(&order)["children"].clone()
    };
    assert_ne!(asked(1), asked(2));
}

#[test]
fn two_threads_spend_the_budget_together() {
    let result = search(&json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 1001}, "threads": 2}));
    assert_eq!(result["root"]["visits"], 1001);
    assert_eq!(result["threads"], json!({"requested": 2, "granted": 2}));
}

#[test]
fn threads_are_granted_as_documented() {
    // A separate server: other tests keep the cores of the shared one busy.
    let server = Server::new(2, 64);
    let search = |body: &Value| server.search(body).ok();
    let granted = |order: Value| search(&with(&json!({"game": "connect-four"}), order))["threads"]["granted"].clone();
    assert_eq!(granted(json!({"budget": {"simulations": 100}, "threads": 5})), 5, "work is limited: all");
    // A search's threads are idle again a moment after its answer.
    let both = (0..1000).any(|_| granted(json!({"engine": "mcts", "budget": {"time_ms": 5}, "threads": 5})) == 2);
    assert!(both, "time is limited: as many as idle cores");
    assert_eq!(granted(json!({"budget": {"simulations": 3}, "threads": 5})), 3, "no more than simulations");
    assert_eq!(granted(json!({"budget": {"depth": 2}, "threads": 5})), 5, "depth is limited: all");
    let warned = search(&json!({"game": "connect-four", "budget": {"nodes": 2, "depth": 2}, "threads": 5}));
    let problem = "2 of 5 threads granted: each thread needs at least one simulation and one node of the budget";
    assert_eq!(warned["warnings"], json!([problem]));
}

#[test]
fn values_change_sign_with_the_perspective() {
    for game in each_game() {
        for order in [
            json!({"engine": "mcts", "budget": {"simulations": 777}}),
            json!({"engine": "negamax", "budget": {"depth": 3}}),
        ] {
            let request = with(&with(&game, order), json!({"seed": 3}));
            let own = search(&request);
            let first = search(&with(&request, json!({"perspective": "first_player"})));
            assert_eq!((&own["perspective"], &first["perspective"]), (&json!("side_to_move"), &json!("first_player")));
            let flips = own["position"]["to_move"] == "second";
            assert_same_view(&own["root"], &first["root"], flips);
            let children = |result: &Value| result["children"].as_array().expect("children are a list").clone();
            assert_eq!(children(&own).len(), children(&first).len());
            for (own, first) in children(&own).iter().zip(&children(&first)) {
                assert_eq!(own["move"], first["move"]);
                assert_eq!(own["loss_vs_best"], first["loss_vs_best"]);
                assert_same_view(own, first, flips);
            }
        }
    }
}

/// The same knowledge from two views, opposite ones if `flips`.
#[track_caller]
fn assert_same_view(own: &Value, first: &Value, flips: bool) {
    let negated = |value: &Value| value.as_f64().map(|value| if flips { 0.0 - value } else { value });
    let swapped = |value: &Value, a: &'static str, b: &'static str| match value.as_str() {
        Some(word) if flips && word == a => json!(b),
        Some(word) if flips && word == b => json!(a),
        _ => value.clone(),
    };
    assert_eq!(negated(&own["value"]), first["value"].as_f64());
    assert_eq!(negated(&own["score"]["value"]), first["score"]["value"].as_f64());
    assert_eq!(own["win"], first[if flips { "loss" } else { "win" }]);
    assert_eq!(swapped(&own["proven"], "win", "loss"), first["proven"]);
    assert_eq!(swapped(&own["bound"], "lower", "upper"), first["bound"]);
    for field in ["draw", "stderr", "distance", "visits", "depth"] {
        assert_eq!(own[field], first[field], "{field}");
    }
}

#[test]
fn a_finished_game_is_not_an_error() {
    for (request, proven, distance) in [
        (json!({"game": "tic-tac-toe", "moves": ["a1", "a2", "b1", "b2", "c1"]}), "loss", json!(0)),
        (json!({"game": "connect-four", "position": "1212121"}), "loss", json!(0)),
        (json!({"game": "reversi", "position": format!("X{} O", "-".repeat(63))}), "loss", json!(null)),
        (
            json!({"game": "dots-and-boxes", "variant": {"columns": 1, "rows": 1}, "position": "1111 0-1 second"}),
            "win",
            json!(null),
        ),
        (
            json!({"game": "dots-and-boxes", "variant": {"columns": 2, "rows": 1}, "position": "1111111 1-1 first"}),
            "draw",
            json!(null),
        ),
    ] {
        for engine in ["auto", "mcts", "negamax"] {
            let result = search(&with(&request, json!({"engine": engine})));
            assert_eq!(result["move"], Value::Null);
            assert_eq!((&result["stop_reason"], &result["status"]), (&json!("terminal"), &json!("done")));
            assert_eq!(
                (&result["root"]["proven"], &result["root"]["distance"]),
                (&json!(proven), &distance),
                "{request}"
            );
        }
    }
}

#[test]
fn a_filter_is_obeyed() {
    let with_filter = |filter: Value| {
        let order = json!({"game": "connect-four", "budget": {"simulations": 50}, "moves_filter": filter});
        let result = search(&order);
        let mut moves: Vec<String> = result["children"]
            .as_array()
            .expect("children are a list")
            .iter()
            .map(|child| child["move"].as_str().expect("moves are texts").to_owned())
            .collect();
        moves.sort();
        moves.concat()
    };
    assert_eq!(with_filter(json!({"allow": ["5", "2"]})), "25");
    assert_eq!(with_filter(json!({"avoid": ["5", "2"]})), "13467");
    assert_eq!(with_filter(json!({"avoid": []})), "1234567");
    assert_eq!(with_filter(json!({"allow": ["3"]})), "3");
}

#[test]
fn a_report_is_cut_as_requested() {
    let order = json!({"game": "reversi", "budget": {"depth": 4}, "report": {"max_children": 2, "pv_length": 1}});
    let result = search(&order);
    let children = result["children"].as_array().expect("children are a list");
    assert_eq!(children.len(), 2);
    assert!(children.iter().all(|child| child["pv"].as_array().is_some_and(|pv| pv.len() == 1)));
}

#[test]
fn a_single_move_takes_a_glance() {
    // White can only pass, again and again the board is the same large one.
    for engine in ["mcts", "negamax"] {
        let position = format!("XXO{} O", "-".repeat(61));
        let result =
            search(&json!({"game": "reversi", "position": position, "engine": engine, "budget": {"time_ms": 20000}}));
        assert_eq!(result["move"], "pass");
        assert!(result["timing"]["search_ms"].as_f64().is_some_and(|spent| spent < 5000.0), "{result:#}");
    }
}

#[test]
fn the_first_limit_reached_is_named() {
    let reason = |order: Value| search(&with(&json!({"game": "reversi"}), order))["stop_reason"].clone();
    assert_eq!(reason(json!({"engine": "mcts", "budget": {"simulations": 10, "time_ms": 10000}})), "simulations");
    assert_eq!(reason(json!({"engine": "mcts", "budget": {"time_ms": 5, "simulations": 1000000000}})), "time");
    assert_eq!(reason(json!({"engine": "negamax", "budget": {"nodes": 1000, "depth": 60}})), "nodes");
    assert_eq!(reason(json!({"engine": "negamax", "budget": {"depth": 2, "nodes": 1000000}})), "depth");
    // A full tree is recycled: it is not what ends the search.
    assert_eq!(reason(json!({"engine": "mcts", "budget": {"memory_mb": 1, "simulations": 20000}})), "simulations");
    assert_eq!(reason(json!({"budget": {"time_ms": 5}})), "time", "auto");
}
