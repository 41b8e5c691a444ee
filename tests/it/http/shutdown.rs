//! Graceful shutdown: SIGTERM, the drain, and the results of running searches.

use std::net::SocketAddr;

use tesuji::settings::Settings;

use super::RUNTIME;
use super::wire::{Live, Wire, get, search, until};
use crate::program::Serving;

/// Waits until `count` searches run: a search whose threads have not had a core yet has nothing to return.
async fn until_running(address: SocketAddr, count: usize) {
    let running = format!("\ntesuji_searches_running {count}\n");
    until(address, "/metrics", |read| read.body.contains(&running)).await;
}

/// Begins searches, and waits until all of them run.
async fn begin(address: SocketAddr, count: usize, time_ms: u32) -> Vec<Wire> {
    let body = format!(r#"{{"game":"reversi","budget":{{"time_ms":{time_ms}}}}}"#);
    let mut wires = Vec::new();
    for _ in 0..count {
        let mut wire = Wire::open(address).await;
        wire.search(&body).await;
        wires.push(wire);
    }
    until_running(address, count).await;
    wires
}

#[test]
fn at_the_drains_end_searches_return_their_best() {
    let mut program = Serving::start(&["--max-searches", "6", "--drain-ms", "500"]);
    RUNTIME.block_on(async {
        let wires = begin(program.address, 6, 50_000).await;
        program.signal("TERM");
        for wire in wires {
            let read = wire.answer().await;
            let answer = read.json();
            assert_eq!((read.status, answer["stop_reason"].as_str()), (200, Some("shutdown")));
            assert!(answer["move"].is_string() && answer["final"] == true, "{answer:#}");
        }
    });
    assert!(program.ends_well());
}

#[test]
fn streams_get_their_final_message() {
    let mut program = Serving::start(&["--max-searches", "4", "--drain-ms", "300"]);
    RUNTIME.block_on(async {
        let body = r#"{"game":"reversi","budget":{"time_ms":50000},"report":{"interval_ms":50}}"#;
        let mut wires = Vec::new();
        for accept in ["text/event-stream", "application/x-ndjson"].repeat(2) {
            let mut wire = Wire::open(program.address).await;
            // Streams are never compressed, even if the client accepts it.
            let head = format!("POST /v1/searches HTTP/1.0\r\nAccept: {accept}\r\nAccept-Encoding: gzip\r\n");
            wire.send(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await;
            wires.push(wire);
        }
        until_running(program.address, 4).await;
        program.signal("TERM");
        for wire in wires {
            let read = wire.answer().await;
            assert_eq!(read.status, 200, "{read:?}");
            assert!(!read.head.contains("content-encoding"), "{read:?}");
            let mut messages =
                read.body.lines().filter_map(|line| line.strip_prefix("data: ").or(line.strip_prefix('{')));
            let last = messages.next_back().expect("there are messages");
            assert!(last.contains(r#""final":true"#) && last.contains(r#""stop_reason":"shutdown""#), "{last}");
            assert_eq!(read.body.matches(r#""final":true"#).count(), 1);
        }
    });
    assert!(program.ends_well());
}

#[test]
fn a_search_that_ends_before_the_drain_does_is_left_alone() {
    let mut program = Serving::start(&["--max-searches", "1", "--drain-ms", "60000"]);
    RUNTIME.block_on(async {
        let wires = begin(program.address, 1, 1500).await;
        program.signal("INT");
        for wire in wires {
            let read = wire.answer().await;
            assert_eq!((read.status, read.json()["stop_reason"].as_str()), (200, Some("time")));
        }
    });
    assert!(program.ends_well());
}

#[test]
fn late_searches_are_refused_until_somebody_asks_twice() {
    let mut program = Serving::start(&["--max-searches", "1", "--drain-ms", "86400000"]);
    RUNTIME.block_on(async {
        let wires = begin(program.address, 1, 55_000).await;
        let mut unused = Wire::open(program.address).await;
        program.signal("TERM");
        let read = until(program.address, "/readyz", |read| read.code() == "shutting_down").await;
        assert!(read.status == 503 && read.head.contains("retry-after: "), "{read:?}");
        let late = search(program.address, r#"{"game":"reversi","budget":{"nodes":1}}"#).await;
        assert_eq!((late.status, late.code().as_str()), (503, "shutting_down"));
        // Everything else is answered as usual, also on a connection from before, which then closes.
        assert_eq!(get(program.address, "/v1/games/reversi").await.status, 200);
        unused.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert!(unused.rest().await.starts_with("HTTP/1.1 200"));
        // A second signal does not wait for the end of the drain.
        program.signal("TERM");
        for wire in wires {
            assert_eq!(wire.answer().await.json()["stop_reason"], "shutdown");
        }
    });
    assert!(program.ends_well());
}

#[test]
fn a_server_in_this_process_ends_as_well() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { drain_ms: 200, max_searches: 1, ..Settings::default() }).await;
        let mut wires = begin(server.address, 1, 50_000).await;
        server.stop().await;
        let read = wires.pop().expect("one was begun").answer().await;
        assert_eq!(read.json()["stop_reason"], "shutdown");
    });
}

#[test]
fn idle_connections_do_not_delay_the_end() {
    let mut program = Serving::start(&[]);
    RUNTIME.block_on(async {
        let (mut kept, mut half, silent) =
            (Wire::open(program.address).await, Wire::open(program.address).await, Wire::open(program.address).await);
        kept.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await;
        half.send("GET /livez HTTP/1.1\r\nHo").await;
        get(program.address, "/livez").await;
        program.signal("TERM");
        assert!(kept.rest().await.starts_with("HTTP/1.1 200"));
        assert_eq!((half.rest().await, silent.rest().await), (String::new(), String::new()));
    });
    assert!(program.ends_well());
}
