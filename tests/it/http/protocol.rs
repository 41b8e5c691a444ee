//! Methods, media types, headers, request ids, paths.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use super::contract::TEXT;
use super::{Answer, SHARED, get};

const SEARCH: &str = r#"{"game":"tic-tac-toe","budget":{"simulations":10}}"#;

/// Posts a small search with more headers.
fn post(headers: &[(&str, &str)]) -> Answer {
    SHARED.ask("POST", "/v1/searches", headers, SEARCH)
}

#[track_caller]
fn check(method: &str, path: &str, status: u16, code: &str) -> Answer {
    let answer = SHARED.ask(method, path, &[], "");
    assert_eq!((answer.status, answer.code()), (status, code), "{method} {path}");
    answer
}

#[test]
fn what_is_not_there_is_not_found() {
    for path in [
        "/v1",
        "/v1/",
        "/v1/game",
        "/v1/games/",
        "/v1/games/chess",
        "/v1/games/Reversi",
        "/v1/games/reversi/x",
        "/v1/games/%FF",
        "/v1/games/%00",
        "/v1/searches/1",
        "/v1/searches/1/events",
        "/v2/searches",
        "//v1/games",
        "/problems/teapot",
        "/problems/%ff",
        "/openapi.json",
    ] {
        check("GET", path, 404, "not_found");
    }
}

#[test]
fn files_at_lasting_addresses_are_asked_for_again() {
    for (path, media) in [
        ("/", "text/html; charset=utf-8"),
        ("/docs", "text/html; charset=utf-8"),
        ("/embed.js", "text/javascript; charset=utf-8"),
        ("/service-worker.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ] {
        let answer = SHARED.raw(Request::get(path).body(Body::empty()).expect("it is a request"));
        let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let headers = [header("content-type"), header("cache-control")];
        assert_eq!((answer.status().as_u16(), headers), (200, [Some(media), Some("no-cache")]), "{path}");
    }
}

#[test]
fn other_methods_are_not_allowed_and_the_right_ones_named() {
    for (method, path, allowed) in [
        ("POST", "/v1/games", "GET,HEAD"),
        ("PATCH", "/v1/games/reversi", "GET,HEAD,PUT,DELETE"),
        ("OPTIONS", "/v1/games", "GET,HEAD"),
        ("GET", "/v1/searches", "POST"),
        ("POST", "/v1/jobs", "GET,HEAD,DELETE"),
        ("PUT", "/v1/puzzles", "GET,HEAD"),
        ("PUT", "/v1/searches", "POST"),
        ("OPTIONS", "/v1/searches", "POST"),
        ("TRACE", "/v1/positions", "POST"),
        ("POST", "/v1/positions/picture.svg", "GET,HEAD"),
        ("DELETE", "/v1/positions/picture.png", "GET,HEAD"),
        ("PATCH", "/livez", "GET,HEAD"),
        ("BREW", "/readyz", "GET,HEAD"),
    ] {
        let answer = check(method, path, 405, "method_not_allowed");
        assert_eq!(answer.header("allow"), Some(allowed), "{method} {path}");
    }
    assert_eq!(SHARED.ask("HEAD", "/v1/searches", &[], "").status, 405);
}

#[test]
fn head_is_get_without_a_body() {
    for path in [
        "/v1/games",
        "/v1/games/reversi",
        "/v1/puzzles",
        "/livez",
        "/readyz",
        "/version",
        "/openapi.yaml",
        "/problems/internal",
    ] {
        let (head, get) = (SHARED.ask("HEAD", path, &[], ""), get(path));
        assert_eq!((head.status, head.body.is_null()), (200, true));
        assert_eq!(head.header("content-type"), get.header("content-type"));
        assert_eq!(head.header("content-length"), get.header("content-length"));
    }
}

#[test]
fn only_json_is_taken() {
    for (name, value) in [
        ("content-type", "text/html"),
        ("content-type", "application/xml"),
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-type", "application/jsonp"),
        ("content-type", "json"),
        ("content-encoding", "gzip"),
        ("content-encoding", "br"),
    ] {
        let answer = post(&[(name, value)]);
        assert_eq!((answer.status, answer.code()), (415, "unsupported_media_type"), "{name}: {value}");
    }
    for (name, value) in [
        ("content-type", "application/json"),
        ("content-type", "application/json; charset=utf-8"),
        ("content-type", "Application/JSON"),
        ("content-type", "application/vnd.tesuji+json"),
        ("content-type", "application/x-www-form-urlencoded"), // curl -d
        ("content-type", "text/plain;charset=UTF-8"),          // fetch() with a text
        ("content-encoding", "identity"),
    ] {
        post(&[(name, value)]).ok();
    }
}

#[test]
fn only_json_is_given() {
    for accept in ["text/html", "text/plain", "image/*, text/html;q=0.5", "application/json;q=0", "application/xml"] {
        let answer = post(&[("accept", accept)]);
        assert_eq!((answer.status, answer.code()), (406, "not_acceptable"), "{accept}");
    }
    for accept in
        ["*/*", "application/json", "application/*", "text/html, application/json;q=0.1", "text/html, */*;q=0.8"]
    {
        post(&[("accept", accept)]).ok();
    }
    post(&[("accept", "text/html"), ("accept", "application/json")]).ok();
}

#[test]
fn request_ids_come_back() {
    let answer = post(&[("x-request-id", "from the client")]);
    assert_eq!(answer.header("x-request-id"), Some("from the client"));
    let refused = SHARED.ask("POST", "/v1/searches", &[("x-request-id", "abc-123")], "{}");
    assert_eq!(refused.header("x-request-id"), Some("abc-123"));
    assert_eq!(refused.body["request_id"], "abc-123");
    let missing = SHARED.ask("GET", "/nowhere", &[("x-request-id", "abc-124")], "");
    assert_eq!(missing.body["request_id"], "abc-124");
}

#[test]
fn request_ids_are_made_where_there_are_none() {
    let (a, b) = (get("/nowhere"), get("/nowhere"));
    let id = a.header("x-request-id").expect("every answer has one");
    assert_eq!((id.len(), a.body["request_id"].as_str()), (26, Some(id)));
    assert_ne!(Some(id), b.header("x-request-id"));
}

#[test]
fn results_are_not_stored() {
    assert_eq!(post(&[]).header("cache-control"), Some("no-store"));
}

#[test]
fn the_contract_is_served() {
    let served = get("/openapi.yaml").ok();
    assert_eq!(served, serde_saphyr::from_str::<serde_json::Value>(TEXT).expect("it is YAML"));
}

#[test]
fn it_is_alive_ready_and_has_a_version() {
    assert_eq!(get("/livez").ok(), json!({"status": "ok"}));
    let ready = json!({"status": "ok", "storage": {"state": "memory", "reason": null}, "cluster": "none"});
    assert_eq!(get("/readyz").ok(), ready);
    assert_eq!(get("/version").ok(), json!({"name": "tesuji", "version": env!("CARGO_PKG_VERSION")}));
}
