//! Batches: many searches in one request, each as it would be alone.

mod life;
mod refused;

use serde_json::{Value, json};
use tesuji::settings::Settings;

use super::contract::events;
use super::{Answer, SHARED, Server, results};

const ASYNC: (&str, &str) = ("prefer", "respond-async");

fn post(server: &Server, headers: &[(&str, &str)], body: &Value) -> Answer {
    server.ask("POST", "/v1/batches", headers, body.to_string())
}

/// The items of a finished batch, which must be complete and in order.
#[track_caller]
fn items(found: &Value) -> &[Value] {
    let items = found["items"].as_array().expect("items are a list");
    let total = items.len() as u64;
    let totals = ["final", "seq", "done", "total"].map(|field| &found[field]);
    assert_eq!(totals, [&json!(true), &json!(total + 1), &json!(total), &json!(total)], "{found:#}");
    for (index, item) in items.iter().enumerate() {
        assert_eq!(item["index"], index);
        assert_ne!(item["search"].is_null(), item["problem"].is_null(), "{item:#}");
        if item["search"]["status"] == "done" {
            results::check(&item["search"]);
        }
    }
    items
}

/// Has a batch searched by the shared service, to the end.
#[track_caller]
pub fn batch(body: &Value) -> Value {
    let found = post(&SHARED, &[], body).ok();
    assert_eq!(found["status"], "done");
    items(&found);
    found
}

/// Begins a batch and returns its address.
#[track_caller]
fn begin(server: &Server, body: &Value) -> String {
    let answer = post(server, &[ASYNC], body);
    assert_eq!(answer.status, if answer.body["final"] == true { 200 } else { 202 }, "{:#}", answer.body);
    assert_eq!(answer.header("preference-applied"), Some("respond-async"));
    let location = answer.header("location").expect("it says where").to_owned();
    assert_eq!(location, format!("/v1/batches/{}", answer.body["id"].as_str().expect("a text")));
    location
}

/// The id of a batch that the shared service has.
pub fn kept_batch() -> String {
    let path = begin(&SHARED, &json!({"searches": [{"game": "tic-tac-toe", "budget": {"simulations": 10}}]}));
    path.rsplit('/').next().expect("it ends with the id").to_owned()
}

/// A batch whose searches take longer than any test waits.
fn long(searches: usize) -> Value {
    let defaults = json!({"game": "reversi", "engine": "mcts", "budget": {"time_ms": 60_000, "memory_mb": 8}});
    json!({"defaults": defaults, "searches": vec![json!({}); searches]})
}

/// Positions of several games, whose results depend on nothing but the request.
fn mixed() -> Value {
    json!({
        "defaults": {"game": "reversi", "engine": "mcts", "budget": {"simulations": 300}, "seed": 7},
        "searches": [
            {"moves": ["f5"]},
            {"moves": ["f5d6"], "perspective": "first_player", "report": {"max_children": 2}},
            {"game": "connect-four", "moves": ["4", "4"], "engine": "negamax", "budget": {"nodes": 5000}},
            {"game": "tic-tac-toe", "engine": null, "moves": ["a1", "a2", "b1", "b2", "c1"]},
            {"game": "gomoku", "variant": "renju", "engine": {"name": "mcts", "exploration": 0.7}},
            {"budget": {"nodes": 200}, "seed": 8, "moves_filter": {"avoid": ["d3"]}},
        ],
    })
}

/// The searches of a batch, each as a separate request.
fn alone(batch: &Value) -> Vec<Value> {
    let merged = |own: &Value| {
        let mut search = batch["defaults"].clone();
        own.as_object().into_iter().flatten().for_each(|(name, value)| search[name] = value.clone());
        search
    };
    batch["searches"].as_array().expect("a list").iter().map(merged).collect()
}

/// Holds that a search found the same as another, ids and times aside.
#[track_caller]
fn same(found: &Value, other: &Value) {
    for field in ["status", "final", "seq", "game", "variant", "position", "perspective", "move", "root", "children"] {
        assert_eq!(found[field], other[field], "{field}");
    }
    for field in ["stop_reason", "threads", "reuse", "warnings"] {
        assert_eq!(found[field], other[field], "{field}");
    }
    let limits = |found: &Value| [found["budget"]["requested"].clone(), found["budget"]["granted"].clone()];
    assert_eq!((limits(found), &found["engine"]), (limits(other), &other["engine"]));
}

