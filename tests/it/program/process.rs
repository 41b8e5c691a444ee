//! A program that runs until it is stopped.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::TIMEOUT;

/// A running program, killed when it is dropped.
pub struct Process {
    child: Child,
    log: Arc<Mutex<String>>,
    /// Reads the log all the time: a full pipe would block the program.
    reader: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a program; returns its first line of output as well.
    ///
    /// # Errors
    /// The log of a program that refuses to start.
    pub fn start(mut command: Command) -> Result<(Self, String), String> {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be executed");
        let log = Arc::<Mutex<String>>::default();
        let (own, errors) = (Arc::clone(&log), child.stderr.take().expect("it is piped"));
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(errors).lines() {
                let line = line.expect("logs are UTF-8") + "\n";
                own.lock().expect("nobody panics with it").push_str(&line);
            }
        });
        let mut greeting = String::new();
        // Not closed: nothing more is expected there.
        BufReader::new(child.stdout.as_mut().expect("it is piped")).read_line(&mut greeting).expect("it can be read");
        let mut process = Self { child, log, reader: Some(reader) };
        if greeting.is_empty() {
            assert!(!process.ends_well(), "it ends before it greets");
            return Err(process.end_of_log());
        }
        Ok((process, greeting.trim().to_owned()))
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The log so far.
    pub fn log(&self) -> String {
        self.log.lock().expect("nobody panics with it").clone()
    }

    /// Sends a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(status.expect("there is a kill").success());
    }

    /// Waits for its end; returns whether it succeeded.
    pub fn ends_well(&mut self) -> bool {
        let begin = Instant::now();
        loop {
            match self.child.try_wait().expect("it is our child") {
                Some(status) => return status.success(),
                None => assert!(begin.elapsed() < TIMEOUT, "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The whole log of a program that has ended.
    fn end_of_log(&mut self) -> String {
        self.reader.take().map(JoinHandle::join);
        self.log()
    }

    /// Asks it to end, waits until it has, and returns its log.
    pub fn end(mut self) -> String {
        self.signal("TERM");
        assert!(self.ends_well(), "{}", self.log());
        self.end_of_log()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
        if std::thread::panicking() {
            eprintln!("{}", self.end_of_log());
        }
    }
}
