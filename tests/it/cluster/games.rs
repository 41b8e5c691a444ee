//! Games that are not built in, in a cluster: uploads reach all nodes, and a node only runs the version that a task names.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji::service::run_tasks;
use tesuji::settings::{Settings, fresh_key};

use super::broker::Broker;
use super::nodes::{ASYNC, Node, TIMEOUT, until};
use crate::http::{Answer, RUNTIME};
use crate::own_games::TWENTY_ONE;

const PATH: &str = "/v1/games/twenty-one";

fn uploads(most: u32) -> Settings {
    Settings { uploads: most, upload_scripts: true, ..Settings::default() }
}

/// A node that runs tasks.
fn worker(broker: &Broker, name: &str, settings: Settings) -> Node {
    let node = Node::accept(&broker.url(), name, settings);
    RUNTIME.spawn(run_tasks(node.service.clone(), node.cluster().clone()));
    node.wait_for_broker();
    node
}

/// Sends a request about games that are not in the contract.
fn ask(node: &Node, method: &str, path: &str, headers: &[(&str, &str)], body: impl ToString) -> Answer {
    RUNTIME.block_on(node.server.exchange(method, path, headers, body.to_string()))
}

fn upload(node: &Node, name: &str, headers: &[(&str, &str)]) -> Answer {
    let path = format!("/v1/games/{name}");
    ask(node, "PUT", &path, headers, TWENTY_ONE.replace("twenty-one", name))
}

/// The same game, with plays of 1 and 2 only.
fn other_version() -> String {
    TWENTY_ONE.replace("[1, 2, 3]", "[1, 2]")
}

fn hash(node: &Node, headers: &[(&str, &str)]) -> Value {
    ask(node, "GET", PATH, headers, "").body["hash"].clone()
}

fn search(simulations: u64) -> Value {
    json!({ "game": "twenty-one", "engine": "mcts", "seed": 1, "budget": { "simulations": simulations } })
}

/// Starts asynchronous work and returns its path.
fn begin(node: &Node, route: &str, body: &Value) -> String {
    let accepted = ask(node, "POST", route, &[ASYNC], body);
    assert_eq!(accepted.status, 202, "{}", accepted.body);
    format!("{route}/{}", accepted.body["id"].as_str().expect("it has an id"))
}

/// Waits for a task's result.
fn result(node: &Node, path: &str) -> Value {
    let begin = Instant::now();
    loop {
        let message = ask(node, "GET", path, &[("prefer", "wait=20")], "").ok();
        if message["final"] == json!(true) {
            return message;
        }
        assert!(begin.elapsed() < TIMEOUT * 3, "{path} does not end");
    }
}

