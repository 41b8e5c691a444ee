//! Another program's game: the line of moves in its notation.
//!
//! Programs differ in how they number the ranks of the board, so moves go through a second game whose variant has the program's
//! notation; two moves are the same if they have the same index among the legal moves.

use tesuji_core::catalog::AnySession;
use tesuji_core::position::IllegalMove;

use crate::protocols::{Fault, Program, Start};

/// A game's moves, as sent to a program.
pub struct Line {
    /// The position before the moves, as an argument of `position`.
    begin: String,
    /// The game in the match's notation, and in the program's.
    ours: Box<dyn AnySession>,
    theirs: Box<dyn AnySession>,
    /// The line so far, in the program's notation.
    sent: Vec<String>,
}

/// Translates a move from the notation of `from` to that of `to`.
fn translate(from: &dyn AnySession, to: &dyn AnySession, mv: &str) -> Result<String, Fault> {
    let illegal = |problem: String| Fault::IllegalMove(problem);
    let mv = from.read_move(mv).map_err(|error| illegal(error.to_string()))?;
    let index = from.legal_moves().iter().position(|legal| *legal == mv);
    let found = index.and_then(|index| to.legal_moves().into_iter().nth(index));
    found.ok_or_else(|| illegal(format!("move `{mv}`: not a legal move")))
}

impl Line {
    /// A game without moves.
    pub fn begin(program: &Program, start: &Start<'_>) -> Result<Self, Fault> {
        // The start position is not sent as a FEN, since programs differ in the letters of pieces.
        let begin = match start.position {
            None => "startpos".to_owned(),
            Some(_) => format!("fen {}", start.open()?.view().text),
        };
        let ours = start.open()?;
        let mut variant = ours.view().variant;
        for (key, value) in &program.notation {
            variant[key.as_str()] = value.clone();
        }
        let theirs = Start { variant: Some(&variant), ..*start }.open()?;
        Ok(Self { begin, ours, theirs, sent: Vec::new() })
    }

    /// Plays the game's new moves, and returns the command that sends the whole line to the program.
    pub fn command(&mut self, line: &[&str]) -> Result<String, Fault> {
        for &mv in line.iter().skip(self.sent.len()) {
            let translated = translate(&*self.ours, &*self.theirs, mv)?;
            let refuse = |error: IllegalMove| Fault::IllegalMove(error.to_string());
            self.ours.play(mv).map_err(refuse)?;
            self.theirs.play(&translated).map_err(refuse)?;
            self.sent.push(translated);
        }
        let moves = if self.sent.is_empty() { "" } else { " moves " };
        Ok(format!("position {}{moves}{}", self.begin, self.sent.join(" ")))
    }

    /// The command for the same position without its history.
    pub fn without_history(&self) -> String {
        let text = self.theirs.view().text;
        let words: Vec<&str> = text.split(' ').take(2).collect();
        format!("position fen {} - - 0 1", words.join(" "))
    }

    /// A program's move in the match's notation.
    pub fn read(&self, mv: &str) -> Result<String, Fault> {
        translate(&*self.theirs, &*self.ours, mv)
    }
}

/// The word after `word` in a line.
pub fn word_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|found| *found == word)?;
    words.next()
}

/// The number of nodes in an `info` line.
pub fn nodes(line: &str) -> Option<u64> {
    let information = line.starts_with("info ").then(|| word_after(line, "nodes"));
    information.flatten().and_then(|count| count.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        assert_eq!(nodes("info depth 9 nodes 1234 pv h2e2"), Some(1234));
        assert_eq!(nodes("bestmove h2e2 nodes 7"), None);
        assert_eq!(word_after("bestmove", "bestmove"), None);
    }
}
