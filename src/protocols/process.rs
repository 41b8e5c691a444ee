//! Another program as a child process: lines in, lines out, with deadlines for its answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Fault;

/// How long a program can take to start and to prepare a game.
pub(super) const READY: Duration = Duration::from_secs(30);

/// How long a program can take to end.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Unread lines that a program can send before it must wait.
const MAX_UNREAD: usize = 1024;

/// A running program, ended on drop.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The line ending that the program reads.
    line_end: &'static str,
    /// The command that ends it.
    quit_command: &'static str,
}

/// A deadline for an answer.
#[derive(Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    within: Duration,
}

impl Deadline {
    /// The deadline of an answer requested now.
    pub fn after(within: Duration) -> Self {
        Self { at: Instant::now() + within, within }
    }
}

impl Process {
    /// Starts a program.
    pub fn start(command: &[String], line_end: &'static str, quit_command: &'static str) -> Result<Self, Fault> {
        let [program, arguments @ ..] = command else { return Err(Fault::Crash("expected a program".to_owned())) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // The interrupt key stops the match, which then ends the program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let cannot = |error| Fault::Crash(format!("`{program}` cannot be started: {error}"));
        let mut child = command.spawn().map_err(cannot)?;
        let input = child.stdin.take();
        let (sender, lines) = sync_channel(MAX_UNREAD);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                    let text = String::from_utf8_lossy(&line).trim().to_owned();
                    line.clear();
                    if !text.is_empty() && sender.send(text).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self { child, input, lines, line_end, quit_command })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        let text = format!("{line}{}", self.line_end);
        let sent = self.input.as_mut().map(|input| input.write_all(text.as_bytes()).and_then(|()| input.flush()));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.exit_fault()),
        }
    }

    /// Receives the next non-empty line.
    pub fn receive(&mut self, deadline: Deadline) -> Result<String, Fault> {
        match self.lines.recv_timeout(deadline.at.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Fault::Timeout(deadline.within)),
            Err(RecvTimeoutError::Disconnected) => Err(self.exit_fault()),
        }
    }

    /// Receives lines until `find` accepts one.
    pub fn receive_until<T>(
        &mut self,
        deadline: Deadline,
        mut find: impl FnMut(&str) -> Option<Result<T, Fault>>,
    ) -> Result<T, Fault> {
        loop {
            if let Some(found) = find(&self.receive(deadline)?) {
                return found;
            }
        }
    }

    /// Waits a moment for the program's end.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < EXIT_TIMEOUT {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(_) => return None,
            }
        }
        None
    }

    /// Why no further line can be read.
    fn exit_fault(&mut self) -> Fault {
        Fault::Crash(match self.wait() {
            Some(status) => format!("the program ended: {status}"),
            None => "the program closed its input or output".to_owned(),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; otherwise it is killed.
        if let Some(mut input) = self.input.take() {
            drop(write!(input, "{}{}", self.quit_command, self.line_end));
        }
        if self.wait().is_none() {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}
