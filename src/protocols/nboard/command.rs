//! A board's commands, one per line.

use tesuji_core::position::shorten;
use tesuji_core::record::RecordedMove;

use super::read_move;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The protocol's version.
    Version(u32),
    /// The maximum depth of a search, in plies.
    Depth(u64),
    /// The value of draws in an opening book, from Black's view.
    Contempt(f64),
    /// A game in GGF; later commands are about the position at its end.
    Game(String),
    /// A move was played.
    Move(RecordedMove),
    /// Evaluate this number of moves.
    Hint(u32),
    /// Choose a move.
    Go,
    /// End all searches and return the number.
    Ping(i64),
    /// Learn the game.
    Learn,
    /// Evaluate all positions of the game.
    Analyze,
    Quit,
    /// An unknown command, ignored as the protocol requires.
    Unknown,
}

/// Reads a line. In version 1 of the protocol, a line can be a move alone.
///
/// # Errors
/// When a known command has invalid arguments.
pub fn read(line: &str, version: u32) -> Result<Command, String> {
    let (word, rest) = split(line);
    Ok(match word {
        "nboard" => Command::Version(number(word, rest, "the protocol's version, 1 or 2")?),
        "set" => return read_setting(rest),
        "move" => Command::Move(read_played(rest)?),
        "hint" => {
            let expected = "a number of moves from 1";
            let count = number(word, rest, expected)?;
            if count == 0 {
                return Err(wrong(word, rest, expected));
            }
            Command::Hint(count)
        }
        "go" => Command::Go,
        "ping" => Command::Ping(number(word, rest, "a whole number")?),
        "learn" => Command::Learn,
        "analyze" => Command::Analyze,
        "quit" => Command::Quit,
        _ if version == 1 && rest.is_empty() && is_move(word) => Command::Move(RecordedMove::new(read_move(word))),
        _ => Command::Unknown,
    })
}

/// Whether a line is a `move` command, valid or not.
pub fn is_move_played(line: &str) -> bool {
    split(line).0 == "move"
}

/// A line's first word, and the rest.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

fn read_setting(text: &str) -> Result<Command, String> {
    let (name, value) = split(text);
    Ok(match name {
        "depth" => match number("set depth", value, "a number of plies from 1")? {
            0 => return Err(wrong("set depth", value, "a number of plies from 1")),
            depth => Command::Depth(depth),
        },
        "contempt" => Command::Contempt(number("set contempt", value, "a number of discs")?),
        "game" => Command::Game(value.to_owned()),
        _ => Command::Unknown,
    })
}

/// `MOVE/EVALUATION/SECONDS`, of which the last two can be empty or absent.
fn read_played(text: &str) -> Result<RecordedMove, String> {
    let mut parts = text.split('/').map(str::trim);
    let mv = parts.next().filter(|mv| is_move(mv));
    let mut next = || match parts.next() {
        None | Some("") => Some(None),
        Some(text) => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Some),
    };
    let read = mv.zip(next().zip(next())).filter(|_| parts.next().is_none());
    let (mv, (margin, seconds)) =
        read.ok_or_else(|| wrong("move", text, "MOVE/EVALUATION/SECONDS, like F5/1.50/0.2"))?;
    Ok(RecordedMove { margin, seconds, ..RecordedMove::new(read_move(mv)) })
}

/// Whether a word is a square or a pass.
fn is_move(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word == "pa" || word == "pass" || matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

fn number<T: std::str::FromStr>(command: &str, text: &str, expected: &str) -> Result<T, String> {
    text.parse().map_err(|_| wrong(command, text, expected))
}

fn wrong(command: &str, found: &str, expected: &str) -> String {
    format!("{command}: expected {expected}, not `{}`", shorten(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_what_is_wrong_is_named() {
        let played =
            |mv: &str, margin, seconds| Command::Move(RecordedMove { margin, seconds, ..RecordedMove::new(mv) });
        for (line, command) in [
            ("nboard 2", Command::Version(2)),
            (" set  depth 12 ", Command::Depth(12)),
            ("set contempt -100", Command::Contempt(-100.0)),
            ("set game (;GM[Othello];)", Command::Game("(;GM[Othello];)".to_owned())),
            ("set colour red", Command::Unknown),
            ("move F5", played("f5", None, None)),
            ("move pass", played("pass", None, None)),
            ("move PA/-2.5", played("pass", Some(-2.5), None)),
            ("move d3//1.25", played("d3", None, Some(1.25))),
            ("hint 3", Command::Hint(3)),
            ("go", Command::Go),
            ("ping -7", Command::Ping(-7)),
            ("F5", Command::Unknown),
            ("", Command::Unknown),
            ("remove_tree 3", Command::Unknown),
        ] {
            assert_eq!(read(line, 2), Ok(command), "{line}");
        }
        assert_eq!(read("F5", 1), Ok(played("f5", None, None)));
        assert_eq!(read("PA", 1), Ok(played("pass", None, None)));
        assert_eq!(read("go", 1), Ok(Command::Go));
        for line in [
            "nboard",
            "nboard x",
            "set depth",
            "set depth 0",
            "set depth -1",
            "set contempt x",
            "hint",
            "hint 0",
            "ping",
            "ping x",
            "move",
            "move /1",
            "move f5d6",
            "move i1",
            "move f5/x",
            "move f5/1/2/3",
            "move f5/nan",
        ] {
            assert!(read(line, 2).is_err(), "{line}");
        }
    }
}
