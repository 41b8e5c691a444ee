//! A server that a proxy publishes under a path.

use axum::body::Body;
use axum::http::{Request, Response};
use serde_json::json;
use tesuji::settings::Settings;

use super::Server;

fn under(base_path: &str, trust_forwarded_for: bool) -> Server {
    let base_path = base_path.parse().expect("it is a path");
    Server::set_up(&Settings { base_path, trust_forwarded_for, ..Settings::default() })
}

fn get(server: &Server, path: &str) -> Response<Vec<u8>> {
    server.raw(Request::builder().uri(path).body(Body::empty()).expect("it is HTTP"))
}

/// The address of an asynchronous search.
fn location(server: &Server, path: &str, prefixes: &[&str]) -> String {
    let request = Request::builder().method("POST").uri(path).header("prefer", "respond-async");
    let request = prefixes.iter().fold(request, |request, prefix| request.header("x-forwarded-prefix", *prefix));
    let body = json!({"game": "tic-tac-toe", "budget": {"simulations": 10}}).to_string();
    let response = server.raw(request.body(body.into()).expect("it is HTTP"));
    response.headers()["location"].to_str().expect("it is text").to_owned()
}

#[test]
fn requests_arrive_with_and_without_the_base_path() {
    let server = under("/ai/", false);
    for path in [
        "/v1/games",
        "/ai/v1/games",
        "/ai/livez",
        "/livez",
        "/",
        "/ai/",
        "/ai/docs",
        "/ai/service-worker.js",
        "/ai/embed.js",
    ] {
        assert_eq!(get(&server, path).status(), 200, "{path}");
    }
    for path in ["/ain/v1/games", "/ai/ai/v1/games", "/other/v1/games"] {
        assert_eq!(get(&server, path).status(), 404, "{path}");
    }
    let response = get(&server, "/ai");
    assert_eq!((response.status().as_u16(), response.headers()["location"].as_bytes()), (308, &b"/ai/"[..]));
}

#[test]
fn addresses_in_responses_begin_with_the_base_path() {
    let server = under("/ai", false);
    for path in ["/v1/searches", "/ai/v1/searches"] {
        let location = location(&server, path, &[]);
        assert!(location.starts_with("/ai/v1/searches/"), "{location}");
        assert_eq!(get(&server, &location).status(), 200);
    }
    for (server, root) in [(server, "/ai/"), (under("/", false), "/")] {
        let contract = String::from_utf8(get(&server, "/openapi.yaml").into_body()).expect("it is text");
        assert!(contract.contains(&format!("\nservers:\n  - url: {root}\n")));
    }
}

#[test]
fn only_a_trusted_proxy_states_a_prefix() {
    let (trusting, wary) = (under("/", true), under("/", false));
    assert!(location(&trusting, "/v1/searches", &["/mine", "/play/"]).starts_with("/play/v1/searches/"));
    assert!(location(&wary, "/v1/searches", &["/play"]).starts_with("/v1/searches/"));
    // What is not a path is ignored.
    assert!(location(&trusting, "/v1/searches", &["//evil.example"]).starts_with("/v1/searches/"));
}
