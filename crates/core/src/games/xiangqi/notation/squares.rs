//! Moves as Western programs write them: the piece's letter and its destination, `Che2`, `Nc7`.
//!
//! Between the two may stand the origin, in part or in full (`Rae1`, `R4e1`, `Ch2e2`), and `x` for a capture; `+` and `#` may
//! follow. A move without a letter is a pawn's, or, with the full origin, that of the piece there (`h2xe2`). Small letters are
//! read too. A text has to describe exactly one legal move.

use super::super::board::Board;
use super::super::piece::{Kind, Man, Step};
use super::super::variant::Ranks;
use super::{name, read_square};

/// A move as a text describes it, in one reading of its first letter.
#[derive(Clone, Copy, Debug)]
struct Aimed<'a> {
    /// The piece; none if the origin is enough.
    kind: Option<Kind>,
    /// The letter of the origin's file.
    file: Option<char>,
    /// The number of the origin's rank.
    rank: Option<&'a str>,
    /// The destination.
    to: &'a str,
}

/// All readings of a text; none if it is not of this form.
fn readings(text: &str) -> impl Iterator<Item = Aimed<'_>> {
    let with_letter = text.chars().next().and_then(|letter| {
        let kind = Man::from_letter(letter).map(Man::kind)?;
        read_aim(&text[letter.len_utf8()..], Some(kind))
    });
    let without_letter = read_aim(text, Some(Kind::Pawn)).and_then(|aimed| match aimed {
        Aimed { file: Some(_), rank: Some(_), .. } => Some(Aimed { kind: None, ..aimed }),
        // A pawn's file is a small letter.
        _ => text.starts_with(|c: char| c.is_ascii_lowercase()).then_some(aimed),
    });
    with_letter.into_iter().chain(without_letter)
}

/// Reads what follows the piece's letter.
fn read_aim(text: &str, kind: Option<Kind>) -> Option<Aimed<'_>> {
    let text = text.trim_end_matches(['+', '#']);
    let reached = text.rfind(|c: char| c.is_ascii_alphabetic())?;
    let (from, to) = text.split_at(reached);
    let from = from.strip_suffix(['x', 'X', '-']).unwrap_or(from);
    let file = from.chars().next().filter(char::is_ascii_alphabetic);
    let rank = &from[file.map_or(0, char::len_utf8)..];
    let is_rank = |rank: &str| matches!(rank.len(), 1 | 2) && rank.bytes().all(|digit| digit.is_ascii_digit());
    let is_square = to.starts_with(is_file) && is_rank(&to[1..]) && file.is_none_or(is_file);
    let rank = Some(rank).filter(|rank| !rank.is_empty());
    (is_square && rank.is_none_or(is_rank)).then_some(Aimed { kind, file, rank, to })
}

fn is_file(letter: char) -> bool {
    matches!(letter.to_ascii_lowercase(), 'a'..='i')
}

/// Whether a text is of this form.
pub fn is_move(text: &str) -> bool {
    readings(text).next().is_some()
}

/// Finds the one legal move that is meant; `None` when the text is not of this form.
pub fn find(board: &Board, text: &str, ranks: Ranks) -> Option<Result<Step, String>> {
    let mut readings = readings(text).peekable();
    let to = readings.peek()?.to;
    let readings: Vec<Aimed<'_>> = readings.collect();
    Some(read_square(to, ranks).and_then(|to| {
        let legal = board.legal_moves(&board.safety(), u128::MAX).into_iter().filter(|step| step.to == to);
        let fits = |step: &Step| readings.iter().any(|aimed| aimed.describes(board, *step, ranks));
        let meant: Vec<Step> = legal.filter(fits).collect();
        match meant.as_slice() {
            [step] => Ok(*step),
            [] => Err("no legal move fits: expected a piece that can go there".to_owned()),
            [first, second, ..] => {
                let [a, b] = [first, second].map(|step| name(step.from, ranks) + &name(step.to, ranks));
                Err(format!("ambiguous: expected a text that distinguishes `{a}` from `{b}`"))
            }
        }
    }))
}

impl Aimed<'_> {
    fn describes(&self, board: &Board, step: Step, ranks: Ranks) -> bool {
        let from = name(step.from, ranks);
        let (file, rank) = from.split_at(1);
        self.kind.is_none_or(|kind| board.man(step.from).is_some_and(|man| man.kind() == kind))
            && self.file.is_none_or(|letter| file.starts_with(letter.to_ascii_lowercase()))
            && self.rank.is_none_or(|number| number == rank)
    }
}
