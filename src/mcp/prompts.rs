//! Prompts: conversations that a user can start.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use super::caller::Caller;
use super::rules::Rules;
use crate::reasons::Language;

const PLAY: &str = "play_against_me";
const EXPLAIN: &str = "explain_game";

/// All prompts.
pub fn list() -> Vec<Prompt> {
    let game = || PromptArgument::new("game").with_description("The game, e.g. hex.").with_required(true);
    let level = PromptArgument::new("level").with_description("The opponent's level, 1 to 10. Default: 4.");
    let side = PromptArgument::new("side").with_description("The side you play: first (default) or second.");
    let language = PromptArgument::new("language").with_description("en (default) or zh.");
    vec![
        Prompt::new(PLAY, Some("Play a game against me."), Some(vec![game(), level, side]))
            .with_title("Play against me"),
        Prompt::new(EXPLAIN, Some("Explain a game and show a first position."), Some(vec![game(), language]))
            .with_title("Explain a game"),
    ]
}

/// A prompt with its arguments filled in.
pub fn get(caller: &Caller, name: &str, arguments: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let argument =
        |name: &str| arguments.and_then(|arguments| arguments.get(name)?.as_str()).filter(|text| !text.is_empty());
    let invalid = |problem: String| ErrorData::invalid_params(problem, None);
    if ![PLAY, EXPLAIN].contains(&name) {
        return Err(invalid(format!("unknown prompt `{name}`: expected {PLAY} or {EXPLAIN}")));
    }
    let game = argument("game").ok_or_else(|| invalid("the argument `game` is missing".to_owned()))?;
    let rules = Rules::of(caller, game).map_err(|refused| invalid(refused.text()))?;
    let text = match name {
        PLAY => play(&rules, argument("level").unwrap_or("4"), argument("side").unwrap_or("first")).map_err(invalid)?,
        _ => explain(&rules, argument("language") == Some("zh")),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

fn play(rules: &Rules, level: &str, side: &str) -> Result<String, String> {
    if !level.parse::<u8>().is_ok_and(|level| (1..=10).contains(&level)) {
        return Err(format!("the argument `level`: expected 1 to 10, not {level}"));
    }
    let [first, second] = rules.players(Language::En);
    let (mine, yours) = match side {
        "first" => (first, second),
        "second" => (second, first),
        _ => return Err(format!("the argument `side`: expected first or second, not {side}")),
    };
    Ok(format!(
        "Let's play {} (`{}`). I play {mine}, you play {yours}; {first} moves first.\n\
         Keep the list of all moves. Check each of my moves with the tool `play` and show me the board; if a move is \
         refused, tell me why and ask for another. Choose each of your moves with `best_move` at level {level}, never \
         on your own. Stop when `ended` is not null, and offer a review with `review_game`.",
        rules.title(Language::En),
        rules.name,
    ))
}

fn explain(rules: &Rules, is_chinese: bool) -> String {
    let (language, request) = if is_chinese {
        (Language::Zh, "请根据以下规则，用简单的话向我解释这个棋类游戏，并用工具 `play` 展示一个开局局面。")
    } else {
        let request = "Explain this game to me in simple words, from the rules below, and show me a first position with \
                       the tool `play`.";
        (Language::En, request)
    };
    format!("{request}\n\n{}", rules.text(language))
}
