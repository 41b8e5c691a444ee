//! A broker for one test.

use std::cell::RefCell;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::data::{is_strict, left_out};
use crate::http::RUNTIME;

static COUNT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static PREFIX: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A broker on loopback.
pub struct Broker {
    program: PathBuf,
    pub port: u16,
    child: Option<Child>,
    /// Its storage.
    store: tempfile::TempDir,
}

impl Broker {
    /// `None`, and a line in the summary, if there is no `nats-server`; with `TESTS_STRICT=1`, a failure.
    pub fn start() -> Option<Self> {
        let program = std::env::var_os("NATS_SERVER").map_or_else(|| PathBuf::from("nats-server"), PathBuf::from);
        let is_there = Command::new(&program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if is_there.is_err() {
            assert!(!is_strict(), "nats-server is missing");
            left_out("searches over a cluster: there is no nats-server");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("ports are free").port();
        let store = tempfile::tempdir().expect("a folder can be made");
        let mut broker = Self { program, port, child: None, store };
        broker.start_again();
        // A separate prefix for each test: nodes of an earlier test may still look for their broker, at a port that is free
        // again.
        PREFIX.set(format!("test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        Some(broker)
    }

    /// The prefix of the subjects of this test's cluster.
    pub fn prefix() -> String {
        PREFIX.with_borrow(String::clone)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn start_again(&mut self) {
        let port = self.port.to_string();
        let mut command = Command::new(&self.program);
        command
            .args(["-a", "127.0.0.1", "-p", &port, "-js", "-sd"])
            .arg(self.store.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.child = Some(command.spawn().expect("it starts"));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(10), "the broker does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// How many records of tasks there are.
    pub fn records(&self) -> u64 {
        self.messages("tasks")
    }

    /// How many messages a bucket has.
    pub fn messages(&self, bucket: &str) -> u64 {
        RUNTIME.block_on(async {
            let client = async_nats::connect(self.url()).await.expect("the broker is there");
            let name = format!("KV_{}_{bucket}", Self::prefix());
            let stream = async_nats::jetstream::new(client).get_stream(name).await;
            stream.expect("nodes have made it").get_info().await.expect("it tells").state.messages
        })
    }

    /// How many messages a stream of the cluster takes, and how long it keeps them.
    pub fn limits(&self, stream: &str) -> (i64, Duration) {
        RUNTIME.block_on(async {
            let client = async_nats::connect(self.url()).await.expect("the broker is there");
            let name = match stream.strip_prefix("KV_") {
                Some(bucket) => format!("KV_{}_{bucket}", Self::prefix()),
                None => format!("{}_{stream}", Self::prefix()),
            };
            let stream = async_nats::jetstream::new(client).get_stream(name).await.expect("nodes have made it");
            (stream.cached_info().config.max_messages, stream.cached_info().config.max_age)
        })
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}
