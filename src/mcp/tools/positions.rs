//! `legal_moves` and `play`: positions without a search.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_core::position::Side;

use crate::mcp::arguments::Position;
use crate::mcp::caller::Caller;
use crate::mcp::described::Described;
use crate::mcp::refused::ToolError;
use crate::mcp::rules::Rules;
use crate::mcp::tool::{Tool, ToolResult};
use crate::mcp::words::{self, LISTED, Names, list};

/// A position.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Shown {
    /// In the game's notation, for the argument `position` of another call.
    pub position: String,
    /// The board, drawn.
    pub board: String,
    /// The side to move.
    pub to_move: Side,
    /// That player's name.
    pub player: String,
    /// Moves played since the start.
    pub ply: u32,
    /// How the game ended, in words; null if it is not over.
    pub ended: Option<String>,
    /// The number of legal moves.
    pub legal_count: usize,
    /// Remarks.
    pub warnings: Vec<String>,
}

impl Shown {
    /// A position with its board, and its number of legal moves.
    ///
    /// # Errors
    /// When it is refused.
    pub fn new(position: &Position, described: &Described, names: &Names, caller: &Caller) -> Result<Self, ToolError> {
        Ok(Self {
            position: described.position.clone(),
            board: position.draw(caller)?,
            to_move: described.to_move,
            player: names.of(described.to_move).to_owned(),
            ply: described.ply,
            ended: described.outcome.as_ref().map(|outcome| words::outcome(outcome, names)),
            legal_count: described.legal_moves.len(),
            warnings: described.warnings.clone(),
        })
    }

    /// Board and state in words.
    pub fn text(&self) -> String {
        let Self { position, board, to_move, player, ply, .. } = self;
        let state = match &self.ended {
            Some(ended) => format!("The game is over: {ended}."),
            None => format!("{player} ({to_move}) is to move."),
        };
        let warnings: String = self.warnings.iter().map(|warning| format!("\nNote: {warning}")).collect();
        format!("{board}\n\n{state} Ply {ply}. Position: `{position}`{warnings}")
    }
}

/// Arguments of `legal_moves`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct LegalMoves {
    #[serde(flatten)]
    position: Position,
    /// The most moves to list. Default: 40.
    #[serde(default)]
    limit: Option<usize>,
}

/// Legal moves.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Legal {
    /// The side to move.
    to_move: Side,
    /// The first moves, up to `limit`.
    moves: Vec<String>,
    /// The number of all legal moves.
    count: usize,
    /// The number of legal moves not listed in `moves`.
    left_out: usize,
    /// How the game ended, in words; null if it is not over.
    ended: Option<String>,
}

impl Tool for LegalMoves {
    const NAME: &'static str = "legal_moves";
    const TITLE: &'static str = "List the legal moves";
    const ABOUT: &'static str = "Lists the legal moves of a position: the first 40, and how many more there are. Example: \
                                 {\"game\": \"reversi\", \"moves\": [\"f5\", \"d6\"]}";
    type Result = Legal;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Legal>, ToolError> {
        let described = self.position.describe(caller).await?;
        let names = Rules::names(caller, &self.position.game)?;
        let Described { to_move, outcome, legal_moves, .. } = described;
        let count = legal_moves.len();
        let moves: Vec<String> = legal_moves.into_iter().take(self.limit.unwrap_or(LISTED)).collect();
        let left_out = count - moves.len();
        let ended = outcome.map(|outcome| words::outcome(&outcome, &names));
        let mut text = match &ended {
            Some(ended) => format!("The game is over: {ended}."),
            None => format!("{} ({to_move}) has {count} legal moves: {}", names.of(to_move), moves.join(" ")),
        };
        if left_out > 0 {
            text.push_str(&format!(" … and {left_out} more (raise `limit` to see them)"));
        }
        Ok(ToolResult::new(text, Legal { to_move, moves, count, left_out, ended }))
    }
}

/// Arguments of `play`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Play {
    #[serde(flatten)]
    position: Position,
}

impl Tool for Play {
    const NAME: &'static str = "play";
    const TITLE: &'static str = "Play moves and show the position";
    const ABOUT: &'static str = "Plays moves and shows the position they lead to: the board, who is to move, how the game \
                                 ended. No game is stored: give all moves each time, or the last `position` and the new \
                                 moves. Example: {\"game\": \"gomoku\", \"moves\": [\"h8\", \"h9\", \"i8\"]}";
    type Result = Shown;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Shown>, ToolError> {
        let described = self.position.describe(caller).await?;
        let names = Rules::names(caller, &self.position.game)?;
        let shown = Shown::new(&self.position, &described, &names, caller)?;
        let mut text = shown.text();
        if shown.ended.is_none() {
            let count = described.legal_moves.len();
            text.push_str(&format!("\n{count} legal moves: {}", list(&described.legal_moves)));
        }
        Ok(ToolResult::new(text, shown))
    }
}
