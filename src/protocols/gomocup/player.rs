//! Another program that plays over the Gomocup protocol.
//!
//! A point is a column and a row, both from 0, with rows counted from the top. The program receives the whole line once, then
//! one move of its opponent at a time.

use std::time::{Duration, Instant};

use tesuji_core::catalog::BudgetRequest;

use super::RULES;
use crate::protocols::process::{Deadline, Process, READY};
use crate::protocols::{ChosenMove, Fault, Program, Start};

/// The match time that means no limit.
const NO_LIMIT: u64 = i32::MAX as u64;
/// The tolerance beyond a program's time for the game, since the machine may be busy.
const MARGIN: Duration = Duration::from_secs(1);

/// A program in one game.
pub struct Player<'a> {
    program: &'a Program,
    process: Process,
    size: u32,
    /// Its remaining time for the game; `None` if unlimited.
    left: Option<Duration>,
    /// The number of moves of the line that it knows; `None` before its first turn.
    known: Option<usize>,
}

/// The protocol's number for a rule.
fn rule_number(rule: &str) -> Option<u64> {
    RULES.iter().find(|(name, _)| *name == rule).map(|(_, number)| *number)
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(program: &'a Program, start: &Start<'_>) -> Result<Self, Fault> {
        let cannot = |what: &str| Err(Fault::Protocol(format!("the Gomocup protocol does not support {what}")));
        let variant = start.open()?.view().variant;
        let Some(rule) = variant["name"].as_str().and_then(rule_number) else { return cannot("this rule") };
        if variant["opening"] != "free" {
            return cannot("openings in which colours are chosen: expected `free`");
        }
        if start.position.is_some() {
            return cannot("games that begin from a position");
        }
        let size = variant["size"].as_u64().unwrap_or_default() as u32;
        let mut process = Process::start(&program.command, "\r\n", "END")?;
        process.send(&format!("START {size}"))?;
        process.receive_until(Deadline::after(READY), |line| match first_word(line).as_str() {
            "OK" => Some(Ok(())),
            "ERROR" => Some(Err(Fault::Protocol(format!("START {size}: {line}")))),
            _ => None,
        })?;
        // 0 would request the fastest play. Without a time per move, a move has the game's time, or the time after which it
        // loses the game.
        let ms = |time: Duration| time.as_millis() as u64;
        let time = program.budget.time_ms.unwrap_or_else(|| ms(program.clock.unwrap_or(program.lost_after)));
        let memory = program.budget.memory_mb.unwrap_or_default() << 20;
        process.send(&format!("INFO timeout_turn {time}"))?;
        process.send(&format!("INFO timeout_match {}", program.clock.map_or(0, ms)))?;
        process.send(&format!("INFO time_left {}", program.clock.map_or(NO_LIMIT, ms)))?;
        process.send(&format!("INFO max_memory {memory}"))?;
        process.send("INFO game_type 1")?;
        process.send(&format!("INFO rule {rule}"))?;
        let BudgetRequest { nodes, depth, .. } = program.budget;
        let limits = [("max_node", nodes), ("max_depth", depth), ("thread_num", program.threads.map(u64::from))];
        for (key, value) in limits {
            if let Some(value) = value {
                process.send(&format!("INFO {key} {value}"))?;
            }
        }
        for (key, value) in &program.options {
            process.send(&format!("INFO {key} {value}"))?;
        }
        Ok(Self { program, process, size, left: program.clock, known: None })
    }

    /// A move in the protocol's notation.
    fn point(&self, mv: &str) -> Result<String, Fault> {
        let read = || {
            let column = u32::from(mv.bytes().next()?.checked_sub(b'a')?);
            let row = self.size.checked_sub(mv.get(1..)?.parse().ok()?)?;
            Some(format!("{column},{row}"))
        };
        read().ok_or_else(|| Fault::Protocol(format!("the Gomocup protocol cannot express the move `{mv}`")))
    }

    /// A point in the game's notation; `None` if the line is not a point of this board.
    fn read_point(&self, line: &str) -> Option<String> {
        let (column, row) = line.split_once(',')?;
        let column = column.trim().parse::<u8>().ok().filter(|column| u32::from(*column) < self.size)?;
        let row = row.trim().parse::<u32>().ok().filter(|row| *row < self.size)?;
        Some(format!("{}{}", char::from(b'a' + column), self.size - row))
    }

    /// Requests a move after these.
    pub fn choose(&mut self, line: &[&str]) -> Result<ChosenMove, Fault> {
        if let Some(left) = self.left.filter(|_| self.known.is_some()) {
            self.process.send(&format!("INFO time_left {}", left.as_millis()))?;
        }
        let begin = Instant::now();
        let within = self.left.map_or(Duration::MAX, |left| left + MARGIN).min(self.program.lost_after);
        let deadline = Deadline::after(within);
        match (self.known, line) {
            (None, []) => self.process.send("BEGIN")?,
            (Some(known), [.., last]) if known + 1 == line.len() => {
                let point = self.point(last)?;
                self.process.send(&format!("TURN {point}"))?;
            }
            _ => {
                self.process.send("BOARD")?;
                for (index, mv) in line.iter().enumerate() {
                    // 1 is the program's stone, 2 its opponent's; the program is to move.
                    let owner = if (line.len() - index).is_multiple_of(2) { 1 } else { 2 };
                    let point = self.point(mv)?;
                    self.process.send(&format!("{point},{owner}"))?;
                }
                self.process.send("DONE")?;
            }
        }
        let answer = self.process.receive_until(deadline, |line| match first_word(line).as_str() {
            "ERROR" => Some(Err(Fault::Protocol(line.to_owned()))),
            _ => is_answer(line).then(|| Ok(line.to_owned())),
        })?;
        self.left = self.left.map(|left| left.saturating_sub(begin.elapsed()));
        let mv = self.read_point(&answer);
        let mv = mv.ok_or_else(|| Fault::IllegalMove(format!("move `{answer}`: not on the board")))?;
        // The program knows its own move too.
        self.known = Some(line.len() + 1);
        Ok(ChosenMove { mv, nodes: None })
    }
}

/// A line's first word in upper case, since programs differ in case.
fn first_word(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase()
}

/// Whether a line is an answer: two numbers, whether on the board or not.
fn is_answer(line: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i64>().is_ok();
    line.split_once(',').is_some_and(|(column, row)| number(column) && number(row))
}
