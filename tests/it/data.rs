//! Cases kept as data: the project's own in `tests/data/`, and public ones beside the checkout, read in place.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// The cases of one of the project's own files; its first line says where they come from.
pub fn own<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}: {line}"));
    text.lines().skip(1).map(parse).collect()
}

/// The text of a public file, or `None`, said in one line, where the public data is not at hand.
pub fn public(file: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(file);
    let text = std::fs::read_to_string(&path);
    if text.is_err() {
        eprintln!("skipped: the public test data {file} is not beside this checkout");
    }
    text.ok()
}
