//! The rules in detail and the notation of the built-in games, in Chinese, from the file that the page shares
//! (`web/lang/games-zh.json`). A game's description has its names and how to play in both languages, but these texts in
//! English only.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// Texts for one game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chinese {
    /// Rules in detail.
    pub rules: String,
    /// How moves are written.
    pub moves: String,
    /// How positions are written.
    pub position: String,
}

static GAMES: LazyLock<BTreeMap<String, Chinese>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../web/lang/games-zh.json"))
        .expect("the file has these texts for each game")
});

/// The texts for a game; `None` for a game that is not built in.
pub fn of(game: &str) -> Option<&'static Chinese> {
    GAMES.get(game)
}
