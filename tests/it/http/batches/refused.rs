//! Refusals: of a single search in a batch, or of the whole batch.

use serde_json::{Value, json};
use tesuji::settings::Settings;

use super::{batch, items, post};
use crate::http::{SHARED, Server, bad_requests};

#[test]
fn a_search_is_refused_as_it_would_be_alone_and_the_others_are_not() {
    let good = r#"{"game":"reversi","budget":{"nodes":1}}"#;
    let cases = bad_requests::cases().into_iter().filter(|case| case.status == 422);
    let bodies: Vec<_> = cases.map(|case| String::from_utf8(case.body).expect("it was read as JSON")).collect();
    assert!(bodies.len() > 100);
    for bodies in bodies.chunks(100) {
        let body = format!(r#"{{"searches":[{good},{},{good}]}}"#, bodies.join(","));
        let found = SHARED.ask("POST", "/v1/batches", &[("x-request-id", "mine")], body).ok();
        let items = items(&found);
        assert!([&items[0], &items[items.len() - 1]].iter().all(|item| item["search"]["status"] == "done"));
        for (item, body) in items[1..].iter().zip(bodies) {
            let mut alone = SHARED.ask("POST", "/v1/searches", &[], body.clone()).body;
            alone["request_id"] = "mine".into();
            assert_eq!(item["problem"], alone, "{body}");
        }
    }
}

#[test]
fn a_priority_is_refused() {
    let searches = json!([{"priority": "interactive"}, {"priority": "batch"}, {"priority": null}]);
    let found = batch(&json!({"defaults": {"game": "reversi", "budget": {"nodes": 1}}, "searches": searches}));
    let pointers: Vec<_> = items(&found).iter().map(|item| &item["problem"]["errors"][0]["pointer"]).collect();
    assert_eq!(pointers, [&json!("/priority"), &json!("/priority"), &Value::Null]);
}

#[test]
fn what_is_wrong_with_the_whole_is_refused() {
    for (body, code, pointer) in [
        (json!([]), "invalid_request", ""),
        (json!({}), "invalid_request", "/searches"),
        (json!({"searches": [{}], "plies": [0]}), "invalid_request", "/plies"),
        (json!({"defaults": {"game": "reversi"}, "plies": []}), "invalid_request", "/plies"),
        (json!({"defaults": {"game": "reversi"}, "plies": [0, 1]}), "invalid_request", "/plies/1"),
        (
            json!({"defaults": {"game": "reversi", "moves": ["f5", "f5"]}, "plies": [0]}),
            "illegal_move",
            "/defaults/moves/1",
        ),
        (json!({"defaults": {"game": "reversi", "moves": "f5 f5"}, "plies": [0]}), "illegal_move", "/defaults/moves"),
        (json!({"plies": [0]}), "unknown_game", "/defaults/game"),
        (json!({"searches": null}), "invalid_request", "/searches"),
        (json!({"searches": []}), "invalid_request", "/searches"),
        (json!({"searches": {"game": "reversi"}}), "invalid_request", "/searches"),
        (json!({"searches": vec![json!({"game": "reversi"}); 257]}), "invalid_request", "/searches"),
        (json!({"searches": [{}], "default": {}}), "invalid_request", "/default"),
        (json!({"searches": [{}], "defaults": []}), "invalid_request", "/defaults"),
        (json!({"searches": [{}], "defaults": {"budgt": {}}}), "invalid_request", "/defaults/budgt"),
        (
            json!({"searches": [{}], "defaults": {"budget": {"time_ms": "1"}}}),
            "invalid_request",
            "/defaults/budget/time_ms",
        ),
        (json!({"searches": [{}], "defaults": {"priority": "batch"}}), "invalid_request", "/defaults/priority"),
    ] {
        let answer = post(&SHARED, &[], &body);
        let pointers: Vec<_> = answer.body["errors"].as_array().into_iter().flatten().collect();
        assert_eq!((answer.status, answer.code(), pointers.len()), (422, code, 1), "{body}");
        assert_eq!(pointers[0]["pointer"], pointer, "{body}");
    }
    let twice = SHARED.ask("POST", "/v1/batches", &[], r#"{"searches":[{}],"defaults":{"seed":1,"seed":2}}"#);
    assert_eq!((twice.status, &twice.body["errors"][0]["pointer"]), (422, &json!("/defaults/seed")));
    assert_eq!(SHARED.ask("POST", "/v1/batches", &[], r#"{"searches":[{"game":}]}"#).code(), "malformed_json");
}

#[test]
fn a_batch_may_be_longer_than_a_search_with_its_defaults_in_each() {
    let server = Server::set_up(&Settings { max_body_bytes: 1024, ..Settings::default() });
    let searches = |count: usize| json!({"searches": vec![json!({"game": "reversi", "budget": {"nodes": 1}}); count]});
    post(&server, &[], &searches(200)).ok();
    assert_eq!(post(&server, &[], &searches(500)).code(), "too_large");
    let defaults = |length: usize| json!({"defaults": {"game": "reversi", "position": "x".repeat(length)}, "searches": vec![json!({}); 200]});
    post(&server, &[], &defaults(50)).ok();
    assert_eq!(post(&server, &[], &defaults(100)).code(), "too_large");
}
