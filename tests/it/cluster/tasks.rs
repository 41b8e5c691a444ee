//! Work that outlives its request, in a cluster: any node runs, reports and cancels it, and no task is lost or reported twice.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji::settings::Settings;

use super::broker::Broker;
use super::nodes::{ASYNC, Node, alone, lasting, nodes, search, simulations_in, until, worker};
use super::proxy::Proxy;
use crate::http::{Answer, RUNTIME};

fn problem(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.body["code"].as_str().unwrap_or_default())
}

#[test]
fn any_node_runs_reports_and_follows_an_accepted_task() {
    let Some(broker) = Broker::start() else { return };
    let [a, b] = nodes::<2>(&broker);
    let front = Node::front(&broker);
    let paths: Vec<String> = (0..6).map(|_| front.begin("/v1/searches", &search(3000))).collect();
    let expected = lasting(alone(&search(3000)));
    for path in &paths {
        let mut results: Vec<Value> = [&a, &b, &front].iter().map(|node| node.result(path)).collect();
        let last = results.pop().expect("there are three");
        assert!(results.iter().all(|result| *result == last), "{path}: all nodes tell the same");
        assert_eq!(without_seq(lasting(last)), without_seq(expected.clone()));
    }
    // The seed reported is the one in use.
    let request = json!({ "game": "hex", "engine": "mcts", "budget": { "simulations": 100 } });
    let accepted = front.server.ask("POST", "/v1/searches", &[ASYNC], request.to_string()).body;
    let response = b.result(&format!("/v1/searches/{}", accepted["id"].as_str().expect("it has an id")));
    assert_eq!(accepted["engine"], response["engine"]);
    let path = front.begin("/v1/searches", &search(simulations_in(3.0)));
    let (numbers, last) = b.events(&path);
    assert!(numbers.len() > 2 && numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(last, a.result(&path));
    assert_eq!(front.server.ask("GET", "/v1/reviews/01ARZ3NDEKTSV4RRFFQ69G5FAV", &[], "").status, 404);
    assert_eq!(front.server.ask("GET", "/v1/searches/x", &[], "").status, 404);
    let id = path.rsplit('/').next().expect("it has an id");
    assert_eq!(a.server.ask("GET", &format!("/v1/reviews/{id}"), &[], "").status, 404, "it is no review");
}

fn without_seq(mut result: Value) -> Value {
    result["seq"] = Value::Null;
    result
}

#[test]
fn reviews_and_batches_are_tasks_too() {
    let Some(broker) = Broker::start() else { return };
    let [a, b] = nodes::<2>(&broker);
    let front = Node::front(&broker);
    let game = json!({ "game": "tic-tac-toe", "moves": ["a1", "b2", "c3", "a3"], "budget": { "simulations": 500 } });
    let review = front.begin("/v1/reviews", &game);
    // The second is refused, the third is for a finished game.
    let batch = json!({
        "defaults": { "game": "tic-tac-toe", "budget": { "simulations": 300 } },
        "searches": [
            { "seed": 1 }, { "game": "chess" }, { "moves": ["a1", "a2", "b1", "b2", "c1"] }, { "moves": ["b2"] },
            // Too large for one message of the broker.
            { "game": "gomoku", "engine": "mcts", "budget": { "simulations": 120_000 },
              "report": { "tree": { "depth": 3, "min_visits": 1 } } },
        ],
    });
    let batch = front.begin("/v1/batches", &batch);
    let (numbers, _) = b.events(&batch);
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "each is told once");
    let whole = a.result(&batch);
    assert_eq!((&whole["status"], &whole["done"]), (&json!("done"), &json!(5)));
    assert_eq!(whole["items"][1]["problem"]["code"], json!("unknown_game"));
    assert!(whole["items"][4].to_string().len() > 1 << 20, "{}", whole["items"][4].to_string().len());
    assert_eq!(front.result(&batch), whole);
    let reviewed = a.result(&review);
    assert_eq!((&reviewed["status"], b.result(&review)), (&json!("done"), reviewed.clone()));
}

#[test]
fn keys_are_known_to_all_nodes() {
    let Some(broker) = Broker::start() else { return };
    let [a, b] = nodes::<2>(&broker);
    let key = [ASYNC, ("idempotency-key", "once")];
    let ask = |node: &Node, request: Value| node.server.ask("POST", "/v1/searches", &key, request.to_string());
    let first = ask(&a, search(5000));
    let second = ask(&b, search(5000));
    assert_eq!(first.body["id"], second.body["id"]);
    assert_eq!(problem(&ask(&b, search(5001))), (409, "conflict"));
    let waited = b.server.ask("POST", "/v1/searches", &key[1..], search(5000).to_string());
    assert_eq!((waited.status, &waited.body["id"], &waited.body["final"]), (200, &first.body["id"], &json!(true)));
}

