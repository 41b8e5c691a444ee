//! Game records: reads a text in any supported format, and writes a game in one.

mod moves;

use std::time::Duration;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::moves::GivenMove;
use super::{Code, Problem, strict};
use crate::catalog::{Catalog, Listed, Move, Moves, Played, ReadOptions, typed};
use crate::position::Side;
use crate::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};
use crate::schema;

/// A record: either `text`, or `game` with its moves and the fields from `variant` to `result`. A response without its
/// `format`, `warnings` and `written` is such a request.
#[derive(Debug, Default, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[schemars(extend("dependentSchemas" = {"game": {
    "anyOf": [{"properties": {"game": {"type": "null"}}}, {"$ref": "#/components/x-variants-of-games/requested"}]
}}))]
pub struct RecordRequest {
    /// A record in any format.
    pub text: Option<String>,
    /// The format of `text`; detected by default.
    #[schemars(with = "Option<schema::RecordFormatName>")]
    pub format: Option<String>,
    /// The number of the game in `text`, from 1; required if there are several.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, { u32::MAX as u64 }>")]
    #[schemars(range(min = 1, max = u32::MAX))]
    pub number: Option<u32>,
    /// The game. Optional where the format of `text` belongs to one game; lists of moves can fit several games.
    #[schemars(with = "Option<schema::GameName>")]
    pub game: Option<String>,
    /// Its variant: a name, or an object with parameters.
    #[serde(deserialize_with = "strict::named")]
    #[schemars(with = "schema::RequestedVariant")]
    pub variant: Option<Value>,
    /// The position before the moves; by default the start.
    #[schemars(with = "schema::RequestedPosition")]
    position: Option<String>,
    /// The moves: a list, each as a text (of one or more moves), a column of Connect Four from 1 to 9, or an object; or a
    /// single text, as elsewhere (`4433`).
    moves: Option<Listed<GivenMove>>,
    /// The players.
    #[serde(deserialize_with = "strict::object")]
    players: Option<GivenPlayers>,
    /// The tournament or match.
    event: Option<String>,
    /// The round of the event.
    round: Option<String>,
    /// The place of the game: a town, a server, a program.
    place: Option<String>,
    /// The date, in the record's own words.
    date: Option<String>,
    /// The comment before the first move.
    comment: Option<String>,
    /// How the game ended.
    #[serde(deserialize_with = "strict::object")]
    result: Option<ResultPart>,
    /// The format to write the game in; the game must have it.
    #[schemars(with = "Option<schema::RecordFormat>")]
    pub write: Option<String>,
    /// A warning about the decoder's guesses.
    #[serde(skip)]
    decoding: Option<String>,
}

/// A game on record.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Record", extend("dependentSchemas" = {"game": {"$ref": "#/components/x-variants-of-games/effective"}}))]
pub struct RecordResponse {
    /// The format that was read; null if the request had no text.
    #[schemars(with = "Option<schema::RecordFormat>")]
    format: Option<&'static str>,
    #[schemars(with = "schema::GameName")]
    game: String,
    #[schemars(with = "schema::Variant")]
    variant: Value,
    /// The position before the moves, in the game's notation; null for the start.
    position: Option<String>,
    /// The moves of the main line, including passes that the record omits because there was no other move.
    moves: Vec<MovePart>,
    players: Players,
    /// The tournament or match.
    event: Option<String>,
    /// The round of the event.
    round: Option<String>,
    /// The place of the game: a town, a server, a program.
    place: Option<String>,
    /// The date, in the record's own words.
    date: Option<String>,
    /// The comment before the first move.
    comment: Option<String>,
    /// How the game ended, by the record or else by the rules; null if neither states it.
    result: Option<ResultPart>,
    /// Omissions, such as variations, and assumptions.
    warnings: Vec<String>,
    /// The game in the requested format.
    written: Option<TextPart>,
}

/// A record as a text.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "WrittenRecord")]
struct TextPart {
    #[schemars(with = "schema::RecordFormat")]
    format: String,
    /// The record, to be stored in UTF-8.
    text: String,
}

