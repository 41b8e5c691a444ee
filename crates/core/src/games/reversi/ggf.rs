//! One game of Othello in GGF, the Generic Game Format (Buro): what servers keep, and programs tell each other over NBoard.
//!
//! A game is a list of properties, `NAME[value]`, between `(;` and `;)`. Of those that are not read here, none changes a
//! position or a move. A value holds any character but `]`, for which there is no escape.

mod clock;

use super::{Reversi, ReversiVariant, Square};
use crate::games::Game;
use crate::notation::Malformed;
use crate::position::{Position, Side, shorten};
use crate::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};

/// Whether a text is meant to be one; archives put the number of games before them.
fn body(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = &text[..text.len() - rest.len()];
    Some((count, rest.trim_start().strip_prefix("(;")?))
}

/// Reads a game; `None` when the text is in another format.
pub fn read(text: &str) -> Option<Result<Record, Malformed>> {
    let (count, body) = body(text)?;
    Some(match count {
        "" | "1" => read_body(body),
        _ => Err(Malformed::new(format!("{} games: expected one", shorten(count)))),
    })
}

/// What the properties say, before the moves are played.
#[derive(Default)]
struct Properties<'a> {
    game: Option<&'a str>,
    kind: Option<&'a str>,
    board: Option<&'a str>,
    both_clocks: Option<Clock>,
    record: Record,
    moves: Vec<(Side, &'a str)>,
}

fn read_body(body: &str) -> Result<Record, Malformed> {
    let mut properties = Properties::default();
    let mut rest = body.trim_start();
    while !rest.starts_with(";)") {
        let (name, value, after) = property(rest)?;
        properties.take(name, value)?;
        rest = after.trim_start();
    }
    if !rest[2..].trim().is_empty() {
        return Err(Malformed::new(format!("`{}` after `;)`: expected one game", shorten(rest[2..].trim()))));
    }
    properties.finish()
}

