//! Records of games: a text in any format, read; a game, written in one.

mod moves;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::moves::GivenMove;
use super::{Code, Problem, strict};
use crate::catalog::{Asked, Catalog, Listed, Move, Moves, Played, typed};
use crate::position::Side;
use crate::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};

/// A record to be read or written: its text, or what it says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordRequest {
    /// The record, in any format.
    pub text: Option<String>,
    /// The text's format; recognised when absent.
    pub format: Option<String>,
    /// Which of several games in the text is wanted, from 1.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, { u32::MAX as u64 }>")]
    pub number: Option<u32>,
    /// The game's name; needed where no text tells it.
    pub game: Option<String>,
    /// Its variant: a name, or an object with parameters.
    #[serde(deserialize_with = "strict::named")]
    pub variant: Option<Value>,
    /// The position before the moves; the start when absent.
    position: Option<String>,
    moves: Option<Listed<GivenMove>>,
    #[serde(deserialize_with = "strict::object")]
    players: Option<Players>,
    event: Option<String>,
    round: Option<String>,
    place: Option<String>,
    date: Option<String>,
    comment: Option<String>,
    #[serde(deserialize_with = "strict::object")]
    result: Option<ResultPart>,
    /// The format in which the game is to be written.
    pub write: Option<String>,
    /// What was guessed when the text was decoded.
    #[serde(skip)]
    decoding: Option<String>,
}

/// A game on record.
#[derive(Debug, Serialize)]
pub struct RecordResponse {
    format: Option<&'static str>,
    game: &'static str,
    variant: Value,
    position: Option<String>,
    moves: Vec<MovePart>,
    players: Players,
    event: Option<String>,
    round: Option<String>,
    place: Option<String>,
    date: Option<String>,
    comment: Option<String>,
    result: Option<ResultPart>,
    warnings: Vec<String>,
    written: Option<TextPart>,
}

