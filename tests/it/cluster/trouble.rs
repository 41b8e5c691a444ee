//! Tasks of a cluster when clients hang up, repeat a request, or share it with others who send a lot, and what remains of them.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use tesuji::settings::Settings;
use tower::ServiceExt as _;

use super::broker::Broker;
use super::nodes::{ASYNC, Node, TIMEOUT, nodes, search, simulations_in, until, worker};
use crate::http::RUNTIME;

/// Addresses whose tasks wait in different lanes.
const OWNERS: [&str; 2] = ["10.0.0.1", "10.0.0.2"];

/// A request to search with a key.
fn with_key(key: &str) -> Request<Body> {
    let request = Request::post("/v1/searches").header("content-type", "application/json");
    let request = request.header(ASYNC.0, ASYNC.1).header("idempotency-key", key);
    request.body(search(200).to_string().into()).expect("it is a request")
}

#[test]
fn a_client_that_hangs_up_leaves_a_task_that_is_run_or_none() {
    let Some(broker) = Broker::start() else { return };
    let [node] = nodes::<1>(&broker);
    let keys: Vec<String> = (0..60).map(|number| format!("key {number}")).collect();
    for (number, key) in keys.iter().enumerate() {
        let asking = RUNTIME.spawn(node.server.0.clone().oneshot(with_key(key)));
        std::thread::sleep(Duration::from_micros(50 * number as u64));
        asking.abort();
    }
    let begin = Instant::now();
    for key in &keys {
        let headers = [("idempotency-key", key.as_str())];
        let answer = node.server.ask("POST", "/v1/searches", &headers, search(200).to_string());
        assert_eq!((answer.status, &answer.body["status"]), (200, &json!("done")), "{key}: {}", answer.body);
    }
    assert!(begin.elapsed() < TIMEOUT, "none waits for a node that is taken for dead");
    until(|| broker.records() == 0, "nothing is left");
}

#[test]
fn equal_keys_at_the_same_moment_are_one_task() {
    let Some(broker) = Broker::start() else { return };
    let nodes = nodes::<2>(&broker);
    for key in (0..20).map(|number| format!("key {number}")) {
        let asking: Vec<_> =
            (0..6).map(|number| RUNTIME.spawn(nodes[number % 2].server.0.clone().oneshot(with_key(&key)))).collect();
        let ids: Vec<Value> = asking
            .into_iter()
            .map(|asking| {
                let answer = RUNTIME.block_on(asking).expect("it does not panic").expect("it is answered");
                assert!([200, 202].contains(&answer.status().as_u16()), "{key}: {}", answer.status());
                let body = RUNTIME.block_on(axum::body::to_bytes(answer.into_body(), usize::MAX)).expect("it is whole");
                serde_json::from_slice::<Value>(&body).expect("it is JSON")["id"].clone()
            })
            .collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{key}: {ids:?}");
        let path = format!("/v1/searches/{}", ids[0].as_str().expect("it has an id"));
        assert_eq!(nodes[1].result(&path)["status"], json!("done"));
    }
    until(|| broker.records() == 0, "nothing is left");
}

