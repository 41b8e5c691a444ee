//! The tree below the root's children, if requested.

use serde_json::{Value, json};

use super::search;

/// Checks a node's descendants, and returns their number and depth.
fn check(children: &Value, visits: &Value, min_visits: u64, level: usize) -> (usize, usize) {
    let children = children.as_array().expect("a list");
    let (mut count, mut deepest) = (0, level);
    let mut below = 0;
    for (order, child) in children.iter().enumerate() {
        let own = child["visits"].as_u64().expect("simulations are counted");
        below += own;
        assert_eq!(child["order"], order);
        assert_eq!(child["pv"][0], child["move"]);
        assert!(level == 0 || own >= min_visits, "{child}");
        assert!(child["loss_vs_best"].as_f64().is_none_or(|loss| loss >= 0.0), "{child}");
        count += 1;
        if let Some(replies) = child.get("children") {
            let (more, deeper) = check(replies, &child["visits"], min_visits, level + 1);
            (count, deepest) = (count + more, deepest.max(deeper));
        }
    }
    let solved = |child: &&Value| child["proven"].is_null();
    let open: Vec<_> = children.iter().filter(solved).map(|child| child["visits"].as_u64()).collect();
    assert!(level == 0 || open.is_sorted_by(|a, b| a >= b), "by visits: {open:?}");
    assert!(below <= visits.as_u64().expect("simulations are counted"), "no more visits than above");
    (count, deepest)
}

#[test]
fn the_tree_is_returned_to_the_requested_depth() {
    for (game, options) in [
        ("connect-four", json!({"name": "mcts"})),
        ("connect-four", json!({"name": "mcts", "transpositions": "shared"})),
        ("connect-four", json!({"name": "mcts", "parallel": "tree"})),
        ("tic-tac-toe", json!({"name": "mcts", "selection": "ucb1", "exploration": 2.0})),
    ] {
        for threads in [1, 2] {
            let mut request = json!({"game": game, "engine": options, "threads": threads, "seed": 3,
                "budget": {"simulations": 20_000}});
            let plain = search(&request);
            assert!(plain["children"][0].get("children").is_none());
            request["report"] = json!({"tree": {"depth": 2, "min_visits": 5}});
            let response = search(&request);
            let (count, deepest) = check(&response["children"], &response["root"]["visits"], 5, 0);
            assert!(count > 20 && deepest == 2, "{count} nodes, {deepest} levels");
            assert_eq!(
                response["children"][0]["prior"].is_null(),
                response["engine"]["options"]["selection"] != "puct"
            );
        }
    }
}

#[test]
fn a_large_tree_is_returned_in_part() {
    let response =
        search(&json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": 40_000}, "seed": 1,
        "report": {"tree": {"depth": 8}}}));
    let (count, _) = check(&response["children"], &response["root"]["visits"], 1, 0);
    assert!((1000..=5007).contains(&count), "{count} nodes");
}
