//! Games of Othello in GGF, the Generic Game Format (Buro), which game servers and the NBoard protocol use.
//!
//! A game is a list of properties, `NAME[value]`, between `(;` and `;)`; archives put the number of games before the games of a
//! match, and people put text around them. No property that is ignored here changes a position or a move. A value holds any
//! character but `]`, for which there is no escape.

mod clock;

use super::{BoardSize, ReversiVariant, position_text};
use crate::position::{Side, shorten};
use crate::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};
use crate::records::{Draft, Misread, Source, Written, decimal, number, place, single_line};

/// The text from its first game on, if it has one.
fn body(text: &str) -> Option<&str> {
    text.find("(;").map(|begin| &text[begin..])
}

/// Whether a text looks like this format, and not like SGF, which begins the same way.
pub fn recognises(text: &str) -> bool {
    let game = |body: &str| Some(body.split_once("GM[")?.1.trim_start().get(..1)?.to_owned());
    body(text).is_some_and(|body| game(body).is_some_and(|first| first.starts_with(|c: char| c.is_alphabetic())))
}

/// Reads a game.
pub fn read(source: &Source<'_, ReversiVariant>) -> Result<Draft<ReversiVariant>, Misread> {
    let text = source.text;
    let (mut rest, mut games, mut warnings) = (text, Vec::new(), Vec::new());
    while let Some(at) = rest.find("(;") {
        warnings.extend(left_out(&rest[..at]));
        let inside = &rest[at + 2..];
        let (at, begin) = (place(text, inside) - 2, inside);
        rest = inside.trim_start();
        while !rest.starts_with(";)") {
            rest = property(text, rest)?.2.trim_start();
        }
        rest = &rest[2..];
        games.push((at, (at, begin)));
    }
    if games.is_empty() && !text.trim().is_empty() {
        return Err(Misread::unexpected(place(text, rest.trim_start()), text, "a game that begins with `(;`"));
    }
    warnings.extend(left_out(rest));
    let (at, mut rest) = source.choose(games)?;
    let mut properties = Properties { text, warnings, ..Properties::default() };
    while !rest.trim_start().starts_with(";)") {
        let (name, value, after) = property(text, rest.trim_start())?;
        properties.take(name, value)?;
        rest = after;
    }
    properties.finish(at, source.variant.as_ref())
}

/// The warning that text outside games was ignored, unless it is blank or the number of games that follow.
fn left_out(text: &str) -> Option<String> {
    let is_blank = |c: char| c.is_whitespace() || c.is_control() || c.is_ascii_digit();
    let line = text.trim_matches(is_blank).lines().next()?.trim_end();
    Some(format!("text outside a game was left out: `{}`", shorten(line)))
}

/// The values of the properties, before the moves are played.
#[derive(Default)]
struct Properties<'a> {
    text: &'a str,
    game: Option<&'a str>,
    kind: Option<&'a str>,
    board: Option<&'a str>,
    both_clocks: Option<Clock>,
    record: Record,
    moves: Vec<(usize, RecordedMove)>,
    warnings: Vec<String>,
}

/// The next property: its name, its value, and what follows.
fn property<'a>(text: &str, rest: &'a str) -> Result<(&'a str, &'a str, &'a str), Misread> {
    let after_name = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let name = &rest[..rest.len() - after_name.len()];
    let value = after_name.strip_prefix('[').filter(|_| !name.is_empty());
    let at = if rest.is_empty() { text.len() } else { place(text, rest) };
    let refuse = |expected: &str| Misread::unexpected(at, text, expected);
    let value = value.ok_or_else(|| refuse("a property like `PB[name]`, or `;)`"))?;
    let (value, after) = value.split_once(']').ok_or_else(|| refuse("`]` after the value"))?;
    Ok((name, value, after))
}

fn wrong(text: &str, name: &str, value: &str, expected: &str) -> Misread {
    Misread::of_property(name, (place(text, value), value), expected)
}

