//! Xiangqi's record formats: PGN in three notations, and the position lines of UCCI and UCI.
//!
//! PGN follows the Chinese programs (the conventions of xqbase): `Game` is `Chinese Chess`, the first player is `Red`, `FEN`
//! has the position, `Format` the notation, Chinese by default. Moves are read in any of the notations, and as letters with
//! squares; ranks may be numbered from 1 there.

#![cfg(not(target_family = "wasm"))]

use super::Xiangqi;
use super::notation::{self, Form};
use super::variant::{Ranks, XiangqiVariant};
use crate::games::Game;
use crate::position::shorten;
use crate::record::RecordedMove;
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

/// The notation of a PGN text: the one named by its `Format` tag, otherwise that of its first move.
fn dialect(text: &str) -> Option<&'static str> {
    if !pgn::recognises(text) {
        return None;
    }
    let named = text.lines().find_map(|line| line.trim_start().strip_prefix("[Format"));
    let named = named.and_then(|value| value.split('"').nth(1)).map(|value| value.trim().to_ascii_lowercase());
    if let Some(known) = ["chinese", "iccs", "wxf"].into_iter().find(|known| named.as_deref() == Some(known)) {
        return Some(known);
    }
    let is_tag = |line: &&str| line.trim_start().starts_with('[');
    let words = text.lines().filter(|line| !is_tag(line)).flat_map(str::split_whitespace);
    Some(match words.filter_map(|word| notation::form(pgn::unnumbered(word))).next() {
        Some(Form::Squares) => "iccs",
        Some(Form::Wxf) => "wxf",
        Some(Form::Chinese) | None => "chinese",
    })
}

fn read_pgn(source: &Source<'_, XiangqiVariant>) -> Result<Draft<XiangqiVariant>, Misread> {
    let mut game = pgn::read(source, |word| notation::form(word).is_some())?;
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
    let ranks = ranks_of(&draft);
    if ranks == Ranks::FromOne {
        draft.warnings.push("the ranks of its squares were taken to be numbered from 1".to_owned());
    }
    renumber_moves(&mut draft, ranks)?;
    Ok(draft)
}

/// The rank numbering of a game's squares: from 0, by the conventions, unless more of its moves are legal from 1.
fn ranks_of(draft: &Draft<XiangqiVariant>) -> Ranks {
    let legal = |ranks| {
        let mut variant = draft.variant.clone();
        variant.ranks = ranks;
        let position = draft.record.position.as_deref();
        let start = position.map_or_else(|| Ok(Xiangqi::start(&variant)), |fen| Xiangqi::parse(&variant, fen));
        let Ok(mut game) = start else { return 0 };
        draft.moves.iter().take_while(|(_, recorded)| game.replay(&recorded.mv).is_ok()).count()
    };
    let has_squares = |(_, recorded): &(usize, RecordedMove)| notation::form(&recorded.mv) == Some(Form::Squares);
    let is_from_one = draft.moves.iter().any(has_squares) && {
        let from_zero = legal(Ranks::FromZero);
        from_zero < draft.moves.len() && from_zero < legal(Ranks::FromOne)
    };
    if is_from_one { Ranks::FromOne } else { Ranks::FromZero }
}

fn write_pgn(written: &Written<'_, XiangqiVariant>, format: &str) -> Result<String, String> {
    let text = |mv: &String| {
        if format != "ICCS" {
            return Ok(mv.clone());
        }
        let mv = notation::renumbered(mv, written.variant.ranks, Ranks::FromZero)?.to_ascii_uppercase();
        Ok(mv.split_at_checked(2).map_or(mv.clone(), |(from, to)| format!("{from}-{to}")))
    };
    let moves = written.moves.iter().map(text).collect::<Result<Vec<_>, String>>()?;
    let position = written.record.position.as_deref();
    let tags = Tags { game: "Chinese Chess", colours: ["Red", "Black"], position, format };
    Ok(pgn::write(written, &tags, &moves))
}

/// Renumbers the ranks of a draft's moves to those of its variant.
fn renumber_moves(draft: &mut Draft<XiangqiVariant>, from: Ranks) -> Result<(), Misread> {
    let to = draft.variant.ranks;
    for (at, recorded) in draft.moves.iter_mut().filter(|_| from != to) {
        recorded.mv = notation::renumbered(&recorded.mv, from, to).map_err(|problem| Misread::new(*at, problem))?;
    }
    Ok(())
}

/// Reads a line of UCCI or UCI, which differ only in the ranks.
fn read_line(source: &Source<'_, XiangqiVariant>, ranks: Ranks) -> Result<Draft<XiangqiVariant>, Misread> {
    let variant = source.variant.clone().unwrap_or_else(|| {
        let mut variant = XiangqiVariant::default();
        variant.ranks = ranks;
        variant
    });
    // Some lines are legal with either numbering: the requested variant decides, unless the protocol is named.
    if variant.ranks != ranks && !source.is_named {
        return Err(Misread::new(0, "the requested variant numbers the ranks as the other protocol does"));
    }
    let mut draft = lines::read(source, variant)?;
    renumber_moves(&mut draft, ranks)?;
    Ok(draft)
}

fn write_line(written: &Written<'_, XiangqiVariant>, ranks: Ranks) -> Result<String, String> {
    let moves = written.moves.iter().map(|mv| notation::renumbered(mv, written.variant.ranks, ranks));
    Ok(lines::write(written.record.position.as_deref(), &moves.collect::<Result<Vec<_>, String>>()?))
}
