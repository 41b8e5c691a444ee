//! The runtime for games, if this build has it.

use tesuji_core::custom::{CustomGame, Limits};

/// Loads a game from the bytes of its file, whose name without the ending is `stem`.
///
/// # Errors
/// When the file is refused; the text names the reason.
#[cfg(feature = "own-games")]
pub fn load(stem: &str, bytes: &[u8], limits: Limits) -> Result<CustomGame, String> {
    tesuji_host::load(tesuji_core::custom::Kind::of(bytes), stem, bytes, limits).map_err(|error| error.to_string())
}

/// As [`load`], with the check that servers make before they offer a game; [`load`] alone trusts its author.
///
/// # Errors
/// When the file is refused, or the game breaks a rule; the text names the first one, with the moves that show it.
#[cfg(feature = "own-games")]
pub fn accept(stem: &str, bytes: &[u8], limits: Limits) -> Result<CustomGame, String> {
    let game = load(stem, bytes, limits)?;
    let checked = tesuji_host::check(&game, tesuji_host::Effort::QUICK);
    checked.map(|_| game).map_err(|violation| violation.to_string())
}

/// Loads no game: this build has no runtime for them.
///
/// # Errors
/// Always.
#[cfg(not(feature = "own-games"))]
pub fn load(_: &str, _: &[u8], _: Limits) -> Result<CustomGame, String> {
    Err("this build supports only built-in games: expected one with the feature `own-games`".to_owned())
}

/// As [`load`].
///
/// # Errors
/// Always.
#[cfg(not(feature = "own-games"))]
pub fn accept(stem: &str, bytes: &[u8], limits: Limits) -> Result<CustomGame, String> {
    load(stem, bytes, limits)
}
