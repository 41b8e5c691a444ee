//! Moves as texts: coordinates (ICCS), Chinese notation, WXF, and letters with squares are read; the first three are written.
//!
//! Coordinates name two crossings. Chinese notation and WXF name a piece from its player's view, its direction, and how far it
//! goes: [`relative`] reads both by the same rules, since WXF is the Chinese notation in other characters. [`squares`] reads a
//! piece's letter and its destination, as Western programs write them.

mod relative;
mod squares;
mod written;

pub use written::{chinese, wxf};

use super::board::Board;
use super::piece::{FILES, RANKS, Square, Step};
use super::variant::Ranks;
use crate::bits::Bits;
use crate::notation::column_letter;
use crate::position::{IllegalMove, Side};

/// Reads a legal move.
///
/// # Errors
/// When the text is not a move, names no piece or several that could move that way, or is not legal; the message says which.
pub fn read_move(board: &Board, text: &str, ranks: Ranks) -> Result<Step, IllegalMove> {
    let refuse = |problem: String| IllegalMove::new(text, problem);
    let moved = &*half_width(text.trim());
    if let Some((from, to, "")) = split_coordinates(moved)
        && !(begins_with_piece(moved) && squares::is_move(moved))
    {
        let square = |place| read_square(place, ranks).map_err(refuse);
        let step = Step { from: square(from)?, to: square(to)? };
        check(board, step, ranks).map_err(refuse)?;
        return Ok(step);
    }
    let found = relative::read(moved).map(|described| relative::find(board, &described, ranks));
    let found = found.or_else(|| squares::find(board, moved, ranks)).unwrap_or_else(|| {
        let [coordinates, square] = if ranks == Ranks::FromZero { ["h2e2", "Che2"] } else { ["h3e3", "Che3"] };
        Err(format!("expected a move like `{coordinates}`, `炮二平五`, `C2.5` or `{square}`"))
    });
    found.map_err(refuse)
}

/// Whether the first of two squares may begin with a piece's letter, as in `R6a5`: a capital before a small letter, or not a
/// file.
fn begins_with_piece(text: &str) -> bool {
    let mut letters = text.chars().filter(char::is_ascii_alphabetic);
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) => {
            first.is_ascii_uppercase() && second.is_ascii_lowercase()
                || !matches!(first.to_ascii_lowercase(), 'a'..='i')
        }
        _ => false,
    }
}

/// The notations in which moves are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Two crossings, or a letter and one.
    Squares,
    /// Piece, direction and number in Chinese characters.
    Chinese,
    /// The same in letters and signs.
    Wxf,
}

/// The notation of a word that is one move or several joined; `None` if it is not in any notation. The board is not considered.
pub fn form(word: &str) -> Option<Form> {
    let word = half_width(word);
    let mut forms = split_joined(&word).into_iter().map(|mv| match split_coordinates(mv) {
        Some((_, _, "")) => Some(Form::Squares),
        _ if relative::read(mv).is_some() => Some(if mv.contains(is_chinese) { Form::Chinese } else { Form::Wxf }),
        _ => squares::is_move(mv).then_some(Form::Squares),
    });
    let first = forms.next()??;
    forms.all(|form| form.is_some()).then_some(first)
}

fn is_chinese(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

/// A text with its full-width characters replaced by ASCII: some programs write `Ｃ２＝５`.
fn half_width(text: &str) -> String {
    text.chars().map(half).collect()
}

/// The ASCII character for a full-width one; any other is unchanged.
fn half(c: char) -> char {
    let plain = |c: char| char::from_u32(c as u32 - '！' as u32 + '!' as u32);
    if matches!(c, '！'..='～') { plain(c).unwrap_or(c) } else { c }
}

/// A text of moves with its ranks renumbered. Only notations with crossings name ranks.
///
/// # Errors
/// When a rank is not on the board.
#[cfg(not(target_family = "wasm"))]
pub fn renumbered(moves: &str, from: Ranks, to: Ranks) -> Result<String, String> {
    let moves = split_line(moves).unwrap_or_default().into_iter().map(|mv| {
        let mv = half_width(mv);
        if form(&mv) != Some(Form::Squares) {
            return Ok(mv);
        }
        let mut renumbered = String::new();
        let mut rest = &*mv;
        while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
            let (letters, digits) = rest.split_at(begin);
            let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
            let file =
                letters.chars().next_back().filter(|c| matches!(c.to_ascii_lowercase(), 'a'..='i')).unwrap_or('a');
            let square = read_square(&format!("{file}{}", &digits[..digits.len() - after.len()]), from)?;
            renumbered += letters;
            renumbered += &to.number(square.rank());
            rest = after;
        }
        Ok(renumbered + rest)
    });
    Ok(moves.collect::<Result<Vec<String>, String>>()?.join(" "))
}

