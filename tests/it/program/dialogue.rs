//! A dialogue with the program over its standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::TIMEOUT;

/// A running program. When it is dropped its input is closed, and it has to end.
pub struct Dialogue {
    child: Child,
    lines: Receiver<String>,
}

impl Dialogue {
    /// Starts it with one command.
    pub fn start(command: &str) -> Self {
        Self::start_with(&[command])
    }

    /// Starts it with arguments.
    pub fn start_with(arguments: &[&str]) -> Self {
        let mut child =
            super::command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let out = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || out.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Self { child, lines }
    }

    /// Where its input is written, byte by byte.
    pub fn input(&mut self) -> &mut ChildStdin {
        self.child.stdin.as_mut().expect("the input is a pipe")
    }

    /// Sends it lines.
    pub fn send(&mut self, lines: &[&str]) {
        let input = self.input();
        lines.iter().for_each(|line| writeln!(input, "{line}").expect("the program listens"));
    }

    /// The lines up to and including one with this beginning.
    pub fn read_until(&self, begin: &str) -> Vec<String> {
        let mut read = Vec::new();
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no line `{begin}` after {read:?}"));
            let is_it = line.starts_with(begin);
            read.push(line);
            if is_it {
                return read;
            }
        }
    }

    /// The next line with this beginning.
    pub fn wait_for_line(&self, begin: &str) -> String {
        self.read_until(begin).pop().expect("it ends with that line")
    }

    /// Its output so far that has not been read yet.
    pub fn unread(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Whether it ends successfully after being told to.
    pub fn ends_well(&mut self) -> bool {
        self.child.wait().expect("the program ends").success()
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // A second panic would hide the first.
        drop(self.child.wait());
    }
}
