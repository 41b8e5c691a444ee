//! Every child has its own value, for every engine; children, root and chosen move are consistent.

use serde_json::{Value, json};

use super::search;

/// Positions of the games whose default engine is alpha-beta, quiet and sharp ones.
fn positions() -> [Value; 9] {
    let sharp = "r1bakab1r/9/c1n3nC1/p1p1p1p1p/9/9/P1P1P1P1P/1R4N2/1C1R5/1NcAKAB2 w - - 0 8";
    [
        json!({"game": "xiangqi"}),
        json!({"game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4"]}),
        json!({"game": "xiangqi", "position": sharp}),
        json!({"game": "reversi", "moves": ["d3"]}),
        json!({"game": "reversi", "moves": ["f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3", "e6", "e7"]}),
        json!({"game": "reversi"}),
        json!({"game": "gomoku"}),
        json!({"game": "gomoku", "moves": ["h8", "i9", "g9", "i7"]}),
        json!({"game": "dots-and-boxes", "variant": {"columns": 5, "rows": 5}, "moves": ["h0,1", "v1,0", "v2,2"]}),
    ]
}

fn with(mut request: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

fn children(result: &Value) -> &[Value] {
    result["children"].as_array().expect("a list")
}

/// Holds for every engine, every budget, at any time.
#[track_caller]
fn check(result: &Value) {
    let all = children(result);
    let best = &all[0];
    assert_eq!(best["move"], result["move"], "{result:#}");
    // In a Monte-Carlo tree the root's value is the mean of all simulations.
    assert!(!best["visits"].is_null() || best["value"] == result["root"]["value"], "{result:#}");
    for child in all {
        let known = !child["value"].is_null() && (child["bound"] == "exact" || !child["proven"].is_null());
        // A lower bound of the chosen move is enough to compare others with it.
        let at_least = child["order"] == 0 && child["bound"] == "lower";
        assert_eq!(child["loss_vs_best"].is_null(), !(known || at_least) || best["loss_vs_best"].is_null(), "{child}");
        assert!(child["bound"] != "exact" || child["depth"].as_u64() > Some(0), "exact at depth 0: {child}");
        let (own, most) = (child["value"].as_f64(), best["value"].as_f64());
        if known && child["depth"].as_u64() >= best["depth"].as_u64() && child["visits"].is_null() {
            assert!(own <= most, "{child} is better than {best}");
        }
    }
    if !best["loss_vs_best"].is_null() {
        assert_eq!(best["loss_vs_best"], 0.0, "{best}");
    }
    assert!(best["bound"] != "upper" || !best["proven"].is_null(), "the chosen move is worth at most … : {best}");
    assert!(result["root"]["bound"] != "exact" || result["root"]["depth"].as_u64() > Some(0), "{}", result["root"]);
}

#[test]
fn children_and_root_fit_together_at_any_time() {
    for request in positions() {
        for budget in [
            json!({"nodes": 1}),
            json!({"nodes": 3}),
            json!({"nodes": 40}),
            json!({"nodes": 700}),
            json!({"nodes": 9000}),
            json!({"time_ms": 5}),
            json!({"time_ms": 50}),
            json!({"depth": 3}),
            json!({"simulations": 30}),
        ] {
            check(&search(&with(request.clone(), json!({"budget": budget, "reuse": false}))));
        }
        for multipv in [2, 5, 1000] {
            let report = json!({"multipv": multipv});
            check(&search(&with(request.clone(), json!({"budget": {"nodes": 9000}, "report": report}))));
        }
    }
}

#[test]
fn every_legal_move_has_a_value() {
    for request in positions() {
        let result = search(&with(request, json!({"budget": {"nodes": 60_000}, "seed": 1})));
        let all = children(&result);
        for child in all {
            assert!(!child["value"].is_null() && child["depth"].as_u64() > Some(0), "{child}");
            assert!(child["nodes"].as_u64() > Some(0), "{child}");
        }
        // A deeper bound contradicts few of them; more in Gomoku, where a tempo is worth much and there are many moves.
        let bounds = all.iter().filter(|child| child["bound"] != "exact" && child["proven"].is_null()).count();
        let most = all.len() / if result["game"] == "gomoku" { 2 } else { 5 };
        assert!(bounds <= most, "{bounds} of {} children have a bound only: {result:#}", all.len());
        let nodes: u64 = all.iter().filter_map(|child| child["nodes"].as_u64()).sum();
        assert!(result["root"]["nodes"].as_u64() >= Some(nodes), "{nodes}: {}", result["root"]);
    }
}

/// The requested number of best moves is searched as deep as the best one.
#[test]
fn the_requested_number_of_moves_is_searched_to_the_full_depth() {
    for request in positions() {
        let result = search(&with(request, json!({"budget": {"depth": 4}, "report": {"multipv": 3}, "seed": 1})));
        let all = children(&result);
        let deep = all.iter().filter(|child| child["bound"] == "exact" && child["depth"] == all[0]["depth"]);
        assert!(deep.count() >= 3.min(all.len()), "{result:#}");
    }
}

#[test]
fn nothing_is_spent_on_others_where_only_the_move_is_wanted() {
    for request in positions() {
        let ask = |children: &str| {
            let fields = json!({"budget": {"depth": 4}, "report": {"children": children}, "seed": 1});
            search(&with(request.clone(), fields))
        };
        let (best, all) = (ask("best"), ask("all"));
        assert_eq!(children(&best).len(), 1);
        assert!(best["root"]["nodes"].as_u64() < all["root"]["nodes"].as_u64());
        let three = json!({"budget": {"depth": 3}, "report": {"children": "best", "multipv": 3}});
        assert_eq!(children(&search(&with(request, three))).len(), 3.min(children(&all).len()));
    }
}
