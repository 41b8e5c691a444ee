//! Searches that outlive their request: polled, followed and cancelled by their id; an idempotency key makes a repeated request
//! the same search.

use serde_json::{Value, json};

use super::streams::messages;
use super::{Answer, RUNTIME, SHARED, Server, results};

const ASYNC: (&str, &str) = ("prefer", "respond-async");

fn long() -> Value {
    json!({"game": "reversi", "engine": "mcts", "budget": {"time_ms": 60_000}, "report": {"interval_ms": 10}})
}

fn short() -> Value {
    json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 500}, "seed": 3})
}

fn post(server: &Server, headers: &[(&str, &str)], body: &Value) -> Answer {
    server.ask("POST", "/v1/searches", headers, body.to_string())
}

/// Begins a search and returns its address.
#[track_caller]
fn begin(server: &Server, body: &Value) -> String {
    let answer = post(server, &[ASYNC], body);
    // A short search may have ended by then.
    let is_final = answer.body["final"] == true;
    assert_eq!(answer.status, if is_final { 200 } else { 202 }, "{:#}", answer.body);
    assert_eq!(answer.header("preference-applied"), Some("respond-async"));
    let location = answer.header("location").expect("it says where").to_owned();
    assert_eq!(location, format!("/v1/searches/{}", answer.body["id"].as_str().expect("a text")));
    location
}

fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Answer {
    server.ask("GET", path, headers, "")
}

/// Waits for the result.
#[track_caller]
fn result(server: &Server, path: &str) -> Value {
    let result = get(server, path, &[("prefer", "wait=60")]).ok();
    assert_eq!(result["final"], true, "{result:#}");
    result
}

#[test]
fn a_search_is_accepted_and_polled() {
    let path = begin(&SHARED, &short());
    let found = result(&SHARED, &path);
    results::check(&found);
    assert_eq!((&found["status"], &found["stop_reason"]), (&json!("done"), &json!("simulations")));
    assert_eq!(get(&SHARED, &path, &[]).ok(), found, "it stays the same");
    assert_eq!(found["children"], super::search(&short())["children"], "and is what others get");
}

#[test]
fn a_long_enough_wait_returns_the_result() {
    let answer = post(&SHARED, &[("prefer", "respond-async, wait=60")], &short());
    assert_eq!(answer.header("location").map(|path| get(&SHARED, path, &[]).ok()), Some(answer.body.clone()));
    results::check(&answer.ok());
}

#[test]
fn a_finished_game_is_kept_too() {
    let over = json!({"game": "tic-tac-toe", "moves": ["a1", "a2", "b1", "b2", "c1"]});
    let answer = post(&SHARED, &[("prefer", "respond-async, wait=60")], &over).ok();
    assert_eq!((&answer["final"], &answer["stop_reason"]), (&json!(true), &json!("terminal")));
}

