//! The line by which chess interfaces send an engine a position: `position startpos moves …`, `position fen FEN moves …`.

use super::{Draft, Misread, Source, place};
use crate::record::RecordedMove;

/// Whether a text looks like such a line.
#[must_use]
pub fn recognises(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    ["position", "startpos", "fen"].contains(&first)
}

/// Reads a line. The word `position` is optional.
///
/// # Errors
/// If neither `startpos` nor `fen` follows, or if other words come between the position and `moves`.
pub fn read<V>(source: &Source<'_, V>, variant: V) -> Result<Draft<V>, Misread> {
    let text = source.text;
    source.choose(vec![(0, ())])?;
    let mut draft = Draft::new(variant);
    let mut words = text.split_whitespace().peekable();
    words.next_if_eq(&"position");
    let refuse = |word: Option<&str>, expected: &str| {
        let at = word.map_or(text.len(), |word| place(text, word));
        let end = at + word.map_or(0, str::len);
        Err(Misread::unexpected(at, &text[..end], expected))
    };
    match words.next() {
        Some("startpos") => {}
        Some("fen") => {
            let mut fen = Vec::new();
            while let Some(word) = words.next_if(|word| !matches!(*word, "moves" | "banmoves")) {
                fen.push(word);
            }
            let Some(first) = fen.first() else { return refuse(words.next(), "a FEN") };
            draft.position_at = place(text, first);
            draft.record.position = Some(fen.join(" "));
        }
        other => return refuse(other, "`startpos` or `fen`"),
    }
    let mut next = words.next();
    if next == Some("moves") {
        while let Some(word) = words.next_if(|word| *word != "banmoves") {
            draft.moves.push((place(text, word), RecordedMove::new(word)));
        }
        next = words.next();
    }
    match next {
        None => {}
        Some("banmoves") => draft.warnings.push("banmoves were left out".to_owned()),
        other => return refuse(other, "`moves`, or the end"),
    }
    Ok(draft)
}

/// Writes a line: the position, or `startpos`, and the moves.
#[must_use]
pub fn write(position: Option<&str>, moves: &[String]) -> String {
    let position = position.map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
    let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    format!("position {position}{moves}\n")
}
