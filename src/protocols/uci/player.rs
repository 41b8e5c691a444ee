//! Another program that plays over UCI.

use crate::protocols::process::{Deadline, Process, READY};
use crate::protocols::xiangqi::{Line, Offered, nodes, word_after};
use crate::protocols::{Choice, Fault, Program, Start};

/// A program in one game.
pub struct Player<'a> {
    program: &'a Program,
    process: Process,
    line: Line,
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(program: &'a Program, start: &Start<'_>) -> Result<Self, Fault> {
        let line = Line::begin(program, start)?;
        let mut process = Process::start(&program.command, "\n", "quit")?;
        let ready = Deadline::after(READY);
        let offered = Offered::hear(&mut process, "uci", "option name ", ready)?;
        let threads = program.threads.map(|threads| ("Threads".to_owned(), threads.to_string()));
        let memory = program.budget.memory_mb.map(|mebibytes| ("Hash".to_owned(), mebibytes.to_string()));
        for (name, value) in program.options.iter().chain(&threads).chain(&memory) {
            offered.require(name)?;
            process.send(&format!("setoption name {name} value {value}"))?;
        }
        process.send("ucinewgame")?;
        process.send("isready")?;
        process.receive_until(ready, |line| (line == "readyok").then_some(Ok(())))?;
        Ok(Self { program, process, line })
    }

    /// What it may spend, in the words of `go`.
    fn limits(&self) -> String {
        let budget = &self.program.budget;
        let limits = [("movetime", budget.time_ms), ("nodes", budget.nodes), ("depth", budget.depth)];
        let words = limits.iter().filter_map(|(word, limit)| Some(format!(" {word} {}", (*limit)?)));
        words.collect()
    }

    /// Has the program choose a move after these.
    pub fn choose(&mut self, moves: &[&str]) -> Result<Choice, Fault> {
        let command = self.line.command(moves)?;
        self.process.send(&command)?;
        let deadline = Deadline::after(self.program.lost_after);
        self.process.send(&format!("go{}", self.limits()))?;
        let mut searched = None;
        let mv = self.process.receive_until(deadline, |line| {
            searched = nodes(line).or(searched);
            (line.split_whitespace().next() == Some("bestmove"))
                .then(|| Ok(word_after(line, "bestmove").unwrap_or_default().to_owned()))
        })?;
        Ok(Choice { mv: self.line.read(&mv)?, nodes: searched })
    }
}
