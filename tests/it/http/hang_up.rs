//! A client that hangs up stops its search, and its place is free for the next one.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tesuji::settings::Settings;

use super::RUNTIME;
use super::wire::{Live, Wire, search};

const LONG: &str = r#"{"game":"reversi","budget":{"time_ms":60000}}"#;
const SHORT: &str = r#"{"game":"reversi","budget":{"nodes":1}}"#;

/// A service with one place.
async fn serve() -> SocketAddr {
    Live::start(Settings { max_searches: 1, ..Settings::default() }).await.address
}

/// The status of a short search.
async fn ask(address: SocketAddr) -> u16 {
    search(address, SHORT).await.status
}

/// Asks until the status is this one. The long search would keep its place for a minute.
async fn until_status(address: SocketAddr, status: u16) {
    let begin = Instant::now();
    while ask(address).await != status {
        assert!(begin.elapsed() < Duration::from_secs(30), "the status did not become {status}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Posts the long search.
async fn post(address: SocketAddr, headers: &[(&str, &str)]) -> Wire {
    let mut wire = Wire::open(address).await;
    wire.request("POST", "/v1/searches", headers, LONG).await;
    wire
}

/// Sends the long search until it has the only place. A short one that was not quite gone may have kept it out.
async fn occupy(address: SocketAddr, headers: &[(&str, &str)]) -> Wire {
    let begin = Instant::now();
    loop {
        let long = post(address, headers).await;
        let mut answer = Vec::new();
        while !answer.starts_with(b"HTTP/1.1 503") {
            if ask(address).await == 503 {
                return long;
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "the long search did not get the place");
            drop(long.0.try_read_buf(&mut answer));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[test]
fn hanging_up_stops_the_search() {
    RUNTIME.block_on(async {
        let address = serve().await;
        for accept in ["application/json", "text/event-stream", "application/x-ndjson"] {
            let long = occupy(address, &[("Accept", accept)]).await;
            drop(long);
            until_status(address, 200).await;
        }
    });
}

#[test]
fn an_asynchronous_search_survives_a_disconnect() {
    RUNTIME.block_on(async {
        let address = serve().await;
        let begun = post(address, &[("Prefer", "respond-async")]).await.answer().await;
        assert_eq!(begun.status, 202, "{begun:?}");
        for _ in 0..10 {
            assert_eq!(ask(address).await, 503, "it keeps its place");
        }
    });
}
