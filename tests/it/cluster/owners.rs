//! On every node only its owner finds work, and the first result stored stays.

use std::time::Duration;

use serde_json::{Value, json};
use tesuji::job::{JobId, Kind, Message, Part, Parts, StoredPart};
use tesuji::settings::{Settings, fresh_key};

use super::broker::Broker;
use super::nodes::{ASYNC, Node, search, until};
use super::proxy::Proxy;
use crate::http::RUNTIME;

#[test]
fn others_work_is_not_there_on_any_node() {
    let Some(broker) = Broker::start() else { return };
    let names = ["alice", "bob"].map(|name| fresh_key(name).expect("there are random numbers"));
    let api_keys: Vec<_> = names.iter().map(|(_, setting)| setting.clone()).collect();
    let keys = names.map(|(key, _)| format!("Bearer {key}"));
    let [alice, bob] = keys.each_ref().map(|key| ("authorization", key.as_str()));
    let set_up =
        |name| Node::accept(&broker.url(), name, Settings { api_keys: api_keys.clone(), ..Settings::default() });
    let [front, runner] = ["front", "runner"].map(set_up);
    RUNTIME.spawn(tesuji::service::run_tasks(runner.service.clone(), runner.cluster().clone()));
    front.wait_for_broker();
    runner.wait_for_broker();
    let game = json!({ "game": "connect-four", "engine": "mcts", "budget": { "time_ms": 60_000 } });
    let mut review = game.clone();
    review["moves"] = json!(["4"]);
    for (route, body) in
        [("/v1/searches", game.clone()), ("/v1/batches", json!({ "searches": [game] })), ("/v1/reviews", review)]
    {
        let accepted = front.server.ask("POST", route, &[alice, ASYNC], body.to_string());
        let path = format!("{route}/{}", accepted.body["id"].as_str().expect("it has an id"));
        let hidden = || {
            for node in [&front, &runner] {
                for (method, path) in
                    [("GET", path.clone()), ("GET", format!("{path}/events")), ("DELETE", path.clone())]
                {
                    let answer = node.server.ask(method, &path, &[bob], "");
                    assert_eq!((answer.status, answer.code()), (404, "not_found"), "{method} {path}");
                }
            }
        };
        until(|| runner.service.scheduler.idle() == 0, "it runs");
        hidden();
        assert_eq!(front.server.ask("GET", &path, &[alice], "").ok()["final"], false, "nobody has cancelled it");
        let ended = front.server.ask("DELETE", &path, &[alice], "").ok();
        assert_eq!(ended["status"], "cancelled");
        hidden();
        assert_eq!(runner.server.ask("GET", &path, &[alice], "").ok(), ended);
    }
    let ask = |node: &Node, who, simulations| {
        let headers = [who, ("idempotency-key", "same")];
        node.server.ask("POST", "/v1/searches", &headers, search(simulations).to_string()).ok()["id"].clone()
    };
    let ids = [ask(&front, alice, 100), ask(&front, bob, 200)];
    assert_ne!(ids[0], ids[1], "the same key of two clients is two searches");
    until(|| broker.records() == 0, "both have ended");
    assert_eq!([ask(&runner, alice, 100), ask(&runner, bob, 200)], ids, "keys last as long as results");
    assert_eq!(broker.records(), 0, "nothing is written for them");
}