#[test]
fn tasks_are_ended_from_any_node_while_they_run_and_while_they_wait() {
    let Some(broker) = Broker::start() else { return };
    let [a] = nodes::<1>(&broker);
    let front = Node::front(&broker);
    let long = json!({ "game": "connect-four", "engine": "mcts", "budget": { "time_ms": 60_000 } });
    let [running, waiting] = [0; 2].map(|_| front.begin("/v1/searches", &long));
    until(|| front.runs(&running), "the first task runs");
    let batch = json!({ "defaults": { "game": "hex" }, "searches": [{}, {}] });
    let batch = front.begin("/v1/batches", &batch);
    let begin = Instant::now();
    let ended = front.server.ask("DELETE", &waiting, &[], "").ok();
    assert_eq!((&ended["status"], &ended["move"]), (&json!("cancelled"), &Value::Null));
    let ended = front.server.ask("DELETE", &batch, &[], "").ok();
    assert_eq!((&ended["status"], &ended["done"]), (&json!("cancelled"), &json!(2)));
    let ended = front.server.ask("DELETE", &running, &[], "").ok();
    assert_eq!(ended["status"], json!("cancelled"));
    assert!(ended["move"].is_string());
    assert!(begin.elapsed() < Duration::from_secs(2));
    for path in [running, waiting, batch] {
        assert_eq!(a.result(&path)["status"], json!("cancelled"));
    }
    until(|| a.service.scheduler.idle() == 1, "nobody at work");
}

#[test]
fn a_task_whose_node_dies_or_ends_is_run_by_another() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::front(&broker);
    let work = search(simulations_in(3.0));
    let expected = without_seq(lasting(alone(&work)));
    for (signal, soonest) in [("KILL", Duration::from_secs(3)), ("TERM", Duration::ZERO)] {
        let first = worker(&broker, &["--drain-ms", "0"]);
        let path = front.begin("/v1/searches", &work);
        until(|| front.runs(&path), "the task runs");
        let second = worker(&broker, &[]);
        front.wait_for(1);
        let begin = Instant::now();
        first.signal(signal);
        let (numbers, result) = front.events(&path);
        assert!(begin.elapsed() > soonest, "{signal}");
        assert!(
            numbers.is_sorted_by(|a, b| a < b) && *numbers.last().expect("there are some") > 1_000_000,
            "{numbers:?}"
        );
        assert_eq!(without_seq(lasting(result)), expected, "{signal}");
        drop((first, second));
        until(|| front.cluster().nodes().len() == 1, "the workers are gone");
    }
}

#[test]
fn a_task_in_which_nodes_die_again_and_again_is_given_up() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::front(&broker);
    let long = json!({ "game": "connect-four", "engine": "mcts", "budget": { "time_ms": 60_000 } });
    let path = front.begin("/v1/searches", &long);
    for _ in 0..5 {
        let worker = worker(&broker, &[]);
        until(|| front.runs(&path), "the task runs");
        worker.signal("KILL");
        until(|| !front.runs(&path), "nobody runs it");
    }
    let worker = worker(&broker, &[]);
    let result = front.result(&path);
    assert_eq!((&result["status"], &result["move"]), (&json!("failed"), &Value::Null));
    assert_eq!(result["warnings"], json!(["the search failed on the server"]));
    drop(worker);
}

#[test]
fn a_batch_goes_on_where_a_dead_node_has_left_it() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::front(&broker);
    let first = worker(&broker, &[]);
    let searches: Vec<Value> = (0..12).map(|seed| json!({ "seed": seed })).collect();
    let request = json!({
        "defaults": { "game": "connect-four", "engine": "mcts", "budget": { "simulations": simulations_in(0.3) } }, "searches": searches,
    });
    let path = front.begin("/v1/batches", &request);
    until(|| front.get(&path)["done"].as_u64() >= Some(3), "some searches have ended");
    first.signal("KILL");
    let before = front.get(&path);
    let second = worker(&broker, &[]);
    let (numbers, _) = front.events(&path);
    assert_eq!(numbers, (1..=13).collect::<Vec<u64>>());
    let after = front.result(&path);
    for (before, after) in
        before["items"].as_array().into_iter().flatten().zip(after["items"].as_array().into_iter().flatten())
    {
        assert!(before.is_null() || before == after, "what was told stays");
    }
    assert_eq!(after["status"], json!("done"));
    drop(second);
}

#[test]
fn the_broker_keeps_tasks_over_its_own_death() {
    let Some(mut broker) = Broker::start() else { return };
    let front = Node::front(&broker);
    let paths: Vec<String> = (0..20).map(|_| front.begin("/v1/searches", &search(2000))).collect();
    broker.kill();
    until(|| front.cluster().storage_error().is_some(), "the broker is missed");
    let refused = front.server.ask("POST", "/v1/searches", &[ASYNC], search(10).to_string());
    assert_eq!(problem(&refused), (503, "storage_unavailable"));
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(front.search(&search(10))["status"], json!("done"));
    let ready = front.get("/readyz");
    assert_eq!((&ready["cluster"], &ready["storage"]["state"]), (&json!("disconnected"), &json!("unavailable")));
    broker.start_again();
    let node = Node::join(&broker.url(), "node");
    let expected = without_seq(lasting(alone(&search(2000))));
    front.wait_for_broker();
    for path in &paths {
        assert_eq!(without_seq(lasting(front.result(path))), expected);
    }
    // The broker dies while a task runs, whose result waits for it.
    let path = front.begin("/v1/searches", &search(simulations_in(3.0)));
    until(|| front.runs(&path), "the task runs");
    broker.kill();
    until(|| node.service.scheduler.idle() == 1, "the search has ended");
    broker.start_again();
    front.wait_for_broker();
    assert_eq!(front.result(&path)["status"], json!("done"));
}

