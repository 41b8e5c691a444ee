//! What the program logs: each line a JSON object, one for each request and each search.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::RUNTIME;
use super::wire::{Wire, get, search};

/// A program that is killed when the test ends, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Every line that the program logs while some requests are made.
fn logged(level: &str) -> Vec<Value> {
    let child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--log", level])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut running = Running(child);
    let mut greeting = String::new();
    let out = running.0.stdout.as_mut().expect("it is piped");
    BufReader::new(out).read_line(&mut greeting).expect("it greets");
    let address = greeting.trim().rsplit("http://").next().and_then(|text| text.parse().ok()).expect("an address");
    RUNTIME.block_on(async {
        for path in ["/livez", "/docs", "/v1/games", "/nowhere"] {
            get(address, path).await;
        }
        let mut wire = Wire::open(address).await;
        let body = r#"{"game":"reversi","engine":"mcts","budget":{"simulations":100},"seed":1}"#;
        let head = "POST /v1/searches HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: mine\r\n";
        let trace = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n";
        wire.send(&format!("{head}{trace}Content-Length: {}\r\n\r\n{body}", body.len())).await;
        let read = wire.answer().await;
        assert_eq!(read.status, 200);
        assert_eq!(
            search(address, r#"{"game":"tic-tac-toe","engine":"negamax","budget":{"depth":2}}"#).await.status,
            200
        );
        let review = r#"{"game":"tic-tac-toe","moves":["a1"],"budget":{"simulations":20}}"#;
        let mut wire = Wire::open(address).await;
        let head = "POST /v1/reviews HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
        wire.send(&format!("{head}Content-Length: {}\r\n\r\n{review}", review.len())).await;
        let id = wire.answer().await.json()["id"].as_str().expect("reviews have ids").to_owned();
        super::wire::until(address, &format!("/v1/reviews/{id}"), |read| read.json()["final"] == true).await;
    });
    let ended = Command::new("kill").args(["-TERM", &running.0.id().to_string()]).status();
    assert!(ended.expect("there is a kill").success());
    let errors = BufReader::new(running.0.stderr.take().expect("it is piped"));
    let lines = errors.lines().map(|line| line.expect("it is UTF-8"));
    lines.map(|line| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The lines with a message.
fn with<'a>(lines: &'a [Value], message: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["message"] == message).collect()
}

#[test]
fn each_search_has_a_line_of_its_own() {
    let lines = logged("info");
    let searches = with(&lines, "search ended");
    assert_eq!(searches.len(), 4, "two searches, and two of a review: {lines:#?}");
    let first = searches[0];
    assert_eq!([&first["game"], &first["engine"], &first["stop_reason"]], ["reversi", "mcts", "simulations"]);
    assert_eq!((first["simulations"].as_u64(), first["threads"].as_u64()), (Some(100), Some(1)));
    for number in ["queued_ms", "time_ms", "cpu_ms", "memory_mb"] {
        assert!(first[number].as_f64().is_some_and(|number| number >= 0.0), "{number}: {first:#}");
    }
    assert!(first["nodes"].as_u64() > Some(0) && first["search_id"].as_str().is_some_and(|id| id.len() == 26));
    assert_eq!((&first["span"]["request_id"], &first["span"]["path"]), (&"mine".into(), &"/v1/searches".into()));
    assert_eq!(first["span"]["trace_id"], "0af7651916cd43dd8448eb211c80319c");
    let second = searches[1];
    assert_eq!([&second["engine"], &second["stop_reason"]], ["negamax", "depth"]);
    assert_eq!((second["depth"].as_u64(), second.get("simulations")), (Some(2), None));
    let reviewed = &searches[2..];
    assert!(reviewed.iter().all(|line| line["review_id"].is_string() && line["span"]["path"] == "/v1/reviews"));
}

#[test]
fn each_request_has_a_line_of_its_own() {
    let lines = logged("info");
    let answered = with(&lines, "request answered");
    let of = |path: &str| answered.iter().filter(|line| line["span"]["path"] == path).count();
    assert_eq!(["/v1/games", "/nowhere", "/v1/searches", "/v1/reviews"].map(of), [1, 1, 2, 1]);
    assert_eq!(["/livez", "/docs"].map(of), [0, 0], "probes and files are for the level debug");
    for line in &answered {
        assert!(line["latency_ms"].as_f64().is_some_and(|millis| millis >= 0.0), "{line:#}");
        assert!(line["status"].as_u64().is_some_and(|status| status >= 200), "{line:#}");
        assert!(line["span"]["request_id"].is_string() && line["span"]["client"] == "127.0.0.1", "{line:#}");
    }
    for line in &lines {
        assert!(line["timestamp"].is_string() && line["level"].is_string() && line["target"].is_string(), "{line:#}");
        assert_eq!(line.get("spans"), None, "spans are reported once");
    }
}

#[test]
fn probes_and_files_are_told_at_debug() {
    let lines = logged("tesuji=debug");
    let answered = with(&lines, "request answered");
    let levels = |path: &str| -> Vec<&Value> {
        answered.iter().filter(|line| line["span"]["path"] == path).map(|line| &line["level"]).collect()
    };
    assert_eq!([levels("/livez"), levels("/docs"), levels("/nowhere")], [["DEBUG"], ["DEBUG"], ["INFO"]]);
}

#[test]
fn text_logs_are_plain_where_nobody_sees_colours() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(command.spawn().expect("the program starts"));
    let mut greeting = String::new();
    let out = running.0.stdout.as_mut().expect("it is piped");
    BufReader::new(out).read_line(&mut greeting).expect("it greets");
    let ended = Command::new("kill").args(["-TERM", &running.0.id().to_string()]).status();
    assert!(ended.expect("there is a kill").success());
    let mut line = String::new();
    BufReader::new(running.0.stderr.as_mut().expect("it is piped")).read_line(&mut line).expect("it logs its end");
    assert!(line.contains("INFO") && !line.contains('\u{1b}'), "{line:?}");
}
