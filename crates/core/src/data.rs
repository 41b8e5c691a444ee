//! Data files of games, too large for every program to embed: opening books, weights of evaluations.
//!
//! The core's features `book` and `weights`, both on by default, embed them. A program without them, such as the engine in a
//! web page, loads a file's bytes before the game's first search.

use std::sync::OnceLock;

/// A data file of a game.
#[derive(Debug)]
pub struct DataFile {
    /// Its name.
    pub name: &'static str,
    /// Whether searches of the game are useless without it.
    pub is_needed: bool,
    /// Empty if the program does not contain it.
    embedded: &'static [u8],
    loaded: OnceLock<Vec<u8>>,
    check: fn(&[u8]) -> Result<(), String>,
}

impl DataFile {
    /// A file, embedded unless `embedded` is empty; `check` returns what is wrong with a file's bytes.
    #[must_use]
    pub const fn new(
        name: &'static str,
        is_needed: bool,
        embedded: &'static [u8],
        check: fn(&[u8]) -> Result<(), String>,
    ) -> Self {
        Self { name, is_needed, embedded, loaded: OnceLock::new(), check }
    }

    /// Its bytes; empty if they are neither embedded nor loaded.
    #[must_use]
    pub fn bytes(&'static self) -> &'static [u8] {
        match self.loaded.get() {
            Some(loaded) => loaded,
            None => self.embedded,
        }
    }

    /// Whether it is embedded or loaded.
    #[must_use]
    pub fn is_present(&self) -> bool {
        !self.embedded.is_empty() || self.loaded.get().is_some()
    }

    /// Loads its bytes.
    ///
    /// # Errors
    /// If they are not this file, or if the program already has it.
    pub fn load(&self, bytes: Vec<u8>) -> Result<(), String> {
        let there = || Err(format!("{} has been loaded before", self.name));
        if self.is_present() {
            return there();
        }
        (self.check)(&bytes).map_err(|problem| format!("{}: {problem}", self.name))?;
        self.loaded.set(bytes).or_else(|_| there())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8]) -> Result<(), String> {
        if bytes.starts_with(b"book") { Ok(()) } else { Err("expected a book".to_owned()) }
    }

    #[test]
    fn a_file_is_loaded_once_and_checked() {
        static FILE: DataFile = DataFile::new("chess.book", false, &[], check);
        assert_eq!((FILE.is_present(), FILE.bytes()), (false, &[][..]));
        assert_eq!(FILE.load(b"cook".to_vec()), Err("chess.book: expected a book".to_owned()));
        assert_eq!(FILE.load(b"book 1".to_vec()), Ok(()));
        assert_eq!((FILE.is_present(), FILE.bytes()), (true, &b"book 1"[..]));
        assert_eq!(FILE.load(b"book 2".to_vec()), Err("chess.book has been loaded before".to_owned()));
    }

    #[test]
    fn an_embedded_file_is_there() {
        static FILE: DataFile = DataFile::new("go.weights", true, b"book", check);
        assert_eq!((FILE.is_present(), FILE.bytes()), (true, &b"book"[..]));
        assert!(FILE.load(b"book".to_vec()).is_err());
    }
}