impl<'a> Properties<'a> {
    fn take(&mut self, name: &str, value: &'a str) -> Result<(), Misread> {
        let (source, owned) = (self.text, str::to_owned);
        let wrong = |expected: &str| wrong(source, name, value, expected);
        // Keeps a value that no other property has given.
        fn once<T>(place: &mut Option<T>, read: T, wrong: impl Fn(&str) -> Misread) -> Result<(), Misread> {
            place.replace(read).map_or(Ok(()), |_| Err(wrong("expected this property once")))
        }
        let record = &mut self.record;
        match name {
            "GM" => once(&mut self.game, value, wrong),
            "TY" => once(&mut self.kind, value, wrong),
            "BO" => once(&mut self.board, value, wrong),
            "PC" => once(&mut record.place, owned(value), wrong),
            "DT" => once(&mut record.date, owned(value), wrong),
            "PB" => once(&mut record.players[0], owned(value), wrong),
            "PW" => once(&mut record.players[1], owned(value), wrong),
            "RB" | "RW" => {
                number(value).ok_or_else(|| wrong("expected a rating, a number"))?;
                once(&mut record.ratings[usize::from(name == "RW")], owned(value), wrong)
            }
            "TI" | "TB" | "TW" => {
                let clock = clock::read(value).ok_or_else(|| wrong(clock::EXPECTED))?;
                let [black, white] = &mut record.clocks;
                let place = match name {
                    "TI" => &mut self.both_clocks,
                    "TB" => black,
                    _ => white,
                };
                once(place, clock, wrong)
            }
            "RE" if matches!(value.trim(), "" | "?") => Ok(()),
            "RE" => {
                let expected =
                    "expected Black's margin like `+6.00`, with `:r`, `:t` or `:s` where it ended early, or `?`";
                let result = read_result(value).ok_or_else(|| wrong(expected))?;
                once(&mut record.result, result, wrong)
            }
            "B" | "W" => {
                let side = if name == "B" { Side::First } else { Side::Second };
                let mut mv = read_move(value).map_err(|problem| wrong(&problem))?;
                if mv.seconds.is_some_and(|seconds| seconds < 0.0) {
                    mv.seconds = None;
                    self.warnings.push(format!("{name}[{}]: the seconds were left out", shorten(value)));
                }
                self.moves.push((place(self.text, value), RecordedMove { side: Some(side), ..mv }));
                Ok(())
            }
            // A komi is part of the result, and not of the board.
            "KO" if number(value) == Some(0.0) => Ok(()),
            _ => {
                self.warnings.push(format!("{name}[{}] was left out", shorten(value)));
                Ok(())
            }
        }
    }

    fn finish(mut self, at: usize, asked: Option<&ReversiVariant>) -> Result<Draft<ReversiVariant>, Misread> {
        let missing = |what: &str| Misread::new(at, format!("no {what}"));
        let game = self.game.ok_or_else(|| missing("GM: expected `GM[Othello]`"))?;
        if !["othello", "reversi"].contains(&game.trim().to_ascii_lowercase().as_str()) {
            return Err(wrong(self.text, "GM", game, "expected `Othello`"));
        }
        let board = self.board.ok_or_else(|| missing("BO: expected the board before the first move"))?;
        let size = size_of(board).map_err(|expected| wrong(self.text, "BO", board, expected))?;
        if let Some(kind) = self.kind {
            check_kind(kind, size).map_err(|expected| wrong(self.text, "TY", kind, &expected))?;
        }
        let position = read_board(board, size).map_err(|expected| wrong(self.text, "BO", board, &expected))?;
        if let Some(asked) = asked.filter(|asked| asked.size != size) {
            let expected = format!("expected the requested variant's size, {}", asked.size.get());
            return Err(wrong(self.text, "BO", board, &expected));
        }
        let record = &mut self.record;
        record.position = Some(position);
        record.clocks = record.clocks.map(|clock| clock.or(self.both_clocks));
        let position_at = place(self.text, board);
        let Self { record, moves, warnings, .. } = self;
        Ok(Draft { record, moves, warnings, position_at, variant: ReversiVariant { size, ..Default::default() } })
    }
}

/// Checks the type of the game: its size (`8`), which may be followed by komi (`k`) and random openings (`r18`), and preceded
/// by pairs of games (`s`). These change the players' choices, but neither the board nor the moves. Programs write `0` if they
/// know no type; the board has its size.
fn check_kind(value: &str, size: BoardSize) -> Result<(), String> {
    let kind = value.trim().trim_start_matches('s');
    let rest = kind.trim_start_matches(|c: char| c.is_ascii_digit());
    let size = size.get();
    match &kind[..kind.len() - rest.len()] {
        "" if matches!(rest, "" | "?") => Ok(()),
        named if named != "0" && named.parse() != Ok(size) => Err(format!("expected the board's size, `{size}`")),
        _ if rest.contains('a') => Err("expected a game that more discs win, not anti-Othello (`a`)".to_owned()),
        _ => Ok(()),
    }
}

