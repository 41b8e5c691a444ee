//! The map of ARCHITECTURE.md, enforced: which room may name which, how long a file may be, what must not stay behind.

use std::fs;
use std::path::{Path, PathBuf};

/// A room, and what its files must not name.
const ABSENCES: &[(&str, &[&str])] = &[
    ("position.rs", &["crate::search", "crate::games", "crate::catalog", "serde_json", "tokio", "axum"]),
    ("bits.rs", &["crate::search", "crate::games", "serde"]),
    ("rng.rs", &["crate::search", "crate::games", "serde"]),
    ("notation.rs", &["crate::search", "crate::games", "serde_json", "tokio", "axum"]),
    ("parameters.rs", &["crate::search", "crate::games", "serde_json", "tokio", "axum"]),
    (
        "search",
        &["crate::games", "crate::catalog", "crate::scheduler", "crate::service", "serde_json", "tokio", "axum"],
    ),
    ("games", &["crate::catalog", "crate::scheduler", "crate::service", "serde_json", "tokio", "axum"]),
    ("perft.rs", &["crate::search", "crate::catalog", "serde_json", "tokio", "axum"]),
    ("catalog", &["crate::matches", "crate::scheduler", "crate::service", "tokio", "axum"]),
    ("matches", &["crate::games", "crate::scheduler", "crate::service", "tokio", "axum"]),
    (
        "review.rs",
        &["crate::games", "crate::matches", "crate::scheduler", "crate::service", "serde_json", "tokio", "axum"],
    ),
    (
        "metrics.rs",
        &["crate::search", "crate::games", "crate::catalog", "crate::scheduler", "crate::service", "tokio", "axum"],
    ),
    (
        "settings",
        &["crate::games", "crate::matches", "crate::scheduler", "crate::service", "crate::server", "tokio", "axum"],
    ),
    ("server", &["crate::games", "crate::catalog", "crate::search", "rayon", "serde_json"]),
    ("scheduler", &["crate::games", "crate::service", "axum", "serde_json"]),
    ("registry", &["crate::search", "crate::games", "crate::catalog", "crate::scheduler", "crate::service", "axum"]),
    ("service", &["crate::games", "crate::bits"]),
];

/// Games must not know each other.
const GAMES: [&str; 6] = ["tic_tac_toe", "connect_four", "reversi", "dots_and_boxes", "gomoku", "xiangqi"];

const LONGEST_FILE: usize = 420;
/// rustfmt keeps code to 120 columns; comments may run a little longer, messages and texts in quotes longer still.
const LONGEST_LINE: usize = 128;

fn source_files() -> Vec<PathBuf> {
    let files = files(&["src", "tests"], &["rs"]);
    assert!(files.len() > 30, "only {} files found", files.len());
    files
}

/// The page's files, and those of its tests.
fn page_files() -> Vec<PathBuf> {
    let files = files(&["web", "tests/browser"], &["js", "css", "html"]);
    assert!(files.len() > 30, "only {} files found", files.len());
    files
}

/// The files below some folders that have one of some extensions. What npm installs is not ours.
fn files(folders: &[&str], extensions: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut open: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.extend((!path.ends_with("node_modules")).then_some(path));
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|one| extension == *one)) {
                files.push(path);
            }
        }
    }
    files
}

/// A file's path below `src/`, and its lines without comments and unit tests.
fn code(path: &Path) -> Option<(String, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let name = path.strip_prefix(source).ok()?.to_string_lossy().replace('\\', "/");
    let text = fs::read_to_string(path).expect("the file can be read");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    Some((name, code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")))
}

fn in_room(file: &str, room: &str) -> bool {
    file == room || file == format!("{room}.rs") || file.starts_with(&format!("{room}/"))
}

#[test]
fn no_room_names_what_it_must_not_know() {
    for (name, code) in source_files().iter().filter_map(|path| code(path)) {
        for (room, absent) in ABSENCES {
            for word in absent.iter().filter(|_| in_room(&name, room)) {
                assert!(!code.contains(word), "src/{name} names {word}, which {room} must not know");
            }
        }
    }
}

#[test]
fn games_do_not_know_each_other() {
    for (name, code) in source_files().iter().filter_map(|path| code(path)) {
        let Some(game) = GAMES.iter().find(|game| in_room(&name, &format!("games/{game}"))) else { continue };
        for other in GAMES.iter().filter(|other| *other != game) {
            assert!(!code.contains(&format!("{other}::")), "src/{name} names the game {other}");
        }
    }
}

#[test]
fn files_stay_small_and_finished() {
    // Pieced together, so that this file does not contain them.
    let unfinished = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimpl", "emented!"), concat!("todo", "!(")];
    for path in source_files().into_iter().chain(page_files()) {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let lines = text.lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines: split it along its ideas", path.display());
        for word in unfinished {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}

#[test]
fn lines_stay_short() {
    for path in source_files() {
        let text = fs::read_to_string(&path).expect("the file can be read");
        for line in text.lines() {
            let longest = if line.contains('"') { 2 * LONGEST_LINE + 200 } else { LONGEST_LINE };
            assert!(line.chars().count() <= longest, "{}: a line is too long: {line}", path.display());
        }
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    for path in source_files() {
        let text = fs::read_to_string(&path).expect("the file can be read");
        assert!(text.starts_with("//!"), "{} does not begin with what it is for", path.display());
    }
    for path in page_files() {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let begins = ["// @ts-check\n/**", "/* ", "<!doctype html>"].iter().any(|begin| text.starts_with(begin));
        assert!(begins, "{} does not begin with what it is for", path.display());
    }
}
