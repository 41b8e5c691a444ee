//! The moves of a request: a list of texts and numbers, or one text.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{Catalog, Refusal, RefusalKind, Setup};

/// The moves of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Moves {
    /// In a list; a text can hold several.
    List(Vec<String>),
    /// In one text, separated by spaces, commas and move numbers (`12.`), or by nothing where the notation allows it.
    Text(String),
}

impl Moves {
    /// The moves one by one, as the game splits them.
    ///
    /// # Errors
    /// When there is no such game or variant, or the text is a position.
    pub fn split(&self, catalog: &Catalog, game: &str, variant: Option<&Value>) -> Result<Cow<'_, [String]>, Refusal> {
        let text = match self {
            Self::List(moves) => return Ok(Cow::Borrowed(moves)),
            Self::Text(text) => text,
        };
        let session = catalog.open(game, Setup { variant, ..Setup::default() })?;
        match session.split_pasted(text) {
            (None, moves) => Ok(Cow::Owned(moves.into_iter().map(str::to_owned).collect())),
            (Some(_), _) => {
                let problem = "this is a position: expected moves here, and the position in `position`";
                Err(Refusal::new(RefusalKind::IllegalMove, "/moves", problem))
            }
        }
    }

    /// Sets up a game with the request's moves, if any, by `open`; refusals of single moves point to their place in the
    /// request.
    ///
    /// # Errors
    /// Those of [`Moves::split`] and `open`.
    pub fn play<T>(
        moves: Option<&Self>,
        catalog: &Catalog,
        game: &str,
        setup: Setup<'_>,
        open: impl FnOnce(Setup<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let Some(moves) = moves else { return open(setup) };
        let split = moves.split(catalog, game, setup.variant)?;
        open(Setup { moves: &split, ..setup }).map_err(|refusal| moves.located(refusal))
    }

    /// Moves the pointer of a single move's refusal to its place in the request.
    #[must_use]
    pub fn located(&self, refusal: Refusal) -> Refusal {
        match self {
            Self::Text(_) if refusal.pointer.starts_with("/moves/") => Refusal { pointer: self.pointer(0), ..refusal },
            _ => refusal,
        }
    }

    /// The place of a move in the request, by its index.
    #[must_use]
    pub fn pointer(&self, index: usize) -> String {
        match self {
            Self::List(_) => format!("/moves/{index}"),
            Self::Text(_) => "/moves".to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Listed::<Move>::deserialize(deserializer)? {
            Listed::List(moves) => Self::List(moves.into_iter().map(|Move(mv)| mv).collect()),
            Listed::Text(text) => Self::Text(text),
        })
    }
}

/// Moves in a request: a list, whose members can hold several moves, or a text of all moves.
#[derive(Debug)]
pub(crate) enum Listed<T> {
    List(Vec<T>),
    Text(String),
}

impl<T: JsonSchema> JsonSchema for Listed<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Listed".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["array", "string"], "items": generator.subschema_for::<T>() })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListedVisitor(PhantomData))
    }
}

struct ListedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListedVisitor<T> {
    type Value = Listed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves, or a text of them")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Listed<T>, E> {
        Ok(Listed::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Listed<T>, A::Error> {
        let mut moves = Vec::new();
        while let Some(mv) = list.next_element()? {
            moves.push(mv);
        }
        Ok(Listed::List(moves))
    }
}

/// A move in a list. Columns can be sent as numbers; from 10 on the notation has letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move(pub String);

impl JsonSchema for Move {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer"], "minimum": 1, "maximum": 9 })
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MoveVisitor).map(Self)
    }
}

/// A list of moves in a request, or null.
pub(crate) fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let Some(moves) = Option::<Vec<Move>>::deserialize(deserializer)? else { return Ok(None) };
    if !(1..=MAX_MOVES).contains(&moves.len()) {
        return Err(D::Error::invalid_length(moves.len(), &format!("1 to {MAX_MOVES} moves").as_str()));
    }
    Ok(Some(moves.into_iter().map(|Move(mv)| mv).collect()))
}

/// The most moves in such a list: more than the legal moves of any position that play can reach.
pub(crate) const MAX_MOVES: usize = 1000;

struct MoveVisitor;

impl Visitor<'_> for MoveVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move as text, or a column from 1 to 9 as a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        match number {
            1..=9 => Ok(number.to_string()),
            _ => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(game: &str, moves: &str) -> Result<Vec<String>, String> {
        let moves: Moves = serde_json::from_str(moves).map_err(|error| error.to_string())?;
        let split = moves.split(&Catalog::standard(), game, None).map(Cow::into_owned);
        split.map_err(|refusal| format!("{}: {}", refusal.pointer, refusal.detail))
    }

    #[test]
    fn a_text_is_split_as_the_game_writes_moves() {
        for (game, moves, split_to) in [
            ("connect-four", r#""4433""#, &["4", "4", "3", "3"][..]),
            ("connect-four", r#""1. 4 4 2. 3,3""#, &["4", "4", "3", "3"]),
            ("connect-four", "[4,4]", &["4", "4"]),
            ("gomoku", r#""h8 h9""#, &["h8", "h9"]),
            ("gomoku", r#""h8,h9i8""#, &["h8", "h9", "i8"]),
            ("tic-tac-toe", r#""b2a1""#, &["b2", "a1"]),
            ("reversi", r#""1. f5 d6 2. c3""#, &["f5", "d6", "c3"]),
            ("dots-and-boxes", r#""h0,1,v1,0""#, &["h0,1", "v1,0"]),
            ("xiangqi", r#""h2e2, h9g7""#, &["h2e2", "h9g7"]),
            ("xiangqi", r#""炮二平五，马8进7""#, &["炮二平五", "马8进7"]),
            ("hex", r#""a2 swap f6""#, &["a2", "swap", "f6"]),
            ("hex", r#""""#, &[]),
        ] {
            let split_to = split_to.iter().map(|&mv| mv.to_owned()).collect();
            assert_eq!(split(game, moves), Ok(split_to), "{game} {moves}");
        }
    }

    #[test]
    fn what_are_no_moves_is_refused() {
        let position = split("xiangqi", r#""rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w""#);
        assert_eq!(
            position,
            Err("/moves: this is a position: expected moves here, and the position in `position`".to_owned())
        );
        for moves in ["[12]", "[0]", "[-1]", "[1.5]", "[null]", "[[4]]", "4", "{}", "true"] {
            let refused = split("connect-four", moves).expect_err(moves);
            let expected = ["expected a move as text, or a column", "expected a list of moves, or a text"];
            assert!(expected.iter().any(|expected| refused.contains(expected)), "{refused}");
        }
    }
}
