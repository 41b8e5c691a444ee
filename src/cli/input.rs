//! Text that commands read.

use std::fmt::Display;
use std::fs;
use std::io::{Read as _, stdin};
use std::path::Path;

use tesuji::encoding::{Decoded, decode};
use tesuji_core::catalog::Catalog;

use super::CommandError;

/// The text of a file, or of standard input for `-`.
pub fn read_text(catalog: &Catalog, file: &Path, charset: Option<&str>) -> Result<Decoded, CommandError> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let refused = |problem: &dyn Display| CommandError::refused(format_args!("{}: {problem}", file.display()));
    let bytes = bytes.map_err(|error| refused(&error))?;
    decode(&bytes, charset, |text| catalog.encoded_moves(text)).map_err(|undecodable| refused(&undecodable))
}