/// Any node lists and cancels jobs that others have accepted and run: running or waiting, only those of the asking client.
#[test]
fn lists_are_the_same_on_all_nodes() {
    let Some(broker) = Broker::start() else { return };
    let settings = Settings { trust_forwarded_for: true, ..Settings::default() };
    let [front, runner] = ["front", "runner"].map(|name| Node::accept(&broker.url(), name, settings.clone()));
    RUNTIME.spawn(tesuji::service::run_tasks(runner.service.clone(), runner.cluster().clone()));
    front.wait_for_broker();
    runner.wait_for_broker();
    let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|address| ("x-forwarded-for", address));
    let begin = |who, route: &str, body: &Value| {
        std::thread::sleep(Duration::from_millis(2));
        let accepted = front.server.ask("POST", route, &[who, ASYNC], body.to_string());
        assert_eq!(accepted.status, 202, "{}", accepted.body);
        accepted.body["id"].as_str().expect("it has an id").to_owned()
    };
    // Each job's id, kind, game and state.
    let ask = |node: &Node, who, method: &str, query: &str| {
        let list = node.server.ask(method, &format!("/v1/jobs{query}"), &[who], "").ok();
        let jobs = list["jobs"].as_array().expect("jobs are a list").clone();
        let listed =
            |job: Value| ["id", "kind", "game", "status"].map(|name| job[name].as_str().unwrap_or("").to_owned());
        (jobs.into_iter().map(listed).collect::<Vec<_>>(), list["next"].clone())
    };
    let ended = begin(one, "/v1/searches", &search(50));
    front.result(&format!("/v1/searches/{ended}"));
    let long = json!({ "game": "hex", "engine": "mcts", "budget": { "time_ms": 60_000 } });
    let running = begin(one, "/v1/searches", &long);
    until(|| runner.service.scheduler.idle() == 0, "it runs");
    let mut review = long.clone();
    review["moves"] = json!(["a1"]);
    let review = begin(one, "/v1/reviews", &review);
    let batch = begin(one, "/v1/batches", &json!({ "searches": [long, search(50)] }));
    let others = begin(other, "/v1/searches", &long);
    let entry = |id: &str, kind: &str, game: &str, status: &str| [id, kind, game, status].map(str::to_owned);
    let expected = [
        entry(&batch, "batch", "", "queued"),
        entry(&review, "review", "hex", "queued"),
        entry(&running, "search", "hex", "running"),
        entry(&ended, "search", "connect-four", "done"),
    ];
    let late = Node::accept(&broker.url(), "late", settings.clone());
    late.wait_for_broker();
    for node in [&front, &runner, &late] {
        until(|| ask(node, one, "GET", "").0 == expected, "the list is complete");
        assert_eq!(ask(node, one, "GET", "?kind=search&status=running").0, expected[2..3]);
        assert_eq!(ask(node, one, "GET", "?limit=2"), (expected[..2].to_vec(), json!(review)));
        assert_eq!(ask(node, one, "GET", &format!("?limit=2&before={review}")), (expected[2..].to_vec(), Value::Null));
    }
    let begun = std::time::Instant::now();
    let cancelled = ask(&late, one, "DELETE", "").0;
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert_eq!(
        cancelled,
        [
            entry(&batch, "batch", "", "cancelled"),
            entry(&review, "review", "hex", "cancelled"),
            entry(&running, "search", "hex", "cancelled"),
        ]
    );
    assert_eq!(ask(&front, one, "GET", "").0, [&cancelled[..], &expected[3..]].concat());
    let partial = front.get(&format!("/v1/searches/{running}"));
    assert!(partial["final"] == true && partial["move"].is_string(), "the best so far is kept: {partial:#}");
    let theirs = ask(&front, other, "GET", "").0;
    assert!(theirs.len() == 1 && theirs[0][0] == others && theirs[0][3] != "cancelled", "{theirs:?}");
    assert_eq!(ask(&runner, other, "DELETE", "").0, [entry(&others, "search", "hex", "cancelled")]);
    until(|| broker.records() == 0, "nothing is left");
}

