//! Moves as clients send them: a list, numbers where columns are numbers, or one text.

use serde_json::{Value, json};

use super::SHARED;

fn described(body: &Value) -> Value {
    SHARED.ask("POST", "/v1/positions", &[], body.to_string()).ok()
}

#[test]
fn every_way_to_write_moves_leads_to_the_same_position() {
    for (game, list, others) in [
        ("tic-tac-toe", json!(["b2", "a1"]), &[json!("b2 a1"), json!("b2a1"), json!("B2, A1"), json!(["b2a1"])][..]),
        (
            "connect-four",
            json!(["4", "4", "3", "3"]),
            &[json!("4433"), json!("4 4 3 3"), json!([4, 4, 3, 3]), json!([4, "4", "33"]), json!("1. 4 4 2. 3 3")],
        ),
        ("reversi", json!(["f5", "d6", "c3"]), &[json!("f5d6c3"), json!("F5 D6 C3"), json!("1. f5 d6 2. c3")]),
        ("dots-and-boxes", json!(["h0,1", "v1,0"]), &[json!("h0,1 v1,0"), json!("h0,1v1,0"), json!("h0,1,v1,0")]),
        ("gomoku", json!(["h8", "h9"]), &[json!("h8 h9"), json!("h8,h9"), json!("h8h9"), json!("H8 H9")]),
        ("xiangqi", json!(["h2e2", "h9g7"]), &[json!("h2e2 h9g7"), json!("炮二平五，马8进7"), json!("C2=5 h8+7")]),
        ("hex", json!(["a2", "swap", "f6"]), &[json!("a2 swap f6"), json!("1. a2 swap 2. f6")]),
    ] {
        let wanted = described(&json!({"game": game, "moves": list}));
        for moves in others {
            let found = described(&json!({"game": game, "moves": moves}));
            assert_eq!(found, wanted, "{game}: {moves}");
            let body =
                json!({"game": game, "moves": moves, "budget": {"simulations": 20}, "engine": "mcts", "seed": 1});
            let found = SHARED.ask("POST", "/v1/searches", &[], body.to_string()).ok();
            assert_eq!(found["position"]["key"], wanted["key"], "{game}: {moves}");
        }
    }
}

#[test]
fn moves_in_a_text_follow_a_position() {
    let found = described(&json!({"game": "tic-tac-toe", "position": "xo1/3/3 x", "moves": "b2 c3"}));
    assert_eq!(found["position"], "xoo/1x1/3 x");
    let empty = described(&json!({"game": "hex", "moves": ""}));
    assert_eq!(empty["ply"], 0);
}

#[test]
fn reviews_and_batches_read_them_too() {
    let body = json!({"game": "tic-tac-toe", "moves": "b2, b1", "budget": {"simulations": 20}, "seed": 1});
    let answer = SHARED.ask("POST", "/v1/reviews", &[], body.to_string());
    assert_eq!((answer.status, &answer.body["plies"]["total"]), (202, &json!(2)), "{:#}", answer.body);
    let defaults = json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": 20}, "seed": 1});
    let body = json!({"defaults": defaults, "searches": [{"moves": "4433"}, {"moves": [4, 4, 3, 3]}, {"moves": "48"}]});
    let answer = SHARED.ask("POST", "/v1/batches", &[], body.to_string()).ok();
    let items = answer["items"].as_array().expect("it has items");
    assert_eq!(items[0]["search"]["position"], items[1]["search"]["position"]);
    assert_eq!(items[0]["search"]["position"]["text"], "4433");
    assert_eq!(items[2]["problem"]["errors"][0]["pointer"], "/moves");
}

#[test]
fn a_refusal_names_the_field_for_moves() {
    for (body, pointer, detail) in [
        (json!({"game": "gomoku", "position": "h8,h9"}), "/position", "; moves belong in `moves`"),
        (json!({"game": "xiangqi", "position": "h2e2 h9g7"}), "/position", "; moves belong in `moves`"),
        (
            json!({"game": "hex", "moves": "11/11/11 r"}),
            "/moves",
            "expected moves here, and the position in `position`",
        ),
    ] {
        let answer = SHARED.ask("POST", "/v1/positions", &[], body.to_string());
        let error = &answer.body["errors"][0];
        assert_eq!((answer.status, error["pointer"].as_str()), (422, Some(pointer)), "{:#}", answer.body);
        assert!(error["detail"].as_str().is_some_and(|reported| reported.ends_with(detail)), "{:#}", answer.body);
    }
    // A text that does not look like a move is not taken for one.
    let answer = SHARED.ask("POST", "/v1/positions", &[], r#"{"game":"gomoku","position":"hello"}"#);
    assert!(!answer.body.to_string().contains("moves belong"), "{:#}", answer.body);
}
