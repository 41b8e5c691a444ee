//! Searches whose best move has to wait for a command.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// What nobody should have to wait for longer, also on a busy machine.
const LATE: Duration = Duration::from_secs(60);
/// So long is nothing to be said.
const SILENCE: Duration = Duration::from_millis(400);

/// The program, spoken to as it answers.
struct Program {
    child: Child,
    lines: Receiver<String>,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let out = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || out.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Self { child, lines }
    }

    fn say(&mut self, lines: &[&str]) {
        let input = self.child.stdin.as_mut().expect("the input is a pipe");
        lines.iter().for_each(|line| writeln!(input, "{line}").expect("the program listens"));
    }

    /// The next line that begins so.
    fn hear(&self, begin: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(LATE).unwrap_or_else(|_| panic!("no line `{begin}`"));
            if line.starts_with(begin) {
                return line;
            }
        }
    }

    /// Listens for a while, in which no best move may be reported.
    fn assert_silent(&self) {
        thread::sleep(SILENCE);
        let told: Vec<String> = self.lines.try_iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(told, [""; 0]);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().expect("the program ends");
    }
}

/// Red mates at once by i0i9.
const MATE: &str = "position fen 3k5/R8/9/9/9/9/p8/9/9/4K3R w - - 0 1";

#[test]
fn an_infinite_search_waits_for_stop_also_when_it_is_solved() {
    let mut program = Program::start();
    for go in ["go infinite", "go infinite depth 2"] {
        program.say(&[MATE, go]);
        assert!(program.hear("info depth ").contains("score mate 1 "));
        program.assert_silent();
        program.say(&["stop"]);
        assert_eq!(program.hear("bestmove"), "bestmove i0i9");
    }
    // Also where the game is over, and nothing is searched.
    program.say(&["position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "go infinite"]);
    program.assert_silent();
    program.say(&["stop"]);
    assert_eq!(program.hear("bestmove"), "bestmove (none)");
}

#[test]
fn pondering_waits_for_ponderhit_and_then_takes_its_time() {
    let mut program = Program::start();
    program.say(&["setoption name Ponder value true", "position startpos moves h2e2 h9g7"]);
    // Its time would have been over by then.
    program.say(&["go ponder movetime 100"]);
    program.assert_silent();
    program.say(&["ponderhit"]);
    let told = program.hear("bestmove");
    assert!(told.split_whitespace().nth(2) == Some("ponder"), "{told}");
    // A clock counts from there on too: this search would not end by itself before.
    program.say(&["go ponder wtime 2000 btime 2000"]);
    program.assert_silent();
    program.say(&["ponderhit"]);
    program.hear("bestmove");
    // The opponent played something else.
    program.say(&["go ponder wtime 2000000 btime 2000000"]);
    program.assert_silent();
    program.say(&["stop"]);
    program.hear("bestmove");
}

#[test]
fn what_pondering_has_solved_is_told_at_the_ponderhit() {
    let mut program = Program::start();
    program.say(&[MATE, "go ponder movetime 3600000"]);
    assert!(program.hear("info depth ").contains("score mate 1 "));
    program.assert_silent();
    program.say(&["ponderhit"]);
    assert_eq!(program.hear("bestmove"), "bestmove i0i9");
    // Nothing ponders now.
    program.say(&["ponderhit", "isready"]);
    program.hear("readyok");
}
