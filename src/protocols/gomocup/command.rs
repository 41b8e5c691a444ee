//! A manager's commands: one per line, words separated by blanks, numbers by commas.

/// A point of the board: column and row, both from 0, the row counted from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub column: u32,
    pub row: u32,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.column, self.row)
    }
}

/// The owner of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Own,
    Opponent,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new game on a square board.
    Start(u32),
    /// Begin the game with a move.
    Begin,
    /// The opponent's stone, to be answered by a move.
    Turn(Point),
    /// Stones follow, one per line until `DONE`, to be answered by a move.
    Board,
    /// The stones of a swap2 opening follow, one per line until `DONE`, to be answered by stones or a colour.
    Swap2Board,
    /// A limit, the rule, or other information. Never answered.
    Info {
        key: String,
        value: String,
    },
    /// A new game on the same board.
    Restart,
    /// Remove a stone.
    TakeBack(Point),
    /// A stone of the program, chosen by the manager.
    Play(Point),
    About,
    End,
    /// An empty line.
    Nothing,
}

/// An invalid line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// An unknown command.
    Unknown(String),
    /// A known command with invalid arguments.
    Wrong(String),
}

impl Problem {
    /// The text for the answer.
    pub fn text(self) -> String {
        match self {
            Self::Unknown(text) | Self::Wrong(text) => text,
        }
    }
}

/// Reads a line. Commands are case-insensitive.
pub fn read(line: &str) -> Result<Command, Problem> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    Ok(match word.to_ascii_uppercase().as_str() {
        "" => Command::Nothing,
        "START" => Command::Start(rest.parse().map_err(|_| wrong("START SIZE, SIZE a whole number", rest))?),
        "RECTSTART" => match pair(rest) {
            Some((columns, rows)) if columns == rows => Command::Start(columns),
            Some(_) => {
                return Err(wrong("RECTSTART with as many columns as rows: only square boards are played", rest));
            }
            None => return Err(wrong("RECTSTART COLUMNS,ROWS, whole numbers", rest)),
        },
        "BEGIN" => Command::Begin,
        "TURN" => Command::Turn(read_point(rest)?),
        "BOARD" => Command::Board,
        "SWAP2BOARD" => Command::Swap2Board,
        "INFO" => {
            let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            Command::Info { key: key.to_ascii_lowercase(), value: value.trim().to_owned() }
        }
        "RESTART" => Command::Restart,
        "TAKEBACK" => Command::TakeBack(read_point(rest)?),
        "PLAY" => Command::Play(read_point(rest)?),
        "ABOUT" => Command::About,
        "END" => Command::End,
        _ => return Err(Problem::Unknown(shorten(word).to_owned())),
    })
}

/// Reads a line of a board: column, row and 1 (the program's stone) or 2 (the opponent's).
pub fn read_stone(line: &str) -> Result<(Point, Owner), Problem> {
    let expected = "COLUMN,ROW,OWNER with OWNER 1 (the program's own) or 2 (its opponent's), or DONE";
    let (point, owner) = line.rsplit_once(',').ok_or_else(|| wrong(expected, line))?;
    let owner = match owner.trim() {
        "1" => Owner::Own,
        "2" => Owner::Opponent,
        _ => return Err(wrong(expected, line)),
    };
    let (column, row) = pair(point).ok_or_else(|| wrong(expected, line))?;
    Ok((Point { column, row }, owner))
}

/// Reads a line of two numbers.
pub fn read_point(text: &str) -> Result<Point, Problem> {
    let (column, row) = pair(text).ok_or_else(|| wrong("COLUMN,ROW, whole numbers from 0", text))?;
    Ok(Point { column, row })
}

fn pair(text: &str) -> Option<(u32, u32)> {
    let (first, second) = text.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

fn wrong(expected: &str, found: &str) -> Problem {
    Problem::Wrong(format!("expected {expected}, not `{}`", shorten(found)))
}

/// Shortens a manager's text for an answer: 40 bytes at most, without control characters.
fn shorten(text: &str) -> &str {
    let end = text.char_indices().find(|&(index, letter)| index >= 40 || letter.is_control());
    &text[..end.map_or(text.len(), |(index, _)| index)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_what_is_wrong_is_named() {
        let point = Point { column: 7, row: 0 };
        for (line, command) in [
            ("START 15", Command::Start(15)),
            ("rectstart 20 , 20", Command::Start(20)),
            ("TURN 7,0", Command::Turn(point)),
            (" takeback  7, 0 ", Command::TakeBack(point)),
            ("PLAY 7,0", Command::Play(point)),
            ("Swap2Board", Command::Swap2Board),
            ("", Command::Nothing),
            ("INFO", Command::Info { key: String::new(), value: String::new() }),
            ("INFO Folder C:\\a b", Command::Info { key: "folder".to_owned(), value: "C:\\a b".to_owned() }),
        ] {
            assert_eq!(read(line), Ok(command), "{line}");
        }
        for line in ["START", "START x", "START -1", "TURN 7", "TURN 7,a", "TAKEBACK -1,2", "RECTSTART 15,20", "PLAY"] {
            assert!(matches!(read(line), Err(Problem::Wrong(_))), "{line}");
        }
        assert_eq!(read("YXHASHCLEAR now"), Err(Problem::Unknown("YXHASHCLEAR".to_owned())));
        assert_eq!(read_stone("7,0,1"), Ok((point, Owner::Own)));
        assert_eq!(read_stone("7, 0, 2"), Ok((point, Owner::Opponent)));
        for line in ["7,0,3", "7,0", "7", "", "7,0,1,1"] {
            assert!(read_stone(line).is_err(), "{line}");
        }
    }
}
