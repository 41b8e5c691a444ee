//! The syntax of PGN, Portable Game Notation: tags, and moves among numbers, comments, variations and a result.
//!
//! What the moves are and which tags matter is the game's to say.

mod writing;

use super::text::duration;
use super::{Misread, Source, without_variations};
use crate::notation::without_number;
use crate::position::{Side, shorten};
use crate::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};

pub use writing::{Tags, write};

/// A game as PGN has it.
#[derive(Debug, Default)]
pub struct Game<'a> {
    /// Each tag's name, and its value with its place.
    tags: Vec<(&'a str, (usize, String))>,
    /// The moves as texts, with their places and comments.
    pub moves: Vec<(usize, RecordedMove)>,
    /// What stands before the first move.
    comment: Option<String>,
    /// The result behind the moves.
    result: Option<&'a str>,
    /// How many variations were left out.
    pub variations: usize,
    /// Whether a move had its number before it.
    is_numbered: bool,
    /// Whether words stood before the tags that are no moves.
    has_preface: bool,
}

/// The words for results.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Reads the game that the source wants.
///
/// # Errors
/// Where the text is not in PGN.
pub fn read<'a, V>(source: &Source<'a, V>) -> Result<Game<'a>, Misread> {
    let mut reader = Reader { text: source.text, at: 0 };
    let mut games = Vec::new();
    while reader.skip_blanks().is_some() {
        games.push((reader.at, reader.game()?));
    }
    source.choose(games)
}

impl Game<'_> {
    /// A tag's value with its place, unless it says that nothing is known.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<(usize, &str)> {
        let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        tag.map(|(_, (at, value))| (*at, value.as_str())).filter(|(_, value)| !matches!(value.trim(), "" | "?"))
    }

    /// All that tags and comments tell, apart from position and moves; and what was left out. The first player's tags are
    /// named after a colour, by one of these words.
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
        if self.has_preface {
            warnings.push("what stands before the tags was left out".to_owned());
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
        let told = self.tag("Result").map(|(_, value)| value.trim()).filter(|result| known(result)).or(self.result)?;
        let winner = match told {
            "1-0" => Some(Side::First),
            "0-1" => Some(Side::Second),
            "1/2-1/2" => None,
            _ => return None,
        };
        let how = self.tag("Termination").map(|(_, value)| value.to_ascii_lowercase()).unwrap_or_default();
        // The standard's words are `time forfeit`, `rules infraction` (whoever broke a rule forfeits) and `abandoned`; programs
        // use others too.
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

/// `600`, or `600+5`: seconds for all moves, and for each.
fn read_clock(value: &str) -> Option<Clock> {
    let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
    Some(Clock { main: duration(main)?, increment: duration(increment)?, ..Clock::default() })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn refuse<T>(&self, at: usize, expected: &str) -> Result<T, Misread> {
        Err(Misread::unexpected(at, self.text, expected))
    }

    /// One game: up to the first tag behind its moves. Comments may stand before the tags too.
    fn game(&mut self) -> Result<Game<'a>, Misread> {
        let mut game = Game::default();
        while let Some(next) = self.skip_blanks() {
            match next {
                '[' => {
                    // Words without a number or a result before the first tag of all are a heading.
                    let is_preface = game.tags.is_empty() && !game.is_numbered && game.result.is_none();
                    if is_preface && !game.moves.is_empty() {
                        game.moves.clear();
                        game.has_preface = true;
                    }
                    if !game.moves.is_empty() || game.result.is_some() {
                        break;
                    }
                    game.tags.push(self.tag()?);
                }
                '{' => {
                    let said = self.comment()?;
                    add_comment(&mut game, said);
                }
                ';' => {
                    let said = self.line();
                    add_comment(&mut game, said[1..].trim());
                }
                '%' => drop(self.line()),
                '(' => {
                    self.variation()?;
                    game.variations += 1;
                }
                '}' | ')' | ']' => return self.refuse(self.at, "a move, a comment in `{}`, or a result"),
                _ => self.word(&mut game)?,
            }
        }
        Ok(game)
    }

    /// The rest of the line.
    fn line(&mut self) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    /// `[Name "value"]`. A quote that no bracket follows is a part of the value: many programs do not escape it.
    fn tag(&mut self) -> Result<(&'a str, (usize, String)), Misread> {
        let (start, line) = (self.at, self.line());
        let expected = "a tag like `[Red \"name\"]`";
        let Some((name, quoted)) = line[1..].split_once('"') else { return self.refuse(start, expected) };
        let begin = start + 1 + name.len() + 1;
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        while let Some((offset, c)) = chars.next() {
            let after = &quoted[offset + c.len_utf8()..];
            match c {
                '\\' if after.starts_with(['"', '\\']) => value.extend(chars.next().map(|(_, c)| c)),
                '"' if after.trim_start().starts_with(']') => {
                    self.at = begin + offset + 1 + (after.len() - after.trim_start().len()) + 1;
                    return Ok((name.trim(), (begin, value)));
                }
                c => value.push(c),
            }
        }
        self.refuse(start, expected)
    }

    /// A comment in braces, which has no escapes.
    fn comment(&mut self) -> Result<&'a str, Misread> {
        let Some(end) = self.rest().find('}') else { return self.refuse(self.at, "`}` after the comment") };
        let said = &self.rest()[1..end];
        self.at += end + 1;
        Ok(said)
    }

    /// Skips a variation, with those inside it.
    fn variation(&mut self) -> Result<(), Misread> {
        let start = self.at;
        let mut depth = 0;
        while let Some(next) = self.skip_blanks() {
            match next {
                '{' => drop(self.comment()?),
                ';' => drop(self.line()),
                _ => {
                    self.at += next.len_utf8();
                    match next {
                        '(' => depth += 1,
                        ')' if depth == 1 => return Ok(()),
                        ')' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
        self.refuse(start, "`)` after the variation")
    }

    /// A move, a number, a result, or an annotation.
    fn word(&mut self, game: &mut Game<'a>) -> Result<(), Misread> {
        let ends = |c: char| c.is_whitespace() || "{}()[];".contains(c);
        let word = self.rest().split(ends).next().unwrap_or_default();
        let start = self.at;
        self.at += word.len();
        if game.result.is_some() {
            return self.refuse(start, "another game after the result, which begins with a tag");
        }
        if RESULTS.contains(&word) {
            game.result = Some(word);
            return Ok(());
        }
        let mv = without_number(word).trim_end_matches(['!', '?']);
        let is_number = mv.trim_end_matches(['.', '…']).chars().all(|c| c.is_ascii_digit());
        game.is_numbered |= mv.is_empty() || mv.len() < word.trim_end_matches(['!', '?']).len();
        if !mv.is_empty() && !is_number && !mv.starts_with('$') {
            let mv = mv.trim_start_matches(['.', '…']);
            game.moves.push((super::place(self.text, mv), RecordedMove::new(mv)));
        }
        Ok(())
    }
}

fn add_comment(game: &mut Game<'_>, said: &str) {
    let said = said.replace('\r', "");
    let said: String = said.chars().map(|c| if c != '\n' && c.is_control() { ' ' } else { c }).collect();
    let said = said.trim().to_owned();
    let comment = game.moves.last_mut().map_or(&mut game.comment, |(_, mv)| &mut mv.comment);
    if !said.is_empty() {
        *comment = Some(comment.take().map_or(said.clone(), |before| format!("{before}\n{said}")));
    }
}
