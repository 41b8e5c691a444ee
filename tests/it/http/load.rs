//! Time budgets on a busy server: the CPU time that a search had, a warning if it is much less than its time limit, and budgets
//! of CPU time, which give the same amount of search under any load.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{RUNTIME, Server};

fn cpu_ms(result: &Value) -> f64 {
    result["budget"]["used"]["cpu_ms"].as_f64().expect("it is a number")
}

fn starved(result: &Value) -> bool {
    let warnings = result["warnings"].as_array().expect("it is a list");
    warnings.iter().any(|warning| warning.as_str().is_some_and(|text| text.contains("ms of CPU time")))
}

/// The results of the same search, requested `times` times at once from a server with one search thread.
fn crowd(search: &Value, times: usize) -> Vec<Value> {
    let server = Server::new(1, 64);
    RUNTIME.block_on(async {
        let mut all = JoinSet::new();
        for _ in 0..times {
            let (server, body) = (server.clone(), search.to_string());
            all.spawn(async move { server.send("POST", "/v1/searches", &[], body).await.ok() });
        }
        all.join_all().await
    })
}

#[test]
fn a_search_under_load_warns_of_little_cpu_time() {
    for engine in ["mcts", "negamax"] {
        let results = crowd(&json!({"game": "reversi", "engine": engine, "budget": {"time_ms": 200}}), 16);
        for result in &results {
            assert_eq!(starved(result), cpu_ms(result) < 99.0, "{result:#}");
            assert!(cpu_ms(result) > 0.0);
        }
        // One core had at most the time from the first start to the last end, which is two times 200 ms where nothing hangs.
        assert!(results.iter().filter(|result| starved(result)).count() >= 8);
    }
}

#[test]
fn cpu_time_is_worth_the_same_in_a_crowd() {
    for engine in ["mcts", "negamax"] {
        for result in crowd(&json!({"game": "reversi", "engine": engine, "budget": {"cpu_ms": 60}}), 8) {
            assert_eq!((&result["stop_reason"], starved(&result)), (&json!("cpu"), false), "{result:#}");
            assert!((60.0..120.0).contains(&cpu_ms(&result)), "{}", cpu_ms(&result));
        }
    }
}

#[test]
fn every_engine_ends_when_its_cpu_time_is_spent() {
    let server = Server::new(2, 64);
    for game in super::get("/v1/games").ok()["games"].as_array().expect("it is a list") {
        for engine in game["engines"].as_array().expect("it is a list") {
            for threads in [1, 2] {
                let asked = json!({"game": game["name"], "engine": engine["name"], "threads": threads,
                    "budget": {"cpu_ms": 40}});
                let result = server.search(&asked).ok();
                assert_eq!(result["budget"]["granted"]["cpu_ms"], 40);
                let reasons = ["cpu", "proven"].map(Value::from);
                assert!(reasons.contains(&result["stop_reason"]), "{asked} {}", result["stop_reason"]);
                assert!(result["stop_reason"] == "proven" || cpu_ms(&result) >= 39.0, "{asked} {}", cpu_ms(&result));
            }
        }
    }
}

/// The wall clock bounds it: the requested time, or else the server's cap.
#[test]
fn cpu_time_that_does_not_come_ends_with_the_wall_clock() {
    let search = |budget: Value| json!({"game": "hex", "engine": "mcts", "budget": budget});
    let server = Server::new(1, 64);
    let result = server.search(&search(json!({"cpu_ms": 50_000, "time_ms": 30}))).ok();
    assert_eq!(result["stop_reason"], "time");
    let cap = tesuji::settings::Settings { max_time_ms: 300, default_time_ms: 100, ..Default::default() };
    let server = Server::set_up(&cap);
    // One thread has 300 ms of CPU time in as much time.
    let result = server.search(&search(json!({"cpu_ms": 5000}))).ok();
    assert_eq!((&result["stop_reason"], starved(&result)), (&json!("deadline"), true), "{result:#}");
    let refused = server.search(&search(json!({"cpu_ms": 300 * 64 + 1})));
    assert_eq!((refused.status, refused.code()), (422, "invalid_budget"));
    assert_eq!(refused.body["errors"][0]["pointer"], "/budget/cpu_ms");
}

/// Also in batches, in streams and with a level; the level's own search counts.
#[test]
fn cpu_time_is_reported_everywhere() {
    let server = Server::new(1, 64);
    let asked = json!({"game": "hex", "engine": "mcts", "budget": {"cpu_ms": 30}, "report": {"interval_ms": 10}});
    let batch = json!({"defaults": asked, "searches": [{}, {}]});
    let batch = server.ask("POST", "/v1/batches", &[], batch.to_string()).ok();
    for item in batch["items"].as_array().expect("it is a list") {
        assert_eq!(item["search"]["stop_reason"], "cpu");
        assert!(cpu_ms(&item["search"]) >= 30.0);
    }
    let lines = server.ask("POST", "/v1/searches", &[("accept", "application/x-ndjson")], asked.to_string()).ok();
    let lines = lines.as_str().expect("it is text").lines();
    let spent: Vec<f64> = lines.map(|line| cpu_ms(&serde_json::from_str(line).expect("messages are JSON"))).collect();
    assert!(spent.is_sorted() && spent.len() > 2 && spent[0] == 0.0, "{spent:?}");
    let leveled = json!({"game": "xiangqi", "level": 3, "budget": {"cpu_ms": 50},
        "report": {"children": "all"}});
    let result = server.search(&leveled).ok();
    assert_eq!(result["stop_reason"], "cpu");
    assert!((50.0..100.0).contains(&cpu_ms(&result)), "{}", cpu_ms(&result));
}
