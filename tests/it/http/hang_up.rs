//! A client that hangs up stops its search, and frees the core for the next one.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tesuji::catalog::Catalog;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{RUNTIME, Server};

/// The longest that the next search may wait, in milliseconds.
const BOUND: f64 = 20.0;

const LONG: &str = r#"{"game":"reversi","budget":{"time_ms":10000}}"#;
const SHORT: &str = r#"{"game":"reversi","budget":{"nodes":1}}"#;

async fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let Server(router) = Server::new(Catalog::standard(), 1, 4);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn send(stream: &mut TcpStream, body: &str) {
    let length = body.len();
    let head =
        format!("POST /v1/searches HTTP/1.1\r\nHost: tesuji\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all((head + body).as_bytes()).await.expect("the server reads");
}

async fn result(mut stream: TcpStream) -> Value {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("the server answers");
    let (_, body) = answer.split_once("\r\n\r\n").expect("answers have a head and a body");
    serde_json::from_str(body).expect("bodies are JSON")
}

/// How long a search waited that was sent right after the client of a running one hung up.
async fn wait_after_hanging_up(address: SocketAddr) -> f64 {
    let mut first = TcpStream::connect(address).await.expect("the server listens");
    let mut second = TcpStream::connect(address).await.expect("the server listens");
    send(&mut first, LONG).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(first);
    send(&mut second, SHORT).await;
    result(second).await["timing"]["queued_ms"].as_f64().expect("the search was made")
}

#[test]
fn hanging_up_stops_the_search() {
    RUNTIME.block_on(async {
        let address = serve().await;
        let mut waits = Vec::new();
        // Other tests take the cores now and then; what the server does by itself is the shortest wait.
        for _ in 0..10 {
            waits.push(wait_after_hanging_up(address).await);
            if waits.last().is_some_and(|wait| *wait < BOUND) {
                break;
            }
        }
        println!("waited {waits:?} ms");
        assert!(waits.iter().any(|wait| *wait < BOUND), "waited {waits:?} ms");
    });
}

#[test]
fn a_search_behind_a_running_one_waits() {
    // Without this, the test above would show nothing.
    RUNTIME.block_on(async {
        let address = serve().await;
        let mut first = TcpStream::connect(address).await.expect("the server listens");
        let mut second = TcpStream::connect(address).await.expect("the server listens");
        send(&mut first, r#"{"game":"reversi","budget":{"time_ms":300}}"#).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        send(&mut second, SHORT).await;
        let waited = result(second).await["timing"]["queued_ms"].as_f64().expect("the search was made");
        assert!(waited > 50.0, "waited {waited} ms");
    });
}
