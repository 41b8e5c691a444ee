//! The words after `go`. Unknown words are skipped and reported, since the command is answered in any case.

use std::iter::Peekable;
use std::str::SplitWhitespace;

/// The largest number that is read: beyond every limit, and far from overflow in any unit of time.
const LARGEST: u64 = 1_000_000_000_000_000;

/// The words after `go`, and the problems found.
pub struct Words<'a> {
    rest: Peekable<SplitWhitespace<'a>>,
    /// The protocol's keywords, which cannot be values.
    known: &'a [&'a str],
    /// A sentence for each problem.
    pub problems: Vec<String>,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str, known: &'a [&'a str]) -> Self {
        Self { rest: text.split_whitespace().peekable(), known, problems: Vec::new() }
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a str> {
        self.rest.next()
    }

    /// The next word, unless it is a keyword.
    pub fn value(&mut self) -> Option<&'a str> {
        let known = self.known;
        self.rest.next_if(|word| !known.contains(word))
    }

    /// Takes the next word if it is this one, and returns whether it was.
    pub fn next_is(&mut self, word: &str) -> bool {
        self.rest.next_if_eq(&word).is_some()
    }

    /// The whole number after a word; a smaller one counts as `least`.
    pub fn number(&mut self, word: &str, least: u64) -> Option<u64> {
        let text = self.value().unwrap_or_default();
        let number = read_number(text);
        if number.is_none() {
            self.problems.push(format!("go: expected a whole number after `{word}`, not `{text}`"));
        }
        number.map(|number| number.max(least))
    }

    /// Reports an unknown word.
    pub fn report_unknown(&mut self, word: &str) {
        self.problems.push(format!("go: unknown word `{word}`"));
    }
}

/// Reads a whole number of any size. Negative ones, from overrun clocks, count as 0.
fn read_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(LARGEST).min(LARGEST) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_are_read() {
        for (text, number) in [
            ("0", Some(0)),
            ("+7", Some(7)),
            ("-7", Some(0)),
            ("99999999999999999999999", Some(LARGEST)),
            ("-99999999999999999999999", Some(0)),
            ("", None),
            ("-", None),
            ("1.5", None),
            ("7x", None),
        ] {
            assert_eq!(read_number(text), number, "{text}");
        }
    }
}
