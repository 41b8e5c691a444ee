//! Slow, silent and too many clients: what they can hold, and for how long.

use std::time::{Duration, Instant};

use tesuji::settings::Settings;

use super::RUNTIME;
use super::wire::{Live, Wire, get, search};
use crate::program::TIMEOUT;

/// Short times, in milliseconds: long enough that an honest client on a loaded machine keeps them.
const SHORT: u64 = 500;

#[test]
fn silent_and_half_spoken_beginnings_are_cut_off() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { header_timeout_ms: SHORT, ..Settings::default() }).await;
        // The third is the beginning of HTTP/2's preface, the last a whole one with nothing after it but settings.
        for beginning in [
            "",
            "G",
            "PRI * HTTP/2",
            "GET /livez HTTP/1.1\r\nHost: x\r\n",
            "POST /v1/searches HTTP/1.1\r\nHost",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0",
        ] {
            let mut wire = Wire::open(server.address).await;
            wire.send(beginning).await;
            let mut bytes = Vec::new();
            let reading = tokio::io::AsyncReadExt::read_to_end(&mut wire.0, &mut bytes);
            let closed = tokio::time::timeout(TIMEOUT, reading).await;
            assert!(closed.is_ok(), "{beginning:?} is left open");
            assert!(!String::from_utf8_lossy(&bytes).contains("200"), "{beginning:?} is answered");
        }
    });
}

#[test]
fn a_kept_connection_is_closed_when_it_is_idle() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { idle_timeout_ms: SHORT, ..Settings::default() }).await;
        let mut wire = Wire::open(server.address).await;
        wire.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /version HTTP/1.1\r\nHost: x\r\n\r\n").await;
        let text = wire.rest().await;
        assert_eq!(text.matches("HTTP/1.1 200").count(), 2, "{text}");
    });
}

#[test]
fn a_search_is_not_an_idle_connection() {
    RUNTIME.block_on(async {
        let server =
            Live::start(Settings { header_timeout_ms: 100, idle_timeout_ms: 100, ..Settings::default() }).await;
        let read = search(server.address, r#"{"game":"reversi","budget":{"time_ms":1000}}"#).await;
        assert_eq!((read.status, read.json()["stop_reason"].as_str()), (200, Some("time")));
    });
}

#[test]
fn a_body_that_stalls_is_refused() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { body_timeout_ms: SHORT, ..Settings::default() }).await;
        for path in ["/v1/searches", "/v1/positions"] {
            let mut wire = Wire::open(server.address).await;
            wire.send(&format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{{\"game\":")).await;
            let read = wire.answer().await;
            assert_eq!((read.status, read.code().as_str()), (408, "request_timeout"));
        }
    });
}

#[test]
fn a_body_that_drips_is_refused() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { body_timeout_ms: SHORT, ..Settings::default() }).await;
        let mut wire = Wire::open(server.address).await;
        wire.send("POST /v1/searches HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n").await;
        let dripping = async {
            // A blank now and then is valid JSON too, and could continue for weeks.
            while tokio::io::AsyncWriteExt::write_all(&mut wire.0, b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, dripping).await.expect("the server closes the connection in time");
    });
}

#[test]
fn a_client_that_does_not_read_is_cut_off() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { write_timeout_ms: SHORT, max_connections: 1, ..Settings::default() }).await;
        let mut deaf = Wire::open(server.address).await;
        // More than all buffers between the two hold.
        let request = "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n";
        deaf.send(&request.repeat(1000)).await;
        // There is room for one connection: this one is served after the other has been cut off.
        assert_eq!(get(server.address, "/livez").await.status, 200);
        let got = deaf.rest().await.matches("HTTP/1.1 200").count();
        assert!(got < 1000, "all was sent: the buffers are too large for this test");
    });
}

#[test]
fn connections_are_bounded() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { max_connections: 2, ..Settings::default() }).await;
        let begin = Instant::now();
        let long = r#"{"game":"reversi","budget":{"time_ms":1500}}"#;
        let (mut a, mut b) = (Wire::open(server.address).await, Wire::open(server.address).await);
        a.search(long).await;
        b.search(long).await;
        // The third is not refused: it waits until there is room.
        assert_eq!(get(server.address, "/livez").await.status, 200);
        assert!(begin.elapsed() > Duration::from_millis(1400), "{:?}", begin.elapsed());
        assert_eq!((a.answer().await.status, b.answer().await.status), (200, 200));
    });
}

#[test]
fn heads_are_bounded() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { max_header_bytes: 8192, ..Settings::default() }).await;
        let mut wire = Wire::open(server.address).await;
        wire.send(&format!("GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", "x".repeat(10_000))).await;
        assert!(wire.rest().await.starts_with("HTTP/1.1 431"));
        let mut wire = Wire::open(server.address).await;
        wire.send(&format!(
            "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: {}\r\n\r\n",
            "x".repeat(4000)
        ))
        .await;
        assert_eq!(wire.answer().await.status, 200);
    });
}

#[test]
fn a_thousand_idle_connections_do_no_harm() {
    let limit = rlimit::increase_nofile_limit(u64::MAX).expect("the system tells");
    // Both ends are in this process, and other tests open files too.
    let count = (limit.saturating_sub(300) / 2).min(1500) as usize;
    RUNTIME.block_on(async {
        let server = Live::start(Settings::default()).await;
        let mut idle = Vec::new();
        for index in 0..count {
            let mut wire = Wire::open(server.address).await;
            if index % 2 == 0 {
                wire.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await;
            }
            idle.push(wire);
        }
        println!("{count} idle connections");
        let read = search(server.address, r#"{"game":"reversi","budget":{"simulations":100}}"#).await;
        assert_eq!(read.status, 200);
        assert_eq!(get(server.address, "/readyz").await.status, 200);
    });
}