#[test]
fn a_cancelled_search_ends_with_what_it_found() {
    let path = begin(&SHARED, &long());
    let events = format!("{path}/events");
    // Until it is known to run.
    while get(&SHARED, &path, &[]).ok()["status"] != "running" {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let follower = std::thread::spawn(move || messages(&get(&SHARED, &events, &[])));
    let ended = SHARED.ask("DELETE", &path, &[], "").ok();
    assert_eq!((&ended["status"], &ended["stop_reason"]), (&json!("cancelled"), &json!("cancelled")));
    assert!(ended["move"].is_string(), "the best so far");
    assert_eq!(SHARED.ask("DELETE", &path, &[], "").ok(), ended, "again changes nothing");
    let followed = follower.join().expect("it follows");
    assert_eq!(followed.last(), Some(&ended));
}

#[test]
fn a_waiting_search_is_cancelled_and_its_place_is_free() {
    let server = Server::new(1, 2);
    let (running, waiting) = (begin(&server, &long()), begin(&server, &long()));
    assert_eq!(post(&server, &[ASYNC], &short()).status, 503);
    let ended = server.ask("DELETE", &waiting, &[], "").ok();
    assert_eq!(ended["status"], "cancelled");
    let third = begin(&server, &short());
    assert_eq!(server.ask("DELETE", &running, &[], "").ok()["status"], "cancelled");
    results::check(&result(&server, &third));
}

#[test]
fn events_go_on_where_they_stopped() {
    let path = begin(&SHARED, &short());
    let last = result(&SHARED, &path)["seq"].as_u64().expect("a number");
    let events = format!("{path}/events");
    let follow = |last_id: &str| get(&SHARED, &events, &[("last-event-id", last_id)]);
    for last_id in ["0", "nonsense", ""] {
        assert_eq!(messages(&follow(last_id)).last().map(|message| &message["seq"]), Some(&json!(last)), "{last_id}");
    }
    let all_told = follow(&last.to_string());
    assert_eq!((all_told.status, all_told.body), (204, Value::Null));
    assert_eq!(get(&SHARED, &events, &[("accept", "application/json")]).status, 406);
}

#[test]
fn one_key_is_one_search() {
    let key = ("idempotency-key", "one key is one search");
    let first = post(&SHARED, &[key], &short()).ok();
    assert_eq!(post(&SHARED, &[key], &short()).ok(), first);
    // In every format.
    let again = post(&SHARED, &[key, ("accept", "application/x-ndjson")], &short());
    assert_eq!(messages(&again).last(), Some(&first));
    assert_eq!(post(&SHARED, &[key, ASYNC], &short()).ok(), first);
    let other = post(&SHARED, &[key], &long());
    assert_eq!((other.status, other.code()), (409, "conflict"));
    for key in ["", &"x".repeat(256)] {
        let bad = post(&SHARED, &[("idempotency-key", key)], &short());
        assert_eq!((bad.status, bad.code()), (400, "invalid_header"), "{key}");
    }
}

#[test]
fn equal_keys_at_the_same_moment_are_one_search() {
    let ids: Vec<_> = RUNTIME.block_on(async {
        let body = short().to_string();
        let ask = || {
            let body = body.clone();
            RUNTIME.spawn(async move {
                let headers = [("idempotency-key", "at the same moment")];
                SHARED.send("POST", "/v1/searches", &headers, body).await.ok()["id"].clone()
            })
        };
        let asked: Vec<_> = (0..8).map(|_| ask()).collect();
        let mut ids = Vec::new();
        for answer in asked {
            ids.push(answer.await.expect("it does not panic"));
        }
        ids
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn what_is_not_kept_is_not_found() {
    for path in ["/v1/searches/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/v1/searches/x", "/v1/searches/%00"] {
        assert_eq!(get(&SHARED, path, &[]).code(), "not_found");
        assert_eq!(get(&SHARED, &format!("{path}/events"), &[]).code(), "not_found");
        assert_eq!(SHARED.ask("DELETE", path, &[], "").code(), "not_found");
    }
    // A result returned to its own request is not kept.
    let id = super::search(&short())["id"].clone();
    assert_eq!(get(&SHARED, &format!("/v1/searches/{}", id.as_str().expect("a text")), &[]).status, 404);
}

#[test]
fn a_proven_result_may_be_kept_for_ever() {
    let path = begin(&SHARED, &json!({"game": "tic-tac-toe", "position": "xx1/oo1/3 x", "engine": "mcts"}));
    let response = get(&SHARED, &path, &[("prefer", "wait=60")]);
    assert_eq!((response.status, &response.body["stop_reason"]), (200, &json!("proven")));
    assert_eq!(response.header("cache-control"), Some("private, max-age=31536000, immutable"));
    let tag = response.header("etag").expect("it has a tag").to_owned();
    for (known, status) in [(&*tag, 304), (&format!("\"a\", W/{tag}"), 304), ("*", 304), ("\"a\"", 200)] {
        let again = get(&SHARED, &path, &[("if-none-match", known)]);
        assert_eq!((again.status, again.header("etag")), (status, Some(&*tag)), "{known}");
        assert_eq!(again.body.is_null(), status == 304);
    }
    let open = begin(&SHARED, &short());
    let response = get(&SHARED, &open, &[("prefer", "wait=60")]);
    assert_eq!((response.header("cache-control"), response.header("etag")), (Some("no-store"), None));
}
