//! The arguments that several tools share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tesuji_core::api::PositionRequest;

use super::caller::Caller;
use super::described::Described;
use super::refused::ToolError;
use super::schema;
use super::words::list;

/// A position of a game.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Position {
    /// The game, e.g. "gomoku". list_games lists all.
    pub game: String,
    /// The variant: its name, e.g. "renju", or its parameters, e.g. {"size": 9}. Default: the standard one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::variant")]
    pub variant: Option<Value>,
    /// The position in the game's notation, as results contain it. Default: the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves of both sides from there, in order, e.g. ["h8", "h9"]. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::moves")]
    pub moves: Option<Value>,
}

impl Position {
    /// Describes it.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn describe(&self, caller: &Caller) -> Result<Described, ToolError> {
        caller.post("/v1/positions", self).await
    }

    /// Draws the board.
    ///
    /// # Errors
    /// When it is refused.
    pub fn draw(&self, caller: &Caller) -> Result<String, ToolError> {
        let bytes = serde_json::to_vec(self).map_err(ToolError::failed)?;
        caller.read(|catalog| tesuji_core::api::parse::<PositionRequest>(&bytes)?.draw(catalog))
    }

    /// The same after another move.
    pub fn after(&self, described: &Described, mv: &str) -> Self {
        let played = match &self.moves {
            Some(Value::Array(moves)) => moves.clone(),
            None => Vec::new(),
            // A text of moves: the line that the rules read in it.
            Some(_) => described.line.iter().map(|played| Value::from(played.mv.as_str())).collect(),
        };
        let moves = played.into_iter().chain([Value::from(mv)]).collect();
        Self { moves: Some(Value::Array(moves)), ..self.clone() }
    }

    /// An API request for it, with further fields.
    pub fn request(&self, more: Value) -> Value {
        let mut request = serde_json::to_value(self).unwrap_or_default();
        if let (Value::Object(request), Value::Object(more)) = (&mut request, more) {
            request.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
        }
        request
    }

    /// Adds the legal moves to the refusal of a move.
    pub async fn explain(&self, refused: ToolError, caller: &Caller) -> ToolError {
        let index = refused.pointer().strip_prefix("/moves/").and_then(|index| index.parse::<usize>().ok());
        let (Some(index), Some(Value::Array(moves)), true) = (index, &self.moves, refused.is_of_move()) else {
            return refused;
        };
        let before = Self { moves: Some(moves.iter().take(index).cloned().collect()), ..self.clone() };
        match before.describe(caller).await {
            Ok(described) => {
                let to_move = format!("Legal moves of {} there: ", described.to_move);
                refused.with_hint(to_move + &list(&described.legal_moves))
            }
            Err(_) => refused,
        }
    }
}

/// A search's limits.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Deserialize)]
pub struct Time {
    /// How long to think, in milliseconds. Default: the server's, usually 1000.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub time_ms: Option<u64>,
}

impl Time {
    /// The budget in the API's request; null without a time, for the server's default.
    pub fn budget(self) -> Value {
        self.time_ms
            .map_or(Value::Null, |time_ms| Value::Object(Map::from_iter([("time_ms".to_owned(), time_ms.into())])))
    }
}