/// A record as a text.
#[derive(Debug, Serialize)]
struct TextPart {
    format: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct MovePart {
    ply: usize,
    side: Option<Side>,
    #[serde(rename = "move")]
    mv: String,
    comment: Option<String>,
    seconds: Option<f64>,
    seconds_left: Option<f64>,
    margin: Option<f64>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Players {
    #[serde(deserialize_with = "strict::object")]
    first: Option<Player>,
    #[serde(deserialize_with = "strict::object")]
    second: Option<Player>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Player {
    name: Option<String>,
    rating: Option<String>,
    #[serde(deserialize_with = "strict::object")]
    clock: Option<ClockPart>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ClockPart {
    #[serde(deserialize_with = "typed::time")]
    main_s: f64,
    #[serde(deserialize_with = "typed::time")]
    increment_s: f64,
    #[serde(deserialize_with = "typed::time")]
    grace_s: f64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultPart {
    #[serde(default, deserialize_with = "typed::word")]
    winner: Option<Side>,
    #[serde(default)]
    margin: Option<f64>,
    #[serde(default, deserialize_with = "typed::word")]
    early: Option<EarlyEndName>,
}

/// How a game ended, where it was not by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EarlyEndName {
    Resignation,
    Timeout,
    Agreement,
    Forfeit,
}

const EARLY_ENDS: [(EarlyEnd, EarlyEndName); 4] = [
    (EarlyEnd::Resigned, EarlyEndName::Resignation),
    (EarlyEnd::Timeout, EarlyEndName::Timeout),
    (EarlyEnd::Agreed, EarlyEndName::Agreement),
    (EarlyEnd::Forfeited, EarlyEndName::Forfeit),
];

impl RecordRequest {
    /// Asks for a text to be read, and for a warning of what was guessed when it was decoded.
    #[must_use]
    pub fn of_text(text: String, decoding: Option<String>) -> Self {
        Self { text: Some(text), decoding, ..Self::default() }
    }

    /// Reads the record, and writes it where that is asked for.
    ///
    /// # Errors
    /// When the request is refused.
    pub fn answer(self, catalog: &Catalog) -> Result<RecordResponse, Problem> {
        let (write, decoding) = (self.write.clone(), self.decoding.clone());
        let mut played = if self.text.is_some() { self.read(catalog)? } else { self.play(catalog)? };
        played.warnings.splice(0..0, decoding);
        let written = write.map(|format| Ok(TextPart { text: catalog.write_record(&played, &format)?, format }));
        let written = written.transpose().map_err(|refusal: crate::catalog::Refusal| Problem::from(refusal))?;
        Ok(RecordResponse::new(played, written))
    }

    fn read(self, catalog: &Catalog) -> Result<Played, Problem> {
        let given = [
            ("position", self.position.is_some()),
            ("moves", self.moves.is_some()),
            ("players", self.players.is_some()),
            ("event", self.event.is_some()),
            ("round", self.round.is_some()),
            ("place", self.place.is_some()),
            ("date", self.date.is_some()),
            ("comment", self.comment.is_some()),
            ("result", self.result.is_some()),
        ];
        if let Some((field, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            return Err(conflict(field, "conflicts with `text`", "either `text`, or what the record says"));
        }
        let asked = Asked {
            game: self.game.as_deref(),
            variant: self.variant.as_ref(),
            format: self.format.as_deref(),
            number: self.number.map(|number| number as usize),
        };
        Ok(catalog.read_record(self.text.as_deref().unwrap_or_default(), &asked)?)
    }

    fn play(self, catalog: &Catalog) -> Result<Played, Problem> {
        if let Some(field) = self.format.as_ref().map(|_| "format").or(self.number.map(|_| "number")) {
            let expected = "`text` beside it; `write` is the format to write";
            return Err(conflict(field, "is about a `text`, and there is none", expected));
        }
        let game = self.game.ok_or_else(|| invalid("", "expected `text`, or `game` and `moves`"))?;
        let mut record = Record {
            event: self.event,
            round: self.round,
            place: self.place,
            date: self.date,
            comment: self.comment,
            position: self.position,
            result: self.result.map(ResultPart::into_result).transpose()?,
            ..Record::default()
        };
        let Players { first, second } = self.players.unwrap_or_default();
        for (index, player) in [first, second].into_iter().enumerate() {
            let Player { name, rating, clock } = player.unwrap_or_default();
            record.players[index] = name;
            record.ratings[index] = rating;
            let side = if index == 0 { "first" } else { "second" };
            let clock = clock.map(|clock| {
                clock.into_clock().ok_or_else(|| invalid(&format!("/players/{side}/clock"), &not_a_time()))
            });
            record.clocks[index] = clock.transpose()?;
        }
        let variant = self.variant.as_ref();
        let (moves, text) = match self.moves {
            None => (Vec::new(), None),
            Some(Listed::List(moves)) => (moves, None),
            Some(Listed::Text(text)) => {
                let text = Moves::Text(text);
                let moves = text.split(catalog, &game, variant)?.into_owned();
                (moves.into_iter().map(|mv| GivenMove::new(Move(mv))).collect(), Some(text))
            }
        };
        for (index, given) in moves.into_iter().enumerate() {
            record.moves.push(given.into_recorded(index)?);
        }
        let located = |refusal| match &text {
            Some(text) => text.located(refusal),
            None => refusal,
        };
        Ok(catalog.play_record(&game, variant, record).map_err(located)?)
    }
}

/// What a time should have been.
fn not_a_time() -> String {
    format!("expected {}", typed::SECONDS)
}

fn invalid(pointer: &str, detail: &str) -> Problem {
    Problem::at(Code::InvalidRequest, pointer, detail)
}

fn conflict(field: &str, problem: &str, expected: &str) -> Problem {
    invalid(&format!("/{field}"), &format!("`{field}` {problem}: expected {expected}"))
}

impl RecordResponse {
    fn new(played: Played, written: Option<TextPart>) -> Self {
        let Played { game, format, record, session, warnings } = played;
        let Record { event, round, place, date, players, ratings, clocks, comment, position, moves, result } = record;
        let [first, second] = players;
        let [first_rating, second_rating] = ratings;
        let [first_clock, second_clock] = clocks.map(|clock| clock.map(ClockPart::of));
        let moves = moves.into_iter().enumerate().map(|(index, mv)| {
            let RecordedMove { mv, side, margin, seconds, seconds_left, comment } = mv;
            MovePart { ply: index + 1, side, mv, comment, seconds, seconds_left, margin }
        });
        Self {
            format,
            game,
            variant: session.view().variant,
            position,
            moves: moves.collect(),
            players: Players {
                first: Some(Player { name: first, rating: first_rating, clock: first_clock }),
                second: Some(Player { name: second, rating: second_rating, clock: second_clock }),
            },
            event,
            round,
            place,
            date,
            comment,
            result: result.map(ResultPart::of),
            warnings,
            written,
        }
    }
}

impl ClockPart {
    fn of(clock: Clock) -> Self {
        let [main_s, increment_s, grace_s] =
            [clock.main, clock.increment, clock.grace].map(|time: Duration| time.as_secs_f64());
        Self { main_s, increment_s, grace_s }
    }

    fn into_clock(self) -> Option<Clock> {
        let read = |seconds| Duration::try_from_secs_f64(seconds).ok();
        Some(Clock { main: read(self.main_s)?, increment: read(self.increment_s)?, grace: read(self.grace_s)? })
    }
}

impl ResultPart {
    fn of(result: RecordedResult) -> Self {
        let RecordedResult { winner, margin, early } = result;
        let name = |early| EARLY_ENDS.into_iter().find(|(end, _)| *end == early).map(|(_, name)| name);
        Self { winner, margin, early: early.and_then(name) }
    }

    fn into_result(self) -> Result<RecordedResult, Problem> {
        let Self { winner, margin, early } = self;
        let sign = winner.map_or(0, Side::sign);
        if let Some(margin) = margin
            && (margin > 0.0, margin < 0.0) != (sign > 0, sign < 0)
        {
            let expected = match winner {
                Some(Side::First) => "expected a margin above 0, since the first player won",
                Some(Side::Second) => "expected a margin below 0, since the second player won",
                None => "expected 0 or null, since nobody won",
            };
            return Err(invalid("/result/margin", expected));
        }
        let end = |early: EarlyEndName| EARLY_ENDS.into_iter().find(|(_, name)| *name == early).map(|(end, _)| end);
        Ok(RecordedResult { winner, margin, early: early.and_then(end) })
    }
}