/// The tasks that a node has ended, and those that it has handed over.
fn runs(node: &Node) -> (u64, u64) {
    let metrics = super::metrics(node);
    let of = |result: &str| {
        let begin = format!("tesuji_cluster_runs_total{{result=\"{result}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(&begin)).map_or(0, |count| count.parse().expect("a number"))
    };
    (of("done"), of("handed_over"))
}

#[test]
fn an_upload_is_on_all_nodes_until_it_is_removed() {
    let Some(mut broker) = Broker::start() else { return };
    let names = ["alice", "bob"].map(|name| fresh_key(name).expect("there are random numbers"));
    let api_keys: Vec<_> = names.iter().map(|(_, setting)| setting.clone()).collect();
    let settings = Settings { api_keys, ..uploads(2) };
    let keys = names.map(|(key, _)| format!("Bearer {key}"));
    let [alice, bob] = keys.each_ref().map(|key| [("authorization", key.as_str())]);
    let [a, b, c] = ["a", "b", "c"].map(|name| worker(&broker, name, settings.clone()));
    let uploaded = upload(&a, "twenty-one", &alice);
    assert_eq!(uploaded.status, 201, "{}", uploaded.body);
    for node in [&b, &c] {
        until(|| ask(node, "GET", PATH, &alice, "").status == 200, "the upload is on another node");
        assert_eq!(ask(node, "GET", PATH, &alice, "").ok(), uploaded.body);
        assert_eq!(ask(node, "GET", PATH, &bob, "").status, 404, "it is its owner's");
        assert_eq!(ask(node, "POST", "/v1/searches", &alice, search(10)).ok()["status"], "done");
        assert_eq!(ask(node, "POST", "/v1/searches", &bob, search(10)).code(), "unknown_game");
    }
    // The number of games is limited over all nodes.
    assert_eq!(upload(&b, "twenty-two", &alice).status, 201);
    assert_eq!(upload(&c, "twenty-three", &alice).code(), "conflict");
    assert_eq!(upload(&c, "twenty-three", &bob).status, 201);
    let replaced = ask(&b, "PUT", PATH, &alice, other_version());
    assert_eq!(replaced.status, 200);
    assert_ne!(replaced.body["hash"], uploaded.body["hash"]);
    until(|| [&a, &b, &c].iter().all(|node| hash(node, &alice) == replaced.body["hash"]), "all have the new version");
    // A node that joins later, and one that reconnects to a broker.
    broker.kill();
    until(|| a.cluster().storage_error().is_some(), "the broker is missed");
    assert_eq!(upload(&a, "twenty-two", &alice).code(), "storage_unavailable");
    broker.start_again();
    let late = worker(&broker, "late", settings);
    until(|| hash(&late, &alice) == replaced.body["hash"], "a later node has it");
    a.wait_for_broker();
    assert_eq!(ask(&late, "DELETE", PATH, &bob, "").status, 404);
    assert_eq!(ask(&late, "DELETE", PATH, &alice, "").status, 204);
    until(|| [&a, &b, &c, &late].iter().all(|node| hash(node, &alice).is_null()), "it is removed from all nodes");
    assert_eq!(ask(&a, "DELETE", PATH, &alice, "").status, 404);
    assert_eq!(ask(&a, "POST", "/v1/searches", &alice, search(10)).code(), "unknown_game");
    // Two owners' records, and one file of each.
    assert_eq!(broker.messages("games"), 4);
}

#[test]
fn two_uploads_of_a_name_at_a_time_are_one_game() {
    let Some(broker) = Broker::start() else { return };
    let nodes = ["a", "b"].map(|name| worker(&broker, name, uploads(1)));
    for number in 0..5 {
        let files = [TWENTY_ONE, &*other_version()].map(|text| format!("{text}// {number}"));
        let servers = nodes.each_ref().map(|node| node.server.clone());
        let asking: Vec<_> = servers
            .into_iter()
            .zip(files)
            .map(|(server, file)| RUNTIME.spawn(async move { server.exchange("PUT", PATH, &[], file).await }))
            .collect();
        let hashes: Vec<Value> = asking
            .into_iter()
            .map(|asking| {
                let answer = RUNTIME.block_on(asking).expect("it does not panic");
                assert!([200, 201].contains(&answer.status), "{}", answer.body);
                answer.body["hash"].clone()
            })
            .collect();
        let agreed = || {
            let [one, other] = nodes.each_ref().map(|node| hash(node, &[]));
            one == other && hashes.contains(&one)
        };
        until(agreed, "both nodes have the same version");
        std::thread::sleep(Duration::from_millis(1200));
        assert!(agreed(), "they keep it");
    }
    assert_eq!(broker.messages("games"), 2, "the record and one file");
}

/// A node that joins removes the files that a crash has left, except those that may still get their record.
#[test]
fn files_without_a_record_are_removed() {
    let Some(broker) = Broker::start() else { return };
    let first = worker(&broker, "first", uploads(2));
    assert_eq!(upload(&first, "twenty-one", &[]).status, 201);
    let put = async {
        let client = async_nats::connect(broker.url()).await.expect("the broker is there");
        let bucket = format!("{}_games", Broker::prefix());
        let store = async_nats::jetstream::new(client).get_key_value(bucket).await.expect("nodes have made it");
        for (id, parts) in [("01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(), 2), (ulid::Ulid::generate().to_string(), 1)] {
            for number in 0..parts {
                store.put(format!("file.{id}.{number}"), "lost".into()).await.expect("it is stored");
            }
        }
    };
    RUNTIME.block_on(put);
    assert_eq!(broker.messages("games"), 5);
    let second = worker(&broker, "second", uploads(2));
    until(|| broker.messages("games") == 3, "the record, its file and the one written just now stay");
    until(|| ask(&second, "GET", PATH, &[], "").status == 200, "the upload is on the other node");
    assert_eq!(broker.messages("games"), 3);
}

#[test]
fn a_task_waits_for_a_node_that_has_its_game() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::accept(&broker.url(), "front", uploads(1));
    front.wait_for_broker();
    let without = worker(&broker, "without", Settings::default());
    assert_eq!(upload(&front, "twenty-one", &[]).status, 201);
    let path = begin(&front, "/v1/searches", &search(500));
    let with = worker(&broker, "with", uploads(1));
    let found = result(&front, &path);
    let alone = ask(&front, "POST", "/v1/searches", &[], search(500)).ok();
    assert_eq!((&found["status"], &found["move"]), (&json!("done"), &alone["move"]));
    assert_eq!(found["children"], alone["children"]);
    assert_eq!(result(&without, &path), found, "every node reports it");
    // Without a node that has the game, tasks would fail after a while: here one has it.
    let game = json!({ "game": "twenty-one", "moves": ["1", "1"], "budget": { "simulations": 50 } });
    let paths: Vec<(&str, String)> = (0..6)
        .flat_map(|_| [("/v1/searches", search(100)), ("/v1/reviews", game.clone())])
        .map(|(route, body)| (route, begin(&front, route, &body)))
        .collect();
    for (_, path) in &paths {
        assert_eq!(result(&front, path)["status"], "done", "{path}");
    }
    assert_eq!((runs(&without).0, runs(&with).0), (0, 13));
    assert!(runs(&without).1 > 0, "it was asked");
    until(|| broker.records() == 0, "nothing is left");
}

#[test]
fn a_task_is_cancelled_on_a_node_that_lacks_its_game() {
    let Some(broker) = Broker::start() else { return };
    let front = Node::accept(&broker.url(), "front", uploads(1));
    let without = Node::accept(&broker.url(), "without", Settings::default());
    front.wait_for_broker();
    without.wait_for_broker();
    assert_eq!(upload(&front, "twenty-one", &[]).status, 201);
    let review = json!({ "game": "twenty-one", "moves": ["1", "1"] });
    for (route, body) in [("/v1/searches", search(500)), ("/v1/reviews", review)] {
        let path = begin(&front, route, &body);
        let ended = ask(&without, "DELETE", &path, &[], "").ok();
        assert_eq!((&ended["status"], &ended["final"]), (&json!("cancelled"), &json!(true)), "{ended:#}");
        assert_eq!(ended["warnings"], json!([]));
        assert_eq!(result(&front, &path), ended);
    }
    let _with = worker(&broker, "with", uploads(1));
    until(|| broker.records() == 0, "nothing is left once the queue is taken");
}

#[test]
fn a_task_whose_game_no_node_has_fails() {
    let Some(broker) = Broker::start() else { return };
    let folders = [TWENTY_ONE, &*other_version()].map(|text| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(folder.path().join("twenty-one.js"), text).expect("it can be written");
        folder
    });
    let [first, second] =
        folders.each_ref().map(|folder| Settings { games: Some(folder.path().to_owned()), ..Settings::default() });
    let front = Node::accept(&broker.url(), "front", first);
    front.wait_for_broker();
    let _other = worker(&broker, "other", second);
    let single = begin(&front, "/v1/searches", &search(100));
    let review = begin(&front, "/v1/reviews", &json!({ "game": "twenty-one", "moves": ["1", "1"] }));
    let hex = json!({ "game": "hex", "engine": "mcts", "budget": { "simulations": 50 } });
    let batch = begin(&front, "/v1/batches", &json!({ "searches": [search(100), hex] }));
    let begun = Instant::now();
    for path in [single, review] {
        let failed = result(&front, &path);
        let reason = "no server has the version of the game with which this began";
        assert_eq!((&failed["status"], &failed["warnings"][0]), (&json!("failed"), &json!(reason)), "{path}");
    }
    let batch = result(&front, &batch);
    assert_eq!(batch["items"][0]["problem"]["code"], "unknown_game");
    assert_eq!(batch["items"][1]["search"]["status"], "done");
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    until(|| broker.records() == 0, "nothing is left");
}
