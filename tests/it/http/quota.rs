//! Quotas charge what was used: an estimate before a search, and the CPU time used at its end, however it ends.

use serde_json::{Value, json};
use tesuji::settings::Settings;

use super::{Answer, Server};

/// The size of a bucket in these tests: too large to refill while they run, at a millisecond a second.
const BURST: u32 = 10_000;

fn settings() -> Settings {
    Settings { quota_ms_per_s: Some(1), quota_burst_ms: BURST, kept_memory_mb: Some(0), ..Settings::default() }
}

fn limited() -> Server {
    Server::set_up(&settings())
}

fn post(server: &Server, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    server.ask("POST", path, headers, body.to_string())
}

/// How many milliseconds have been charged, by the wait for a full bucket.
fn charged(server: &Server) -> u32 {
    let answer = post(server, "/v1/searches", &[], &json!({"game": "hex", "budget": {"cpu_ms": BURST}}));
    assert_eq!(answer.status, 429, "{:#}", answer.body);
    answer.header("retry-after").and_then(|wait| wait.parse().ok()).expect("it says when")
}

/// Waits until the charge is in a range.
#[track_caller]
fn settles(server: &Server, range: std::ops::RangeInclusive<u32>) {
    let begin = std::time::Instant::now();
    while !range.contains(&charged(server)) {
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "{} ms, not {range:?}", charged(server));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn what_was_not_used_comes_back() {
    let server = limited();
    post(&server, "/v1/searches", &[], &json!({"game": "tic-tac-toe", "budget": {"time_ms": 9000}})).ok();
    settles(&server, 1..=2000);
    // Charged by their granted limits, not even two of these would fit.
    let before = charged(&server);
    for _ in 0..3 {
        post(&server, "/v1/searches", &[], &json!({"game": "hex", "budget": {"simulations": 600_000, "cpu_ms": 20}}))
            .ok();
    }
    settles(&server, before + 58..=before + 400);
}

/// Monte-Carlo searches limited by nodes take up to 39 times as long as their estimate.
#[test]
fn what_was_used_beyond_the_estimate_is_charged() {
    let server = limited();
    let body = json!({"game": "tic-tac-toe", "variant": {"columns": 19, "rows": 19}, "engine": "mcts", "budget": {"nodes": 800}});
    let found = post(&server, "/v1/searches", &[], &body).ok();
    let had = found["budget"]["used"]["cpu_ms"].as_f64().expect("it is a number");
    assert!(had > 3.0, "an estimate of a millisecond was much too low: {had}");
    let least = had.floor() as u32;
    settles(&server, least..=least + 3);
}

#[test]
fn each_thread_of_a_tiny_search_counts() {
    let server = limited();
    for _ in 0..5 {
        let body = json!({"game": "hex", "engine": "mcts", "threads": 8, "budget": {"simulations": 8}});
        post(&server, "/v1/searches", &[], &body).ok();
    }
    settles(&server, 39..=2000);
}

#[test]
fn a_cancelled_search_costs_the_time_it_used() {
    let server = limited();
    let long = json!({"game": "hex", "engine": "mcts", "budget": {"time_ms": 9000}});
    for prefer in ["respond-async", "respond-async, wait=0"] {
        let begun = post(&server, "/v1/searches", &[("prefer", prefer)], &long);
        assert_eq!(begun.status, 202);
        let path = format!("/v1/searches/{}", begun.body["id"].as_str().expect("it is a text"));
        server.ask("DELETE", &path, &[], "").ok();
        settles(&server, 0..=4000);
    }
}

#[test]
fn batches_and_reviews_are_settled_search_by_search() {
    let server = limited();
    let batch = json!({"defaults": {"game": "tic-tac-toe", "budget": {"time_ms": 3000}},
        "searches": [{}, {"game": "chess"}, {"moves": ["a1"]}, {"moves": ["a1", "a2", "b1", "b2", "c1"]}, {}]});
    post(&server, "/v1/batches", &[], &batch).ok();
    settles(&server, 2..=3000);
    // The part that is not searched is refunded.
    let long = json!({"game": "hex", "moves": ["a1", "b1", "c1"], "engine": "mcts", "budget": {"time_ms": 1500}});
    let begun = post(&server, "/v1/reviews", &[], &long);
    let path = format!("/v1/reviews/{}", begun.body["id"].as_str().expect("it is a text"));
    assert!(charged(&server) >= 4000, "a review is charged as a whole");
    server.ask("DELETE", &path, &[], "");
    settles(&server, 2..=4500);
    let long = json!({"defaults": {"game": "hex", "budget": {"time_ms": 1000}}, "searches": [{}, {}, {}, {}, {}]});
    let begun = post(&server, "/v1/batches", &[("prefer", "respond-async")], &long);
    let path = format!("/v1/batches/{}", begun.body["id"].as_str().expect("it is a text"));
    server.ask("DELETE", &path, &[], "");
    settles(&server, 2..=6000);
}

#[test]
fn what_is_refused_costs_nothing() {
    let server = Server::set_up(&Settings { search_threads: Some(1), max_searches: 1, ..settings() });
    let long = json!({"game": "hex", "engine": "mcts", "budget": {"time_ms": 4000}});
    let begun = post(&server, "/v1/searches", &[("prefer", "respond-async")], &long);
    assert_eq!((begun.status, charged(&server)), (202, 4000));
    assert_eq!(post(&server, "/v1/searches", &[], &long).status, 503);
    assert_eq!(post(&server, "/v1/searches", &[], &json!({"game": "hex", "moves": ["z0"]})).status, 422);
    assert!((3990..=4000).contains(&charged(&server)));
}
