//! `read_record`: a game from a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tesuji_core::position::Side;

use crate::mcp::caller::Caller;
use crate::mcp::refused::ToolError;
use crate::mcp::schema;
use crate::mcp::tool::{Tool, ToolResult};

/// Arguments of `read_record`.
#[derive(Debug, JsonSchema, Serialize, Deserialize)]
pub struct ReadRecord {
    /// The record: SGF, PGN, GGF, PSQ, or a list of moves.
    text: String,
    /// The game; needed only if the text fits several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The variant: its name or its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::variant")]
    variant: Option<Value>,
    /// The number of the game, from 1, if the text has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    number: Option<u32>,
}

/// A game on record, for the arguments of other tools.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Recorded {
    /// The game.
    game: String,
    /// Its variant, with all parameters.
    variant: Value,
    /// The position before the moves; null for the start.
    position: Option<String>,
    /// The moves.
    moves: Vec<String>,
    /// The players' names, if the record has them.
    players: [Option<String>; 2],
    /// The winner; null for a draw, or if the record has no result.
    winner: Option<Side>,
    /// Remarks.
    warnings: Vec<String>,
}

/// The API's response.
#[derive(Debug, Deserialize)]
struct Record {
    game: String,
    variant: Value,
    position: Option<String>,
    moves: Vec<MovePart>,
    players: Players,
    result: Option<ResultPart>,
    warnings: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct MovePart {
    #[serde(rename = "move")]
    mv: String,
}

#[derive(Debug, Deserialize)]
struct Players {
    first: Player,
    second: Player,
}

#[derive(Debug, Deserialize)]
struct Player {
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ResultPart {
    winner: Option<Side>,
}

impl Tool for ReadRecord {
    const NAME: &'static str = "read_record";
    const TITLE: &'static str = "Read a game record";
    const ABOUT: &'static str = "Reads a game from the text of a file and returns its game and moves for the other tools. \
                                 Example: {\"text\": \"(;GM[4]SZ[15];B[hh];W[hi])\"}";
    type Result = Recorded;

    async fn run(self, caller: &Caller) -> Result<ToolResult<Recorded>, ToolError> {
        let Record { game, variant, position, moves, players, result, warnings } =
            caller.post("/v1/records", &self).await?;
        let moves: Vec<String> = moves.into_iter().map(|part| part.mv).collect();
        let result_text = match &result {
            Some(ResultPart { winner: Some(side) }) => format!("; the {side} player won"),
            Some(ResultPart { winner: None }) => "; a draw".to_owned(),
            None => String::new(),
        };
        let from = position.as_ref().map(|position| format!(" from `{position}`")).unwrap_or_default();
        let notes: String = warnings.iter().map(|warning| format!("\nNote: {warning}")).collect();
        let text = format!("{game} {variant}{from}, {} moves{result_text}: {}{notes}", moves.len(), moves.join(" "));
        let winner = result.and_then(|result| result.winner);
        let players = [players.first.name, players.second.name];
        Ok(ToolResult::new(text, Recorded { game, variant, position, moves, players, winner, warnings }))
    }
}
