//! First moves, levels and variety: opponents for human players.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};
use tesuji_core::catalog::{BudgetRequest, Catalog, Policy, SearchSpec, Setup, Strength, WorkerContext};
use tesuji_core::search::{Signals, StopReason};

use super::{SHARED, search};

fn moved(request: &Value) -> String {
    search(request)["move"].as_str().expect("a move").to_owned()
}

/// With any budget, the first move is one that a club player makes.
#[test]
fn first_moves_follow_the_principles_of_the_opening() {
    for nodes in [1, 3, 10, 50, 500, 5000] {
        let first = moved(&json!({"game": "gomoku", "budget": {"nodes": nodes}}));
        assert!(["g", "h", "i"].iter().any(|column| first.starts_with(column)), "{nodes} nodes: {first}");
        assert!(["7", "8", "9"].contains(&&first[1..]), "{nodes} nodes: {first}");
        let reply = moved(&json!({"game": "gomoku", "moves": ["h8"], "budget": {"nodes": nodes}}));
        assert!(("f".."k").contains(&&reply[..1]), "{nodes} nodes: {reply}");
        let first = moved(&json!({"game": "xiangqi", "budget": {"nodes": nodes}}));
        assert!(!first.starts_with('a') && !first.starts_with('i'), "{nodes} nodes: a rook first, {first}");
    }
    for simulations in [1, 3, 10] {
        let order = |game: &str| json!({"game": game, "budget": {"simulations": simulations}, "seed": simulations});
        assert_eq!(moved(&order("connect-four")), "4");
        assert!(["h8", "g8", "h7", "g7", "i8", "h9", "i9", "g9", "i7"].contains(&moved(&order("gomoku")).as_str()));
        // A cannon for a horse that is protected.
        assert!(!["h2h9", "b2b9"].contains(&moved(&order("xiangqi")).as_str()));
    }
    assert_eq!(moved(&json!({"game": "tic-tac-toe", "budget": {"simulations": 1}})), "b2");
}

#[test]
fn a_level_chooses_and_reports_it() {
    for game in ["tic-tac-toe", "connect-four", "reversi", "dots-and-boxes", "gomoku", "xiangqi", "hex"] {
        for level in [1, 5, 9] {
            let result = search(&json!({"game": game, "level": level, "seed": 7}));
            let choice = &result["choice"];
            assert_eq!(choice["level"], level, "{game}");
            assert_eq!(result["move"], result["children"][0]["move"], "{game}");
            let children = result["children"].as_array().expect("a list");
            assert!(children.iter().any(|child| child["move"] == choice["best"]), "{game}: {choice}");
            assert_eq!(choice["loss"], result["children"][0]["loss_vs_best"], "{game}: {choice}");
            // Limited by work, so the same everywhere.
            assert_eq!(search(&json!({"game": game, "level": level, "seed": 7}))["move"], result["move"], "{game}");
            assert!(result["budget"]["granted"]["time_ms"].is_null(), "{game}");
        }
        let full = search(&json!({"game": game, "level": 10, "budget": {"nodes": 2000}, "seed": 7}));
        assert_eq!(full["choice"], Value::Null, "{game}");
    }
}

/// However the move is chosen: if a search ends as proven, the report has the proof. The best move loses nothing, and the
/// chosen one as much as `choice` reports.
#[test]
fn a_level_reports_what_ends_its_search_as_proven() {
    let cases = [
        json!({"game": "dots-and-boxes", "variant": {"columns": 1, "rows": 1}, "moves": ["h0,0", "h1,0", "v0,0"]}),
        json!({"game": "dots-and-boxes", "variant": {"columns": 2, "rows": 1}, "moves": ["h0,0", "h1,0"]}),
        json!({"game": "tic-tac-toe", "moves": ["a1", "b2", "c3", "a3", "c1"]}),
        json!({"game": "tic-tac-toe", "moves": ["b2"]}),
        json!({"game": "connect-four", "moves": ["4", "1", "4", "1", "4"]}),
        json!({"game": "connect-four", "moves": ["4", "1", "4", "1"]}),
        json!({"game": "hex", "variant": {"size": 3}, "moves": ["b2"]}),
        json!({"game": "xiangqi", "position": "3k5/4P4/9/9/9/9/9/9/9/2R1K4 w - - 0 1"}),
    ];
    let mut proven = 0;
    for case in cases {
        for level in 1..=9 {
            for budget in [json!({"time_ms": 50}), json!({"nodes": 3000}), json!({"nodes": 3})] {
                for children in ["all", "best"] {
                    let mut request = case.clone();
                    (request["level"], request["budget"], request["seed"]) =
                        (json!(level), budget.clone(), json!(level));
                    request["report"] = json!({"children": children});
                    let result = search(&request);
                    let list = result["children"].as_array().expect("a list");
                    if result["stop_reason"] == "proven" {
                        proven += 1;
                        assert!(!result["root"]["proven"].is_null(), "{request}: {result:#}");
                        assert!(list.iter().any(|child| !child["proven"].is_null()), "{request}: {result:#}");
                    }
                    let choice = &result["choice"];
                    let best = list.iter().find(|child| child["move"] == choice["best"]);
                    let loss = best.and_then(|best| best["loss_vs_best"].as_f64()).unwrap_or(0.0);
                    assert_eq!(loss, 0.0, "{request}: {result:#}");
                    assert_eq!(list[0]["loss_vs_best"], choice["loss"], "{request}: {result:#}");
                }
            }
        }
    }
    assert!(proven > 100, "{proven}");
}

