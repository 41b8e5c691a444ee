//! Writing PGN.

use super::super::text::common_clock;
use super::super::{Written, seconds, single_line};
use crate::position::Side;
use crate::record::{EarlyEnd, RecordedResult};

/// A game's tags.
#[derive(Debug)]
pub struct Tags<'a> {
    /// `Game`, the first tag.
    pub game: &'a str,
    /// The colours that name the players.
    pub colours: [&'a str; 2],
    /// `FEN`, if the game did not begin at the start.
    pub position: Option<&'a str>,
    /// `Format`: the notation.
    pub format: &'a str,
}

/// Writes a game, its moves given in their notation.
#[must_use]
pub fn write<V>(written: &Written<'_, V>, tags: &Tags<'_>, moves: &[String]) -> String {
    let record = written.record;
    let mut out = String::new();
    let mut put = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            let value = single_line(value).replace('\\', "\\\\").replace('"', "\\\"");
            out.extend(["[", name, " \"", &value, "\"]\n"]);
        }
    };
    let result = record.result.as_ref().map_or("*", write_result);
    put("Game", Some(tags.game));
    for (name, value) in
        [("Event", &record.event), ("Site", &record.place), ("Date", &record.date), ("Round", &record.round)]
    {
        put(name, value.as_deref());
    }
    for (colour, name) in tags.colours.into_iter().zip(&record.players) {
        put(colour, name.as_deref());
    }
    put("Result", Some(result));
    for (colour, rating) in tags.colours.into_iter().zip(&record.ratings) {
        put(&format!("{colour}Elo"), rating.as_deref());
    }
    if let Some(clock) = common_clock(record.clocks) {
        let increment =
            if clock.increment.is_zero() { String::new() } else { format!("+{}", seconds(clock.increment)) };
        put("TimeControl", Some(&format!("{}{increment}", seconds(clock.main))));
    }
    put("Termination", record.result.and_then(|result| result.early).map(write_end));
    put("FEN", tags.position);
    put("Format", Some(tags.format));
    out.push('\n');
    put_comment(&mut out, record.comment.as_deref());
    let begin = usize::from(written.turn == Side::Second);
    for (index, (text, recorded)) in moves.iter().zip(&record.moves).enumerate() {
        let ply = begin + index;
        match ply % 2 {
            0 => out.push_str(&format!("{}. ", ply / 2 + 1)),
            _ if index == 0 => out.push_str("1. ... "),
            _ => {}
        }
        out.push_str(text);
        out.push(if ply % 2 == 0 && recorded.comment.is_none() { ' ' } else { '\n' });
        put_comment(&mut out, recorded.comment.as_deref());
    }
    let out = out.trim_end_matches(' ');
    format!("{out}{}{result}\n", if out.ends_with('\n') { "" } else { " " })
}

/// A comment, which has no escapes: `}` becomes `)`, and control characters but line breaks become spaces.
fn put_comment(out: &mut String, comment: Option<&str>) {
    if let Some(comment) = comment {
        let plain = |c: char| match c {
            '}' => ')',
            c if c.is_control() && c != '\n' => ' ',
            c => c,
        };
        out.push('{');
        out.extend(comment.chars().map(plain));
        out.push_str("}\n");
    }
}

fn write_result(result: &RecordedResult) -> &'static str {
    match result.winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    }
}

fn write_end(end: EarlyEnd) -> &'static str {
    match end {
        EarlyEnd::Resigned => "resignation",
        EarlyEnd::Timeout => "time forfeit",
        EarlyEnd::Agreed => "agreement",
        EarlyEnd::Forfeited => "forfeit",
    }
}