/// The size of the board, before its squares.
fn size_of(value: &str) -> Result<BoardSize, &'static str> {
    let size = value.split_whitespace().next().and_then(|size| size.parse().ok()).and_then(BoardSize::new);
    size.ok_or("expected a board that begins with its size, `6`, `8` or `10`")
}

/// The size, the squares row by row, and the side to move, with optional blanks anywhere between.
fn read_board(value: &str, size: BoardSize) -> Result<String, String> {
    let side = size.get();
    let expected = format!(
        "expected `{side}`, {} squares row by row from a1 (`*` black, `O` white, `-` empty) and the side to move (`*` or `O`)",
        side * side
    );
    let is_whole = |placed: &position_text::Placed<'_>| placed.side.is_some() && placed.rest.trim().is_empty();
    let placed = position_text::read(value, side).ok().filter(is_whole).ok_or(expected)?;
    Ok(placed.text(side))
}

/// `MOVE/EVALUATION/SECONDS`; the last two may be empty or absent.
fn read_move(value: &str) -> Result<RecordedMove, String> {
    let mut parts = value.split('/').map(str::trim);
    let [mv, margin, seconds] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let read = |text: &str| match text {
        "" => Ok(None),
        _ => number(text).map(Some).ok_or("expected `MOVE/EVALUATION/SECONDS`, the last two numbers"),
    };
    let (margin, seconds) = (read(margin)?, read(seconds)?);
    if parts.next().is_some() {
        return Err("expected `MOVE/EVALUATION/SECONDS`, and no more".to_owned());
    }
    let is_pass = ["pa", "pass"].contains(&mv.to_ascii_lowercase().as_str());
    Ok(RecordedMove { margin, seconds, ..RecordedMove::new(if is_pass { "pass" } else { mv }) })
}

/// Black's margin, and how the game ended early.
fn read_result(value: &str) -> Option<RecordedResult> {
    let (margin, flag) = value.split_once(':').map_or((value, None), |(margin, flag)| (margin, Some(flag.trim())));
    let early = match flag {
        None => None,
        Some("r") => Some(EarlyEnd::Resigned),
        Some("t") => Some(EarlyEnd::Timeout),
        Some("s") => Some(EarlyEnd::Agreed),
        Some(_) => return None,
    };
    Some(RecordedResult { early, ..RecordedResult::of_margin(number(margin)?) })
}

/// Writes a game. In texts, `]` becomes `)`, and line breaks are replaced.
pub fn write(written: &Written<'_, ReversiVariant>) -> String {
    let record = written.record;
    let mut out = String::from("(;GM[Othello]");
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.extend([name, "[", &single_line(&value).replace(']', ")"), "]"]);
        }
    };
    let [black, white] = record.players.clone();
    // Ratings are numbers in this format.
    let [black_rating, white_rating] =
        record.ratings.clone().map(|rating| rating.filter(|rating| number(rating).is_some()));
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
    let size = written.variant.size;
    put("TY", Some(size.get().to_string()));
    put("RE", Some(record.result.as_ref().and_then(write_result).unwrap_or_else(|| "?".to_owned())));
    let start = || position_text::start(size.get());
    put("BO", Some(format!("{} {}", size.get(), record.position.clone().unwrap_or_else(start)).replace('X', "*")));
    for (mv, recorded) in written.moves.iter().zip(&record.moves) {
        let name = if recorded.side == Some(Side::Second) { "W" } else { "B" };
        put(name, Some(write_move(mv, recorded)));
    }
    out.push_str(";)");
    out
}

fn write_move(mv: &str, recorded: &RecordedMove) -> String {
    let mut text = if mv == "pass" { "PA".to_owned() } else { mv.to_ascii_uppercase() };
    let margin = recorded.margin.map(decimal);
    match (margin, recorded.seconds.map(decimal)) {
        (None, None) => {}
        (Some(margin), None) => text.extend(["/", &margin]),
        (margin, Some(seconds)) => text.extend(["/", &margin.unwrap_or_default(), "/", &seconds]),
    }
    text
}

/// A result, if its margin is known: GGF has no other form.
fn write_result(result: &RecordedResult) -> Option<String> {
    let margin = result.margin.or(result.winner.is_none().then_some(0.0))?;
    let flag = match result.early {
        None | Some(EarlyEnd::Forfeited) => "",
        Some(EarlyEnd::Resigned) => ":r",
        Some(EarlyEnd::Timeout) => ":t",
        Some(EarlyEnd::Agreed) => ":s",
    };
    let plus = if margin < 0.0 { "" } else { "+" };
    Some(format!("{plus}{}{flag}", decimal(margin)))
}
