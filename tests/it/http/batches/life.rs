//! A batch from waiting for a place to its end: cancelled, abandoned by its client, or ended with the server.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tesuji::settings::Settings;
use tower::ServiceExt as _;

use super::{begin, items, long, post};
use crate::http::failures::until_ready_is;
use crate::http::wire::{Live, Wire};
use crate::http::{RUNTIME, SHARED, Server};

#[test]
fn a_batch_is_cancelled_as_one() {
    let path = begin(&SHARED, &long(20));
    let begun = SHARED.ask("GET", &path, &[], "").ok();
    assert_eq!(
        (&begun["status"], &begun["final"], &begun["items"]),
        (&json!("queued"), &json!(false), &json!(vec![Value::Null; 20]))
    );
    SHARED.ask("DELETE", &path, &[], "");
    let found = SHARED.ask("GET", &path, &[("prefer", "wait=60")], "").ok();
    assert_eq!(found["status"], "cancelled");
    for item in items(&found) {
        let search = &item["search"];
        assert_eq!((&search["status"], &search["stop_reason"]), (&json!("cancelled"), &json!("cancelled")));
    }
}

#[test]
fn a_client_that_hangs_up_cancels_its_batch() {
    // One place: the server is ready again only when the batch has released it for good.
    let server = Server::new(1, 1);
    for accept in ["application/json", "application/x-ndjson", "text/event-stream"] {
        RUNTIME.block_on(async {
            let Server(router) = server.clone();
            let request = Request::post("/v1/batches").header("accept", accept).body(Body::from(long(50).to_string()));
            let asked = RUNTIME.spawn(async move {
                let answer = router.oneshot(request.expect("it is a request")).await.expect("the router answers");
                answer.into_body().collect().await.expect("it is read")
            });
            until_ready_is(&server, 503).await;
            asked.abort();
            until_ready_is(&server, 200).await;
            for _ in 0..5 {
                tokio::task::yield_now().await;
                assert_eq!(server.send("GET", "/readyz", &[], "").await.status, 200);
            }
        });
    }
}

#[test]
fn a_batch_does_not_block_interactive_searches() {
    // Eight places: a batch of 64 takes no more of them than there are cores.
    let server = Server::new(2, 8);
    let path = begin(&server, &long(64));
    for _ in 0..20 {
        server.search(&json!({"game": "reversi", "budget": {"nodes": 10}})).ok();
    }
    let found = server.ask("GET", &path, &[], "").ok();
    assert_eq!((&found["final"], &found["done"]), (&json!(false), &json!(0)), "the batch still runs");
    server.ask("DELETE", &path, &[], "");
}

#[test]
fn batches_wait_for_their_places() {
    let server = Server::new(1, 1);
    let long = begin(&server, &long(3));
    // Which of two batches that come at the same moment has the place first is not promised.
    RUNTIME.block_on(until_ready_is(&server, 503));
    let short = json!({"searches": vec![json!({"game": "reversi", "budget": {"nodes": 20}}); 3]});
    let waiting = begin(&server, &short);
    assert_eq!(server.ask("GET", &waiting, &[], "").ok()["done"], 0);
    server.ask("DELETE", &long, &[], "");
    let found = server.ask("GET", &waiting, &[("prefer", "wait=60")], "").ok();
    assert_eq!((items(&found).len(), &found["status"]), (3, &json!("done")));
}

#[test]
fn the_number_of_batches_is_limited() {
    let server = Server::new(1, 1);
    let begun: Vec<_> = (0..64).map(|_| begin(&server, &long(1))).collect();
    let more = post(&server, &[], &long(1));
    assert_eq!((more.status, more.code(), more.header("retry-after")), (503, "overloaded", Some("5")));
    server.ask("DELETE", &begun[0], &[], "");
    server.ask("DELETE", &begin(&server, &long(1)), &[], "");
    begun.iter().for_each(|path| drop(server.ask("DELETE", path, &[], "")));
}

/// Posts a batch over the network, and waits for the head of the answer.
async fn stream(server: &Live, body: &Value) -> Wire {
    let mut wire = Wire::open(server.address).await;
    let body = body.to_string();
    let head = "POST /v1/batches HTTP/1.0\r\nAccept: application/x-ndjson\r\nContent-Length:";
    wire.send(&format!("{head} {}\r\n\r\n{body}", body.len())).await;
    let mut first = [0; 20];
    tokio::io::AsyncReadExt::read(&mut wire.0, &mut first).await.expect("the server writes");
    wire
}

/// The rest of the lines, and the last.
async fn lines(wire: Wire) -> (Vec<Value>, Value) {
    let rest = wire.rest().await;
    let (_, body) = rest.split_once("\r\n\r\n").expect("a head ends");
    let mut lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let last = lines.pop().expect("there is a last line");
    (lines, last)
}

#[test]
fn the_servers_end_ends_batches() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { drain_ms: 100, max_searches: 8, ..Settings::default() }).await;
        let wire = stream(&server, &long(10)).await;
        server.stop().await;
        let (items, last) = lines(wire).await;
        assert_eq!((items.len(), &last["status"], &last["final"]), (10, &json!("cancelled"), &json!(true)));
        for item in items {
            let search = &item["search"];
            assert_eq!((&search["status"], &search["stop_reason"]), (&json!("cancelled"), &json!("shutdown")));
        }
    });
}

#[test]
fn a_batch_that_ends_before_the_drain_does_is_left_alone() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { drain_ms: 60_000, max_searches: 8, ..Settings::default() }).await;
        let defaults = json!({"game": "reversi", "engine": "mcts", "budget": {"time_ms": 10, "memory_mb": 8}});
        let wire = stream(&server, &json!({"defaults": defaults, "searches": vec![json!({}); 100]})).await;
        server.stop().await;
        let (items, last) = lines(wire).await;
        assert_eq!((items.len(), &last["status"]), (100, &json!("done")));
    });
}