#[test]
fn each_result_is_that_of_the_search_alone() {
    let found = batch(&mixed());
    for (item, request) in items(&found).iter().zip(alone(&mixed())) {
        same(&item["search"], &super::search(&request));
    }
}

/// The messages of a stream: the items in the order of their ends, and the totals. Numbers are those of server-sent events.
#[track_caller]
fn messages(answer: &Answer) -> (Vec<u64>, Vec<Value>, Value) {
    assert_eq!(answer.status, 200, "{:#}", answer.body);
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    let read = |text: &str| -> Value { serde_json::from_str(text).expect("messages are JSON") };
    let (numbers, mut parts): (Vec<u64>, Vec<Value>) = match answer.header("content-type") {
        Some("text/event-stream") => {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let number = |event: &Value| text(&event["id"]).parse::<u64>().expect("a number");
            events(&answer.body).iter().map(|event| (number(event), read(&text(&event["data"])))).unzip()
        }
        _ => (1..).zip(answer.body.as_str().expect("a text").lines().map(read)).unzip(),
    };
    let last = parts.pop().expect("there is a last message");
    assert_eq!((&last["final"], last["seq"].as_u64()), (&json!(true), numbers.last().copied()));
    assert!(parts.iter().all(|item| item.get("final").is_none() && item["index"].is_u64()), "{parts:#?}");
    (numbers, parts, last)
}

#[test]
fn streams_report_each_result_at_once_and_end_with_the_totals() {
    let collected = batch(&mixed());
    for accept in ["application/x-ndjson", "text/event-stream"] {
        let (numbers, mut parts, last) = messages(&post(&SHARED, &[("accept", accept)], &mixed()));
        assert_eq!(numbers, (1..=7).collect::<Vec<u64>>());
        assert_eq!((&last["status"], &last["done"], &last["total"]), (&json!("done"), &json!(6), &json!(6)));
        assert_eq!(parts[0]["index"], 3, "nothing is searched in a finished game");
        parts.sort_by_key(|item| item["index"].as_u64());
        for (item, other) in parts.iter().zip(items(&collected)) {
            same(&item["search"], &other["search"]);
        }
    }
}

