//! Access and limits: keys, quotas, origins, bodies, compression.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use tesuji::settings::{Settings, fresh_key};

use super::Server;

const SMALL: &str = r#"{"game":"tic-tac-toe","budget":{"simulations":10}}"#;

/// A server that requires keys, and a key.
fn with_key() -> (Server, String) {
    let (key, setting) = fresh_key("alice").expect("there are random numbers");
    (Server::set_up(&Settings { api_keys: vec![setting], ..Settings::default() }), format!("Bearer {key}"))
}

#[test]
fn without_a_key_nobody_searches() {
    let (server, key) = with_key();
    let other = fresh_key("mallory").expect("there are random numbers").0;
    let longer = format!("{key}0");
    for wrong in ["", "Bearer", "Bearer ", "Basic YTpi", &other, &format!("Bearer {other}"), &key[7..], &longer] {
        let headers = if wrong.is_empty() { vec![] } else { vec![("authorization", wrong)] };
        for (method, path, body) in [
            ("POST", "/v1/searches", SMALL),
            ("POST", "/v1/positions", r#"{"game":"reversi"}"#),
            ("GET", "/v1/games", ""),
            ("GET", "/v1/games/reversi", ""),
        ] {
            let answer = server.ask(method, path, &headers, body);
            assert_eq!((answer.status, answer.code()), (401, "unauthorized"), "{method} {path} with {wrong:?}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
    }
}

#[test]
fn with_a_key_everybody_does() {
    let (server, key) = with_key();
    for key in [key.clone(), key.replace("Bearer", "bearer"), key.replace("Bearer ", "Bearer  ")] {
        let headers = [("authorization", key.as_str())];
        server.ask("POST", "/v1/searches", &headers, SMALL).ok();
        server.ask("GET", "/v1/games", &headers, "").ok();
    }
}

#[test]
fn routes_without_private_data_need_no_key() {
    let (server, _) = with_key();
    for path in ["/livez", "/readyz", "/version", "/openapi.yaml", "/problems/unauthorized"] {
        assert_eq!(server.ask("GET", path, &[], "").status, 200, "{path}");
    }
    assert_eq!(server.ask("GET", "/nowhere", &[], "").status, 404);
}

#[test]
fn a_spent_quota_is_reported_with_the_time_to_wait() {
    // A bucket of 1000 ms that fills by one a second: this test fits into one filling.
    let quota = Settings { quota_ms_per_s: Some(1), quota_burst_ms: 1000, ..Settings::default() };
    let server = Server::set_up(&quota);
    let ask = |budget: serde_json::Value| {
        server.ask("POST", "/v1/searches", &[], json!({"game": "hex", "budget": budget}).to_string())
    };
    ask(json!({"cpu_ms": 400})).ok();
    let answer = ask(json!({"time_ms": 900}));
    assert_eq!((answer.status, answer.code()), (429, "quota_exceeded"));
    let wait: u32 = answer.header("retry-after").and_then(|seconds| seconds.parse().ok()).expect("it says when");
    // Somewhat less than 600 ms are there; 900 are asked for.
    assert!((200..=400).contains(&wait), "{wait}");
    ask(json!({"cpu_ms": 500})).ok();
    let never = ask(json!({"time_ms": 1001}));
    assert_eq!((never.status, never.code()), (422, "invalid_budget"), "no bucket ever holds so much");
    assert_eq!(never.body["errors"][0]["pointer"], "/budget");
}

#[test]
fn each_client_has_a_separate_quota() {
    let (alice, told_of_alice) = fresh_key("alice").expect("there are random numbers");
    let (bob, told_of_bob) = fresh_key("bob").expect("there are random numbers");
    let server = Server::set_up(&Settings {
        api_keys: vec![told_of_alice, told_of_bob],
        quota_ms_per_s: Some(1),
        quota_burst_ms: 100,
        ..Settings::default()
    });
    let ask = |key: &str| {
        let body = json!({"game": "hex", "budget": {"cpu_ms": 90}}).to_string();
        server.ask("POST", "/v1/searches", &[("authorization", &format!("Bearer {key}"))], body).status
    };
    assert_eq!([ask(&alice), ask(&alice), ask(&bob), ask(&bob)], [200, 429, 200, 429]);
}

#[test]
fn addresses_behind_a_proxy_are_distinguished() {
    let settings = Settings { quota_ms_per_s: Some(1), quota_burst_ms: 100, ..Settings::default() };
    let body = json!({"game": "hex", "budget": {"cpu_ms": 90}}).to_string();
    let ask = |server: &Server, address: &str| {
        server.ask("POST", "/v1/searches", &[("x-forwarded-for", address)], body.clone()).status
    };
    let trusting = Server::set_up(&Settings { trust_forwarded_for: true, ..settings.clone() });
    let addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"];
    assert_eq!(addresses.map(|address| ask(&trusting, address)), [200, 429, 200, 200, 429]);
    // Any client can send these headers: without a trusted proxy they are ignored.
    let wary = Server::set_up(&settings);
    assert_eq!(["192.0.2.1", "192.0.2.2"].map(|address| ask(&wary, address)), [200, 429]);
}

fn from_origin(method: &str, path: &str, origin: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    request
        .header("access-control-request-headers", "authorization,content-type")
        .body(Body::empty())
        .expect("it is HTTP")
}

#[test]
fn only_named_origins_may_call() {
    let settings = |origins: &[&str]| Settings {
        cors_origins: origins.iter().map(|&origin| origin.to_owned()).collect(),
        // Preflight requests bring no key.
        api_keys: vec![fresh_key("alice").expect("there are random numbers").1],
        ..Settings::default()
    };
    let (good, bad) = ("https://play.example", "https://evil.example");
    for (origins, origin, allowed) in
        [(&[good][..], good, Some(good)), (&[good], bad, None), (&["*"], bad, Some("*")), (&[], good, None)]
    {
        let server = Server::set_up(&settings(origins));
        let preflight = server.raw(from_origin("OPTIONS", "/v1/searches", origin));
        let allow = |answer: &axum::http::Response<Vec<u8>>| {
            let value = answer.headers().get("access-control-allow-origin");
            value.map(|value| value.to_str().expect("it is ASCII").to_owned())
        };
        assert_eq!(allow(&preflight).as_deref(), allowed, "{origins:?} {origin}");
        assert_eq!(preflight.status(), if origins.is_empty() { 401 } else { 200 });
        // The module that other pages import needs no key.
        let module = server.raw(from_origin("GET", "/embed.js", origin));
        assert_eq!((module.status().as_u16(), allow(&module).as_deref()), (200, allowed));
        if allowed.is_some() {
            let methods = preflight.headers()["access-control-allow-methods"].to_str().expect("it is ASCII").to_owned();
            assert!(methods.contains("POST") && methods.contains("DELETE"), "{methods}");
            // The asterisk does not cover Authorization.
            let headers = preflight.headers()["access-control-allow-headers"].to_str().expect("it is ASCII").to_owned();
            let listed: Vec<&str> = headers.split(',').map(str::trim).collect();
            for name in [
                "accept",
                "authorization",
                "content-type",
                "idempotency-key",
                "if-none-match",
                "last-event-id",
                "prefer",
                "traceparent",
                "x-request-id",
            ] {
                assert!(listed.contains(&name), "{name}: {headers}");
            }
            // A refusal must be readable too.
            let refused = server.raw(from_origin("POST", "/v1/searches", origin));
            assert_eq!((refused.status().as_u16(), allow(&refused).as_deref()), (401, allowed));
            let exposed = refused.headers()["access-control-expose-headers"].to_str().expect("it is ASCII").to_owned();
            for name in ["location", "retry-after", "x-request-id", "etag", "www-authenticate"] {
                assert!(exposed.split(',').any(|one| one.trim() == name), "{name}: {exposed}");
            }
        }
    }
}

#[test]
fn bodies_are_as_large_as_settings_say() {
    let pad = |length: usize| format!("{SMALL}{}", " ".repeat(length - SMALL.len()));
    for (limit, length, status) in
        [(1024, 1024, 200), (1024, 1025, 413), (200_000, 200_000, 200), (65_536, 65_537, 413)]
    {
        let server = Server::set_up(&Settings { max_body_bytes: limit, ..Settings::default() });
        assert_eq!(server.ask("POST", "/v1/searches", &[], pad(length)).status, status, "{limit} {length}");
    }
}

#[test]
fn responses_are_compressed_on_request() {
    let server = Server::set_up(&Settings::default());
    let get = |encoding: &str| {
        let request = Request::get("/openapi.yaml").header("accept-encoding", encoding);
        server.raw(request.body(Body::empty()).expect("it is HTTP"))
    };
    let (plain, packed) = (get("identity"), get("gzip, br"));
    assert_eq!(plain.headers().get("content-encoding"), None);
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert!(packed.body().starts_with(&[0x1f, 0x8b]) && packed.body().len() * 2 < plain.body().len());
}
