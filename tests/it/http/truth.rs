//! Values reported as exact, proven or immediate are so.

use serde_json::{Value, json};

use super::{Server, get, search};

fn child<'a>(result: &'a Value, mv: &str) -> &'a Value {
    let mut children = result["children"].as_array().expect("a list").iter();
    children.find(|child| child["move"] == mv).expect("a legal move")
}

/// Checks that every proof is reported with its fields; returns the number of proofs.
#[track_caller]
pub fn check(result: &Value) -> usize {
    let mut proofs = 0;
    for reported in result["children"].as_array().expect("a list").iter().chain([&result["root"]]) {
        let (win, limit) = match reported["proven"].as_str() {
            Some("win") => (1.0, "lower"),
            Some("loss") => (-1.0, "upper"),
            _ => continue,
        };
        proofs += 1;
        assert_eq!(reported["value"], win, "{reported}");
        assert!(reported["bound"] == "exact" || reported["bound"] == limit, "{reported}");
        assert_ne!(reported["distance"].is_null(), reported["score"].is_null(), "{reported}");
        assert!(reported["stderr"].is_null(), "{reported}");
    }
    proofs
}

#[test]
fn a_proven_loss_has_a_distance() {
    let result = search(&json!({"game": "tic-tac-toe", "moves": ["a2", "b3", "c3"], "engine": "negamax",
        "budget": {"depth": 4}}));
    assert!(check(&result) > 0);
    let b1 = child(&result, "b1");
    assert_eq!(b1["proven"], "loss", "{b1}");
    assert!(b1["distance"].as_u64().is_some_and(|plies| plies >= 2), "{b1}");
}

#[test]
fn a_margin_that_is_not_proven_is_a_limit() {
    let position = "O-X--OOOXOXXOOOOXXOXXOOOXXXOOOOOXXXXOXOOXXXXXXOOX--OOXO-XOOOOOOO X";
    let solved = search(&json!({"game": "reversi", "position": position, "engine": "negamax",
        "report": {"multipv": 20}}));
    assert_eq!(solved["stop_reason"], "proven");
    let truth = child(&solved, "h7");
    assert_eq!((&truth["bound"], &truth["score"]["value"]), (&json!("exact"), &json!(-18.0)));
    let mut open = 0;
    for options in [json!({}), json!({"transpositions": "shared"}), json!({"parallel": "tree"})] {
        let mut engine = options;
        engine["name"] = json!("mcts");
        for (threads, simulations) in [(1, 300), (1, 1000), (2, 1000)] {
            let result = search(&json!({"game": "reversi", "position": position, "engine": engine, "seed": 1,
                "budget": {"simulations": simulations}, "threads": threads}));
            for reported in result["children"].as_array().expect("a list") {
                let truth = &child(&solved, reported["move"].as_str().expect("a move"))["score"]["value"];
                let (score, truth) = (reported["score"]["value"].as_f64(), truth.as_f64().expect("it is solved"));
                match (reported["proven"].as_str(), reported["bound"].as_str()) {
                    (None, _) => {}
                    (_, Some("exact")) => assert_eq!(score, Some(truth), "{reported}"),
                    (_, Some("lower")) => open += u32::from(score.is_some_and(|score| score <= truth)),
                    (_, _) => open += u32::from(score.is_some_and(|score| score >= truth)),
                }
                if !reported["proven"].is_null() && reported["bound"] != "exact" {
                    let limit = score.expect("a limit is reported");
                    assert!(
                        if reported["bound"] == "lower" { limit <= truth } else { limit >= truth },
                        "{reported}, {truth}"
                    );
                }
            }
        }
    }
    assert!(open > 0, "no margin was open");
}

/// Small boards are proven by default: many orders of the same moves come to one position.
#[test]
fn two_by_two_boxes_are_proven_at_once() {
    for threads in [1, 2] {
        let request = json!({"game": "dots-and-boxes", "variant": {"columns": 2, "rows": 2}, "engine": "mcts", "seed": 1,
            "budget": {"simulations": 40_000}, "threads": threads});
        let result = search(&request);
        assert_eq!((&result["stop_reason"], &result["root"]["bound"]), (&json!("proven"), &json!("exact")), "{result}");
        assert_eq!(result["engine"]["options"]["transpositions"], "shared");
    }
    // Where a graph would cover only a small part of the positions, a tree is faster.
    let large = search(&json!({"game": "dots-and-boxes", "engine": "mcts", "budget": {"simulations": 100}}));
    assert_eq!(large["engine"]["options"]["transpositions"], "separate");
}

/// Equal seeds give equal answers, also where several workers grow graphs.
#[test]
fn graphs_of_equal_seeds_are_equal() {
    let run = |seed: u64| {
        let result = search(
            &json!({"game": "dots-and-boxes", "variant": {"rows": 2}, "engine": "mcts", "seed": seed, "threads": 3,
            "budget": {"simulations": 3000}}),
        );
        assert_eq!((&result["root"]["visits"], &result["threads"]["granted"]), (&json!(3000), &json!(3)));
        result["children"].clone()
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

/// A brief search makes progress with any amount of memory: it clears no more than it needs.
#[test]
fn much_memory_delays_no_search() {
    let server = Server::new(2, 64);
    let games = get("/v1/games").ok();
    for game in games["games"].as_array().expect("a list") {
        for engine in game["engines"].as_array().expect("a list") {
            let (name, engine) = (game["name"].as_str().expect("a name"), engine["name"].as_str().expect("a name"));
            let result = server
                .search(&json!({"game": name, "engine": engine, "reuse": false,
                "budget": {"time_ms": 50, "memory_mb": 4096}}))
                .ok();
            let root = &result["root"];
            assert!(root["depth"].as_u64() >= Some(1), "{name} {engine}: {root}");
            assert!(root["tree_bytes"].as_u64() <= Some(64 << 20), "{name} {engine}: {root}");
        }
    }
}