/// The next property: its name, its value, and what follows.
fn property(rest: &str) -> Result<(&str, &str, &str), Malformed> {
    let after_name = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let name = &rest[..rest.len() - after_name.len()];
    let value = after_name.strip_prefix('[').filter(|_| !name.is_empty());
    let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{}`", shorten(rest)) };
    let value =
        value.ok_or_else(|| Malformed::new(format!("{found}: expected a property like `PB[name]`, or `;)`")))?;
    let (value, after) = value
        .split_once(']')
        .ok_or_else(|| Malformed::new(format!("`{}`: expected `]` after the value", shorten(rest))))?;
    Ok((name, value, after))
}

fn wrong(name: &str, value: &str, expected: &str) -> Malformed {
    Malformed::new(format!("{name}[{}]: {expected}", shorten(value)))
}

/// A number as records have it; a NaN or an infinity is none.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Keeps a value that no other property has given.
fn once<T>(place: &mut Option<T>, name: &str, value: &str, read: T) -> Result<(), Malformed> {
    match place.replace(read) {
        None => Ok(()),
        Some(_) => Err(wrong(name, value, "expected this property once")),
    }
}

impl<'a> Properties<'a> {
    fn take(&mut self, name: &str, value: &'a str) -> Result<(), Malformed> {
        let record = &mut self.record;
        match name {
            "GM" => once(&mut self.game, name, value, value),
            "TY" => once(&mut self.kind, name, value, value),
            "BO" => once(&mut self.board, name, value, value),
            "PC" => once(&mut record.place, name, value, value.to_owned()),
            "DT" => once(&mut record.date, name, value, value.to_owned()),
            "PB" => once(&mut record.players[0], name, value, value.to_owned()),
            "PW" => once(&mut record.players[1], name, value, value.to_owned()),
            "RB" | "RW" => {
                let rating = number(value).ok_or_else(|| wrong(name, value, "expected a rating, a number"))?;
                once(&mut record.ratings[usize::from(name == "RW")], name, value, rating)
            }
            "TI" | "TB" | "TW" => {
                let clock = clock::read(value).ok_or_else(|| wrong(name, value, clock::EXPECTED))?;
                let [black, white] = &mut record.clocks;
                let place = match name {
                    "TI" => &mut self.both_clocks,
                    "TB" => black,
                    _ => white,
                };
                once(place, name, value, clock)
            }
            "RE" if matches!(value.trim(), "" | "?") => Ok(()),
            "RE" => once(&mut record.result, name, value, read_result(value)?),
            "B" | "W" => {
                self.moves.push((if name == "B" { Side::First } else { Side::Second }, value));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<Record, Malformed> {
        let missing = |what: &str| Malformed::new(format!("no {what}"));
        let game = self.game.ok_or_else(|| missing("GM: expected `GM[Othello]`"))?;
        if !["othello", "reversi"].contains(&game.trim().to_ascii_lowercase().as_str()) {
            return Err(wrong("GM", game, "expected `Othello`"));
        }
        if let Some(kind) = self.kind {
            check_kind(kind)?;
        }
        let board = self.board.ok_or_else(|| missing("BO: expected the board before the first move"))?;
        let mut position = read_board(board)?;
        let mut record = self.record;
        if position != Reversi::start(&ReversiVariant::default()) {
            record.position = Some(position.to_string());
        }
        record.clocks = record.clocks.map(|clock| clock.or(self.both_clocks));
        for (side, text) in self.moves {
            record.moves.extend(read_move(&mut position, side, text)?);
        }
        Ok(record)
    }
}

/// The type of the game: `8`, where the size may be followed by rules of komi (`k`) and random openings (`r18`), and preceded
/// by that of pairs of games (`s`). These change the players' choices, but neither the board nor the moves.
fn check_kind(value: &str) -> Result<(), Malformed> {
    let kind = value.trim().trim_start_matches('s');
    let rest = kind.trim_start_matches(|c: char| c.is_ascii_digit());
    match &kind[..kind.len() - rest.len()] {
        "8" if rest.contains('a') => {
            Err(wrong("TY", value, "expected a game that more discs win, not anti-Othello (`a`)"))
        }
        "8" => Ok(()),
        _ => Err(wrong("TY", value, "expected a board of size 8, like `8`")),
    }
}

/// `8`, 64 squares row by row, and the side to move. Blanks may stand anywhere between.
fn read_board(value: &str) -> Result<Reversi, Malformed> {
    let expected =
        "expected `8`, 64 squares from a1 to h8 (`*` black, `O` white, `-` empty) and the side to move (`*` or `O`)";
    let mut words = value.split_whitespace();
    let size = words.next();
    let mut letters: Vec<char> = words.flat_map(str::chars).collect();
    let side = letters.pop();
    if size != Some("8") || letters.len() != 64 {
        return Err(wrong("BO", value, expected));
    }
    let mut text = String::with_capacity(66);
    for letter in letters.into_iter().chain([' ']).chain(side) {
        text.push(match letter {
            '*' => 'X',
            'O' | '-' | ' ' => letter,
            _ => return Err(wrong("BO", value, expected)),
        });
    }
    Reversi::parse(&ReversiVariant::default(), &text).map_err(|_| wrong("BO", value, expected))
}

/// `MOVE/EVALUATION/SECONDS`, of which the last two may be empty or absent: the move, and before it a pass that the record
/// leaves out.
fn read_move(position: &mut Reversi, side: Side, value: &str) -> Result<Vec<RecordedMove>, Malformed> {
    let name = if side == Side::First { "B" } else { "W" };
    let refuse = |problem: &str| wrong(name, value, problem);
    let mut parts = value.split('/').map(str::trim);
    let [mv, margin, seconds] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let read = |text: &str| match text {
        "" => Ok(None),
        _ => number(text).map(Some).ok_or_else(|| refuse("expected `MOVE/EVALUATION/SECONDS`, the last two numbers")),
    };
    let (margin, seconds) = (read(margin)?, read(seconds)?);
    if parts.next().is_some() {
        return Err(refuse("expected `MOVE/EVALUATION/SECONDS`, and no more"));
    }
    let mut played = Vec::new();
    if side != position.turn() && position.moves().eq([Square::PASS]) {
        position.play(Square::PASS);
        played.push(RecordedMove::new(Square::PASS.to_string()));
    }
    if side != position.turn() {
        let mover = if side == Side::First { "White" } else { "Black" };
        return Err(refuse(&format!("{mover} is to move: expected a move of {mover}")));
    }
    let is_pass = ["pa", "pass"].contains(&mv.to_ascii_lowercase().as_str());
    let mv = position.parse_move(if is_pass { "pass" } else { mv }).map_err(|illegal| refuse(&illegal.problem))?;
    position.play(mv);
    played.push(RecordedMove { mv: mv.to_string(), margin, seconds });
    Ok(played)
}

/// Black's margin, and how the game ended early.
fn read_result(value: &str) -> Result<RecordedResult, Malformed> {
    let refuse = || {
        wrong("RE", value, "expected Black's margin like `+6.00`, with `:r`, `:t` or `:s` where it ended early, or `?`")
    };
    let (margin, flag) = value.split_once(':').map_or((value, None), |(margin, flag)| (margin, Some(flag.trim())));
    let early = match flag {
        None => None,
        Some("r") => Some(EarlyEnd::Resigned),
        Some("t") => Some(EarlyEnd::Timeout),
        Some("s") => Some(EarlyEnd::Agreed),
        Some(_) => return Err(refuse()),
    };
    Ok(RecordedResult { margin: number(margin).ok_or_else(refuse)?, early })
}

/// Writes a game. A text has no `]` and no line breaks afterwards.
///
/// # Errors
/// When the position or a move is none.
pub fn write(record: &Record) -> Result<String, Malformed> {
    let variant = ReversiVariant::default();
    let mut position = match &record.position {
        None => Reversi::start(&variant),
        Some(text) => Reversi::parse(&variant, text)?,
    };
    let mut out = String::from("(;GM[Othello]");
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let safe = |c: char| match c {
                ']' => ')',
                c if c.is_control() => ' ',
                c => c,
            };
            out.extend([name, "["]);
            out.extend(value.chars().map(safe));
            out.push(']');
        }
    };
    let [[black, white], [black_rating, white_rating]] =
        [record.players.clone(), record.ratings.map(|r| r.map(decimal))];
    let fields = [("PC", &record.place), ("DT", &record.date)].map(|(name, value)| (name, value.clone()));
    let players = [("PB", black), ("PW", white), ("RB", black_rating), ("RW", white_rating)];
    fields.into_iter().chain(players).for_each(|(name, value)| put(name, value));
    match record.clocks.map(|clock| clock.map(|clock| clock::write(&clock))) {
        [Some(black), Some(white)] if black == white => put("TI", Some(black)),
        [black, white] => {
            put("TB", black);
            put("TW", white);
        }
    }
    put("TY", Some("8".to_owned()));
    put("RE", Some(record.result.as_ref().map_or_else(|| "?".to_owned(), write_result)));
    put("BO", Some(format!("8 {position}").replace('X', "*")));
    for recorded in &record.moves {
        let problem = |illegal: crate::position::IllegalMove| Malformed::new(illegal.to_string());
        let mv = position.parse_move(&recorded.mv).map_err(problem)?;
        let name = if position.turn() == Side::First { "B" } else { "W" };
        put(name, Some(write_move(mv, recorded)));
        position.play(mv);
    }
    out.push_str(";)");
    Ok(out)
}

fn write_move(mv: Square, recorded: &RecordedMove) -> String {
    let mut text = if mv == Square::PASS { "PA".to_owned() } else { mv.to_string().to_ascii_uppercase() };
    let margin = recorded.margin.map(decimal);
    match (margin, recorded.seconds.map(decimal)) {
        (None, None) => {}
        (Some(margin), None) => text.extend(["/", &margin]),
        (margin, Some(seconds)) => text.extend(["/", &margin.unwrap_or_default(), "/", &seconds]),
    }
    text
}

fn write_result(result: &RecordedResult) -> String {
    let flag = match result.early {
        None => "",
        Some(EarlyEnd::Resigned) => ":r",
        Some(EarlyEnd::Timeout) => ":t",
        Some(EarlyEnd::Agreed) => ":s",
    };
    let plus = if result.margin < 0.0 { "" } else { "+" };
    format!("{plus}{}{flag}", decimal(result.margin))
}

/// A number with two decimals, or as many as it takes to read the same number back. What is no number has no text.
fn decimal(number: f64) -> String {
    let short = format!("{number:.2}");
    match short.parse() == Ok(number) {
        true => short,
        false => number.to_string(),
    }
}

#[cfg(test)]
mod tests;
