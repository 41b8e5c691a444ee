//! The line by which chess interfaces tell an engine a position: `position startpos moves …`, `position fen FEN moves …`.

use super::{Draft, Misread, Source, Written, place};
use crate::position::shorten;
use crate::record::RecordedMove;

/// Whether a text is meant to be such a line.
#[must_use]
pub fn recognises(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    ["position", "startpos", "fen"].contains(&first)
}

/// Reads a line. The word `position` may be absent.
///
/// # Errors
/// When neither `startpos` nor `fen` follows, or something stands between the position and `moves`.
pub fn read<V>(source: &Source<'_, V>, variant: V) -> Result<Draft<V>, Misread> {
    let text = source.text;
    source.choose(&[(0, ())])?;
    let mut draft = Draft::new(variant);
    let mut words = text.split_whitespace().peekable();
    words.next_if_eq(&"position");
    let refuse = |word: Option<&str>, expected: &str| {
        let at = word.map_or(text.len(), |word| place(text, word));
        let found = word.map_or_else(|| "the end".to_owned(), |word| format!("`{}`", shorten(word)));
        Err(Misread::new(at, format!("{found}: expected {expected}")))
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
    match words.next() {
        None => {}
        Some("moves") => {
            while let Some(word) = words.next_if(|word| *word != "banmoves") {
                draft.moves.push((place(text, word), RecordedMove::new(word)));
            }
        }
        Some("banmoves") => draft.warnings.push("banmoves were left out".to_owned()),
        other => return refuse(other, "`moves`, or the end"),
    }
    if words.next().is_some() {
        draft.warnings.push("banmoves were left out".to_owned());
        draft.warnings.dedup();
    }
    Ok(draft)
}

/// Writes a line.
///
/// # Errors
/// None: any game has one.
pub fn write<V>(written: &Written<'_, V>) -> Result<String, String> {
    let position = written.record.position.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
    let moves = if written.moves.is_empty() { String::new() } else { format!(" moves {}", written.moves.join(" ")) };
    Ok(format!("position {position}{moves}\n"))
}
