//! Only its owner finds work, which only fills that client's share of the server.

use serde_json::{Value, json};
use tesuji::settings::{Settings, fresh_key};

use super::{Answer, Server};

pub(super) const ASYNC: (&str, &str) = ("prefer", "respond-async");

/// Headers that name a client.
pub(super) type Who<'a> = (&'a str, &'a str);

/// Begins a job, and returns its path.
pub(super) fn begin(server: &Server, who: Who<'_>, route: &str, body: &Value) -> String {
    let answer = server.ask("POST", route, &[who, ASYNC], body.to_string());
    assert!([200, 202].contains(&answer.status), "{:#}", answer.body);
    format!("{route}/{}", answer.body["id"].as_str().expect("it has an id"))
}

/// Every request about some work.
fn ask_all(server: &Server, who: Who<'_>, path: &str) -> [Answer; 3] {
    let events = format!("{path}/events");
    [("GET", path), ("GET", &*events), ("DELETE", path)].map(|(method, path)| server.ask(method, path, &[who], ""))
}

/// Asserts that for a client some work does not exist: the answers are those to an unknown id.
#[track_caller]
fn is_hidden(server: &Server, who: Who<'_>, path: &str) {
    let nothing = format!("{}/01ARZ3NDEKTSV4RRFFQ69G5FAV", path.rsplit_once('/').expect("it is below a route").0);
    let refusal = |answer: Answer| (answer.status, answer.body["code"].clone(), answer.body["detail"].clone());
    let found = ask_all(server, who, path).map(refusal);
    assert!(found.iter().all(|(status, ..)| *status == 404), "{found:?}");
    assert_eq!(found, ask_all(server, who, &nothing).map(refusal));
}

/// Work of each kind that takes a minute.
fn long() -> [(&'static str, Value); 3] {
    let game = json!({"game": "reversi", "engine": "mcts", "budget": {"time_ms": 60_000}});
    let mut review = game.clone();
    review["moves"] = json!(["f5"]);
    [("/v1/searches", game.clone()), ("/v1/batches", json!({"searches": [game]})), ("/v1/reviews", review)]
}

fn short() -> Value {
    json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 50}, "seed": 3})
}

#[test]
fn others_work_is_not_there() {
    // Two keys of one name, as when a key is replaced.
    let names = ["alice", "alice", "bob"].map(|name| fresh_key(name).expect("there are random numbers"));
    let api_keys = names.iter().map(|(_, setting)| setting.clone()).collect();
    let server = Server::set_up(&Settings { api_keys, ..Settings::default() });
    let keys = names.map(|(key, _)| format!("Bearer {key}"));
    let [alice, newer, bob] = keys.each_ref().map(|key| ("authorization", key.as_str()));
    for (route, body) in long() {
        let path = begin(&server, alice, route, &body);
        is_hidden(&server, bob, &path);
        let running = server.ask("GET", &path, &[newer], "").ok();
        assert_eq!(running["final"], false, "nobody has cancelled it: {running:#}");
        let ended = server.ask("DELETE", &path, &[newer], "").ok();
        assert_eq!(ended["status"], "cancelled");
        is_hidden(&server, bob, &path);
        assert_eq!(server.ask("GET", &path, &[alice], "").ok(), ended);
    }
    // The same idempotency key of two clients is two searches, regardless of the body.
    let ask = |who: Who<'_>, body: &Value| {
        server.ask("POST", "/v1/searches", &[who, ("idempotency-key", "same")], body.to_string())
    };
    let first = ask(alice, &short()).ok();
    let other = ask(bob, &json!({"game": "tic-tac-toe"})).ok();
    assert_ne!(first["id"], other["id"]);
    assert_eq!(ask(newer, &short()).ok(), first);
}

#[test]
fn clients_without_a_key_are_one_owner() {
    let server = Server::set_up(&Settings { trust_forwarded_for: true, ..Settings::default() });
    let path = begin(&server, ("x-forwarded-for", "192.0.2.1"), "/v1/searches", &short());
    let other = ("x-forwarded-for", "192.0.2.2");
    assert_eq!(server.ask("GET", &path, &[other, ("prefer", "wait=60")], "").ok()["status"], "done");
}

/// A search whose result fills more than a tenth of a mebibyte.
fn large() -> Value {
    json!({
        "game": "gomoku", "engine": "mcts", "budget": {"simulations": 1500}, "seed": 3,
        "report": {"tree": {"depth": 3, "min_visits": 1}},
    })
}

/// Requests results with keys, one at a time, until there is no more room; returns the ids, and the refusal.
fn fill(server: &Server, who: Who<'_>) -> (Vec<Value>, Answer) {
    let mut ids = Vec::new();
    for number in 0..50 {
        let key = number.to_string();
        let answer = server.ask("POST", "/v1/searches", &[who, ("idempotency-key", &key)], large().to_string());
        match answer.status {
            200 => ids.push(answer.body["id"].clone()),
            _ => return (ids, answer),
        }
    }
    panic!("{} results are kept", ids.len());
}

/// Asserts that all kept results exist, and that their keys find them.
#[track_caller]
fn all_there(server: &Server, who: Who<'_>, ids: &[Value]) {
    for (number, id) in ids.iter().enumerate() {
        let path = format!("/v1/searches/{}", id.as_str().expect("it is a text"));
        assert_eq!(server.ask("GET", &path, &[who], "").status, 200, "result {number} of {}", ids.len());
        let key = number.to_string();
        let again = server.ask("POST", "/v1/searches", &[who, ("idempotency-key", &key)], large().to_string());
        assert_eq!((again.status, &again.body["id"]), (200, id), "key {number} of {}", ids.len());
    }
}

#[test]
fn a_client_fills_its_own_share_alone_and_loses_nothing() {
    let names = ["alice", "bob"].map(|name| fresh_key(name).expect("there are random numbers"));
    let api_keys = names.iter().map(|(_, setting)| setting.clone()).collect();
    let server = Server::set_up(&Settings { api_keys, results_memory_mb: 1, keep_ms: 600_000, ..Settings::default() });
    let keys = names.map(|(key, _)| format!("Bearer {key}"));
    let [alice, bob] = keys.each_ref().map(|key| ("authorization", key.as_str()));
    let path = begin(&server, alice, "/v1/searches", &short());
    let kept = server.ask("GET", &path, &[alice, ("prefer", "wait=60")], "").ok();
    let (ids, refused) = fill(&server, bob);
    assert!(ids.len() > 1, "{}", ids.len());
    assert_eq!((refused.status, refused.code()), (429, "quota_exceeded"), "{:#}", refused.body);
    let wait: u64 = refused.header("retry-after").and_then(|wait| wait.parse().ok()).expect("it says when");
    assert!((300..=600).contains(&wait), "{wait}");
    all_there(&server, bob, &ids);
    assert_eq!(server.ask("GET", &path, &[alice], "").ok(), kept);
    // Searches that are not kept need no room, and alice has her own.
    server.ask("POST", "/v1/searches", &[bob], short().to_string()).ok();
    begin(&server, alice, "/v1/searches", &short());
}

#[test]
fn a_key_outlasts_a_search_that_takes_longer_than_results_are_kept() {
    let server = Server::set_up(&Settings { keep_ms: 300, ..Settings::default() });
    let [(route, body), ..] = long();
    let ask = || server.ask("POST", route, &[ASYNC, ("idempotency-key", "long")], body.to_string()).body["id"].clone();
    let first = ask();
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(ask(), first);
    let path = format!("{route}/{}", first.as_str().expect("it has an id"));
    server.ask("DELETE", &path, &[], "").ok();
}
