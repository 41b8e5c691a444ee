//! The map of ARCHITECTURE.md, enforced: which room may name which, how long a file may be, what must not stay behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module, and what its files must not name, beyond what the crates' boundaries already enforce.
const ABSENCES: &[(&str, &[&str])] = &[
    ("core/position.rs", &["crate::search", "crate::games", "crate::catalog", "serde_json"]),
    ("core/bits.rs", &["crate::search", "crate::games", "serde"]),
    ("core/rng.rs", &["crate::search", "crate::games", "serde"]),
    ("core/notation.rs", &["crate::search", "crate::games", "serde_json"]),
    ("core/record.rs", &["crate::search", "crate::games", "serde"]),
    ("core/records", &["crate::search", "crate::games", "crate::catalog", "serde"]),
    ("core/parameters.rs", &["crate::search", "crate::games", "serde_json"]),
    ("core/search", &["crate::games", "crate::catalog", "serde_json", "std::time::Instant"]),
    ("core/weights.rs", &["crate::search", "crate::games", "crate::catalog"]),
    ("core/learned.rs", &["crate::games", "crate::catalog"]),
    ("core/games", &["crate::catalog", "serde_json", "std::time::Instant"]),
    ("core/perft.rs", &["crate::search", "crate::catalog", "serde_json"]),
    ("core/forced.rs", &["crate::search", "crate::games", "crate::catalog", "serde_json"]),
    ("core/catalog", &["std::time::Instant"]),
    ("core", &["std::fs", "std::net", "std::process"]),
    ("core/api", &["crate::games", "axum", "http"]),
    ("core/grade.rs", &["crate::games", "crate::catalog", "crate::api", "serde_json"]),
    ("core/review.rs", &["crate::games", "crate::api", "serde_json"]),
    ("protocols", &["::games", "crate::matches", "crate::service", "tokio", "axum", "clap"]),
    ("train/play.rs", &["::games", "::catalog"]),
    ("train/fit.rs", &["::games", "::catalog", "std::fs", "std::time::Instant"]),
    ("matches", &["::games", "crate::scheduler", "crate::service", "tokio", "axum", "clap"]),
    ("puzzles", &["::games", "crate::scheduler", "crate::service", "tokio", "axum", "clap"]),
    // Arguments in, text out.
    ("cli", &["thread::Builder", "mpsc", "process::Command", "::bits", "axum", "hyper", "from_value"]),
    ("encoding.rs", &["tesuji_core", "crate::", "tokio", "axum"]),
    ("metrics.rs", &["tesuji_core", "crate::scheduler", "crate::service", "tokio", "axum"]),
    ("traces", &["tesuji_core", "crate::settings", "crate::scheduler", "crate::service", "axum", "serde_json"]),
    (
        "settings",
        &["::games", "crate::matches", "crate::scheduler", "crate::service", "crate::server", "tokio", "axum"],
    ),
    ("server", &["tesuji_core", "serde_json"]),
    ("scheduler", &["::games", "crate::service", "axum", "serde_json"]),
    ("cluster", &["::games", "crate::service", "crate::registry", "axum"]),
    ("job", &["tesuji_core", "crate::", "axum"]),
    ("registry", &["::search", "::games", "::catalog", "crate::scheduler", "crate::service", "axum"]),
    ("service", &["::games::", "::bits"]),
    ("mcp", &["::games", "crate::scheduler", "crate::registry", "crate::cluster", "clap"]),
];

/// Rooms in which no file imports its parent, nor one that imports it.
const ONE_WAY: &[&str] = &["cluster", "job", "registry", "service"];

const LONGEST_FILE: usize = 420;
/// rustfmt keeps code to 120 columns; comments may run a little longer, messages and texts in quotes longer still.
const LONGEST_LINE: usize = 128;

fn source_files() -> Vec<PathBuf> {
    let files = files(&["src", "crates", "tests"], &["rs"]);
    assert!(files.len() > 30, "only {} files found", files.len());
    files
}

/// The page's files, and those of its tests.
fn page_files() -> Vec<PathBuf> {
    let files = files(&["web", "tests/browser", "tests/engine"], &["js", "css", "html"]);
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
                let is_made = ["node_modules", "target", "dist"].iter().any(|made| path.ends_with(made));
                open.extend((!is_made).then_some(path));
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|one| extension == *one)) {
                files.push(path);
            }
        }
    }
    files
}

