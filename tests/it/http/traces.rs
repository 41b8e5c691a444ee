//! Traces, as a collector gets them over OTLP: spans, parents, attributes, the caller's trace; and an unreachable collector.

mod collector;
mod jobs;
mod trouble;

use std::time::Instant;

use serde_json::Value;

use self::collector::{Collector, Span};
use super::wire::Read;
use crate::program::{Serving, TIMEOUT};

/// A caller's trace, and its span.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// A request of a caller that has a trace.
fn ask_in_trace(program: &Serving, path: &str, headers: &[(&str, &str)], body: &str) -> Read {
    let parent = format!("00-{TRACE}-{CALLER}-01");
    program.ask("POST", path, &[&[("traceparent", &*parent)], headers].concat(), body)
}

/// A program with a log of JSON that exports traces as these arguments and variables say.
fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Serving {
    Serving::start_with(&[&["--log-format", "json"], arguments].concat(), variables)
}

/// Ends a program; its log.
fn end(program: Serving) -> Vec<Value> {
    let log = program.end();
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The span id in an answer's `traceresponse`, and its flags; it must be of this trace.
fn traceresponse(read: &Read, trace: &str) -> (String, String) {
    let value = read.head.lines().find_map(|line| line.strip_prefix("traceresponse: ")).expect("it is there");
    let parts: Vec<&str> = value.trim().split('-').collect();
    assert_eq!(parts[..2], ["00", trace]);
    (parts[2].to_owned(), parts[3].to_owned())
}

const SEARCH: &str = r#"{"game":"reversi","engine":"mcts","budget":{"simulations":500},"threads":2,"seed":1}"#;

#[test]
fn a_search_is_traced_from_its_caller_to_the_merge() {
    let collector = Collector::start();
    // Nothing is exported before the end: SIGTERM must not lose it.
    let program = start(
        &["--otlp-endpoint", &collector.endpoint(), "--search-threads", "2"],
        &[("OTEL_BSP_SCHEDULE_DELAY", "600000")],
    );
    let read = ask_in_trace(&program, "/v1/searches", &[("X-Request-Id", "mine"), ("User-Agent", "test/1")], SEARCH);
    assert_eq!(read.status, 200, "{read:?}");
    assert_eq!(collector.spans().len(), 0, "it is too early");
    let log = end(program);
    let spans = collector.spans();
    let names: Vec<&str> = spans.iter().map(|span| &*span.name).collect();
    assert_eq!(spans.len(), 4, "{names:?}");
    let [request, queue, search, merge] = ["POST /v1/searches", "queue", "search", "merge"]
        .map(|name| spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name} in {names:?}")));
    assert!(spans.iter().all(|span| span.trace == TRACE), "{spans:#?}");
    assert_eq!(
        [&request.parent, &queue.parent, &search.parent, &merge.parent],
        [CALLER, &request.id, &request.id, &search.id]
    );
    assert_eq!((request.kind, queue.kind, search.kind), (collector::SERVER, collector::INTERNAL, collector::INTERNAL));
    for (name, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/v1/searches"),
        ("url.path", "/v1/searches"),
        ("url.scheme", "http"),
        ("http.response.status_code", "200"),
        ("user_agent.original", "test/1"),
        ("server.address", "tesuji.example"),
        ("server.port", "80"),
        ("network.protocol.version", "1.1"),
        ("client.address", "127.0.0.1"),
        ("tesuji.request.id", "mine"),
    ] {
        assert_eq!(request.attribute(name), value, "{name}");
    }
    let found = read.json();
    for (name, value) in [
        ("tesuji.search.id", found["id"].as_str().expect("it has an id").to_owned()),
        ("tesuji.game", "reversi".to_owned()),
        ("tesuji.engine", "mcts".to_owned()),
        ("tesuji.threads", "2".to_owned()),
        ("tesuji.stop_reason", "simulations".to_owned()),
        ("tesuji.simulations", "500".to_owned()),
        ("tesuji.nodes", found["budget"]["used"]["nodes"].to_string()),
    ] {
        assert_eq!(search.attribute(name), value, "{name}");
    }
    // Each within its parent; the search begins when the wait for it ends.
    assert!(request.begin <= queue.begin && queue.begin <= queue.end, "{spans:#?}");
    assert_eq!(queue.end, search.begin);
    assert!(search.begin <= merge.begin && merge.begin <= merge.end && merge.end == search.end, "{spans:#?}");
    assert!(search.end <= request.end, "{spans:#?}");
    assert!(spans.iter().all(|span| !span.is_error));
    // The answer and the log name the span.
    assert_eq!(traceresponse(&read, TRACE), (request.id.clone(), "01".to_owned()));
    let lines: Vec<&Value> = log.iter().filter(|line| line["span"]["request_id"] == "mine").collect();
    assert_eq!(lines.len(), 2, "{log:#?}");
    for line in lines {
        assert_eq!(
            [&line["span"]["trace_id"], &line["span"]["span_id"], &line["span"]["parent_id"]],
            [TRACE, &*request.id, CALLER]
        );
    }
    let resource = collector.resource();
    assert_eq!(resource.get("service.name").map(String::as_str), Some("tesuji"));
    assert_eq!(resource.get("service.version").map(String::as_str), Some(env!("CARGO_PKG_VERSION")));
    assert!(resource.contains_key("service.instance.id"));
}

#[test]
fn every_request_but_probes_begins_a_trace() {
    let collector = Collector::start();
    let program = start(&["--otlp-endpoint", &collector.endpoint()], &[]);
    for path in ["/livez", "/readyz", "/metrics", "/v1/games/hex", "/nowhere"] {
        let read = program.ask("GET", path, &[], "");
        assert_eq!(read.head.contains("traceresponse"), !["/livez", "/readyz", "/metrics"].contains(&path), "{path}");
    }
    // A parent that is not well-formed is as good as none, and so are two.
    let bad = format!("00-{TRACE}-{CALLER}");
    assert_eq!(program.ask("POST", "/v1/searches", &[("traceparent", &bad)], "{").status, 400);
    assert_eq!(program.ask("BREW", "/v1/games/hex", &[], "").status, 405);
    let log = end(program);
    let mut spans = collector.spans();
    spans.sort_by_key(|span| span.begin);
    let reported: Vec<(&str, String)> =
        spans.iter().map(|span| (&*span.name, span.attribute("http.response.status_code"))).collect();
    let reported: Vec<(&str, &str)> = reported.iter().map(|(name, status)| (*name, &**status)).collect();
    assert_eq!(
        reported,
        [
            ("GET /v1/games/{game}", "200"),
            ("GET", "404"),
            ("POST /v1/searches", "400"),
            ("HTTP /v1/games/{game}", "405")
        ]
    );
    assert_eq!(spans[3].attribute("http.request.method"), "_OTHER");
    assert_eq!(spans[3].attribute("http.request.method_original"), "BREW");
    // It was the client's error, not the server's.
    assert!(spans.iter().all(|span| span.parent.is_empty() && span.trace != TRACE && !span.is_error), "{spans:#?}");
    let mut traces: Vec<&str> = spans.iter().map(|span| &*span.trace).collect();
    for (span, line) in spans.iter().zip(log.iter().filter(|line| line["message"] == "request answered")) {
        assert_eq!([&line["span"]["trace_id"], &line["span"]["span_id"]], [&span.trace, &span.id]);
        assert_eq!(line["span"]["request_id"], span.attribute("tesuji.request.id"));
    }
    traces.sort_unstable();
    traces.dedup();
    assert_eq!(traces.len(), 4);
}

#[test]
fn a_stream_ends_with_its_search_and_a_refusal_has_a_reason() {
    let collector = Collector::start();
    let program = start(&["--otlp-endpoint", &collector.endpoint(), "--max-searches", "1"], &[]);
    let body = r#"{"game":"gomoku","engine":"mcts","budget":{"time_ms":1500}}"#;
    let read = std::thread::scope(|scope| {
        let streaming =
            scope.spawn(|| program.ask("POST", "/v1/searches", &[("Accept", "application/x-ndjson")], body));
        // As soon as the stream's search runs, there is no room.
        let begin = Instant::now();
        while program.ask("GET", "/readyz", &[], "").status == 200 {
            assert!(begin.elapsed() < TIMEOUT, "the search does not begin");
        }
        assert_eq!(program.ask("POST", "/v1/searches", &[], SEARCH).status, 503);
        streaming.join().expect("it does not panic")
    });
    assert!(read.status == 200 && read.body.lines().count() > 2);
    end(program);
    let spans = collector.spans();
    let requests: Vec<&Span> = spans.iter().filter(|span| span.kind == collector::SERVER).collect();
    let status = |status: &str| {
        let is_it = |span: &&&Span| span.attribute("http.response.status_code") == status;
        *requests.iter().find(is_it).unwrap_or_else(|| panic!("no {status}: {requests:#?}"))
    };
    let (streamed, refused) = (status("200"), status("503"));
    assert!(streamed.end - streamed.begin >= 1_500_000_000, "{streamed:#?}");
    assert!(refused.is_error && refused.attribute("error.type") == "503", "{refused:#?}");
    assert!(refused.events.iter().any(|event| event == "search refused"), "{refused:#?}");
}
