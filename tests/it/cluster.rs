//! Several nodes that search together, over a dedicated broker on loopback (`nats-server`, from `$NATS_SERVER` or the path).

mod broker;
mod games;
mod nodes;
mod owners;
mod proxy;
mod tasks;
mod trouble;

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use tesuji::cluster::Cluster;

use self::broker::Broker;
use self::nodes::{ASYNC, Node, TIMEOUT, alone, lasting, near_and_far, nodes, simulations_in, until, worker};
use crate::http::RUNTIME;

/// The threads of each node that a search ran on.
fn threads_of(result: &Value) -> Vec<u64> {
    let nodes = result["threads"]["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    nodes.iter().map(|node| node["threads"].as_u64().expect("it is a number")).collect()
}

/// Whether another node is running a search of this one.
fn works(cluster: &Cluster) -> bool {
    cluster.nodes().iter().any(|node| !node.is_self && node.shards > 0)
}

fn metrics(node: &Node) -> String {
    let request = Request::get("/metrics").body(Body::empty()).expect("it is a request");
    String::from_utf8(node.server.raw(request).into_body()).expect("it is text")
}

/// How many shards of a node's searches another node refused for lack of time, or did not answer in time.
fn not_run(node: &Node) -> u64 {
    let metrics = metrics(node);
    let of = |result: &str| {
        let begin = format!("tesuji_cluster_shards_total{{result=\"{result}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(&begin)).map_or(0, |count| count.parse().expect("a number"))
    };
    of("busy") + of("lost")
}

/// A search that takes each of two nodes this long.
fn search_of(seconds: f64) -> Value {
    json!({
        "game": "connect-four", "engine": "mcts", "threads": 4, "seed": 3,
        "budget": { "simulations": simulations_in(2.0 * seconds), "memory_mb": 64 },
    })
}

fn long() -> Value {
    search_of(2.0)
}

#[test]
fn searches_over_nodes_give_the_bytes_of_one_machine() {
    let Some(broker) = Broker::start() else { return };
    let [node, _second, _third] = nodes::<3>(&broker);
    for (game, threads) in [("connect-four", 3), ("hex", 5), ("tic-tac-toe", 3), ("gomoku", 6), ("dots-and-boxes", 3)] {
        let request = json!({
            "game": game, "engine": "mcts", "threads": threads, "seed": 7, "budget": { "simulations": 6000 },
            "report": { "tree": { "depth": 2, "min_visits": 20 } },
        });
        node.wait_for(2);
        let spread = node.search(&request);
        let shares = threads_of(&spread);
        assert_eq!((shares.len(), shares.iter().sum::<u64>()), (3, threads), "{game}");
        assert_eq!(lasting(spread), lasting(alone(&request)), "{game}");
    }
}

#[test]
fn idle_cores_of_other_nodes_count_under_a_limit_of_time() {
    let Some(broker) = Broker::start() else { return };
    let [node, _second, _third] = nodes::<3>(&broker);
    let request = json!({ "game": "connect-four", "engine": "mcts", "threads": 8, "budget": { "time_ms": 300 } });
    let begin = Instant::now();
    let result = node.search(&request);
    assert!(begin.elapsed() < Duration::from_secs(3));
    assert_eq!((&result["threads"]["granted"], threads_of(&result)), (&json!(3), vec![1, 1, 1]));
    let warning = "3 of 8 threads granted: time is limited, and no more cores are idle";
    // More warnings follow where the nodes share fewer cores.
    assert_eq!((&result["stop_reason"], &result["warnings"][0]), (&json!("time"), &json!(warning)));
    // The sum over all nodes: each has had some, and none more than the time.
    let cpu = result["budget"]["used"]["cpu_ms"].as_f64().expect("it is a number");
    assert!((30.0..2700.0).contains(&cpu), "{cpu}");
    // Where CPU time is limited, all threads are granted, and each gets its part of it.
    let request = json!({ "game": "connect-four", "engine": "mcts", "threads": 6, "budget": { "cpu_ms": 240 } });
    node.wait_for(2);
    let result = node.search(&request);
    assert_eq!((&result["stop_reason"], &result["threads"]["granted"]), (&json!("cpu"), &json!(6)));
    let cpu = result["budget"]["used"]["cpu_ms"].as_f64().expect("it is a number");
    assert!((240.0..480.0).contains(&cpu), "{cpu}");
    let nodes = node.server.ask("GET", "/v1/cluster", &[], "").ok();
    assert_eq!((&nodes["connection"], nodes["nodes"].as_array().map(Vec::len)), (&json!("connected"), Some(3)));
    // Searches that cannot be divided, and short ones, run on one node.
    node.wait_for(2);
    for request in [
        json!({ "game": "xiangqi", "engine": "negamax", "threads": 8, "budget": { "time_ms": 50 } }),
        json!({ "game": "connect-four", "engine": "mcts", "threads": 8, "budget": { "time_ms": 5 } }),
    ] {
        let result = node.search(&request);
        assert_eq!((&result["threads"]["granted"], threads_of(&result)), (&json!(1), vec![]));
    }
}

#[test]
fn a_node_that_ends_early_waits_for_the_others() {
    let Some(broker) = Broker::start() else { return };
    let node = Node::join(&broker.url(), "node");
    let worker = worker(&broker, &[]);
    node.wait_for(1);
    let mut request = long();
    request["budget"]["time_ms"] = json!(60_000);
    request["threads"] = json!(2);
    let cluster = node.cluster().clone();
    let pauser = std::thread::spawn(move || {
        until(|| works(&cluster), "the worker is at work");
        worker.signal("STOP");
        std::thread::sleep(Duration::from_millis(1200));
        worker.signal("CONT");
        worker
    });
    let result = node.search(&request);
    drop(pauser.join().expect("it does not panic"));
    assert_eq!((threads_of(&result), &result["warnings"]), (vec![1, 1], &json!([])));
    assert_eq!(lasting(result), lasting(alone(&request)));
}

#[test]
fn what_one_node_has_proven_ends_the_search_on_all() {
    let Some(broker) = Broker::start() else { return };
    let [node, _second, _third] = nodes::<3>(&broker);
    let request = json!({
        "game": "tic-tac-toe", "engine": "mcts", "threads": 3, "budget": { "time_ms": 30_000 },
    });
    let begin = Instant::now();
    let result = node.search(&request);
    assert!(begin.elapsed() < TIMEOUT);
    assert_eq!((&result["stop_reason"], &result["root"]["proven"]), (&json!("proven"), &json!("draw")));
}

#[test]
fn cancelled_searches_end_on_all_nodes_with_the_best_found() {
    let Some(broker) = Broker::start() else { return };
    let [node, one, other] = nodes::<3>(&broker);
    let request = json!({ "game": "connect-four", "engine": "mcts", "threads": 3, "budget": { "time_ms": 60_000 } });
    let accepted = node.server.ask("POST", "/v1/searches", &[ASYNC], request.to_string());
    let path = format!("/v1/searches/{}", accepted.body["id"].as_str().expect("it has an id"));
    until(|| [&node, &one, &other].iter().all(|node| node.service.scheduler.idle() == 0), "three nodes at work");
    let begin = Instant::now();
    let result = one.server.ask("DELETE", &path, &[], "").ok();
    assert!(begin.elapsed() < Duration::from_secs(2));
    assert_eq!((&result["status"], threads_of(&result)), (&json!("cancelled"), vec![1, 1, 1]));
    assert!(result["move"].is_string());
    // A client that hangs up.
    let server = node.server.clone();
    node.wait_for(2);
    let asking = RUNTIME.spawn(async move { server.send("POST", "/v1/searches", &[], request.to_string()).await });
    until(|| [&node, &one, &other].iter().all(|node| node.service.scheduler.idle() == 0), "three nodes at work");
    asking.abort();
    until(|| [&node, &one, &other].iter().all(|node| node.service.scheduler.idle() == 1), "nobody at work");
}

#[test]
fn what_a_killed_or_ended_node_has_not_done_is_done_by_others() {
    let Some(broker) = Broker::start() else { return };
    let expected = lasting(alone(&long()));
    let node = Node::join(&broker.url(), "node");
    for signal in ["KILL", "TERM", "STOP"] {
        // On a busy machine its part takes longer than a node's usual drain time.
        let worker = worker(&broker, &["--drain-ms", "600000"]);
        node.wait_for(1);
        let cluster = node.cluster().clone();
        let killer = std::thread::spawn(move || {
            until(|| works(&cluster), "the worker is at work");
            worker.signal(signal);
            worker
        });
        let result = node.search(&long());
        drop(killer.join().expect("it does not panic"));
        let lost = if signal == "TERM" { "done" } else { "lost" };
        assert!(metrics(&node).contains(&format!("tesuji_cluster_shards_total{{result=\"{lost}\"}}")), "{signal}");
        assert_eq!(lasting(result), expected, "{signal}");
        until(|| node.cluster().nodes().len() == 1, "the worker is gone");
    }
}

#[test]
fn without_a_broker_a_node_searches_alone_and_goes_on_when_there_is_one() {
    let Some(mut broker) = Broker::start() else { return };
    broker.kill();
    let nodes = [Node::join(&broker.url(), "a"), Node::join(&broker.url(), "b")];
    let request =
        json!({ "game": "hex", "engine": "mcts", "threads": 2, "seed": 1, "budget": { "simulations": 4000 } });
    let expected = lasting(alone(&request));
    let result = nodes[0].search(&request);
    assert_eq!((threads_of(&result), lasting(result)), (vec![], expected.clone()));
    let response = nodes[0].server.ask("GET", "/v1/cluster", &[], "").ok();
    assert_eq!(
        (&response["connection"], response["nodes"].as_array().map(Vec::len)),
        (&json!("disconnected"), Some(1))
    );
    broker.start_again();
    nodes[0].wait_for(1);
    let result = nodes[0].search(&request);
    assert_eq!((threads_of(&result), lasting(result)), (vec![1, 1], expected));
    // The broker goes away while a search runs.
    nodes[0].wait_for(1);
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        broker.kill();
        broker
    });
    let result = nodes[0].search(&long());
    let mut broker = killer.join().expect("it does not panic");
    assert_eq!(lasting(result), lasting(alone(&long())));
    broker.start_again();
    nodes[0].wait_for(1);
}

