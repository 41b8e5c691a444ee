//! Another program that plays over UCCI.
//!
//! UCCI differs from UCI in its greeting, its options (`option NAME type …` and `setoption NAME VALUE`), in `go`, which takes
//! one limit, and in that a program may answer `nobestmove`, where its own rules call the game over.

use crate::protocols::process::{Deadline, Process, READY};
use crate::protocols::xiangqi::{Line, Offered, nodes, word_after};
use crate::protocols::{Choice, Fault, Program, Start};

/// A program in one game.
pub struct Player<'a> {
    program: &'a Program,
    process: Process,
    line: Line,
    /// What it may spend on a move, in the words of `go`.
    limit: String,
}

/// The limit of a move: the protocol has one.
fn limit(program: &Program) -> String {
    let budget = &program.budget;
    match (budget.time_ms, budget.nodes, budget.depth) {
        (_, Some(nodes), _) => format!("nodes {nodes}"),
        (_, _, Some(depth)) => format!("depth {depth}"),
        // All of the time for one move.
        (time_ms, ..) => format!("time {} movestogo 1", time_ms.unwrap_or_default()),
    }
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(program: &'a Program, start: &Start<'_>) -> Result<Self, Fault> {
        let line = Line::begin(program, start)?;
        let mut process = Process::start(&program.command, "\n", "quit")?;
        let ready = Deadline::after(READY);
        let offered = Offered::hear(&mut process, "ucci", "option ", ready)?;
        let memory = program.budget.memory_mb.map(|mebibytes| ("hashsize".to_owned(), mebibytes.to_string()));
        for (name, value) in program.options.iter().chain(&memory) {
            offered.require(name)?;
            process.send(&format!("setoption {name} {value}"))?;
        }
        // Without it, times are in seconds.
        if offered.has("usemillisec") {
            process.send("setoption usemillisec true")?;
        }
        if offered.has("newgame") {
            process.send("setoption newgame")?;
        }
        process.send("isready")?;
        process.receive_until(ready, |line| (line == "readyok").then_some(Ok(())))?;
        Ok(Self { program, process, line, limit: limit(program) })
    }

    /// Has the program choose a move after these.
    pub fn choose(&mut self, moves: &[&str]) -> Result<Choice, Fault> {
        let deadline = Deadline::after(self.program.lost_after);
        let command = self.line.command(moves)?;
        let choice = match self.ask(&command, deadline)? {
            Some(choice) => Some(choice),
            // It may know a draw that the rules of the match do not: it shall play on as if the game began here.
            None => self.ask(&self.line.without_history(), deadline)?,
        };
        let (mv, nodes) = choice.ok_or_else(|| Fault::Protocol("the program answered nobestmove".to_owned()))?;
        Ok(Choice { mv: self.line.read(&mv)?, nodes })
    }

    /// Has it choose a move at a position: none where it answers `nobestmove`; and the nodes that it has searched.
    fn ask(&mut self, position: &str, deadline: Deadline) -> Result<Option<(String, Option<u64>)>, Fault> {
        self.process.send(position)?;
        self.process.send(&format!("go {}", self.limit))?;
        let mut searched = None;
        let mv = self.process.receive_until(deadline, |line| {
            searched = nodes(line).or(searched);
            match line.split_whitespace().next() {
                Some("bestmove") => Some(Ok(Some(word_after(line, "bestmove").unwrap_or_default().to_owned()))),
                Some("nobestmove") => Some(Ok(None)),
                _ => None,
            }
        })?;
        Ok(mv.map(|mv| (mv, searched)))
    }
}
