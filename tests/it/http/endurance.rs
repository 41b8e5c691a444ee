//! A server that is fed nonsense for long stays as small as it was.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use super::bad_requests::{Case, cases};

/// The program, serving on a free port; it ends with the test.
pub struct Program {
    process: Child,
    address: String,
}

impl Program {
    fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts it with more options.
    pub fn start_with(options: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(options)
            .env("TESUJI_LOG", "off")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it says where it listens");
        let (_, address) = line.trim().split_once("http://").expect("the first line has the address");
        Self { address: address.to_owned(), process }
    }

    /// Ends it without a chance to say goodbye.
    pub fn kill(mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }

    /// Sends a request on a connection of its own, and returns the status and the body.
    pub fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        let (status, _, body) = exchange(&self.address, request, headers, body);
        (status, body)
    }

    /// Posts a body on a connection of its own, and returns the status.
    fn post(&self, body: &[u8]) -> u16 {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let head = format!(
            "POST /v1/searches HTTP/1.1\r\nHost: tesuji\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        // A body too large is refused while it is still being sent; what was answered is there all the same.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let status = answer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok());
        status.and_then(|digits| digits.parse().ok()).expect("it answers")
    }

    /// Resident kilobytes; `None` where the system does not tell.
    fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?.parse().ok()
    }
}

/// Sends a request on a connection of its own, and returns the status, the head and the body.
pub fn exchange(address: &str, request: &str, headers: &str, body: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let length = body.len();
    let head = format!("{request} HTTP/1.1\r\nHost: tesuji\r\nConnection: close\r\nContent-Length: {length}\r\n");
    stream.write_all(format!("{head}{headers}\r\n{body}").as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("answers have a head and a body");
    (head[9..12].parse().expect("a status is a number"), head.to_ascii_lowercase(), body.to_owned())
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// How much the program may grow after the warm-up, in kilobytes: the allocator's breathing. Half a kilobyte lost per request
/// would be more.
const GROWTH: u64 = 2 << 10;

#[test]
fn nonsense_does_not_pile_up() {
    let program = Program::start();
    let cases = cases();
    let round = || {
        for Case { what, body, status, .. } in &cases {
            assert_eq!(program.post(body), *status, "{what}");
        }
    };
    (0..5).for_each(|_| round());
    let warm = program.resident();
    (0..35).for_each(|_| round());
    if let Some((warm, after)) = warm.zip(program.resident()) {
        println!("{} requests: {warm} kB resident after warm-up, {after} kB at the end", 35 * cases.len());
        assert!(after <= warm + GROWTH, "grew from {warm} to {after} kB");
    }
}
