//! Cases kept as data: the project's own in `tests/data/`, and public ones beside the checkout, read in place.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// The cases of one of the project's own files; its first line says where they come from.
pub fn own<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}: {line}"));
    text.lines().skip(1).map(parse).collect()
}

/// Names the file in which `tests/run` collects skipped parts and the reasons, one line each.
const SKIPPED: &str = "TESTS_SKIPPED";

/// The text of a public file. Where the public data is missing, `None`, and a line in the summary; with `TESTS_STRICT=1`, a
/// failure.
pub fn public(file: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(file);
    let insisted = is_strict();
    match read(&path, insisted) {
        Ok(text) => Some(text),
        Err(why) => {
            left_out(&why);
            None
        }
    }
}

/// Whether missing data and tools are failures (`TESTS_STRICT=1`).
pub fn is_strict() -> bool {
    std::env::var("TESTS_STRICT").is_ok_and(|strict| strict == "1")
}

/// Notes what is skipped here, and why.
pub fn left_out(why: &str) {
    skipped(why, std::env::var_os(SKIPPED).as_deref().map(Path::new));
}

/// Reads a public file, or says why not.
///
/// # Panics
/// If the file is missing and `insisted` upon; if it is there but can't be read.
fn read(path: &Path, insisted: bool) -> Result<String, String> {
    let name = path.components().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect::<PathBuf>();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound && !insisted => {
            Err(format!("tests on the public data {}: it is not in ../shared/data", name.display()))
        }
        Err(error) => panic!("the public data {}: {error}", path.display()),
    }
}

/// Notes what was skipped: in the file that `tests/run` prints at its end, or at once without `tests/run`.
fn skipped(why: &str, list: Option<&Path>) {
    let Some(list) = list else {
        eprintln!("skipped: {why}");
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(list);
    // One write: tests run at the same time.
    let noted = file.and_then(|mut file| file.write_all(format!("{why}\n").as_bytes()));
    noted.unwrap_or_else(|error| panic!("{}: {error}", list.display()));
}

#[test]
fn what_is_skipped_is_listed_with_its_cause() {
    let scratch = tempfile::tempdir().expect("a directory");
    let list = scratch.path().join("skipped");
    let missing = scratch.path().join("gomoku/none.jsonl");
    for _ in 0..2 {
        let why = read(&missing, false).expect_err("there is no such file");
        skipped(&why, Some(&list));
    }
    let line = "tests on the public data gomoku/none.jsonl: it is not in ../shared/data\n";
    assert_eq!(std::fs::read_to_string(&list).expect("the list"), line.repeat(2));
}

#[test]
#[should_panic(expected = "the public data")]
fn where_the_data_must_be_its_absence_fails() {
    let scratch = tempfile::tempdir().expect("a directory");
    let _ = read(&scratch.path().join("gomoku/none.jsonl"), true);
}