#[test]
fn results_come_in_the_order_of_their_ends() {
    let searches = [60_000, 1].map(|simulations| json!({"budget": {"simulations": simulations}}));
    let body = json!({"defaults": {"game": "reversi", "engine": "mcts"}, "searches": searches});
    let (_, parts, _) = messages(&post(&SHARED, &[("accept", "application/x-ndjson")], &body));
    assert_eq!(parts.iter().map(|item| &item["index"]).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn a_field_replaces_the_default_and_null_takes_it_away() {
    let defaults = json!({"game": "reversi", "budget": {"nodes": 100, "memory_mb": 3}, "seed": 5});
    let searches = json!([{}, {"budget": {"nodes": 50}, "seed": 6}, {"seed": null}]);
    let found = batch(&json!({"defaults": defaults, "searches": searches}));
    let requested: Vec<_> = items(&found).iter().map(|item| &item["search"]["budget"]["requested"]).collect();
    let both = json!({"nodes": 100, "memory_mb": 3});
    assert_eq!(requested, [&both, &json!({"nodes": 50}), &both]);
    let seeds: Vec<_> = items(&found).iter().map(|item| item["search"]["engine"]["seed"].as_u64()).collect();
    assert_eq!(seeds[..2], [Some(5), Some(6)]);
    assert_ne!(seeds[2], Some(5), "a fresh one");
}

#[test]
fn positions_of_one_game_are_searched_by_their_plies() {
    let common = json!({"game": "reversi", "budget": {"nodes": 100}, "seed": 5});
    let with = |moves: Value| {
        let mut defaults = common.clone();
        defaults["moves"] = moves;
        defaults
    };
    for moves in [json!("1. f5 d6 2. c3"), json!(["f5d6", "c3"]), json!(["f5", "d6", "c3"])] {
        let found = batch(&json!({"defaults": with(moves), "plies": [3, 0, 1]}));
        let searches = json!([{"moves": ["f5", "d6", "c3"]}, {}, {"moves": ["f5"]}]);
        let each = batch(&json!({"defaults": common, "searches": searches}));
        assert_eq!(items(&found).len(), 3);
        items(&found).iter().zip(items(&each)).for_each(|(found, each)| same(&found["search"], &each["search"]));
    }
}

#[test]
fn a_batch_is_accepted_and_polled() {
    let path = begin(&SHARED, &mixed());
    let found = SHARED.ask("GET", &path, &[("prefer", "wait=60")], "").ok();
    for (item, other) in items(&found).iter().zip(items(&batch(&mixed()))) {
        same(&item["search"], &other["search"]);
    }
    assert_eq!(SHARED.ask("DELETE", &path, &[], "").ok(), found, "it has ended");
    let follow = |last_id: &str| SHARED.ask("GET", &format!("{path}/events"), &[("last-event-id", last_id)], "");
    let (numbers, parts, last) = messages(&follow(""));
    assert_eq!((numbers, parts.len(), &last["id"]), ((1..=7).collect(), 6, &found["id"]));
    assert_eq!(messages(&follow("4")).0, [5, 6, 7]);
    assert_eq!(messages(&follow("6")), (vec![7], vec![], last));
    assert_eq!(follow("7").status, 204, "all is reported");
    assert_eq!(SHARED.ask("GET", "/v1/batches/01ARZ3NDEKTSV4RRFFQ69G5FAV", &[], "").status, 404);
}

#[test]
fn a_batch_is_followed_while_it_runs() {
    let searches = (0..40).map(|seed| json!({"seed": seed})).collect::<Vec<_>>();
    let body = json!({"defaults": {"game": "reversi", "engine": "mcts", "budget": {"simulations": 500}}, "searches": searches});
    let path = begin(&SHARED, &body);
    let (numbers, parts, last) = messages(&SHARED.ask("GET", &format!("{path}/events"), &[], ""));
    assert_eq!(numbers, (1..=41).collect::<Vec<u64>>());
    let mut places: Vec<_> = parts.iter().filter_map(|item| item["index"].as_u64()).collect();
    places.sort_unstable();
    assert_eq!((places, &last["status"]), ((0..40).collect(), &json!("done")));
}

#[test]
fn one_key_is_one_batch() {
    let key = ("idempotency-key", "one key is one batch");
    let first = post(&SHARED, &[key], &mixed()).ok();
    assert_eq!(post(&SHARED, &[key], &mixed()).ok(), first);
    assert_eq!(
        post(&SHARED, &[key, ("accept", "application/x-ndjson")], &mixed()).header("location"),
        Some(&*format!("/v1/batches/{}", first["id"].as_str().expect("a text")))
    );
    assert_eq!(post(&SHARED, &[key], &long(1)).code(), "conflict");
    // A result returned to its own request is not kept.
    let id = batch(&mixed())["id"].clone();
    assert_eq!(SHARED.ask("GET", &format!("/v1/batches/{}", id.as_str().expect("a text")), &[], "").status, 404);
}

#[test]
fn a_batch_is_charged_as_a_whole() {
    let server = Server::set_up(&Settings { quota_ms_per_s: Some(1), quota_burst_ms: 1000, ..Settings::default() });
    let body = |time_ms: [u32; 2]| {
        let searches = time_ms.map(|time_ms| json!({"game": "reversi", "budget": {"cpu_ms": time_ms}}));
        json!({"searches": searches.iter().chain(&[json!({"game": "chess"})]).collect::<Vec<_>>()})
    };
    let never = post(&server, &[], &body([400, 601]));
    assert_eq!((never.status, never.code()), (422, "invalid_budget"), "together more than 1000 ms");
    assert_eq!(never.body["errors"][0]["pointer"], "/searches");
    post(&server, &[], &body([1, 599])).ok();
    let spent = post(&server, &[], &body([1, 599]));
    assert_eq!((spent.status, spent.code()), (429, "quota_exceeded"));
    let refused = json!({"searches": [{"game": "chess"}]});
    assert_eq!(items(&post(&server, &[], &refused).ok()).len(), 1, "nothing to charge");
}

#[test]
fn the_searches_of_a_batch_are_counted_like_others() {
    let server = Server::set_up(&Settings::default());
    let defaults = json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 20}});
    post(&server, &[], &json!({"defaults": defaults, "searches": [{}, {}, {"moves": ["a1"]}]})).ok();
    let text = server.ask("GET", "/metrics", &[], "").ok();
    let text = text.as_str().expect("a text");
    for line in [
        r#"tesuji_searches_total{game="reversi",engine="mcts",stop_reason="simulations"} 2"#,
        r#"tesuji_refusals_total{code="illegal_move"} 1"#,
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
}
