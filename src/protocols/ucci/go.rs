//! The arguments of `go` in UCCI: pondering, a draw offer, and one limit.

use crate::protocols::clock::Clock;
use crate::protocols::xiangqi::Words;

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The position is the one after the opponent's expected move; the best move is written after `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    pub limit: Limit,
}

/// The limit of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// No limit: `stop` ends the search.
    #[default]
    Infinite,
    /// A limit that was not understood.
    Unknown,
    Depth(u64),
    Nodes(u64),
    /// Clocks: this side's first, then the opponent's.
    Time(Clock),
}

/// All words that can follow `go`.
const WORDS: [&str; 11] = [
    "ponder",
    "draw",
    "infinite",
    "depth",
    "nodes",
    "time",
    "movestogo",
    "increment",
    "opptime",
    "oppmovestogo",
    "oppincrement",
];

impl Go {
    /// Reads the words after `go`, and returns the problems found: unknown words, limits without a number and second limits are
    /// skipped. `unit` is the unit of times, in milliseconds.
    pub fn read(text: &str, unit: u64) -> (Self, Vec<String>) {
        let (mut ponder, mut draw, mut limit) = (false, false, None);
        let (mut clock, mut words) = (Clock::default(), Words::new(text, &WORDS));
        while let Some(word) = words.next() {
            let found = match word {
                "ponder" => {
                    ponder = true;
                    continue;
                }
                "draw" => {
                    draw = true;
                    continue;
                }
                "infinite" => Some(Limit::Infinite),
                "depth" if words.next_is("infinite") => Some(Limit::Infinite),
                "depth" => words.number(word, 1).map(Limit::Depth),
                "nodes" => words.number(word, 1).map(Limit::Nodes),
                "time" => words.number(word, 0).map(|time| {
                    clock.left[0] = Some(unit * time);
                    Limit::Time(Clock::default())
                }),
                _ if WORDS.contains(&word) => {
                    match (word, words.number(word, 0)) {
                        ("movestogo", Some(moves)) => clock.moves = Some(moves.max(1)),
                        ("increment", Some(time)) => clock.increment[0] = unit * time,
                        ("opptime", Some(time)) => clock.left[1] = Some(unit * time),
                        ("oppincrement", Some(time)) => clock.increment[1] = unit * time,
                        // The opponent's number of moves does not affect this side.
                        _ => {}
                    }
                    continue;
                }
                _ => {
                    words.report_unknown(word);
                    continue;
                }
            };
            match (&limit, found) {
                (None, found) => limit = found,
                (Some(_), Some(_)) => words.problems.push(format!("go: expected one limit, ignored `{word}`")),
                (Some(_), None) => {}
            }
        }
        let limit = match limit {
            Some(Limit::Time(_)) => Limit::Time(clock),
            Some(limit) => limit,
            None if words.problems.is_empty() && clock == Clock::default() => Limit::Infinite,
            None => Limit::Unknown,
        };
        (Self { ponder, draw, limit }, words.problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_what_is_wrong_is_named() {
        let read = |text| {
            let (go, problems) = Go::read(text, 1000);
            assert_eq!(problems, [""; 0], "{text}");
            go
        };
        assert_eq!(read(""), Go::default());
        assert_eq!(read("ponder draw depth 9"), Go { ponder: true, draw: true, limit: Limit::Depth(9) });
        assert_eq!(read("depth infinite"), Go::default());
        assert_eq!(read("draw nodes 700"), Go { ponder: false, draw: true, limit: Limit::Nodes(700) });
        let Limit::Time(clock) = read("time 60 increment 2 opptime 50 oppincrement 2").limit else { panic!("a clock") };
        assert_eq!((clock.left, clock.increment), ([Some(60_000), Some(50_000)], [2000, 2000]));
        let Limit::Time(clock) = read("time 60 movestogo 9").limit else { panic!("a clock") };
        assert_eq!((clock.left, clock.moves), ([Some(60_000), None], Some(9)));
        let Limit::Time(clock) = Go::read("time 5 movestogo wtime 6", 1).0.limit else { panic!("a clock") };
        assert_eq!((clock.left, clock.moves), ([Some(5), None], None));
        for (text, limit, problems) in [
            ("depth", Limit::Unknown, &["go: expected a whole number after `depth`, not ``"][..]),
            ("time soon", Limit::Unknown, &["go: expected a whole number after `time`, not `soon`"]),
            ("increment 5", Limit::Unknown, &[]),
            ("depth 3 foo", Limit::Depth(3), &["go: unknown word `foo`"]),
            ("nodes 5 depth 3", Limit::Nodes(5), &["go: expected one limit, ignored `depth`"]),
            ("quickly infinite", Limit::Infinite, &["go: unknown word `quickly`"]),
        ] {
            let (go, found) = Go::read(text, 1);
            assert_eq!((go.limit, found), (limit, problems.iter().map(ToString::to_string).collect()), "{text}");
        }
    }
}
