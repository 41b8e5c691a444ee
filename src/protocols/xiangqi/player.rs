//! Another program that plays over UCI or UCCI.
//!
//! UCCI differs in its greeting, in its options (`option NAME type …` and `setoption NAME VALUE`), in `go`, which takes one
//! limit, and in the answer `nobestmove`, for a game that is over by the program's rules.

use super::info::Dialect;
use super::line::{Line, nodes, word_after};
use super::options::ProgramOptions;
use crate::protocols::process::{Deadline, Process, READY};
use crate::protocols::{ChosenMove, Fault, Program, Start};

/// A program in one game.
pub struct Player<'a> {
    program: &'a Program,
    process: Process,
    line: Line,
    /// The command `go` with the limits of a move.
    go: String,
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(dialect: Dialect, program: &'a Program, start: &Start<'_>) -> Result<Self, Fault> {
        let line = Line::begin(program, start)?;
        let mut process = Process::start(&program.command, "\n", "quit")?;
        let ready = Deadline::after(READY);
        let (greeting, begin, hash) = match dialect {
            Dialect::Uci => ("uci", "option name ", "Hash"),
            Dialect::Ucci => ("ucci", "option ", "hashsize"),
        };
        let options = ProgramOptions::read(&mut process, greeting, begin, ready)?;
        let threads = program.threads.map(|threads| ("Threads".to_owned(), threads.to_string()));
        let memory = program.budget.memory_mb.map(|mebibytes| (hash.to_owned(), mebibytes.to_string()));
        for (name, value) in program.options.iter().chain(&threads).chain(&memory) {
            options.require(name)?;
            process.send(&match dialect {
                Dialect::Uci => format!("setoption name {name} value {value}"),
                Dialect::Ucci => format!("setoption {name} {value}"),
            })?;
        }
        match dialect {
            Dialect::Uci => process.send("ucinewgame")?,
            Dialect::Ucci => {
                // Without the first, times are in seconds.
                for (name, command) in [("usemillisec", "usemillisec true"), ("newgame", "newgame")] {
                    if options.has(name) {
                        process.send(&format!("setoption {command}"))?;
                    }
                }
            }
        }
        process.send("isready")?;
        process.receive_until(ready, |line| (line == "readyok").then_some(Ok(())))?;
        Ok(Self { program, process, line, go: go(dialect, program) })
    }

    /// Requests a move after these.
    pub fn choose(&mut self, moves: &[&str]) -> Result<ChosenMove, Fault> {
        let deadline = Deadline::after(self.program.lost_after);
        let command = self.line.command(moves)?;
        let choice = match self.ask(&command, deadline)? {
            Some(choice) => Some(choice),
            // It may see a draw that the match does not: without the history, it plays on.
            None => self.ask(&self.line.without_history(), deadline)?,
        };
        let (mv, nodes) = choice.ok_or_else(|| Fault::Protocol("the program answered nobestmove".to_owned()))?;
        Ok(ChosenMove { mv: self.line.read(&mv)?, nodes })
    }

    /// Requests a move in a position, with the nodes searched; `None` if the answer is `nobestmove`.
    fn ask(&mut self, position: &str, deadline: Deadline) -> Result<Option<(String, Option<u64>)>, Fault> {
        self.process.send(position)?;
        self.process.send(&self.go)?;
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

/// The command `go` with the limits of a move. UCCI takes one limit: a time is sent as a clock for one move.
fn go(dialect: Dialect, program: &Program) -> String {
    let budget = &program.budget;
    let limits = [("movetime", budget.time_ms), ("nodes", budget.nodes), ("depth", budget.depth)];
    let words: String = limits.iter().filter_map(|(word, limit)| Some(format!(" {word} {}", (*limit)?))).collect();
    match (dialect, budget.time_ms) {
        (Dialect::Ucci, Some(time_ms)) => format!("go time {time_ms} movestogo 1"),
        _ => format!("go{words}"),
    }
}
