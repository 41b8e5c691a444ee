//! Games from a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tesuji_core::custom::{CustomGame, Limits};

/// A file that is not a valid game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct InvalidGame {
    /// The file.
    pub file: String,
    /// The problem.
    pub problem: String,
}

/// How a file becomes a game: [`load`](super::load()) or [`accept`](super::accept).
type Read = fn(&str, &[u8], Limits) -> Result<CustomGame, String>;

/// Reads the games of a folder: its `.wasm` and `.js` files, by name.
///
/// # Errors
/// At the first file that cannot be read or is refused.
pub fn read_folder(folder: &Path, limits: Limits, read: Read) -> Result<Vec<CustomGame>, InvalidGame> {
    let invalid = |path: &Path, problem: String| InvalidGame { file: path.display().to_string(), problem };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| invalid(folder, error.to_string()))?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(|path| is_game(path)).collect();
    files.sort();
    let game = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|error| invalid(path, error.to_string()))?;
        read(stem(path), &bytes, limits).map_err(|problem| invalid(path, problem))
    };
    files.iter().map(game).collect()
}

/// Whether a file's name is that of a game.
fn is_game(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "wasm" || ending == "js")
}

/// The name of a file without its ending.
pub(super) fn stem(path: &Path) -> &str {
    path.file_stem().and_then(OsStr::to_str).unwrap_or_default()
}
