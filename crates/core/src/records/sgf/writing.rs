//! Writing SGF.

use super::super::text::common_clock;
use super::super::{Written, decimal, seconds};
use super::tree::escape;
use super::{Sgf, Word, result, start_cells};
use crate::notation::read_board;
use crate::position::Side;

/// Writes a game.
///
/// # Errors
/// If SGF cannot express the variant, the position or a move.
pub fn write<V>(written: &Written<'_, V>, game: &Sgf<V>) -> Result<String, String> {
    let Written { record, variant, .. } = written;
    let (size, rules) = (game.properties)(variant)?;
    let mut out = String::from("(;FF[4]CA[UTF-8]");
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.extend([name, "[", &value, "]"]);
        }
    };
    let text = |text: &Option<String>| text.as_deref().map(|text| escape(text, true));
    put("GM", Some(game.game.to_owned()));
    put("SZ", Some(size.to_string()));
    put("RU", rules.map(str::to_owned));
    for (name, value) in [("EV", &record.event), ("RO", &record.round), ("PC", &record.place), ("DT", &record.date)] {
        put(name, text(value));
    }
    for (name, value) in
        ["PB", "PW"].into_iter().zip(&record.players).chain(["BR", "WR"].into_iter().zip(&record.ratings))
    {
        put(name, text(value));
    }
    if let Some(clock) = common_clock(record.clocks) {
        put("TM", Some(seconds(clock.main)));
        put("OT", (!clock.increment.is_zero()).then(|| format!("{} fischer", seconds(clock.increment))));
    }
    put("RE", record.result.as_ref().map(result::write));
    put("C", record.comment.as_deref().map(|comment| escape(comment, false)));
    if let Some(position) = &record.position {
        write_position(position, size, game, written.turn, &mut put)?;
    }
    for (recorded, text) in record.moves.iter().zip(written.moves) {
        let side = recorded.side.unwrap_or(Side::First);
        let [name, left] = if side == Side::First { ["B", "BL"] } else { ["W", "WL"] };
        let value = value_of(text, size, game).ok_or_else(|| format!("the move `{text}` cannot be written in SGF"))?;
        out.extend(["\n;", name, "[", &value, "]"]);
        if let Some(left_over) = recorded.seconds_left {
            out.extend([left, "[", &decimal(left_over), "]"]);
        }
        if let Some(comment) = &recorded.comment {
            out.extend(["C[", &escape(comment, false), "]"]);
        }
    }
    out.push_str(")\n");
    Ok(out)
}

/// Writes the stones by which a position differs from the start, and the side to move.
fn write_position<V>(
    position: &str,
    size: u32,
    game: &Sgf<V>,
    turn: Side,
    put: &mut impl FnMut(&str, Option<String>),
) -> Result<(), String> {
    let mut words = position.split_whitespace();
    let (board, _) = (words.next().unwrap_or_default(), words.next());
    if words.next().is_some() {
        return Err("the position cannot be written in SGF: it has more than stones and a side to move".to_owned());
    }
    let letters = match game.is_flat {
        true => Ok(board.chars().map(|letter| Some(letter).filter(|letter| *letter != '-')).collect()),
        false => read_board(board, size, size, &game.stones.iter().collect::<String>()),
    };
    let letters = letters.map_err(|malformed| malformed.to_string())?;
    let side = |letter| if letter == game.stones[0] { Side::First } else { Side::Second };
    let cells = letters.into_iter().map(|letter| letter.map(side));
    let cells: Vec<Option<Side>> = cells.collect();
    let start = start_cells(size as usize, game.start);
    for (name, stone) in [("AB", Some(Side::First)), ("AW", Some(Side::Second)), ("AE", None)] {
        let changed = cells.iter().zip(&start).enumerate().filter(|(_, (now, before))| **now == stone && now != before);
        let point = |index: usize| (game.write_point)(index as u32 % size, index as u32 / size);
        let values: Vec<String> = changed.map(|(index, _)| point(index)).collect();
        put(name, (!values.is_empty()).then(|| values.join("][")));
    }
    put("PL", Some(if turn == Side::First { "B" } else { "W" }.to_owned()));
    Ok(())
}

/// The value of a move.
fn value_of<V>(mv: &str, size: u32, game: &Sgf<V>) -> Option<String> {
    let is_meant = |word: &Word| matches!(word, Word::Move(known) | Word::Swap(known) if *known == mv);
    let word = game.words.iter().find(|(_, word)| is_meant(word));
    if let Some((value, _)) = word {
        return Some((*value).to_owned());
    }
    let (column, row) = (game.cell)(mv, size)?;
    Some((game.write_point)(column, row))
}
