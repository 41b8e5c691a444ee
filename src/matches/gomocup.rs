//! Programs that speak the protocol of the Gomocup tournaments (Lastovicka's "Gomoku AI protocol").
//!
//! Points are two numbers from 0, column and row; rows are counted from the top. The program hears the whole line once, then
//! one move of its opponent's at a time.

use super::contestant::{self, Choice, Fault, Program};
use super::game::Table;
use super::process::{Deadline, Process, READY};

/// What a time limit of a whole match is when there is none.
const NO_LIMIT: i32 = i32::MAX;

/// A program in one game.
pub(super) struct Player<'a> {
    program: &'a Program,
    process: Process,
    size: u32,
    /// How many moves of the line it knows; none before its first turn.
    known: Option<usize>,
}

/// The protocol's number for a rule.
fn rule_number(rule: &str) -> Option<u32> {
    match rule {
        "freestyle" => Some(0),
        "standard" => Some(1),
        "renju" => Some(4),
        "caro" => Some(8),
        _ => None,
    }
}

impl<'a> Player<'a> {
    /// Starts the program and makes it ready for a game.
    pub fn start(program: &'a Program, table: &Table<'_>) -> Result<Self, Fault> {
        let cannot = |what: &str| Err(Fault::Protocol(format!("the Gomocup protocol knows no {what}")));
        let variant = table.session.view().variant;
        let Some(rule) = variant["name"].as_str().and_then(rule_number) else { return cannot("such rule") };
        if variant["opening"] != "free" {
            return cannot("opening where colours are chosen: expected `free`");
        }
        if table.opening.position.is_some() {
            return cannot("positions but those that moves lead to");
        }
        let size = variant["size"].as_u64().unwrap_or_default() as u32;
        let mut process = Process::start(&program.command, "\r\n", "END")?;
        process.say(&format!("START {size}"))?;
        process.hear_until(Deadline::after(READY), |line| match first_word(line).as_str() {
            "OK" => Some(Ok(())),
            "ERROR" => Some(Err(Fault::Protocol(format!("START {size}: {line}")))),
            _ => None,
        })?;
        let time = program.budget.time_ms.unwrap_or_default();
        let memory = program.budget.memory_mb.unwrap_or_default() << 20;
        process.say(&format!("INFO timeout_turn {time}"))?;
        process.say("INFO timeout_match 0")?;
        process.say(&format!("INFO time_left {NO_LIMIT}"))?;
        process.say(&format!("INFO max_memory {memory}"))?;
        process.say("INFO game_type 1")?;
        process.say(&format!("INFO rule {rule}"))?;
        let threads = program.threads.map(|threads| ("thread_num".to_owned(), threads.to_string()));
        for (key, value) in threads.iter().chain(&program.options) {
            process.say(&format!("INFO {key} {value}"))?;
        }
        Ok(Self { program, process, size, known: None })
    }

    /// A point in the protocol's words.
    fn point(&self, mv: &str) -> Result<String, Fault> {
        let read = || {
            let column = u32::from(mv.bytes().next()?.checked_sub(b'a')?);
            let row = self.size.checked_sub(mv.get(1..)?.parse().ok()?)?;
            Some(format!("{column},{row}"))
        };
        read().ok_or_else(|| Fault::Protocol(format!("the Gomocup protocol has no move `{mv}`")))
    }

    /// A point of the protocol's in the game's words; none when the line is no point of this board.
    fn read_point(&self, line: &str) -> Option<String> {
        let (column, row) = line.split_once(',')?;
        let column = column.trim().parse::<u8>().ok().filter(|column| u32::from(*column) < self.size)?;
        let row = row.trim().parse::<u32>().ok().filter(|row| *row < self.size)?;
        Some(format!("{}{}", char::from(b'a' + column), self.size - row))
    }
}

/// A line's first word, in capitals: programs may write it either way.
fn first_word(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase()
}

/// Whether a line is an answer: two numbers, be they a point or not.
fn is_answer(line: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i64>().is_ok();
    line.split_once(',').is_some_and(|(column, row)| number(column) && number(row))
}

impl contestant::Player for Player<'_> {
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, Fault> {
        let deadline = Deadline::after(self.program.lost_after);
        let line: Vec<&str> = table.line().collect();
        match (self.known, line.as_slice()) {
            (None, []) => self.process.say("BEGIN")?,
            (Some(known), [.., last]) if known + 1 == line.len() => {
                let point = self.point(last)?;
                self.process.say(&format!("TURN {point}"))?;
            }
            _ => {
                self.process.say("BOARD")?;
                for (index, mv) in line.iter().enumerate() {
                    // 1 is a stone of the program's own, 2 one of its opponent's; it is the program's turn now.
                    let owner = if (line.len() - index).is_multiple_of(2) { 1 } else { 2 };
                    let point = self.point(mv)?;
                    self.process.say(&format!("{point},{owner}"))?;
                }
                self.process.say("DONE")?;
            }
        }
        let answer = self.process.hear_until(deadline, |line| match first_word(line).as_str() {
            "ERROR" => Some(Err(Fault::Protocol(line.to_owned()))),
            _ => is_answer(line).then(|| Ok(line.to_owned())),
        })?;
        let mv = self.read_point(&answer);
        let mv = mv.ok_or_else(|| Fault::IllegalMove(format!("move `{answer}`: it is not on the board")))?;
        // The program knows its own move too.
        self.known = Some(line.len() + 1);
        Ok(Choice { mv, nodes: None })
    }
}
