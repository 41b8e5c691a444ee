//! One statement of the toolchain: every file that names a Rust release names `rust-version` of Cargo.toml.

use std::fs;
use std::path::Path;

/// The crate that is copied beside games made from a template, and so inherits nothing.
const SDK: &str = "crates/sdk/Cargo.toml";

/// Files that name a release, and the text before it.
const STATEMENTS: &[(&str, &str)] = &[
    ("benches/peers/Cargo.toml", "\nrust-version = \""),
    ("fuzz/Cargo.toml", "\nrust-version = \""),
    (SDK, "\nrust-version = \""),
    (".github/workflows/tests.yml", "\n  RUST: \""),
    (".github/workflows/release.yml", "\n  RUST: \""),
    ("docker/Dockerfile", "\nFROM docker.io/library/rust:"),
    ("README.md", "Rust "),
    ("CONTRIBUTING.md", "Toolchain: Rust "),
];

/// The files of a folder whose names have this ending.
fn files(folder: &str, end: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder can be read");
    let names = entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are text"));
    names.map(|name| format!("{folder}/{name}{end}")).collect()
}

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The releases that follow `before` in a text, without their patch numbers.
fn releases<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    let starts = text.split(before).skip(1).filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let digits = |rest: &'a str| rest.split(|letter: char| letter != '.' && !letter.is_ascii_digit()).next();
    starts.filter_map(digits).map(|release| release.trim_end_matches('.')).collect()
}

#[test]
fn every_statement_names_the_same_release() {
    let manifest = text("Cargo.toml");
    let [release] = releases(&manifest, "\nrust-version = \"")[..] else { panic!("one rust-version in Cargo.toml") };
    for (file, before) in STATEMENTS {
        let text = text(file);
        let stated = releases(&text, before);
        assert!(!stated.is_empty(), "{file} names no Rust release after {before:?}");
        assert!(stated.iter().all(|other| *other == release), "{file} names Rust {stated:?}, Cargo.toml {release}");
    }
}

#[test]
fn members_of_the_workspace_inherit_the_release() {
    let members = files("crates", "/Cargo.toml").into_iter().chain(["Cargo.toml".to_owned()]);
    for file in members.filter(|file| file != SDK) {
        assert!(text(&file).contains("\nrust-version.workspace = true\n"), "{file} does not inherit rust-version");
    }
}

/// CI tests the oldest supported release: it installs only that one.
#[test]
fn workflows_install_the_release_they_state() {
    for file in files(".github/workflows", "") {
        let text = text(&file);
        for line in text.lines().filter(|line| line.contains("rustup ")) {
            let installs = line.contains("rustup toolchain install \"$RUST\" ");
            assert!(installs && line.ends_with("&& rustup default \"$RUST\""), "{file} does not install $RUST: {line}");
        }
        let uses_cargo = text.contains("cargo ") || text.contains("tests/run");
        assert!(
            !uses_cargo || text.contains("rustup toolchain install"),
            "{file} uses a compiler of no stated release"
        );
    }
}
