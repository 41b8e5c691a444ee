//! Another program that plays over the NBoard protocol.
//!
//! The program receives the game once, in GGF, and then each move, including its own: it does not play its moves by itself. A
//! forced pass is not requested, as boards pass by themselves.

use std::time::Duration;

use tesuji_core::catalog::{AnySession, Catalog, Refusal};
use tesuji_core::record::{Clock, Record, RecordedMove};

use super::{GAME, PASS, read_move, write_move};
use crate::protocols::process::{Deadline, Process, READY};
use crate::protocols::{ChosenMove, Fault, Program, Start};

/// The time on both clocks in every game: the protocol requires clocks, and moves are limited by depth.
const CLOCK: Duration = Duration::from_secs(24 * 60 * 60);

/// A program in one game.
pub struct Player<'a> {
    program: &'a Program,
    process: Process,
    /// The position before the moves; `None` for the start position.
    begin: Option<String>,
    /// The position that the program knows.
    session: Box<dyn AnySession>,
    /// The number of texts of the line that it knows; `None` before its first turn.
    known: Option<usize>,
    pings: u32,
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(program: &'a Program, start: &Start<'_>) -> Result<Self, Fault> {
        let session = start.open()?;
        if session.view().variant["size"] != 8 {
            return Err(Fault::Protocol("only 8x8 can be played over the NBoard protocol".to_owned()));
        }
        let mut process = Process::start(&program.command, "\n", "quit")?;
        process.send("nboard 2")?;
        if let Some(depth) = program.budget.depth {
            process.send(&format!("set depth {depth}"))?;
        }
        for (name, value) in &program.options {
            process.send(&format!("set {name} {value}"))?;
        }
        let mut player =
            Self { program, process, begin: start.position.map(str::to_owned), session, known: None, pings: 0 };
        player.synchronize(Deadline::after(READY))?;
        Ok(player)
    }

    /// Waits until the program has read everything.
    fn synchronize(&mut self, deadline: Deadline) -> Result<(), Fault> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.process.send(&format!("ping {}", self.pings))?;
        self.process.receive_until(deadline, |line| (line == pong).then_some(Ok(())))
    }

    /// Sends the program the moves that it does not know.
    fn send(&mut self, line: &[&str]) -> Result<(), Fault> {
        let refuse = |illegal: tesuji_core::position::IllegalMove| Fault::IllegalMove(illegal.to_string());
        let mut moves = Vec::new();
        for text in line.iter().skip(self.known.unwrap_or_default()) {
            moves.extend(self.session.read_moves(text).map_err(refuse)?);
            self.session.play(text).map_err(refuse)?;
        }
        if self.known.replace(line.len()).is_some() {
            return moves.iter().try_for_each(|mv| self.process.send(&format!("move {}", write_move(mv))));
        }
        let clock = Some(Clock { main: CLOCK, ..Clock::default() });
        let record = Record {
            place: Some("Tesuji".to_owned()),
            players: ["Black", "White"].map(|name| Some(name.to_owned())),
            clocks: [clock; 2],
            position: self.begin.clone(),
            moves: moves.into_iter().map(RecordedMove::new).collect(),
            ..Record::default()
        };
        let fault = |refusal: Refusal| Fault::Protocol(refusal.detail);
        let catalog = Catalog::standard();
        let played = catalog.play_record(GAME, None, record).map_err(fault)?;
        let text = catalog.write_record(&played, "ggf").map_err(fault)?;
        self.process.send(&format!("set game {}", text.trim_end()))
    }

    /// Requests a move after these.
    pub fn choose(&mut self, line: &[&str]) -> Result<ChosenMove, Fault> {
        let deadline = Deadline::after(self.program.lost_after);
        self.send(line)?;
        if self.session.legal_moves() == [PASS[0]] {
            return Ok(ChosenMove { mv: PASS[0].to_owned(), nodes: None });
        }
        self.synchronize(deadline)?;
        self.process.send("go")?;
        let mut nodes = None;
        let mv = self.process.receive_until(deadline, |line| {
            if let Some(stats) = line.strip_prefix("nodestats ") {
                let count = stats.split_whitespace().next().and_then(|count| count.parse::<f64>().ok());
                nodes = count.map(|count| count as u64).or(nodes);
            }
            line.strip_prefix("===").map(|answer| Ok(read_answer(answer)))
        })?;
        Ok(ChosenMove { mv, nodes })
    }
}

/// The move of `MOVE/EVALUATION/SECONDS`, also with blanks as separators.
fn read_answer(text: &str) -> String {
    let mv = text.trim().split(|c: char| c == '/' || c.is_whitespace()).next().unwrap_or_default();
    read_move(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_taken_apart() {
        for (text, mv) in [(" F5/1.25/0.3", "f5"), (" d6 -1.00 0.0", "d6"), (" PA", "pass"), ("", "")] {
            assert_eq!(read_answer(text), mv, "{text}");
        }
    }
}
