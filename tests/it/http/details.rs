//! The `detail` of an error, which is all that exceptions of clients show, names the part, the reason and the range.

use serde_json::{Value, json};

use super::SHARED;
use super::bad_requests::LARGEST_BODY;

#[test]
fn details_name_the_part_and_what_was_expected() {
    let search = |more: Value| {
        let mut body = json!({ "game": "reversi" });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        ("/v1/searches", body)
    };
    let batch = |searches: Value| ("/v1/batches", json!({ "searches": searches }));
    let many = Value::Array(vec![json!({ "game": "reversi" }); 257]);
    let cases = [
        (search(json!({ "budget": { "time": 1 } })), "/budget/time: unknown field `time`, expected one of"),
        (search(json!({ "report": { "multipv": 0 } })), "/report/multipv: expected 1 to "),
        (search(json!({ "budget": { "depth": 251 } })), "/budget/depth: expected 1 to 250"),
        (search(json!({ "game": 4 })), "/game: expected"),
        (("/v1/searches", json!({})), "missing field `game`"),
        (batch(json!([])), "/searches: expected 1 to 256 searches, not 0"),
        (batch(many), "/searches: expected 1 to 256 searches, not 257"),
        (
            ("/v1/batches", json!({ "defaults": { "seeds": 1 }, "searches": [{}] })),
            "/defaults/seeds: unknown field `seeds`",
        ),
        (
            ("/v1/positions", json!({ "game": "reversi", "text": "f5", "moves": [] })),
            "/text: expected either `text`, or `position`",
        ),
        (
            ("/v1/records", json!({ "text": "(;GM[4])", "date": "2026" })),
            "/date: `date` conflicts with `text`: expected",
        ),
        (("/v1/records", json!({ "game": "hex", "moves": [], "number": 1 })), "/number: `number` applies to `text`"),
        (("/v1/reviews", json!({ "game": "tic-tac-toe", "moves": ["b2", "b2"] })), "/moves/1: move `b2`: "),
    ];
    for ((path, body), expected) in cases {
        let answer = SHARED.ask("POST", path, &[], body.to_string());
        let detail = answer.body["detail"].as_str().expect("it is a text");
        assert!(answer.status == 422 && detail.starts_with(expected), "{path}: {detail}");
    }
}

#[test]
fn limits_of_the_body_are_named() {
    let answer = SHARED.ask("POST", "/v1/searches", &[], " ".repeat(LARGEST_BODY + 1));
    assert_eq!(answer.body["detail"], format!("expected a body of at most {LARGEST_BODY} bytes"));
}
