//! The program as an HTTP server on a free port of loopback.

use std::net::SocketAddr;
use std::ops::{Deref, DerefMut};
use std::process::Command;

use super::{Process, command};
use crate::http::RUNTIME;
use crate::http::wire::{self, Read};

/// A server, killed when it is dropped.
pub struct Serving {
    process: Process,
    pub address: SocketAddr,
}

impl Serving {
    /// Starts a server with more arguments.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    /// Starts a server with more arguments and environment variables.
    pub fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = command(&["serve"]);
        command.args(arguments).envs(variables.iter().copied());
        Self::of(command).unwrap_or_else(|log| panic!("it refuses to start: {log}"))
    }

    /// Starts a server by a command that takes arguments of `serve`.
    ///
    /// # Errors
    /// The log of a program that refuses to start.
    pub fn of(mut command: Command) -> Result<Self, String> {
        command.args(["--listen", "127.0.0.1:0"]);
        let (process, greeting) = Process::start(command)?;
        let address = greeting.rsplit("http://").next().and_then(|address| address.parse().ok());
        Ok(Self { process, address: address.unwrap_or_else(|| panic!("no address in {greeting:?}")) })
    }

    /// Sends a request over a new connection.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Read {
        RUNTIME.block_on(wire::ask(self.address, method, path, headers, body))
    }

    /// Asks it to end, waits until it has, and returns its log.
    pub fn end(self) -> String {
        self.process.end()
    }
}

impl Deref for Serving {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.process
    }
}

impl DerefMut for Serving {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.process
    }
}