/// A node that is silent for a while, and continues a task that another one has finished.
#[test]
fn a_node_that_is_overtaken_gives_way() {
    let Some(broker) = Broker::start() else { return };
    let proxy = Proxy::to(broker.port);
    let front = Node::front(&broker);
    let searches: Vec<Value> = (0..12).map(|_| json!({})).collect();
    let game = json!({ "game": "connect-four", "engine": "mcts", "budget": { "time_ms": 400 } });
    let batch = json!({ "defaults": game, "searches": searches });
    let mut review = game.clone();
    review["moves"] = json!(["4", "4", "4", "4", "4", "4", "1", "1", "1", "1", "1"]);
    let far = Node::join(&proxy.url(), "far");
    far.wait_for_broker();
    let begun = |route: &str, body: &Value| {
        let path = front.begin(route, body);
        until(
            || far.get(&path)["seq"].as_u64() > Some(2) || far.get(&path)["done"].as_u64() > Some(2),
            "it is under way",
        );
        // Begun before the connection is cut, whichever node runs the task.
        let request = axum::http::Request::get(format!("{path}/events")).body(axum::body::Body::empty());
        let request = request.expect("it is a request");
        let answer = RUNTIME.block_on(tower::ServiceExt::oneshot(far.server.0.clone(), request));
        let body = answer.expect("it is answered").into_body();
        let following = RUNTIME.spawn(async { axum::body::to_bytes(body, usize::MAX).await.expect("it is whole") });
        (path, following)
    };
    let mut near = None;
    for (route, body) in [("/v1/batches", &batch), ("/v1/reviews", &review)] {
        let (path, following) = begun(route, body);
        proxy.cut(true);
        let near = near.get_or_insert_with(|| Node::join(&broker.url(), "near"));
        let stored = front.result(&path);
        std::thread::sleep(Duration::from_millis(500));
        proxy.cut(false);
        until(|| far.cluster().storage_error().is_none(), "the far node is back");
        let stream = RUNTIME.block_on(following).expect("it does not panic");
        let text = String::from_utf8(stream.to_vec()).expect("it is text");
        let messages = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let messages: Vec<Value> = messages.map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        for item in messages.iter().filter(|message| message["index"].is_u64()) {
            let index = item["index"].as_u64().expect("it is a number") as usize;
            assert_eq!(*item, stored["items"][index], "what is told of a part is what is stored");
        }
        assert_eq!(messages.last().map(|last| &last["final"]), Some(&json!(true)), "{path}");
        let results = [&far, &*near, &front].map(|node| node.result(&path));
        assert!(results.iter().all(|result| *result == stored), "{path}: all nodes report the same");
        until(|| broker.records() == 0, "nothing is left");
    }
}

fn result(text: &str, ended: Vec<Part>) -> Message {
    let parts = Some(Parts { total: 1, ended }.into());
    Message { seq: 1, is_final: true, failed: false, lasts: false, text: text.into(), parts }
}

/// Two nodes that both run a task, step by step.
#[test]
fn the_first_result_stays_and_an_ended_task_takes_no_more() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::front(&broker);
    let cluster = front.cluster().clone();
    let path = front.begin("/v1/batches", &json!({ "defaults": { "game": "hex" }, "searches": [{}, {}] }));
    let id = path.rsplit('/').next().expect("it has an id").to_owned();
    let task = JobId::new(Kind::Batch, "", &id);
    let part = |text: &str| Part { place: 0, text: text.into() };
    RUNTIME.block_on(async {
        let store = async |text| cluster.store_part(&task, 0, &part(text)).await.expect("the broker is there");
        let finish = async |text| {
            let message = result("0", vec![part(text)]);
            let stored = cluster.finish(&task, &message).await.expect("the broker is there");
            stored.map(|stored| stored.parts.expect("it has parts").ended[0].text.to_string())
        };
        assert!(matches!(store("1").await, StoredPart::Own));
        assert!(matches!(store("2").await, StoredPart::Other(other) if &*other.text == "1"));
        assert_eq!(finish("1").await.as_deref(), Some("1"));
        assert_eq!(finish("2").await.as_deref(), Some("1"), "the whole result counts, not its totals");
        cluster.forget(&task).await.expect("the broker is there");
        assert!(matches!(store("2").await, StoredPart::Over));
        assert_eq!(finish("2").await.as_deref(), Some("1"));
        // With another owner it is another task, which no node has accepted.
        let other = JobId { owner: "bob".into(), ..task.clone() };
        assert!(cluster.result(&other).await.expect("it tells").is_none());
        assert!(cluster.finish(&other, &result("3", Vec::new())).await.expect("it tells").is_none());
        assert!(cluster.result(&other).await.expect("it tells").is_none(), "nothing is written for it");
    });
    assert_eq!(broker.records(), 0, "nothing is left");
}
