//! `draw_board`: a picture of a position.

use rmcp::model::ContentBlock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_core::position::Side;
use tesuji_picture::{Candidate, Theme};

use crate::mcp::arguments::Position;
use crate::mcp::caller::Caller;
use crate::mcp::refused::ToolError;
use crate::mcp::rules::Rules;
use crate::mcp::schema;
use crate::mcp::tool::{Tool, ToolResult};
use crate::mcp::words;

const PNG: &str = "image/png";

/// Arguments of `draw_board`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct DrawBoard {
    #[serde(flatten)]
    position: Position,
    /// Moves to mark, the best first, each with a short label.
    #[serde(default)]
    #[schemars(length(max = 400))]
    candidates: Vec<Candidate>,
    /// Up to 64 moves that continue from the position, shown with numbers.
    #[serde(default)]
    #[schemars(schema_with = "schema::moves")]
    ahead: Option<Value>,
    /// The longer side in pixels. Default: 480.
    #[serde(default)]
    #[schemars(range(min = 64, max = 2048))]
    size: Option<u32>,
    /// Default: light.
    #[serde(default)]
    theme: Option<Theme>,
}

/// The drawn position.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Drawn {
    /// In the game's notation.
    position: String,
    /// The side to move.
    to_move: Side,
    /// How the game ended, in words; null if it is not over.
    ended: Option<String>,
}

impl Tool for DrawBoard {
    const NAME: &'static str = "draw_board";
    const TITLE: &'static str = "Draw the board as a picture";
    const ABOUT: &'static str = "Draws a position as a PNG image with coordinates and the last move, for people and for models \
                                 that see images. Example: {\"game\": \"gomoku\", \"moves\": [\"h8\", \"h9\"], \"candidates\": \
                                 [{\"move\": \"i8\", \"label\": \"1\"}]}";
    type Result = Drawn;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Drawn>, ToolError> {
        let described = self.position.describe(caller).await?;
        let names = Rules::names(caller, &self.position.game)?;
        let Self { position, candidates, ahead, size, theme } = self;
        let mut picture = json!({ "candidates": candidates, "ahead": ahead });
        if let Some(size) = size {
            picture["size"] = size.into();
        }
        if let Some(theme) = theme {
            picture["theme"] = json!(theme);
        }
        let file = caller.file("/v1/positions", PNG, &position.request(json!({ "picture": picture }))).await?;
        let (to_move, ended) = (described.to_move, described.outcome);
        let ended = ended.map(|outcome| words::outcome(&outcome, &names));
        let state = match &ended {
            Some(ended) => format!("The game is over: {ended}."),
            None => format!("{} ({to_move}) is to move.", names.of(to_move)),
        };
        let text = format!("{state} Position: `{}`", described.position);
        let image = ContentBlock::image(data_encoding::BASE64.encode(&file), PNG);
        let data = Drawn { position: described.position, to_move, ended };
        Ok(ToolResult { text, data, more: vec![image] })
    }
}
