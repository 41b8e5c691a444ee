//! `list_games` and `game_rules`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::caller::Caller;
use crate::mcp::refused::ToolError;
use crate::mcp::rules::{Rules, VariantRules};
use crate::mcp::tool::{Tool, ToolResult};
use crate::reasons::Language;

/// Arguments of `list_games`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct ListGames {}

/// The games.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Games {
    /// Each game.
    games: Vec<Game>,
}

/// A game.
#[derive(Debug, JsonSchema, Serialize)]
struct Game {
    /// Its name, for the argument `game`.
    game: String,
    /// Its title.
    title: String,
    /// The players, the first to move first.
    players: [String; 2],
    /// Its variants, the default first.
    variants: Vec<String>,
    /// Moves in its notation.
    example_moves: Vec<String>,
}

impl Tool for ListGames {
    const NAME: &'static str = "list_games";
    const TITLE: &'static str = "List the games";
    const ABOUT: &'static str = "Lists the board games that can be played and analysed, with their players, variants and \
                                 moves in their notation. Example: {}";
    type Result = Games;

    async fn run(self, caller: &Caller) -> Result<ToolResult<Games>, ToolError> {
        let games = Rules::all(caller)?.into_iter().map(|rules| Game {
            title: rules.title(Language::En).to_owned(),
            players: rules.players(Language::En).map(str::to_owned),
            variants: rules.variants().into_iter().map(|variant| variant.name).collect(),
            example_moves: rules.example_moves().to_vec(),
            game: rules.name,
        });
        let games: Vec<Game> = games.collect();
        let line = |game: &Game| {
            let [first, second] = &game.players;
            let (variants, moves) = (game.variants.join(", "), game.example_moves.join(" "));
            format!(
                "- {}: {}, {first} against {second}; variants: {variants}; moves such as {moves}",
                game.game, game.title
            )
        };
        let lines: Vec<String> = games.iter().map(line).collect();
        let text = format!("{} games:\n{}", games.len(), lines.join("\n"));
        Ok(ToolResult::new(text, Games { games }))
    }
}

/// Arguments of `game_rules`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct GameRules {
    /// The game, e.g. "hex".
    game: String,
    /// "en" (default) or "zh".
    #[serde(default)]
    language: Option<Language>,
}

/// The rules of a game.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RulesText {
    /// The game's name.
    game: String,
    /// Rules and notation.
    rules: String,
    /// Moves in its notation.
    example_moves: Vec<String>,
    /// A position in its notation.
    example_position: String,
    /// Its variants, the default first.
    variants: Vec<VariantRules>,
}

impl Tool for GameRules {
    const NAME: &'static str = "game_rules";
    const TITLE: &'static str = "Rules and notation of a game";
    const ABOUT: &'static str = "Explains a game: how to play, how moves and positions are written, and its variants. \
                                 Example: {\"game\": \"xiangqi\"}";
    type Result = RulesText;

    async fn run(self, caller: &Caller) -> Result<ToolResult<RulesText>, ToolError> {
        let rules = Rules::of(caller, &self.game)?;
        let text = rules.text(self.language.unwrap_or_default());
        let data = RulesText {
            rules: text.clone(),
            example_moves: rules.example_moves().to_vec(),
            example_position: rules.example_position().to_owned(),
            variants: rules.variants(),
            game: rules.name,
        };
        Ok(ToolResult::new(text, data))
    }
}
