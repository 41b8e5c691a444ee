//! HTTP as it goes over the wire: servers on a loopback port, and a client that can misbehave.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tesuji::server::Server;
use tesuji::settings::Settings;
use tesuji_core::catalog::Catalog;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::service;
use crate::program::TIMEOUT;

/// A server in this process, on a free port.
pub struct Live {
    pub address: SocketAddr,
    stop: Arc<Notify>,
    running: JoinHandle<()>,
}

impl Live {
    /// Serves with one search thread until it is stopped.
    pub async fn start(settings: Settings) -> Self {
        let settings = Settings { listen: "127.0.0.1:0".to_owned(), search_threads: Some(1), ..settings };
        let server = Server::bind(&settings, service(Catalog::standard(), &settings)).await.expect("a port is free");
        let (address, stop) = (server.address().expect("it is bound"), Arc::new(Notify::new()));
        let stopped = Arc::clone(&stop);
        let running = tokio::spawn(async move { server.run(stopped.notified(), std::future::pending()).await });
        Self { address, stop, running }
    }

    /// Stops the server, and waits for its end.
    pub async fn stop(self) {
        self.stop.notify_one();
        timeout(TIMEOUT, self.running).await.expect("it ends in time").expect("it does not panic");
    }
}

/// An answer as it was read.
#[derive(Debug)]
pub struct Read {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Read {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The problem's code; empty if it is not a problem.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// One connection.
pub struct Wire(pub TcpStream);

impl Wire {
    pub async fn open(address: SocketAddr) -> Self {
        let stream = timeout(TIMEOUT, TcpStream::connect(address)).await.expect("in time").expect("the server listens");
        Self(stream)
    }

    /// Sends bytes as they are.
    pub async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("the server reads");
    }

    /// Sends a request, after which the connection closes. Refusal of a body before it is read is not a failure.
    pub async fn request(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) {
        let body = body.as_ref();
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: tesuji.example:80\r\nConnection: close\r\n");
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").expect("texts can be written to");
        }
        write!(head, "Content-Length: {}\r\n\r\n", body.len()).expect("texts can be written to");
        drop(self.0.write_all(&[head.as_bytes(), body].concat()).await);
    }

    /// Posts a search, after which the connection closes.
    pub async fn search(&mut self, body: &str) {
        self.request("POST", "/v1/searches", &[], body).await;
    }

    /// Everything until the server closes or resets the connection.
    pub async fn rest(mut self) -> String {
        let mut bytes = Vec::new();
        let read = timeout(TIMEOUT, self.0.read_to_end(&mut bytes)).await;
        read.expect("the server closes the connection in time").unwrap_or_default();
        String::from_utf8(bytes).expect("answers are UTF-8")
    }

    /// The only answer of this connection.
    pub async fn answer(self) -> Read {
        let text = self.rest().await;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer but {text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("answers have a status");
        Read { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }
}

/// Sends a request over a new connection.
pub async fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: impl AsRef<[u8]>,
) -> Read {
    let mut wire = Wire::open(address).await;
    wire.request(method, path, headers, body).await;
    wire.answer().await
}

/// Gets a path over a new connection.
pub async fn get(address: SocketAddr, path: &str) -> Read {
    ask(address, "GET", path, &[], "").await
}

/// Searches over a new connection.
pub async fn search(address: SocketAddr, body: &str) -> Read {
    ask(address, "POST", "/v1/searches", &[], body).await
}

/// Polls a path until the answer is the wanted one.
pub async fn until(address: SocketAddr, path: &str, wanted: impl Fn(&Read) -> bool) -> Read {
    let asking = async {
        loop {
            let read = get(address, path).await;
            if wanted(&read) {
                return read;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TIMEOUT, asking).await.expect("it comes in time")
}