#[test]
fn a_briefly_isolated_node_does_no_harm() {
    let Some(broker) = Broker::start() else { return };
    let (node, far, proxy) = near_and_far(&broker);
    let expected = lasting(alone(&long()));
    let (cut, cluster) = (proxy.clone(), node.cluster().clone());
    let cutter = std::thread::spawn(move || {
        until(|| works(&cluster), "the far node is at work");
        cut.cut(true);
        std::thread::sleep(Duration::from_secs(3));
        cut.cut(false);
    });
    let result = node.search(&long());
    assert_eq!(lasting(result), expected);
    cutter.join().expect("it does not panic");
    until(|| far.service.scheduler.idle() == 1, "the far node has ended what nobody waits for");
    // It ends the search of a node that it no longer hears from, long before its time is over.
    node.wait_for(1);
    let request = json!({ "game": "connect-four", "engine": "mcts", "threads": 2, "budget": { "time_ms": 60_000 } });
    let server = node.server.clone();
    let asking = RUNTIME.spawn(async move { server.send("POST", "/v1/searches", &[], request.to_string()).await });
    until(|| far.service.scheduler.idle() == 0, "the far node is at work");
    proxy.cut(true);
    asking.abort();
    until(|| far.service.scheduler.idle() == 1, "the far node has missed whoever asked");
    proxy.cut(false);
    // Both work together again. On a busy machine, a node may answer too late to get its share, and that is counted.
    let together = || {
        node.wait_for(1);
        let before = not_run(&node);
        let result = node.search(&long());
        let nodes = threads_of(&result).len();
        assert!(nodes != 1 || not_run(&node) > before, "a share came back, and nothing says why");
        assert_eq!(lasting(result), expected);
        nodes == 2
    };
    until(together, "both nodes search");
}

/// It stops the requested search, and what it sends is not taken for a result.
#[test]
fn workers_of_an_isolated_node_run_again() {
    let Some(broker) = Broker::start() else { return };
    let (node, far, proxy) = near_and_far(&broker);
    let request = search_of(6.0);
    let (server, asked) = (node.server.clone(), request.to_string());
    let asking = RUNTIME.spawn(async move { server.send("POST", "/v1/searches", &[], asked).await });
    until(|| works(node.cluster()), "the far node is at work");
    proxy.cut_from_broker();
    until(|| far.service.scheduler.idle() == 1, "the far node has given up");
    assert!(!asking.is_finished(), "the search is long enough");
    proxy.cut(false);
    let result = RUNTIME.block_on(asking).expect("it does not panic").ok();
    assert_eq!(threads_of(&result), [4]);
    assert_eq!(lasting(result), lasting(alone(&request)));
}