/// A move of the main line.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "RecordedMove")]
struct MovePart {
    /// Its number, from 1.
    #[schemars(range(min = 1))]
    ply: usize,
    #[schemars(with = "Side")]
    side: Option<Side>,
    /// The move in canonical notation.
    #[serde(rename = "move")]
    mv: String,
    /// The comment on the move.
    comment: Option<String>,
    /// Seconds spent on it.
    seconds: Option<f64>,
    /// Seconds left to its player after it.
    seconds_left: Option<f64>,
    /// The margin that its player expected, from the player's own view.
    margin: Option<f64>,
}

/// The players of a record.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "RecordedPlayers")]
struct Players {
    first: Player,
    second: Player,
}

/// The players of a record.
#[derive(Debug, Default, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct GivenPlayers {
    /// The first player.
    #[serde(deserialize_with = "strict::object")]
    first: Option<Player>,
    /// The second player.
    #[serde(deserialize_with = "strict::object")]
    second: Option<Player>,
}

/// A player.
#[derive(Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "RecordedPlayer")]
struct Player {
    /// The player's name.
    name: Option<String>,
    /// Rating or rank, in the record's own words.
    rating: Option<String>,
    /// The player's time control.
    #[serde(deserialize_with = "strict::object")]
    clock: Option<ClockPart>,
}

/// A player's time control, in seconds.
#[derive(Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "RecordedClock")]
struct ClockPart {
    /// The time for all moves.
    #[serde(deserialize_with = "typed::time")]
    #[schemars(range(min = 0))]
    main_s: f64,
    /// The time added after each move.
    #[serde(deserialize_with = "typed::time")]
    #[schemars(range(min = 0))]
    increment_s: f64,
    /// The grace period after the main time (GGF): the game is already lost, but not by the maximum margin.
    #[serde(deserialize_with = "typed::time")]
    #[schemars(range(min = 0))]
    grace_s: f64,
}

/// How a game ended.
#[derive(Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RecordedResult", transform = require_winner)]
struct ResultPart {
    /// Who won; null for a draw.
    #[serde(default, deserialize_with = "typed::word")]
    winner: Option<Side>,
    /// The first player's points minus the second's, in games played for points: above 0 if the first player won, 0 in a draw.
    #[serde(default)]
    margin: Option<f64>,
    /// How the game ended other than by its rules; else null.
    #[serde(default, deserialize_with = "typed::word")]
    early: Option<EarlyEndName>,
}

/// A result without a winner is read as a draw; the contract asks clients to be explicit.
fn require_winner(schema: &mut Schema) {
    schema.ensure_object().entry("required").or_insert_with(|| Value::from(["winner"]));
}

/// How a game ended other than by its rules.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EarlyEnd")]
enum EarlyEndName {
    /// A player resigned.
    Resignation,
    /// A player's time ran out.
    Timeout,
    /// The players agreed on the result.
    Agreement,
    /// A player forfeited the game.
    Forfeit,
}

const EARLY_ENDS: [(EarlyEnd, EarlyEndName); 4] = [
    (EarlyEnd::Resigned, EarlyEndName::Resignation),
    (EarlyEnd::Timeout, EarlyEndName::Timeout),
    (EarlyEnd::Agreed, EarlyEndName::Agreement),
    (EarlyEnd::Forfeited, EarlyEndName::Forfeit),
];

impl RecordRequest {
    /// A request to read a text, with a warning about the decoder's guesses.
    #[must_use]
    pub fn of_text(text: String, decoding: Option<String>) -> Self {
        Self { text: Some(text), decoding, ..Self::default() }
    }

    /// Reads the record, and writes it if requested.
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
            return Err(conflict(field, "conflicts with `text`", "either `text` or the fields of the record"));
        }
        let asked = ReadOptions {
            game: self.game.as_deref(),
            variant: self.variant.as_ref(),
            format: self.format.as_deref(),
            number: self.number.map(|number| number as usize),
        };
        Ok(catalog.read_record(self.text.as_deref().unwrap_or_default(), &asked)?)
    }

    fn play(self, catalog: &Catalog) -> Result<Played, Problem> {
        if let Some(field) = self.format.as_ref().map(|_| "format").or(self.number.map(|_| "number")) {
            let expected = "`text` too; `write` is the format to write";
            return Err(conflict(field, "applies to `text`, which is missing", expected));
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
        let GivenPlayers { first, second } = self.players.unwrap_or_default();
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

/// The message for a time out of range.
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
                first: Player { name: first, rating: first_rating, clock: first_clock },
                second: Player { name: second, rating: second_rating, clock: second_clock },
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