#[test]
fn an_isolated_node_reports_the_common_result() {
    let Some(broker) = Broker::start() else { return };
    let proxy = Proxy::to(broker.port);
    let front = Node::front(&broker);
    let far = Node::join(&proxy.url(), "far");
    far.wait_for_broker();
    let long = json!({ "game": "connect-four", "engine": "mcts", "budget": { "time_ms": 8_000 } });
    let path = front.begin("/v1/searches", &long);
    until(|| front.runs(&path), "the far node has it");
    proxy.cut(true);
    let near = Node::join(&broker.url(), "near");
    // The far node has its result before it is back, and the near one, which has started again, only after that.
    std::thread::sleep(Duration::from_secs(10));
    proxy.cut(false);
    let result = front.result(&path);
    until(|| far.cluster().storage_error().is_none(), "the far node is back");
    assert_eq!((near.result(&path), far.result(&path)), (result.clone(), result));
    until(|| near.service.scheduler.idle() + far.service.scheduler.idle() == 2, "nobody at work");
}

#[test]
fn a_node_with_other_limits_does_not_change_the_clusters() {
    let Some(broker) = Broker::start() else { return };
    let first = Settings { cluster_queue: 4, keep_ms: 300_000, ..Settings::default() };
    let one = Node::accept(&broker.url(), "one", first);
    one.wait_for_broker();
    let limits = || ["interactive", "batch", "KV_results"].map(|stream| broker.limits(stream));
    let before = limits();
    assert_eq!((before[0].0, before[1].0, before[2].1), (4, 4, Duration::from_secs(300)));
    let other = Node::accept(&broker.url(), "other", Settings::default());
    other.wait_for_broker();
    assert_eq!(limits(), before);
}

#[test]
fn a_full_queue_and_a_spent_quota_refuse() {
    let Some(broker) = Broker::start() else { return };
    let settings = Settings { cluster_queue: 4, quota_ms_per_s: Some(1), quota_burst_ms: 1000, ..Settings::default() };
    let [one, other] = ["one", "other"].map(|name| Node::accept(&broker.url(), name, settings.clone()));
    one.wait_for_broker();
    other.wait_for_broker();
    let ask = |node: &Node, budget: Value| {
        let request = json!({ "game": "hex", "engine": "mcts", "budget": budget });
        node.server.ask("POST", "/v1/searches", &[ASYNC], request.to_string())
    };
    let accepted = (0..2).map(|_| ask(&one, json!({ "simulations": 100 })).status).collect::<Vec<_>>();
    assert_eq!(accepted, [202, 202]);
    let refused = ask(&other, json!({ "simulations": 100 }));
    assert_eq!(problem(&refused), (503, "overloaded"), "one client has half of the queue");
    // A charge by one node is known to the other.
    let timed = |node: &Node| {
        let request = json!({ "game": "hex", "budget": { "cpu_ms": 600 } });
        problem(&node.server.ask("POST", "/v1/searches", &[], request.to_string())).0
    };
    assert_eq!(timed(&one), 200);
    until(|| timed(&other) == 429, "the other node has heard of the charge");
}

/// The node that accepts a task charges an estimate; the one that runs it settles that, on both.
#[test]
fn a_task_is_settled_by_the_node_that_runs_it() {
    let Some(broker) = Broker::start() else { return };
    let settings = Settings { quota_ms_per_s: Some(1), quota_burst_ms: 1000, ..Settings::default() };
    let [one, runner] = ["one", "runner"].map(|name| Node::accept(&broker.url(), name, settings.clone()));
    RUNTIME.spawn(tesuji::service::run_tasks(runner.service.clone(), runner.cluster().clone()));
    one.wait_for_broker();
    runner.wait_for_broker();
    // Proven at once: nearly all of it is refunded once the first one has ended and the other node has reported that.
    let moves = ["a1", "a2", "b1", "b2"];
    let request = json!({ "game": "tic-tac-toe", "moves": moves, "budget": { "time_ms": 900 } }).to_string();
    for _ in 0..4 {
        until(
            || one.server.ask("POST", "/v1/searches", &[ASYNC], request.clone()).status == 202,
            "the rest of the charge comes back",
        );
    }
    let search = json!({ "game": "tic-tac-toe", "moves": moves, "budget": { "time_ms": 300 } });
    let batch = json!({ "searches": [search, search, search] });
    for _ in 0..2 {
        until(
            || one.server.ask("POST", "/v1/batches", &[ASYNC], batch.to_string()).status == 202,
            "the rest of the charge comes back",
        );
    }
}
