//! Grades over HTTP: one for each move named, in that order, searched as deep as the best move.

use serde_json::{Value, json};

use super::{SHARED, search};

fn graded(request: Value) -> (Value, Vec<Value>) {
    let result = search(&request);
    let grades = result["grades"].as_array().expect("a list").clone();
    (result, grades)
}

/// The entry of `children` for a move.
fn child<'a>(result: &'a Value, mv: &Value) -> &'a Value {
    let children = result["children"].as_array().expect("a list");
    children.iter().find(|child| child["move"] == *mv).expect("every move has a child")
}

#[test]
fn grades_are_absent_unless_requested() {
    let result = search(&json!({"game": "connect-four", "moves": ["4"], "budget": {"nodes": 1000}}));
    assert!(result.get("grades").is_none(), "{result:#}");
}

#[test]
fn moves_are_graded_in_any_notation_and_in_order() {
    // The first player has three stones in the bottom row, and wins with a fourth.
    let request = json!({"game": "connect-four", "moves": "112233", "grade": [7, "4", "1"], "engine": "solver"});
    let (_, grades) = graded(request);
    let fields = |name: &str| grades.iter().map(|grade| grade[name].clone()).collect::<Vec<_>>();
    assert_eq!(fields("move"), ["7", "4", "1"]);
    assert_eq!(fields("exact"), [true, true, true]);
    assert_eq!(
        (&grades[1]["rank"], &grades[1]["class"], &grades[1]["value"]),
        (&json!(1), &json!("best"), &json!(1.0))
    );
    assert_eq!((&grades[1]["proof"], &grades[1]["depth"]), (&json!("kept"), &Value::Null));
    assert_eq!((&grades[0]["loss"], &grades[0]["class"]), (&json!(2.0), &json!("blunder")));
    assert_eq!(grades[0]["proof"], "thrown_away");
    let reasons = json!([
        {"kind": "misses_win", "distance": 1, "points": null, "proven": true, "line": ["4"]},
        {"kind": "allows_win", "distance": 31, "points": null, "proven": true, "line": ["7", "4", "4", "4", "2", "4"]},
    ]);
    assert_eq!(grades[0]["reasons"], reasons);
}

#[test]
fn the_choice_is_graded_by_its_name() {
    // The second player threatens nothing, the first a row that only one move stops.
    let request = json!({"game": "tic-tac-toe", "moves": ["a1", "b2", "b1"], "grade": ["best"], "engine": "negamax"});
    let (result, grades) = graded(request);
    assert_eq!((&grades[0]["move"], &grades[0]["rank"]), (&result["move"], &json!(1)));
    let kinds: Vec<&Value> = grades[0]["reasons"].as_array().expect("a list").iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["only_move", "answers_threat"], "{grades:#?}");
    assert_eq!(result["move"], "c1");
}

#[test]
fn moves_that_a_mirror_exchanges_have_one_grade() {
    for engine in ["negamax", "mcts"] {
        let corner = json!({"game": "gomoku", "moves": ["h8"], "grade": ["a1", "o15"], "engine": engine,
            "budget": {"nodes": 3000}, "seed": 1});
        let (_, grades) = graded(corner);
        let same = ["rank", "value", "loss", "class", "depth"];
        assert!(same.iter().all(|&name| grades[0][name] == grades[1][name]), "{engine}: {grades:#?}");
    }
}

#[test]
fn a_graded_move_is_searched_as_deep_as_the_best() {
    let moves = ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4"];
    for (game, moves, weak) in [("xiangqi", &moves[..], "e9e8"), ("reversi", &["f5", "d6", "c3", "d3"], "c6")] {
        let request = json!({"game": game, "moves": moves, "grade": [weak], "engine": "negamax",
            "budget": {"nodes": 30_000}, "report": {"children": "best"}});
        let (result, grades) = graded(request);
        let depths = [&grades[0], &result["root"]].map(|part| part["depth"].as_u64().expect("a number"));
        assert!(depths[0] + 1 >= depths[1], "{game}: {depths:?}");
        assert!(grades[0]["loss"].as_f64() > Some(0.0) && grades[0]["rank"].as_u64() > Some(1), "{grades:#?}");
    }
}

#[test]
fn simulations_of_a_graded_move_suffice_to_compare_it() {
    for options in
        [json!({"transpositions": "separate"}), json!({"transpositions": "shared"}), json!({"parallel": "tree"})]
    {
        let mut engine = options.clone();
        engine["name"] = json!("mcts");
        let request = json!({"game": "reversi", "moves": ["f5", "f6", "e6", "f4"], "grade": ["g7"], "engine": engine,
            "budget": {"simulations": 4000}, "seed": 3});
        let (result, grades) = graded(request);
        let visits = |child: &Value| child["visits"].as_u64().expect("a number");
        let (own, best) = (visits(child(&result, &json!("g7"))), visits(&result["children"][0]));
        assert!(own * 4 + 4 >= best && own < best, "{options}: {own} of {best}");
        assert_eq!(grades[0]["loss"], child(&result, &json!("g7"))["loss_vs_best"], "{options}");
    }
}

#[test]
fn grades_compare_only_with_the_best_of_all_moves() {
    let with = |fields: Value| {
        let mut request = json!({"game": "reversi", "grade": ["d3"], "budget": {"nodes": 100}});
        request.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        let answer = SHARED.search(&request);
        (answer.status, answer.body["errors"][0]["pointer"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(with(json!({"level": 10, "variety": 0})).0, 200);
    for (fields, pointer) in [
        (json!({"level": 9}), "/level"),
        (json!({"variety": 0.1}), "/variety"),
        (json!({"moves_filter": {"avoid": ["c4"]}}), "/moves_filter"),
        (json!({"grade": []}), "/grade"),
        (json!({"grade": "d3"}), "/grade"),
        (json!({"grade": ["d3", "a1"]}), "/grade/1"),
        (json!({"game": "tic-tac-toe", "moves": ["a1", "b1", "a2", "b2", "a3"], "grade": ["c3"]}), "/grade/0"),
    ] {
        assert_eq!(with(fields.clone()), (422, pointer.to_owned()), "{fields}");
    }
}
