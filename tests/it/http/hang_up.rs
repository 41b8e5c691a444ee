//! A client that hangs up stops its search, and its place is free for the next one.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tesuji::settings::Settings;
use tesuji_core::catalog::Catalog;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{RUNTIME, service, wire};

const LONG: &str = r#"{"game":"reversi","budget":{"time_ms":60000}}"#;
const SHORT: &str = r#"{"game":"reversi","budget":{"nodes":1}}"#;

/// A service with one place.
async fn serve() -> SocketAddr {
    let settings = Settings::default();
    wire::serve(service(Catalog::standard(), 1, 1, &settings), &settings).await.address
}

async fn post(address: SocketAddr, headers: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    let length = body.len();
    let head =
        format!("POST /v1/searches HTTP/1.1\r\nHost: tesuji\r\nConnection: close\r\nContent-Length: {length}\r\n");
    stream.write_all(format!("{head}{headers}\r\n{body}").as_bytes()).await.expect("the server reads");
    stream
}

/// The status of a short search.
async fn ask(address: SocketAddr) -> u16 {
    let mut answer = String::new();
    post(address, "", SHORT).await.read_to_string(&mut answer).await.expect("the server answers");
    answer[9..12].parse().expect("a status is a number")
}

/// Asks until the status is this one. The long search would keep its place for a minute.
async fn until_status(address: SocketAddr, status: u16) {
    let begin = Instant::now();
    while ask(address).await != status {
        assert!(begin.elapsed() < Duration::from_secs(30), "the status did not become {status}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Sends the long search until it has the only place. A short one that was not quite gone may have kept it out.
async fn occupy(address: SocketAddr, headers: &str) -> TcpStream {
    let begin = Instant::now();
    loop {
        let long = post(address, headers, LONG).await;
        let mut answer = Vec::new();
        while !answer.starts_with(b"HTTP/1.1 503") {
            if ask(address).await == 503 {
                return long;
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "the long search did not get the place");
            drop(long.try_read_buf(&mut answer));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[test]
fn hanging_up_stops_the_search() {
    RUNTIME.block_on(async {
        let address = serve().await;
        for headers in ["", "Accept: text/event-stream\r\n", "Accept: application/x-ndjson\r\n"] {
            let long = occupy(address, headers).await;
            drop(long);
            until_status(address, 200).await;
        }
    });
}

#[test]
fn a_kept_search_goes_on_when_its_client_hangs_up() {
    RUNTIME.block_on(async {
        let address = serve().await;
        let mut answer = String::new();
        let mut asked = post(address, "Prefer: respond-async\r\n", LONG).await;
        asked.read_to_string(&mut answer).await.expect("the server answers");
        assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
        drop(asked);
        for _ in 0..10 {
            assert_eq!(ask(address).await, 503, "it keeps its place");
        }
    });
}
