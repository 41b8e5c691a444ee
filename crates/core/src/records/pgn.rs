//! The syntax of PGN, Portable Game Notation: tags, and moves among numbers, comments, variations and a result.
//!
//! Each game defines its moves and the tags that matter.

mod reading;
mod writing;

use self::reading::Reader;
use super::text::duration;
use super::{Misread, Source, without_variations};
use crate::position::{Side, shorten};
use crate::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};

pub use reading::{recognises, unnumbered};
pub use writing::{Tags, write};

/// A game as read from PGN.
#[derive(Debug, Default)]
pub struct Game<'a> {
    /// Each tag's name, and its value with its place.
    tags: Vec<(&'a str, (usize, String))>,
    /// The moves as texts, with their places and comments.
    pub moves: Vec<(usize, RecordedMove)>,
    /// The comment before the first move.
    comment: Option<String>,
    /// The result after the moves.
    result: Option<&'a str>,
    /// The number of variations ignored.
    pub variations: usize,
    /// Lines that are not part of a game, each with its place.
    left_out: Vec<(usize, &'a str)>,
    /// The line number of the first of them.
    first_left_out: usize,
}

/// Reads the requested game. `is_move` returns whether a word has the form of a move.
///
/// # Errors
/// If the text is not valid PGN, or the request chooses none of its games.
pub fn read<'a, V>(source: &Source<'a, V>, is_move: impl Fn(&str) -> bool) -> Result<Game<'a>, Misread> {
    let mut game = source.choose(Reader::new(source.text, is_move).games()?)?;
    if let Some((at, _)) = game.left_out.first() {
        game.first_left_out = Misread::line_and_column(*at, source.text).0;
    }
    Ok(game)
}

impl Game<'_> {
    /// Whether it has no part of a game.
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none() && self.comment.is_none()
    }

    /// A tag's value with its place, unless it is empty or `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<(usize, &str)> {
        let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        tag.map(|(_, (at, value))| (*at, value.as_str())).filter(|(_, value)| !matches!(value.trim(), "" | "?"))
    }

    /// The record from tags and comments, without position and moves; and warnings of what was ignored. The players' tags are
    /// named after their colours: the first player's by one of two words.
    #[must_use]
    pub fn record(&self, first: [&str; 2], second: &str) -> (Record, Vec<String>) {
        let text = |name: &str| self.tag(name).map(|(_, value)| value.to_owned());
        let of_side = |what: &str| {
            let named = |colour: &str| text(&format!("{colour}{what}"));
            [named(first[0]).or_else(|| named(first[1])), named(second)]
        };
        let mut warnings = Vec::new();
        let clock = self.tag("TimeControl").and_then(|(_, value)| {
            let clock = read_clock(value);
            if clock.is_none() {
                warnings.push(format!("TimeControl \"{}\" was left out", shorten(value)));
            }
            clock
        });
        warnings.extend(without_variations(self.variations));
        if let [(_, text), more @ ..] = &self.left_out[..] {
            let more = if more.is_empty() { String::new() } else { format!(", like {} more", more.len()) };
            let (line, text) = (self.first_left_out, shorten(text));
            warnings.push(format!("line {line}, `{text}`, is not part of a game and was left out{more}"));
        }
        let record = Record {
            event: text("Event"),
            round: text("Round"),
            place: text("Site"),
            date: text("Date").filter(|date| !date.starts_with("????")),
            players: of_side(""),
            ratings: of_side("Elo"),
            clocks: [clock; 2],
            comment: self.comment.clone(),
            result: self.read_result(),
            ..Record::default()
        };
        (record, warnings)
    }

    fn read_result(&self) -> Option<RecordedResult> {
        let known = |result: &str| result != "*";
        let result_tag =
            self.tag("Result").map(|(_, value)| value.trim()).filter(|result| known(result)).or(self.result)?;
        let winner = match result_tag {
            "1-0" => Some(Side::First),
            "0-1" => Some(Side::Second),
            "1/2-1/2" => None,
            _ => return None,
        };
        let how = self.tag("Termination").map(|(_, value)| value.to_ascii_lowercase()).unwrap_or_default();
        // The standard's words are `time forfeit`, `rules infraction` (the offender forfeits) and `abandoned`; programs use
        // others, too.
        let words = [
            ("resign", EarlyEnd::Resigned),
            ("time", EarlyEnd::Timeout),
            ("agree", EarlyEnd::Agreed),
            ("forfeit", EarlyEnd::Forfeited),
            ("rules infraction", EarlyEnd::Forfeited),
            ("abandon", EarlyEnd::Forfeited),
        ];
        let early = words.into_iter().find(|(word, _)| how.contains(word)).map(|(_, early)| early);
        // Nobody forfeits a draw.
        let early = early.filter(|early| winner.is_some() || *early != EarlyEnd::Forfeited);
        Some(RecordedResult { winner, margin: None, early })
    }
}

/// `600`, or `600+5`: seconds for all moves, and seconds added after each.
fn read_clock(value: &str) -> Option<Clock> {
    let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
    Some(Clock { main: duration(main)?, increment: duration(increment)?, ..Clock::default() })
}
