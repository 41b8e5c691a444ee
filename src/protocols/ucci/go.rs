//! The words after `go` in UCCI: whether the answer has to wait, an offer of a draw, and one limit.

use crate::protocols::clock::Clock;

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The position is the one that the opponent is expected to make: the best move is written after `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    pub limit: Limit,
}

/// What a search may spend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// It ends by `stop`.
    #[default]
    Infinite,
    Depth(u64),
    Nodes(u64),
    /// Clocks: this side's first, then the opponent's.
    Time(Clock),
}

impl Go {
    /// Reads the words after `go`. Times are in units of so many milliseconds.
    ///
    /// # Errors
    /// When a word is not understood, or a number is missing or is none.
    pub fn read(text: &str, unit: u64) -> Result<Self, String> {
        let mut go = Self::default();
        let mut words = text.split_whitespace();
        let mut word = words.next();
        while let Some(flag @ ("ponder" | "draw")) = word {
            match flag {
                "ponder" => go.ponder = true,
                _ => go.draw = true,
            }
            word = words.next();
        }
        let number = |word: &str, text: Option<&str>| {
            let number = text.and_then(|text| text.parse::<i64>().ok());
            // A clock that has run out may be negative.
            number
                .map(|number| number.max(0) as u64)
                .ok_or_else(|| format!("go: expected a whole number after `{word}`"))
        };
        go.limit = match word {
            None | Some("infinite") => Limit::Infinite,
            Some("depth") => match words.next() {
                Some("infinite") => Limit::Infinite,
                text => Limit::Depth(number("depth", text)?.max(1)),
            },
            Some("nodes") => Limit::Nodes(number("nodes", words.next())?.max(1)),
            Some("time") => {
                let mut clock = Clock { left: [Some(unit * number("time", words.next())?), None], ..Clock::default() };
                while let Some(word) = words.next() {
                    let value = number(word, words.next())?;
                    match word {
                        "movestogo" => clock.moves = Some(value.max(1)),
                        "increment" => clock.increment[0] = unit * value,
                        "opptime" => clock.left[1] = Some(unit * value),
                        // What the opponent's clock does makes no difference to this side's move.
                        "oppmovestogo" => {}
                        "oppincrement" => clock.increment[1] = unit * value,
                        _ => return Err(format!("go: `{word}` is not understood")),
                    }
                }
                Limit::Time(clock)
            }
            Some(word) => return Err(format!("go: `{word}` is not understood")),
        };
        match words.next() {
            Some(word) => Err(format!("go: `{word}` is not understood: expected one limit")),
            None => Ok(go),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_what_is_wrong_is_named() {
        let read = |text| Go::read(text, 1000).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(read(""), Go::default());
        assert_eq!(read("ponder draw depth 9"), Go { ponder: true, draw: true, limit: Limit::Depth(9) });
        assert_eq!(read("depth infinite"), Go::default());
        assert_eq!(read("draw nodes 700"), Go { ponder: false, draw: true, limit: Limit::Nodes(700) });
        let Limit::Time(clock) = read("time 60 increment 2 opptime 50 oppincrement 2").limit else { panic!("a clock") };
        assert_eq!((clock.left, clock.increment), ([Some(60_000), Some(50_000)], [2000, 2000]));
        let Limit::Time(clock) = read("time 60 movestogo 9").limit else { panic!("a clock") };
        assert_eq!((clock.left, clock.moves), ([Some(60_000), None], Some(9)));
        for (text, problem) in [
            ("depth", "go: expected a whole number after `depth`"),
            ("time soon", "go: expected a whole number after `time`"),
            ("time 5 movestogo", "go: expected a whole number after `movestogo`"),
            ("time 5 wtime 6", "go: `wtime` is not understood"),
            ("nodes 5 depth 3", "go: `depth` is not understood: expected one limit"),
            ("quickly", "go: `quickly` is not understood"),
        ] {
            assert_eq!(Go::read(text, 1), Err(problem.to_owned()));
        }
    }
}