/// Splits a text into moves, at spaces and between joined moves.
///
/// A word that is not a move stays whole, so that it can be refused by itself; hence the result is never `None`.
pub fn split_line(text: &str) -> Option<Vec<&str>> {
    Some(text.split_whitespace().flat_map(split_joined).collect())
}

/// Splits joined moves, if all are coordinates or all have four characters.
fn split_joined(text: &str) -> Vec<&str> {
    let mut coordinates = Vec::new();
    let mut rest = text;
    while let Some((_, _, after)) = split_coordinates(rest) {
        coordinates.push(&rest[..rest.len() - after.len()]);
        rest = after;
    }
    if rest.is_empty() {
        return coordinates;
    }
    let mut ends = text.char_indices().map(|(index, _)| index).chain([text.len()]).step_by(4);
    let mut start = ends.next().unwrap_or_default();
    let mut moves = Vec::new();
    for end in ends {
        moves.push(&text[start..end]);
        start = end;
    }
    if start == text.len() && moves.iter().all(|text| relative::read(text).is_some()) { moves } else { vec![text] }
}

/// Splits off a move in coordinates: origin, destination, and the rest. Files and ranks are not checked yet.
pub fn split_coordinates(text: &str) -> Option<(&str, &str, &str)> {
    let place = |text: &str| {
        let digits = text.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
        let rest = digits.strip_prefix(|c: char| c.is_ascii_digit())?;
        let rest = rest.strip_prefix(|c: char| c.is_ascii_digit()).unwrap_or(rest);
        Some(text.len() - rest.len())
    };
    let (from, rest) = text.split_at(place(text)?);
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let (to, rest) = rest.split_at(place(rest)?);
    Some((from, to, rest))
}

/// Reads a letter and one or two digits.
pub fn read_square(text: &str, ranks: Ranks) -> Result<Square, String> {
    let (file, rank) = text.split_at(1);
    let file = (b'a'..b'a' + FILES).zip(0..).find(|(letter, _)| file.as_bytes()[0].eq_ignore_ascii_case(letter));
    let canonical = rank == "0" || !rank.starts_with('0');
    let rank = rank.parse::<u8>().ok().and_then(|rank| rank.checked_sub(first_rank(ranks)));
    match (file, rank.filter(|rank| canonical && *rank < RANKS)) {
        (Some((_, file)), Some(rank)) => Ok(Square::new(file, rank)),
        _ => {
            let (first, last) = (first_rank(ranks), first_rank(ranks) + RANKS - 1);
            Err(format!("`{text}` is not on the board: expected a file a to i and a rank {first} to {last}"))
        }
    }
}

fn first_rank(ranks: Ranks) -> u8 {
    match ranks {
        Ranks::FromZero => 0,
        Ranks::FromOne => 1,
    }
}

/// A side's name.
pub const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "Red",
        Side::Second => "Black",
    }
}

/// A square's name in the client's rank numbering.
pub fn name(square: Square, ranks: Ranks) -> String {
    format!("{}{}", column_letter(square.file().into()), ranks.number(square.rank()))
}

/// Checks that a move is legal, or reports why it is not.
fn check(board: &Board, step: Step, ranks: Ranks) -> Result<(), String> {
    let (turn, from, to) = (board.turn(), name(step.from, ranks), name(step.to, ranks));
    match board.man(step.from) {
        None => Err(format!("{from} is empty: expected one of {}'s pieces", colour(turn))),
        Some(man) if man.side() != turn => {
            let (mover, owner, kind) = (colour(turn), colour(man.side()), man.kind().name());
            Err(format!("{mover} is to move, and the {kind} on {from} is {owner}'s"))
        }
        Some(man) if !board.targets(step.from, man).has(step.to.index() as u32) => {
            Err(format!("the {} on {from} cannot go to {to}", man.kind().name()))
        }
        Some(_) if !board.is_safe(step) => Err(exposed(board)),
        Some(_) => Ok(()),
    }
}

/// The message for a move that would be legal but for the mover's general.
fn exposed(board: &Board) -> String {
    let mover = colour(board.turn());
    if board.in_check() {
        format!("{mover} is in check: expected a move that ends it")
    } else {
        format!("it would leave {mover}'s general attacked, or facing the other")
    }
}

#[cfg(test)]
mod tests;