/// The loss of a level's move is measured by the full search, if its statistics are requested.
#[test]
fn statistics_of_a_level_are_those_of_the_full_search() {
    let ask = |more: Value| {
        let mut request = json!({"game": "reversi", "moves": ["f5d6c3d3c4"], "budget": {"nodes": 20_000}, "seed": 3});
        for (name, value) in more.as_object().expect("an object") {
            request[name] = value.clone();
        }
        search(&request)
    };
    let full = ask(json!({}));
    let level = ask(json!({"level": 1, "report": {"children": "all"}}));
    assert_eq!(level["root"], full["root"]);
    assert_eq!(level["choice"]["best"], full["move"]);
    let mut own: Vec<_> = level["children"].as_array().expect("a list").iter().map(|child| &child["value"]).collect();
    own.sort_by(|one, other| other.as_f64().partial_cmp(&one.as_f64()).expect("numbers"));
    let mut whole: Vec<_> = full["children"].as_array().expect("a list").iter().map(|child| &child["value"]).collect();
    whole.sort_by(|one, other| other.as_f64().partial_cmp(&one.as_f64()).expect("numbers"));
    assert_eq!(own, whole);
}

/// From level 2 on.
#[test]
fn a_level_takes_a_win_in_one_and_stops_a_loss() {
    let cases = [
        (json!({"game": "tic-tac-toe", "moves": ["a1", "b1", "a2", "b2"]}), "a3"),
        (json!({"game": "tic-tac-toe", "moves": ["a1", "b1", "a2"]}), "a3"),
        (json!({"game": "connect-four", "moves": ["4", "1", "4", "1", "4", "2"]}), "4"),
        (json!({"game": "connect-four", "moves": ["4", "1", "4", "1", "4"]}), "4"),
        (json!({"game": "gomoku", "moves": ["h8", "a1", "i8", "a3", "j8", "a5", "k8", "g8"]}), "l8"),
        (json!({"game": "gomoku", "moves": ["h8", "g8", "i8", "a3", "j8", "a5", "k8"]}), "l8"),
    ];
    for (position, only) in cases {
        for level in [2, 4, 9] {
            for seed in 0..8 {
                let mut request = position.clone();
                (request["level"], request["seed"]) = (json!(level), json!(seed));
                assert_eq!(moved(&request), only, "level {level}, seed {seed}: {position}");
            }
        }
    }
}

#[test]
fn variety_varies_among_good_moves_only() {
    let play = |variety: f64, seed: u64| {
        let request = json!({"game": "xiangqi", "variety": variety, "budget": {"nodes": 20_000}, "seed": seed});
        let result = search(&request);
        assert!(result["choice"].is_null() || result["choice"]["loss"].as_f64() <= Some(0.151), "{}", result["choice"]);
        result["move"].as_str().expect("a move").to_owned()
    };
    let varied: HashSet<String> = (0..20).map(|seed| play(0.5, seed)).collect();
    assert!(varied.len() > 1, "{varied:?}");
    assert_eq!((0..5).map(|seed| play(0.0, seed)).collect::<HashSet<_>>().len(), 1);
}

#[test]
fn what_a_level_cannot_be_is_refused() {
    for (more, pointer) in [
        (json!({"level": 0}), "/level"),
        (json!({"level": 11}), "/level"),
        (json!({"level": 1000}), "/level"),
        (json!({"level": "hard"}), "/level"),
        (json!({"level": 3, "engine": "mcts"}), "/engine"),
        (json!({"variety": 1.5}), "/variety"),
        (json!({"variety": -0.1}), "/variety"),
        (json!({"report": {"children": "some"}}), "/report/children"),
        (json!({"report": {"multipv": 0}}), "/report/multipv"),
    ] {
        let mut request = json!({"game": "reversi", "budget": {"nodes": 10}});
        for (name, value) in more.as_object().expect("an object") {
            request[name] = value.clone();
        }
        let answer = SHARED.search(&request);
        assert_eq!(answer.status, 422, "{request}: {}", answer.body);
        assert_eq!(answer.body["errors"][0]["pointer"], pointer, "{request}: {}", answer.body);
    }
}

/// A search cancelled as soon as the level's own search is over, before it has more results.
#[test]
fn a_search_cut_short_reports_the_result_of_the_levels_search() {
    let catalog = Catalog::standard();
    let session = catalog.open("reversi", Setup::default()).expect("the start can be set up");
    let strength = Strength { level: Some(9), statistics: true, ..Strength::default() };
    let budget = BudgetRequest { time_ms: Some(60_000), ..BudgetRequest::default() };
    let spec = SearchSpec { budget, strength, ..SearchSpec::default() };
    let search = session.search(&spec, &Policy::default()).expect("it is accepted");
    let signals = Signals::default();
    let cancel = |_| signals.cancel();
    search.run(0, WorkerContext { on_progress: Some((Duration::ZERO, &cancel)), ..WorkerContext::new(&signals) });
    let report = search.finish().expect("it has run");
    assert_eq!(report.stop, StopReason::Cancelled);
    assert!(report.children.iter().all(|child| child.evaluation.outlook.is_some()), "{report:?}");
    assert!(report.choice.is_some_and(|choice| choice.level == Some(9) && choice.loss.is_some()));
}
