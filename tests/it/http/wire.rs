//! HTTP as it goes over the wire: servers on a loopback port, and a client that can misbehave.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tesuji::server::Server;
use tesuji::service::Service;
use tesuji::settings::Settings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long anything may take, on however slow a machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server in this process.
pub struct Live {
    pub address: SocketAddr,
    stop: Arc<Notify>,
    running: JoinHandle<()>,
}

impl Live {
    /// Stops the server, and waits for its end.
    pub async fn stop(self) {
        self.stop.notify_one();
        timeout(PATIENCE, self.running).await.expect("it ends in time").expect("it does not panic");
    }
}

/// Serves on a free port until told to stop.
pub async fn serve(service: Service, settings: &Settings) -> Live {
    let settings = Settings { listen: "127.0.0.1:0".to_owned(), ..settings.clone() };
    let server = Server::bind(&settings, service).await.expect("a port is free");
    let (address, stop) = (server.address().expect("it is bound"), Arc::new(Notify::new()));
    let told = Arc::clone(&stop);
    let running = tokio::spawn(async move { server.run(told.notified(), std::future::pending()).await });
    Live { address, stop, running }
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

    /// The problem's code; empty when it is no problem.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// One connection.
pub struct Wire(pub TcpStream);

impl Wire {
    pub async fn open(address: SocketAddr) -> Self {
        let stream =
            timeout(PATIENCE, TcpStream::connect(address)).await.expect("in time").expect("the server listens");
        Self(stream)
    }

    /// Sends bytes as they are.
    pub async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("the server reads");
    }

    /// Sends a GET, after which the connection may close.
    pub async fn get(&mut self, path: &str) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).await;
    }

    /// Posts a search, after which the connection may close.
    pub async fn search(&mut self, body: &str) {
        let head = "POST /v1/searches HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
        self.send(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await;
    }

    /// Everything until the server closes the connection. That it resets it is as good.
    pub async fn rest(mut self) -> String {
        let mut bytes = Vec::new();
        let read = timeout(PATIENCE, self.0.read_to_end(&mut bytes)).await;
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

/// Gets a path over a connection of its own.
pub async fn get(address: SocketAddr, path: &str) -> Read {
    let mut wire = Wire::open(address).await;
    wire.get(path).await;
    wire.answer().await
}

/// Searches over a connection of its own.
pub async fn search(address: SocketAddr, body: &str) -> Read {
    let mut wire = Wire::open(address).await;
    wire.search(body).await;
    wire.answer().await
}

/// Asks a path again and again, until the answer is what is waited for.
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
    timeout(PATIENCE, asking).await.expect("it comes in time")
}
