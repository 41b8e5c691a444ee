//! The words after `go`: limits, the moves to consider, and whether the answer has to wait.

use crate::protocols::clock::Clock;

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What it says of time.
    pub clock: Clock,
    pub nodes: Option<u64>,
    pub depth: Option<u64>,
    /// A mate in so many moves is looked for.
    pub mate: Option<u64>,
    /// The root moves to consider; all where there are none.
    pub search_moves: Vec<String>,
    /// The best move is written after `stop`, and not before.
    pub infinite: bool,
    /// The position is the one that the opponent is expected to make: the best move is written after `ponderhit` or `stop`.
    pub ponder: bool,
}

/// Everything that may follow `go`; a word of these ends the list of `searchmoves`.
const WORDS: [&str; 12] = [
    "infinite",
    "ponder",
    "searchmoves",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "nodes",
    "depth",
    "mate",
];

impl Go {
    /// Reads the words after `go`.
    ///
    /// # Errors
    /// When a word is not understood, a limit's number is missing or is none, or no move follows `searchmoves`.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut go = Self::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                        go.search_moves.push(mv.to_owned());
                    }
                    if go.search_moves.is_empty() {
                        return Err("go: expected moves after `searchmoves`".to_owned());
                    }
                }
                _ if !WORDS.contains(&word) => return Err(format!("go: `{word}` is not understood")),
                _ => go.limit(word, words.next())?,
            }
        }
        Ok(go)
    }

    /// A word with a number.
    fn limit(&mut self, word: &str, number: Option<&str>) -> Result<(), String> {
        let number = number.and_then(|number| number.parse::<i64>().ok());
        let number = number.ok_or_else(|| format!("go: expected a whole number after `{word}`"))?;
        if word == "mate" && number <= 0 {
            return Err(format!("go: expected a number of moves from 1 after `mate`, not {number}"));
        }
        // A clock that has run out may be negative.
        let number = number.max(0) as u64;
        let clock = &mut self.clock;
        match word {
            "wtime" => clock.left[0] = Some(number),
            "btime" => clock.left[1] = Some(number),
            "winc" => clock.increment[0] = number,
            "binc" => clock.increment[1] = number,
            "movestogo" => clock.moves = Some(number.max(1)),
            "movetime" => clock.move_time = Some(number.max(1)),
            "nodes" => self.nodes = Some(number.max(1)),
            "depth" => self.depth = Some(number.max(1)),
            _ => self.mate = Some(number),
        }
        Ok(())
    }

    /// Plies to search at most, for a search that goes no deeper than `deepest`. A mate in n moves is over after n moves of one
    /// side and n - 1 of the other.
    pub fn plies(&self, deepest: u64) -> Option<u64> {
        let mate = self.mate.map(|moves| (moves.saturating_mul(2) - 1).min(deepest));
        self.depth.into_iter().chain(mate).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_what_is_wrong_is_named() {
        let read = |text| Go::read(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(read(""), Go::default());
        let go = read("ponder searchmoves h2e2 b2e2 nodes 7 mate 3 depth 9");
        assert_eq!(go.search_moves, ["h2e2", "b2e2"]);
        assert_eq!((go.ponder, go.infinite, go.nodes, go.plies(250)), (true, false, Some(7), Some(5)));
        assert_eq!(read("infinite depth 3 mate 4").plies(250), Some(3));
        assert_eq!(read("mate 1000").plies(250), Some(250));
        assert_eq!(read("movetime 20").clock.move_time, Some(20));
        for text in ["depth", "depth x", "mate", "mate 0", "mate -2", "searchmoves", "searchmoves nodes 3", "h2e2"] {
            assert!(Go::read(text).is_err(), "{text}");
        }
    }
}
