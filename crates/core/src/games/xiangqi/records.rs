//! Xiangqi's formats of records: PGN in three notations, and the position lines of UCCI and UCI.
//!
//! PGN is that of the Chinese programs (the conventions of xqbase): `Game` is `Chinese Chess`, the first player is `Red`, `FEN`
//! has the position, `Format` the notation, Chinese where none is named. Moves are read in any of them.

#![cfg(not(target_family = "wasm"))]

use super::notation;
use super::variant::{Ranks, XiangqiVariant};
use crate::position::shorten;
use crate::records::pgn::{self, Tags};
use crate::records::{Draft, Format, Misread, Source, Written, lines};

/// The formats.
pub(super) const FORMATS: &[Format<XiangqiVariant>] = &[
    Format {
        name: "pgn-chinese",
        notation: "chinese",
        recognises: |text| dialect(text) == Some("chinese"),
        read: read_pgn,
        write: |written| write_pgn(written, "Chinese"),
    },
    Format {
        name: "pgn-iccs",
        notation: "coordinates",
        recognises: |text| dialect(text) == Some("iccs"),
        read: read_pgn,
        write: |written| write_pgn(written, "ICCS"),
    },
    Format {
        name: "pgn-wxf",
        notation: "wxf",
        recognises: |text| dialect(text) == Some("wxf"),
        read: read_pgn,
        write: |written| write_pgn(written, "WXF"),
    },
    Format {
        name: "ucci",
        notation: "coordinates",
        recognises: lines::recognises,
        read: |source| read_line(source, Ranks::FromZero),
        write: |written| write_line(written, Ranks::FromZero),
    },
    Format {
        name: "uci",
        notation: "coordinates",
        recognises: lines::recognises,
        read: |source| read_line(source, Ranks::FromOne),
        write: |written| write_line(written, Ranks::FromOne),
    },
];

/// The notation of a text in PGN: the one that its tag `Format` names, else the one that its moves seem to be in.
fn dialect(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    let tag = text.strip_prefix('[')?.trim_start();
    let name = tag.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if name.len() == tag.len() || !name.trim_start().starts_with('"') {
        return None;
    }
    let named = text.lines().find_map(|line| line.trim_start().strip_prefix("[Format"));
    let named = named.and_then(|value| value.split('"').nth(1)).map(|value| value.trim().to_ascii_lowercase());
    if let Some(known) = ["chinese", "iccs", "wxf"].into_iter().find(|known| named.as_deref() == Some(known)) {
        return Some(known);
    }
    // The first move is the first word with a letter or digit behind a number with a point.
    let moves = text.lines().find(|line| line.trim_start().starts_with("1.")).unwrap_or_default();
    let first = moves.trim_start().trim_start_matches('1').trim_start_matches(['.', '…', ' ']);
    let mut letters = first.chars();
    Some(match (letters.next(), letters.next(), letters.next()) {
        (Some(a), Some(b), Some(c)) if a.is_ascii() && b.is_ascii_digit() => {
            if c == '-' && letters.next().is_some_and(|c| c.is_ascii_alphabetic()) || c.is_ascii_alphabetic() {
                "iccs"
            } else {
                "wxf"
            }
        }
        (Some(a), Some(_), _) if a.is_ascii() => "wxf",
        _ => "chinese",
    })
}

fn read_pgn(source: &Source<'_, XiangqiVariant>) -> Result<Draft<XiangqiVariant>, Misread> {
    let mut game = pgn::read(source)?;
    if let Some((at, value)) = game.tag("Game")
        && !["chinese chess", "xiangqi", "象棋", "中国象棋"].contains(&value.trim().to_lowercase().as_str())
    {
        let problem = format!("[Game \"{}\"]: expected `Chinese Chess`", shorten(value));
        return Err(Misread::new(at, problem));
    }
    let mut draft = Draft::new(source.variant.clone().unwrap_or_default());
    (draft.record, draft.warnings) = game.record(["Red", "White"], "Black");
    if let Some((at, fen)) = game.tag("FEN") {
        draft.position_at = at;
        draft.record.position = Some(fen.to_owned());
    }
    draft.moves = std::mem::take(&mut game.moves);
    renumber_moves(&mut draft, Ranks::FromZero)?;
    Ok(draft)
}

fn write_pgn(written: &Written<'_, XiangqiVariant>, format: &str) -> Result<String, String> {
    let text = |mv: &String| {
        if format != "ICCS" {
            return Ok(mv.clone());
        }
        let mv = renumbered(mv, written.variant.ranks, Ranks::FromZero)?.to_ascii_uppercase();
        Ok(mv.split_at_checked(2).map_or(mv.clone(), |(from, to)| format!("{from}-{to}")))
    };
    let moves = written.moves.iter().map(text).collect::<Result<Vec<_>, String>>()?;
    let position = written.record.position.as_deref();
    let tags = Tags { game: "Chinese Chess", colours: ["Red", "Black"], position, format };
    Ok(pgn::write(written, &tags, &moves))
}

/// Moves whose ranks are numbered otherwise; the same where they are not by coordinates.
fn renumbered(moves: &str, from: Ranks, to: Ranks) -> Result<String, String> {
    let number = |square: &str| notation::read_square(square, from).map(|square| notation::name(square, to));
    let moves =
        notation::split_line(moves).unwrap_or_default().into_iter().map(|mv| match notation::split_coordinates(mv) {
            Some((one, two, "")) => Ok(number(one)? + &number(two)?),
            _ => Ok(mv.to_owned()),
        });
    Ok(moves.collect::<Result<Vec<String>, String>>()?.join(" "))
}

/// Numbers the ranks of a draft's moves as its variant does.
fn renumber_moves(draft: &mut Draft<XiangqiVariant>, from: Ranks) -> Result<(), Misread> {
    let to = draft.variant.ranks;
    for (at, recorded) in draft.moves.iter_mut().filter(|_| from != to) {
        recorded.mv = renumbered(&recorded.mv, from, to).map_err(|problem| Misread::new(*at, problem))?;
    }
    Ok(())
}

/// A line of UCCI or UCI: the same but for the ranks.
fn read_line(source: &Source<'_, XiangqiVariant>, ranks: Ranks) -> Result<Draft<XiangqiVariant>, Misread> {
    let variant = source.variant.clone().unwrap_or_else(|| {
        let mut variant = XiangqiVariant::default();
        variant.ranks = ranks;
        variant
    });
    // Some lines are legal with either numbers: whoever wants a variant's means them, unless the protocol is named.
    if variant.ranks != ranks && !source.is_named {
        return Err(Misread::new(0, "the variant that was asked for numbers the ranks as the other protocol does"));
    }
    let mut draft = lines::read(source, variant)?;
    renumber_moves(&mut draft, ranks)?;
    Ok(draft)
}

fn write_line(written: &Written<'_, XiangqiVariant>, ranks: Ranks) -> Result<String, String> {
    let moves = written.moves.iter().map(|mv| renumbered(mv, written.variant.ranks, ranks));
    Ok(lines::write(written.record.position.as_deref(), &moves.collect::<Result<Vec<_>, String>>()?))
}