#[test]
fn a_dead_nodes_task_is_run_while_tasks_of_others_keep_coming() {
    let Some(broker) = Broker::start() else { return };
    let settings = Settings { trust_forwarded_for: true, ..Settings::default() };
    let front = Node::accept(&broker.url(), "front", settings);
    front.wait_for_broker();
    let begin = |owner: &str, simulations: u64| {
        let headers = [ASYNC, ("x-forwarded-for", owner)];
        let answer = front.server.ask("POST", "/v1/searches", &headers, search(simulations).to_string());
        assert_eq!(answer.status, 202, "{}", answer.body);
        format!("/v1/searches/{}", answer.body["id"].as_str().expect("it has an id"))
    };
    let worker = worker(&broker, &[]);
    let path = begin(OWNERS[0], simulations_in(2.0));
    until(|| front.runs(&path), "the task runs");
    worker.signal("KILL");
    let _node = Node::join(&broker.url(), "node");
    let since = Instant::now();
    while front.get(&path)["final"] != json!(true) {
        assert!(since.elapsed() < Duration::from_secs(15), "the others' tasks hold it up");
        begin(OWNERS[1], 100);
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_search_ended_after_its_nodes_death_has_a_higher_number() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::front(&broker);
    let worker = worker(&broker, &[]);
    let moves = ["4"; 6];
    let review = json!({ "game": "connect-four", "engine": "mcts", "moves": moves, "budget": { "time_ms": 1000 } });
    let long = json!({ "game": "connect-four", "engine": "mcts", "budget": { "time_ms": 60_000 } });
    for (route, request) in [("/v1/searches", long), ("/v1/reviews", review)] {
        let path = front.begin(route, &request);
        until(|| front.get(&path)["seq"].as_u64() > Some(1), "something is told");
        worker.signal("STOP");
        let reported = front.get(&path)["seq"].as_u64().expect("it has a number");
        std::thread::sleep(Duration::from_millis(100));
        let ended = front.server.ask("DELETE", &path, &[], "").ok();
        assert_eq!(ended["status"], json!("cancelled"), "{ended}");
        assert!(ended["seq"].as_u64() > Some(reported.max(1)), "{reported} {}", ended["seq"]);
        worker.signal("CONT");
        assert_eq!(front.result(&path), ended, "it is told once");
    }
    drop(worker);
}

#[test]
fn synchronous_batches_need_no_broker() {
    let Some(mut broker) = Broker::start() else { return };
    let [node] = nodes::<1>(&broker);
    let batch = json!({
        "defaults": { "game": "tic-tac-toe", "budget": { "simulations": 100 } }, "searches": [{}, { "moves": ["b2"] }],
    });
    assert_eq!(node.server.ask("POST", "/v1/batches", &[], batch.to_string()).ok()["done"], json!(2));
    assert_eq!(broker.records(), 0, "the broker knows nothing of it");
    broker.kill();
    let answer = node.server.ask("POST", "/v1/batches", &[], batch.to_string()).ok();
    assert_eq!((&answer["done"], &answer["items"][1]["search"]["status"]), (&json!(2), &json!("done")));
    until(|| node.cluster().storage_error().is_some(), "the broker is missed");
    assert_eq!(node.server.ask("POST", "/v1/batches", &[], batch.to_string()).ok()["done"], json!(2));
    let refused = node.server.ask("POST", "/v1/batches", &[ASYNC], batch.to_string());
    assert_eq!((refused.status, &refused.body["code"]), (503, &json!("storage_unavailable")));
}

#[test]
fn results_have_all_their_parts_and_nothing_else_is_left() {
    let Some(broker) = Broker::start() else { return };
    let [one, other] = nodes::<2>(&broker);
    let searches: Vec<Value> = (0..20).map(|seed| json!({ "seed": seed })).collect();
    let batch =
        json!({ "defaults": { "game": "tic-tac-toe", "budget": { "simulations": 100 } }, "searches": searches });
    let path = one.begin("/v1/batches", &batch);
    let whole = one.result(&path);
    let cancelled = one.begin("/v1/searches", &json!({ "game": "hex", "budget": { "time_ms": 60_000 } }));
    until(|| one.runs(&cancelled), "the search runs");
    assert_eq!(other.server.ask("DELETE", &cancelled, &[], "").ok()["status"], json!("cancelled"));
    until(|| broker.records() == 0, "nothing is left but results");
    let third = Node::front(&broker);
    assert_eq!(third.result(&path), whole);
    assert!(whole["items"].as_array().expect("it has items").iter().all(|item| item["search"]["status"] == "done"));
    assert_eq!(third.events(&path).0, (1..=21).collect::<Vec<u64>>());
}
