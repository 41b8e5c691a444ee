//! The moves of a record in a request: as elsewhere, or with annotations.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{invalid, not_a_time};
use crate::api::Problem;
use crate::catalog::{Move, typed};
use crate::position::Side;
use crate::record::RecordedMove;

/// A move in a request: a text or a column, or an object with annotations.
#[derive(Debug, Default)]
pub struct GivenMove(GivenFields);

/// A move and its annotations.
#[derive(Debug, Default, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "GivenMove")]
struct GivenFields {
    /// Its number: its place in the list, from 1.
    #[serde(default, deserialize_with = "typed::whole::<_, _, 1, { u32::MAX as u64 }>")]
    #[schemars(range(min = 1))]
    ply: Option<usize>,
    /// The player, who must be the side to move.
    #[serde(default, deserialize_with = "typed::word")]
    side: Option<Side>,
    /// The move; in Connect Four, a column can be a number.
    #[serde(rename = "move")]
    mv: Move,
    /// The comment on the move.
    #[serde(default)]
    comment: Option<String>,
    /// Seconds spent on it.
    #[serde(default, deserialize_with = "typed::seconds")]
    #[schemars(range(min = 0))]
    seconds: Option<f64>,
    /// Seconds left to its player after it.
    #[serde(default, deserialize_with = "typed::seconds")]
    #[schemars(range(min = 0))]
    seconds_left: Option<f64>,
    /// The margin that its player expected, from the player's own view.
    #[serde(default)]
    margin: Option<f64>,
}

impl JsonSchema for GivenMove {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "MoveOrFields".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<Move>(), generator.subschema_for::<GivenFields>()] })
    }
}

impl GivenMove {
    /// A move without annotations.
    pub fn new(mv: Move) -> Self {
        Self(GivenFields { mv, ..GivenFields::default() })
    }

    /// The move at an index of the list.
    pub fn into_recorded(self, index: usize) -> Result<RecordedMove, Problem> {
        let GivenFields { ply, side, mv, comment, seconds, seconds_left, margin } = self.0;
        let refuse = |field: &str, expected: &str| Err(invalid(&format!("/moves/{index}/{field}"), expected));
        if ply.is_some_and(|ply| ply != index + 1) {
            return refuse("ply", &format!("expected {}", index + 1));
        }
        for (field, time) in [("seconds", seconds), ("seconds_left", seconds_left)] {
            if time.is_some_and(|time| Duration::try_from_secs_f64(time).is_err()) {
                return refuse(field, &not_a_time());
            }
        }
        Ok(RecordedMove { mv: mv.0, side, margin, seconds, seconds_left, comment })
    }
}

impl<'de> Deserialize<'de> for GivenMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MoveVisitor)
    }
}

struct MoveVisitor;

impl<'de> Visitor<'de> for MoveVisitor {
    type Value = GivenMove;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a move as text, a column from 1 to 9 as a number, or an object with a move and what is recorded of it",
        )
    }

    fn visit_str<E: Error>(self, mv: &str) -> Result<GivenMove, E> {
        Ok(GivenMove::new(Move(mv.to_owned())))
    }

    fn visit_u64<E: Error>(self, column: u64) -> Result<GivenMove, E> {
        Move::deserialize(column.into_deserializer()).map(GivenMove::new)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<GivenMove, A::Error> {
        Ok(GivenMove(GivenFields::deserialize(MapAccessDeserializer::new(fields))?))
    }
}
