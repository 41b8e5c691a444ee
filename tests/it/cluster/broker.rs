//! A broker for one test.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::data::left_out;

/// A broker on loopback.
pub struct Broker {
    program: PathBuf,
    pub port: u16,
    child: Option<Child>,
}

impl Broker {
    /// None, and a line in the summary, where there is no `nats-server`; on a machine of CI, a failure.
    pub fn start() -> Option<Self> {
        let program = std::env::var_os("NATS_SERVER").map_or_else(|| PathBuf::from("nats-server"), PathBuf::from);
        let is_there = Command::new(&program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if is_there.is_err() {
            assert!(std::env::var("CI").map_or(true, |ci| ci != "true"), "CI has a nats-server");
            left_out("searches over a cluster: there is no nats-server");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("ports are free").port();
        let mut broker = Self { program, port, child: None };
        broker.start_again();
        Some(broker)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn start_again(&mut self) {
        let port = self.port.to_string();
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "-p", &port]).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(command.spawn().expect("it starts"));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(10), "the broker does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
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
