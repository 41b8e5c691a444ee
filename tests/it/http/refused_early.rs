//! Answers sent before a request's body is read: the connection afterwards, and whether the client gets its answer.

use std::time::{Duration, Instant};

use tesuji::settings::{Settings, fresh_key};
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use super::RUNTIME;
use super::wire::{Live, Wire};
use crate::program::TIMEOUT;

const SEARCH: &str = "POST /v1/searches HTTP/1.1\r\nHost: x\r\n";

/// Whether an answer's head says that the connection closes.
fn says_close(head: &str) -> bool {
    head.lines().any(|line| line.eq_ignore_ascii_case("connection: close"))
}

/// Reads one answer with a `Content-Length`, and leaves the connection open.
async fn one_answer(wire: &mut Wire) -> String {
    let mut text = String::new();
    let reading = async {
        loop {
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.to_ascii_lowercase().lines().find_map(|line| {
                    line.strip_prefix("content-length: ").map(|length| length.parse::<usize>().expect("a number"))
                });
                if body.len() >= length.unwrap_or(0) {
                    return;
                }
            }
            let mut bytes = [0; 4096];
            let count = wire.0.read(&mut bytes).await.expect("it is open");
            assert!(count > 0, "the connection ended: {text:?}");
            text.push_str(std::str::from_utf8(&bytes[..count]).expect("answers are UTF-8"));
        }
    };
    timeout(TIMEOUT, reading).await.expect("in time");
    text
}

#[test]
fn a_body_that_announces_too_much_is_refused_at_once() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings::default()).await;
        for more in ["", "Expect: 100-continue\r\n"] {
            let begin = Instant::now();
            let mut wire = Wire::open(server.address).await;
            wire.send(&format!("{SEARCH}{more}Content-Length: 100000\r\n\r\n")).await;
            let text = one_answer(&mut wire).await;
            assert!(text.starts_with("HTTP/1.1 413 ") && says_close(&text), "{more:?}: {text}");
            // The body's own time limit is 10 s.
            assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
        }
    });
}

#[test]
fn a_client_that_is_still_sending_gets_the_response() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings::default()).await;
        let mut wire = Wire::open(server.address).await;
        let long = 3_000_000;
        // All of it is sent before anything is read, as simple clients do. A reset would discard the answer.
        wire.send(&format!("{SEARCH}Content-Length: {long}\r\n\r\n{}", " ".repeat(long))).await;
        let read = wire.answer().await;
        assert_eq!((read.status, read.code().as_str()), (413, "too_large"));
    });
}

#[test]
fn a_closing_server_announces_it() {
    let (_, setting) = fresh_key("alice").expect("there are random numbers");
    RUNTIME.block_on(async {
        let server = Live::start(Settings { body_timeout_ms: 300, ..Settings::default() }).await;
        let guarded = Live::start(Settings { api_keys: vec![setting], ..Settings::default() }).await;
        let chunk = format!("11170\r\n{}\r\n", "x".repeat(70_000));
        let missing = "Content-Length: 10\r\n\r\n";
        for (address, status, request) in [
            (server.address, 413, format!("{SEARCH}Transfer-Encoding: chunked\r\n\r\n{chunk}")),
            (server.address, 408, format!("{SEARCH}{missing}1")),
            (server.address, 415, format!("{SEARCH}Content-Type: text/html\r\n{missing}")),
            (server.address, 415, format!("{SEARCH}Content-Encoding: gzip\r\nExpect: 100-continue\r\n{missing}")),
            (server.address, 406, format!("{SEARCH}Accept: text/html\r\n{missing}")),
            (server.address, 404, format!("POST /nowhere HTTP/1.1\r\nHost: x\r\n{missing}")),
            (server.address, 405, format!("PUT /v1/searches HTTP/1.1\r\nHost: x\r\n{missing}")),
            (server.address, 200, format!("GET /livez HTTP/1.1\r\nHost: x\r\n{missing}")),
            (guarded.address, 401, format!("{SEARCH}{missing}")),
            (server.address, 431, format!("GET /livez HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(40_000))),
            (server.address, 400, "GET /livez HTTP/9.9\r\nHost: x\r\n\r\n".to_owned()),
        ] {
            let mut wire = Wire::open(address).await;
            wire.send(&request).await;
            let read = wire.answer().await;
            let begin = request.chars().take(120).collect::<String>();
            assert_eq!((read.status, says_close(&read.head)), (status, true), "{begin:?}: {}", read.head);
        }
    });
}

#[test]
fn a_connection_stays_when_the_body_is_there() {
    let (_, setting) = fresh_key("alice").expect("there are random numbers");
    RUNTIME.block_on(async {
        let server = Live::start(Settings { api_keys: vec![setting], ..Settings::default() }).await;
        let body = "Content-Length: 10\r\n\r\n0123456789";
        let mut wire = Wire::open(server.address).await;
        for request in [
            format!("{SEARCH}{body}"),
            format!("POST /nowhere HTTP/1.1\r\nHost: x\r\n{body}"),
            format!("GET /livez HTTP/1.1\r\nHost: x\r\n{body}"),
            format!("{SEARCH}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
            "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
        ] {
            wire.send(&request).await;
            let text = one_answer(&mut wire).await;
            assert!(text.starts_with("HTTP/1.1 ") && !says_close(&text), "{request:?}: {text}");
        }
    });
}

#[test]
fn http_1_1_names_its_host() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings::default()).await;
        for (head, status) in [
            ("GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: user@a\r\nConnection: close\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200),
            ("GET /livez HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n", 200),
            ("GET /livez HTTP/1.1\r\nHost: a_b.example\r\nConnection: close\r\n\r\n", 200),
            ("GET /livez HTTP/1.0\r\n\r\n", 200),
        ] {
            let mut wire = Wire::open(server.address).await;
            wire.send(head).await;
            let read = wire.answer().await;
            assert_eq!(read.status, status, "{head:?}");
            if status == 400 {
                assert_eq!(read.code(), "invalid_header");
                assert!(read.json()["detail"].as_str().is_some_and(|detail| detail.contains("Host")), "{read:?}");
            }
        }
    });
}
