//! The arguments of `go`: limits, the moves to consider, and when to answer.

use crate::protocols::clock::Clock;
use crate::protocols::xiangqi::Words;

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The time limits.
    pub clock: Clock,
    pub nodes: Option<u64>,
    pub depth: Option<u64>,
    /// Search for a mate in this number of moves.
    pub mate: Option<u64>,
    /// The root moves to consider; all if empty.
    pub search_moves: Vec<String>,
    /// The best move is written only after `stop`.
    pub infinite: bool,
    /// The position is the one after the opponent's expected move; the best move is written after `ponderhit` or `stop`.
    pub ponder: bool,
}

/// All words that can follow `go`; each of them ends the list of `searchmoves`.
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
    /// Reads the words after `go`, and returns the problems found: unknown words and limits without a number are skipped, and
    /// numbers that are too small are raised to the minimum.
    pub fn read(text: &str) -> (Self, Vec<String>) {
        let mut go = Self::default();
        let mut words = Words::new(text, &WORDS);
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let before = go.search_moves.len();
                    while let Some(mv) = words.value() {
                        go.search_moves.push(mv.to_owned());
                    }
                    if go.search_moves.len() == before {
                        words.problems.push("go: expected moves after `searchmoves`".to_owned());
                    }
                }
                _ if !WORDS.contains(&word) => words.report_unknown(word),
                _ => go.limit(word, &mut words),
            }
        }
        (go, words.problems)
    }

    /// Reads the number of a limit.
    fn limit(&mut self, word: &str, words: &mut Words<'_>) {
        let least = u64::from(matches!(word, "movestogo" | "movetime" | "nodes" | "depth" | "mate"));
        let Some(number) = words.number(word, least) else { return };
        let clock = &mut self.clock;
        match word {
            "wtime" => clock.left[0] = Some(number),
            "btime" => clock.left[1] = Some(number),
            "winc" => clock.increment[0] = number,
            "binc" => clock.increment[1] = number,
            "movestogo" => clock.moves = Some(number),
            "movetime" => clock.move_time = Some(number),
            "nodes" => self.nodes = Some(number),
            "depth" => self.depth = Some(number),
            _ => self.mate = Some(number),
        }
    }

    /// The depth limit in plies, with that of a mate clamped to `deepest`: a mate in n moves takes n moves of one side and one
    /// less of the other.
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
        let read = |text| {
            let (go, problems) = Go::read(text);
            assert_eq!(problems, [""; 0], "{text}");
            go
        };
        assert_eq!(read(""), Go::default());
        let go = read("ponder searchmoves h2e2 b2e2 nodes 7 mate 3 depth 9");
        assert_eq!(go.search_moves, ["h2e2", "b2e2"]);
        assert_eq!((go.ponder, go.infinite, go.nodes, go.plies(250)), (true, false, Some(7), Some(5)));
        assert_eq!(read("infinite depth 3 mate 4").plies(250), Some(3));
        assert_eq!(read("mate 1000").plies(250), Some(250));
        assert_eq!(read("movetime 20").clock.move_time, Some(20));
        assert_eq!(read("depth 0 mate -2"), Go { depth: Some(1), mate: Some(1), ..Go::default() });
        for (text, problem) in [
            ("depth", "go: expected a whole number after `depth`, not ``"),
            ("depth x", "go: expected a whole number after `depth`, not `x`"),
            ("searchmoves", "go: expected moves after `searchmoves`"),
            ("h2e2", "go: unknown word `h2e2`"),
        ] {
            assert_eq!(Go::read(text), (Go::default(), vec![problem.to_owned()]));
            let (go, problems) = Go::read(&format!("{text} nodes 3"));
            assert_eq!((go.nodes, problems.len()), (Some(3), 1), "{text}");
        }
    }
}