/// A file's path below `src/`, or `core/` or `train/` and its path below that crate's sources; and its lines without comments
/// and tests.
fn code(path: &Path) -> Option<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let below = |folder: &str| Some(path.strip_prefix(root.join(folder)).ok()?.to_string_lossy().replace('\\', "/"));
    let of_crate = |name| Some(format!("{name}/{}", below(&format!("crates/{name}/src"))?));
    let name = below("src").or_else(|| of_crate("core")).or_else(|| of_crate("train"))?;
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
                assert!(!code.contains(word), "{name} names {word}, which {room} must not know");
            }
        }
    }
}

/// The paths that an import names.
fn paths(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let (mut depth, inside) = (0, rest.rsplit_once('}').expect("braces are closed").0);
    let branches = inside.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    branches.flat_map(|branch| paths(branch.trim())).map(|path| format!("{head}{path}")).collect()
}

/// The paths in its own crate that a module imports.
fn imports(module: &str, code: &str) -> Vec<String> {
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let is_import = |item: &(&str, &str)| item.0.is_empty() || item.0.starts_with("pub");
    let items = code.split(';').filter_map(|item| item.trim().split_once("use "));
    let own =
        items.filter(is_import).flat_map(|(_, tree)| paths(tree)).filter_map(|path| match path.split_once("::")? {
            ("crate", rest) => Some(rest.to_owned()),
            ("super", rest) => Some(format!("{parent}::{rest}")),
            ("self", rest) => Some(format!("{module}::{rest}")),
            _ => None,
        });
    own.collect()
}

#[test]
fn imports_run_one_way() {
    let files: Vec<_> = source_files().iter().filter_map(|path| code(path)).collect();
    for room in ONE_WAY {
        let modules = files.iter().filter(|(name, _)| in_room(name, room) && !name.ends_with("tests.rs"));
        let modules: BTreeMap<_, _> =
            modules.map(|(name, code)| (name.trim_end_matches(".rs").replace('/', "::"), code)).collect();
        let module_of = |path: &String| {
            let mut above = std::iter::successors(Some(path.as_str()), |path| Some(path.rsplit_once("::")?.0));
            above.find(|path| modules.contains_key(*path)).map(str::to_owned)
        };
        let imported = |(name, code): (&String, &&String)| {
            let others = imports(name, code).iter().filter_map(module_of).filter(|other| other != name).collect();
            (name.clone(), others)
        };
        let mut left: BTreeMap<String, BTreeSet<String>> = modules.iter().map(imported).collect();
        for (name, others) in &left {
            let parent = others.iter().find(|other| name.starts_with(&format!("{other}::")));
            assert!(parent.is_none(), "{name} imports its parent {parent:?}");
        }
        // Removing files that import nothing of the rest leaves only cycles.
        for _ in 0..modules.len() {
            let names: BTreeSet<_> = left.keys().cloned().collect();
            left.retain(|_, others| !others.is_disjoint(&names));
        }
        assert!(left.is_empty(), "imports in a circle: {left:#?}");
    }
}

/// These macros panic where nobody reads what they print.
#[test]
fn the_program_prints_by_no_macro_that_panics() {
    for (name, code) in
        source_files().iter().filter_map(|path| code(path)).filter(|(name, _)| !name.ends_with("tests.rs"))
    {
        for word in ["print!(", "println!("] {
            assert!(!code.contains(word), "{name} uses {word}");
        }
    }
}

/// The games' modules, which must not know each other: the files in `games/`.
fn games() -> Vec<String> {
    let files =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/src/games")).expect("games/ is there");
    let names = files.map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are text"));
    names.filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned())).collect()
}

#[test]
fn games_do_not_know_each_other() {
    let games = games();
    assert!(games.len() > 5, "{games:?}");
    for (name, code) in source_files().iter().filter_map(|path| code(path)) {
        let Some(game) = games.iter().find(|game| in_room(&name, &format!("core/games/{game}"))) else { continue };
        for other in games.iter().filter(|other| *other != game) {
            assert!(!code.contains(&format!("{other}::")), "{name} names the game {other}");
        }
    }
}

/// Adding a game to the page adds one module; only `index.html` says which games are offered first.
#[test]
fn the_page_names_games_in_their_modules_only() {
    for path in files(&["web"], &["js", "css"]) {
        if path.parent().is_some_and(|folder| folder.ends_with("web/games")) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("the file can be read");
        for game in games().iter().map(|game| game.replace('_', "-")) {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
            assert!(!words.any(|word| word == game), "{} names the game {game}", path.display());
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
