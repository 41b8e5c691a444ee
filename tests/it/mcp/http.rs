//! `/mcp`: the same tools behind the guards of the API.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use tesuji::mcp;
use tesuji::service::{Phase, Service, router_with};
use tesuji::settings::{Settings, fresh_key};
use tesuji_core::catalog::Catalog;
use tower::ServiceExt as _;

use crate::http::{Answer, RUNTIME, Server, forgetful, service};
use crate::program::TIMEOUT;

/// A service in this process with `/mcp`.
struct Host {
    server: Server,
    service: Service,
}

const HEADERS: [(&str, &str); 3] =
    [("host", "localhost"), ("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

fn message(method: &str, parameters: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters }).to_string()
}

fn call(tool: &str, arguments: &Value) -> String {
    message("tools/call", &json!({ "name": tool, "arguments": arguments }))
}

impl Host {
    fn new(settings: &Settings) -> Self {
        let service = service(Catalog::standard(), settings);
        let server = Server(router_with(service.clone(), mcp::routes(&service)));
        Self { server, service }
    }

    fn post(&self, headers: &[(&str, &str)], body: String) -> Answer {
        let headers: Vec<(&str, &str)> = HEADERS.iter().chain(headers).copied().collect();
        RUNTIME.block_on(self.server.exchange("POST", "/mcp", &headers, body))
    }

    /// The text of a tool's result, and whether it is an error.
    #[track_caller]
    fn text(&self, headers: &[(&str, &str)], tool: &str, arguments: &Value) -> (String, bool) {
        let result = self.post(headers, call(tool, arguments)).ok()["result"].clone();
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"));
        (text.to_owned(), result["isError"] == true)
    }

    fn wait_until_idle(&self) {
        let begin = std::time::Instant::now();
        while self.service.scheduler.live() > 0 {
            assert!(begin.elapsed() < TIMEOUT, "the search goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn tools_are_called_without_a_session() {
    let host = Host::new(&forgetful(2, 64));
    let greeting = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let answer = host.post(&[], message("initialize", &greeting));
    assert_eq!(answer.header("mcp-session-id"), None);
    assert!(answer.header("x-request-id").is_some());
    assert_eq!(answer.ok()["result"]["protocolVersion"], "2025-06-18");
    let version = [("mcp-protocol-version", "2025-06-18")];
    let tools = host.post(&version, message("tools/list", &json!({}))).ok()["result"]["tools"].clone();
    assert!(tools.as_array().is_some_and(|tools| tools.len() >= 9));
    let (text, failed) =
        host.text(&version, "best_move", &json!({ "game": "connect-four", "moves": "44", "time_ms": 100 }));
    assert!(!failed && text.starts_with("Red (first) plays 4: proven"), "{text}");
    // The metrics know the route, and the search.
    let metrics = RUNTIME.block_on(host.server.exchange("GET", "/metrics", &[], Body::empty())).body;
    let metrics = metrics.as_str().expect("it is text");
    assert!(metrics.contains(r#"route="/mcp""#) && metrics.contains(r#"game="connect-four""#), "{metrics}");
}

#[test]
fn the_protocol_without_a_handshake_is_spoken() {
    let host = Host::new(&forgetful(2, 64));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers = |method| [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", "list_games")];
    let found = host.post(&headers("server/discover")[..2], message("server/discover", &json!({ "_meta": meta }))).ok();
    assert!(found["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{found}");
    let parameters = json!({ "_meta": meta, "name": "list_games", "arguments": {} });
    let response = host.post(&headers("tools/call"), message("tools/call", &parameters)).ok();
    assert_eq!(response["result"]["structuredContent"]["games"].as_array().map(Vec::len), Some(7), "{response}");
}

#[test]
fn keys_and_quotas_hold() {
    let (key, stored) = fresh_key("alice").expect("there are random numbers");
    let settings =
        Settings { quota_ms_per_s: Some(1), quota_burst_ms: 500, api_keys: vec![stored], ..forgetful(2, 64) };
    let host = Host::new(&settings);
    let listing = || message("tools/list", &json!({}));
    assert_eq!(host.post(&[], listing()).status, 401);
    let key = format!("Bearer {key}");
    let key = [("authorization", key.as_str())];
    assert_eq!(host.post(&key, listing()).status, 200);
    let spend = json!({ "game": "gomoku", "time_ms": 400 });
    assert!(!host.text(&key, "analyze", &spend).1);
    let (text, failed) = host.text(&key, "analyze", &spend);
    assert!(failed && text.contains("Quota exceeded") && text.contains("Try again in "), "{text}");
    // Rules cost nothing.
    assert!(!host.text(&key, "play", &json!({ "game": "gomoku" })).1);
}

#[test]
fn a_closed_connection_stops_the_search() {
    let host = Host::new(&forgetful(1, 64));
    let request = HEADERS.iter().fold(Request::post("/mcp"), |request, (name, value)| request.header(*name, *value));
    let request = request.body(Body::from(call("analyze", &json!({ "game": "gomoku", "time_ms": 60_000 }))));
    let request = request.expect("it is a request");
    RUNTIME.block_on(async {
        let answering = host.server.0.clone().oneshot(request);
        // Dropped long before the search would end.
        let ended = tokio::time::timeout(Duration::from_millis(300), answering).await;
        assert!(ended.is_err(), "it searches for a minute");
    });
    host.wait_until_idle();
}

#[test]
fn requests_are_guarded() {
    let host = Host::new(&Settings { cors_origins: vec!["https://board.example".to_owned()], ..forgetful(1, 64) });
    let get = RUNTIME.block_on(host.server.exchange("GET", "/mcp", &HEADERS, Body::empty()));
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
    let listing = || message("tools/list", &json!({}));
    for (origin, status) in [
        ("https://board.example", 200),
        ("http://localhost:8123", 200),
        ("https://evil.example", 403),
        ("http://board.example", 403),
    ] {
        let answer = host.server.raw(
            HEADERS
                .iter()
                .chain(&[("origin", origin)])
                .fold(Request::post("/mcp"), |request, (name, value)| request.header(*name, *value))
                .body(Body::from(listing()))
                .expect("it is a request"),
        );
        assert_eq!(answer.status(), status, "{origin}");
    }
    let long = call("play", &json!({ "game": "x".repeat(2 << 20) }));
    let answer = host.post(&[], long);
    assert_eq!((answer.status, answer.code()), (413, "too_large"));

    host.service.drain.advance(Phase::Draining);
    let (text, failed) = host.text(&[], "analyze", &json!({ "game": "hex", "time_ms": 10 }));
    assert!(failed && text.contains("shutting down") && text.contains("Try again in 5 seconds"), "{text}");
}
