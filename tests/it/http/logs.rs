//! What the program logs: each line a JSON object, one for each request and each search.

use serde_json::Value;

use super::RUNTIME;
use super::wire::until;
use crate::program::Serving;

/// Every line that the program logs while some requests are made.
fn logged(level: &str) -> Vec<Value> {
    let program = Serving::start(&["--log-format", "json", "--log", level]);
    for path in ["/livez", "/docs", "/v1/games", "/nowhere"] {
        program.ask("GET", path, &[], "");
    }
    let trace = ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    for (headers, body) in [
        (
            &[("X-Request-Id", "mine"), trace][..],
            r#"{"game":"reversi","engine":"mcts","budget":{"simulations":100},"seed":1}"#,
        ),
        (&[], r#"{"game":"tic-tac-toe","engine":"negamax","budget":{"depth":2}}"#),
    ] {
        assert_eq!(program.ask("POST", "/v1/searches", headers, body).status, 200);
    }
    let review = r#"{"game":"tic-tac-toe","moves":["a1"],"budget":{"simulations":20}}"#;
    let begun = program.ask("POST", "/v1/reviews", &[], review).json();
    let path = format!("/v1/reviews/{}", begun["id"].as_str().expect("reviews have ids"));
    RUNTIME.block_on(until(program.address, &path, |read| read.json()["final"] == true));
    let log = program.end();
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The lines with a message.
fn with<'a>(lines: &'a [Value], message: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["message"] == message).collect()
}

#[test]
fn each_search_has_one_log_line() {
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
fn each_request_has_one_log_line() {
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
fn probes_and_files_are_logged_at_debug() {
    let lines = logged("tesuji=debug");
    let answered = with(&lines, "request answered");
    let levels = |path: &str| -> Vec<&Value> {
        answered.iter().filter(|line| line["span"]["path"] == path).map(|line| &line["level"]).collect()
    };
    assert_eq!([levels("/livez"), levels("/docs"), levels("/nowhere")], [["DEBUG"], ["DEBUG"], ["INFO"]]);
}

#[test]
fn text_logs_are_plain_where_nobody_sees_colours() {
    let log = Serving::start(&[]).end();
    assert!(log.contains("INFO") && !log.contains('\u{1b}'), "{log:?}");
}
