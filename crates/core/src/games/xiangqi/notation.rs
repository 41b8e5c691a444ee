//! Moves as texts: coordinates (ICCS), Chinese notation and WXF are read; Chinese notation and WXF are written.
//!
//! Coordinates name two crossings. The other two name a piece as its player sees it, the way it goes, and how far:
//! [`relative`] reads both by the same rules, since WXF's notation is the Chinese one in other characters.

mod relative;
mod written;

pub use written::{chinese, wxf};

use super::board::Board;
use super::fen::colour;
use super::piece::{FILES, RANKS, Square, Step};
use super::variant::Ranks;
use crate::bits::Bits;
use crate::notation::column_letter;
use crate::position::IllegalMove;

/// Reads a legal move.
///
/// # Errors
/// When the text is no move, names no piece or several that could move so, or is not legal; the message says which.
pub fn read_move(board: &Board, text: &str, ranks: Ranks) -> Result<Step, IllegalMove> {
    let refuse = |problem: String| IllegalMove::new(text, problem);
    let moved = text.trim();
    if let Some((from, to, "")) = split_coordinates(moved) {
        let square = |place| read_square(place, ranks).map_err(refuse);
        let step = Step { from: square(from)?, to: square(to)? };
        check(board, step, ranks).map_err(refuse)?;
        return Ok(step);
    }
    let described = relative::read(moved).ok_or_else(|| {
        let example = if ranks == Ranks::FromZero { "h2e2" } else { "h3e3" };
        refuse(format!("expected a move like `{example}`, `炮二平五` or `C2.5`"))
    })?;
    relative::find(board, &described, ranks).map_err(refuse)
}

/// Splits a text of several moves into single ones: those between spaces, and those written without any.
///
/// What is no move stays whole, so that it can be refused by itself; hence there is always an answer.
pub fn split_line(text: &str) -> Option<Vec<&str>> {
    Some(text.split_whitespace().flat_map(split_joined).collect())
}

/// Splits moves that stand together without spaces, if all are of one form.
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

/// Splits off a move by coordinates: where from, where to, and what follows. Files and ranks are not looked at yet.
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

/// A square's name as the client counts the ranks.
pub fn name(square: Square, ranks: Ranks) -> String {
    format!("{}{}", column_letter(square.file().into()), ranks.number(square.rank()))
}

/// Says why a move is not legal.
fn check(board: &Board, step: Step, ranks: Ranks) -> Result<(), String> {
    let (turn, from, to) = (board.turn(), name(step.from, ranks), name(step.to, ranks));
    match board.man(step.from) {
        None => Err(format!("nothing stands on {from}: expected a piece of {}'s", colour(turn))),
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

/// What is wrong with a move that the piece could make but for its general.
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
