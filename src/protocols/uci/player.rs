//! Another program that plays over UCI.
//!
//! Positions are sent as `startpos` or `fen`, and moves. Programs differ in how they number the ranks of Xiangqi's board, so
//! moves go through a second game whose variant has the program's notation; a move is the same in both when it has the same
//! place among the legal ones.

use tesuji_core::catalog::AnySession;

use crate::protocols::process::{Deadline, Process, READY};
use crate::protocols::{Choice, Fault, Program, Start};

/// A program in one game.
pub struct Player<'a> {
    program: &'a Program,
    process: Process,
    /// The position before the moves, in the words of `position`.
    begin: String,
    translator: Option<Translator>,
    /// The line so far, in the program's notation.
    sent: Vec<String>,
}

/// The same game twice: in the match's notation, and in the program's.
struct Translator {
    ours: Box<dyn AnySession>,
    theirs: Box<dyn AnySession>,
}

impl Translator {
    fn new(program: &Program, start: &Start<'_>) -> Result<Self, Fault> {
        let ours = start.open()?;
        let mut variant = ours.view().variant;
        for (key, value) in &program.notation {
            variant[key.as_str()] = value.clone();
        }
        let theirs = Start { variant: Some(&variant), ..*start }.open()?;
        Ok(Self { ours, theirs })
    }

    /// A move of `from`'s in `to`'s notation.
    fn translate(from: &dyn AnySession, to: &dyn AnySession, mv: &str) -> Result<String, Fault> {
        let illegal = |problem: String| Fault::IllegalMove(problem);
        let mv = from.read_move(mv).map_err(|error| illegal(error.to_string()))?;
        let index = from.legal_moves().iter().position(|legal| *legal == mv);
        let found = index.and_then(|index| to.legal_moves().into_iter().nth(index));
        found.ok_or_else(|| illegal(format!("move `{mv}`: it is not among the legal ones")))
    }

    /// Plays a move of the match, and gives it in the program's notation.
    fn follow(&mut self, mv: &str) -> Result<String, Fault> {
        let translated = Self::translate(&*self.ours, &*self.theirs, mv)?;
        let refuse = |error: tesuji_core::position::IllegalMove| Fault::IllegalMove(error.to_string());
        self.ours.play(mv).map_err(refuse)?;
        self.theirs.play(&translated).map_err(refuse)?;
        Ok(translated)
    }
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(program: &'a Program, start: &Start<'_>) -> Result<Self, Fault> {
        // The start needs no text, in which not all programs call the pieces by the same letters.
        let position = match start.position {
            None => "startpos".to_owned(),
            Some(_) => format!("fen {}", start.open()?.view().text),
        };
        let translator = match program.notation.is_empty() {
            true => None,
            false => Some(Translator::new(program, start)?),
        };
        let mut process = Process::start(&program.command, "\n", "quit")?;
        let ready = Deadline::after(READY);
        process.send("uci")?;
        let mut offered = Vec::new();
        process.receive_until(ready, |line| {
            offered.extend(option_name(line).map(str::to_owned));
            (line == "uciok").then_some(Ok(()))
        })?;
        let threads = program.threads.map(|threads| ("Threads".to_owned(), threads.to_string()));
        let memory = program.budget.memory_mb.map(|mebibytes| ("Hash".to_owned(), mebibytes.to_string()));
        for (name, value) in program.options.iter().chain(&threads).chain(&memory) {
            if !offered.iter().any(|offered| offered.eq_ignore_ascii_case(name)) {
                let offered = offered.join(", ");
                return Err(Fault::Protocol(format!("the program has no option `{name}`: it offers {offered}")));
            }
            process.send(&format!("setoption name {name} value {value}"))?;
        }
        process.send("ucinewgame")?;
        process.send("isready")?;
        process.receive_until(ready, |line| (line == "readyok").then_some(Ok(())))?;
        Ok(Self { program, process, begin: position, translator, sent: Vec::new() })
    }

    /// What it may spend, in the words of `go`.
    fn limits(&self) -> String {
        let budget = &self.program.budget;
        let limits = [("movetime", budget.time_ms), ("nodes", budget.nodes), ("depth", budget.depth)];
        let words = limits.iter().filter_map(|(word, limit)| Some(format!(" {word} {}", (*limit)?)));
        words.collect()
    }

    /// Has the program choose a move after these.
    pub fn choose(&mut self, line: &[&str]) -> Result<Choice, Fault> {
        for &mv in line.iter().skip(self.sent.len()) {
            let mv = match &mut self.translator {
                None => mv.to_owned(),
                Some(translator) => translator.follow(mv)?,
            };
            self.sent.push(mv);
        }
        let moves = if self.sent.is_empty() { "" } else { " moves " };
        self.process.send(&format!("position {}{moves}{}", self.begin, self.sent.join(" ")))?;
        let deadline = Deadline::after(self.program.lost_after);
        self.process.send(&format!("go{}", self.limits()))?;
        let mut nodes = None;
        let mv = self.process.receive_until(deadline, |line| {
            if line.starts_with("info ") {
                nodes = word_after(line, "nodes").and_then(|count| count.parse().ok()).or(nodes);
            }
            (line.split_whitespace().next() == Some("bestmove"))
                .then(|| Ok(word_after(line, "bestmove").unwrap_or_default().to_owned()))
        })?;
        let mv = match &self.translator {
            None => mv,
            Some(Translator { ours, theirs }) => Translator::translate(&**theirs, &**ours, &mv)?,
        };
        Ok(Choice { mv, nodes })
    }
}

/// The name of the option that a line offers.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    Some(rest.split_once(" type ").map_or(rest, |(name, _)| name))
}

/// What a word of a line is followed by.
fn word_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|found| *found == word)?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        assert_eq!(option_name("option name Skill Level type spin default 20"), Some("Skill Level"));
        assert_eq!(option_name("id name Some Engine"), None);
        assert_eq!(word_after("info depth 9 nodes 1234 pv h2e2", "nodes"), Some("1234"));
        assert_eq!(word_after("bestmove", "bestmove"), None);
    }
}
