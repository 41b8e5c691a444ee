//! docs/measurements: every row is valid, and each data file has an up-to-date page. This test writes the pages.

use std::fmt::Write;
use std::path::Path;
use std::{fs, iter};

use serde_json::{Map, Value};

type Row = Map<String, Value>;

/// All keys of a row, in their order.
const KEYS: [&str; 14] = [
    "date",
    "commit",
    "subject",
    "topic",
    "change",
    "against",
    "command",
    "budget",
    "games",
    "positions",
    "result",
    "status",
    "note",
    "machine",
];
const REQUIRED: [&str; 6] = ["date", "subject", "topic", "change", "result", "status"];
const COUNTS: [&str; 2] = ["games", "positions"];
const STATUSES: [&str; 3] = ["current", "kept", "dropped"];
const COLUMNS: [&str; 6] = ["change", "against", "budget", "sample", "result", "note"];
/// The maximum size of a page, in bytes.
const LONGEST: usize = 10_000;

fn check(row: &Row, subject: &str) {
    let places: Vec<_> = row.keys().map(|key| KEYS.iter().position(|known| known == key)).collect();
    assert!(places.iter().all(Option::is_some), "unknown key: {row:?}");
    assert!(places.is_sorted(), "keys out of order: {row:?}");
    assert!(REQUIRED.iter().all(|key| row.contains_key(*key)), "not all of {REQUIRED:?}: {row:?}");
    for (key, value) in row {
        let is_valid = match COUNTS.contains(&key.as_str()) {
            true => value.as_u64().is_some_and(|count| count > 0),
            false => value.as_str().is_some_and(|text| !text.is_empty() && text.trim() == text),
        };
        assert!(is_valid, "{key}: {row:?}");
    }
    assert_eq!(row["subject"], subject, "{row:?}");
    assert!(STATUSES.iter().any(|status| row["status"] == *status), "unknown status: {row:?}");
    let date: Vec<_> =
        cell(row, "date").split('-').map(|part| (part.len(), part.parse::<u32>().unwrap_or(0))).collect();
    assert!(matches!(date[..], [(4, 1..), (2, 1..=12), (2, 1..=31)]), "not a date: {row:?}");
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits: Vec<_> = number.to_string().chars().collect();
    digits.rchunks(3).rev().map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(",")
}

/// The text of a cell; empty where the row has no such key.
fn cell(row: &Row, column: &str) -> String {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().replace('|', "\\|");
    let count = |key: &&str| Some(format!("{} {key}", grouped(row.get(*key)?.as_u64()?)));
    if column == "sample" { COUNTS.iter().filter_map(count).collect::<Vec<_>>().join(", ") } else { text(column) }
}

/// The distinct texts of a column, in the order of the rows.
fn distinct(rows: &[&Row], column: &str) -> Vec<String> {
    let mut found = Vec::new();
    for text in rows.iter().map(|row| cell(row, column)) {
        if !text.is_empty() && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

fn page(subject: &str, rows: &[Row]) -> String {
    let count = |status: &str| rows.iter().filter(|row| row["status"] == status).count();
    let current: Vec<_> = rows.iter().filter(|row| row["status"] == "current").collect();
    let mut page =
        format!("<!-- Generated from {subject}.jsonl by tests/it/measurements.rs. -->\n# Measurements: {subject}\n");
    for topic in distinct(&current, "topic") {
        let rows: Vec<_> = current.iter().copied().filter(|row| cell(row, "topic") == topic).collect();
        let columns: Vec<_> = COLUMNS.into_iter().filter(|column| !distinct(&rows, column).is_empty()).collect();
        write!(page, "\n## {topic}\n\n").expect("a string takes all");
        let machines = distinct(&rows, "machine");
        if !machines.is_empty() {
            write!(page, "Machine: {}.\n\n", machines.join("; ")).expect("a string takes all");
        }
        let head: Vec<String> = columns.iter().map(|column| (*column).to_owned()).collect();
        let rule = vec!["---".to_owned(); columns.len()];
        let body = rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect());
        for line in iter::once(head).chain([rule]).chain(body) {
            writeln!(page, "| {} |", line.join(" | ")).expect("a string takes all");
        }
    }
    let (kept, dropped) = (count("kept"), count("dropped"));
    let list = format!("`jq -c 'select(.status != \"current\")' docs/measurements/{subject}.jsonl`");
    write!(page, "\nNot shown: {kept} kept, {dropped} dropped. List them with {list}.\n").expect("a string takes all");
    page
}

#[test]
fn measurements_are_valid_and_their_pages_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/measurements");
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let index = read(&folder.join("README.md"));
    let entries = fs::read_dir(&folder).expect("docs/measurements can be read").flatten().map(|entry| entry.path());
    let (mut count, mut rewritten) = (0, Vec::new());
    for file in entries {
        let subject = file.file_stem().and_then(|stem| stem.to_str()).expect("names are text");
        let data = file.with_extension("jsonl");
        if file != data {
            assert!(subject == "README" || data.exists(), "{} has no data file", file.display());
            continue;
        }
        let parse =
            |line| serde_json::from_str::<Row>(line).unwrap_or_else(|error| panic!("{subject}: {error}: {line}"));
        let rows: Vec<Row> = read(&data).lines().map(parse).collect();
        rows.iter().for_each(|row| check(row, subject));
        let page = page(subject, &rows);
        assert!(page.len() <= LONGEST, "{subject}.md has {} bytes: split its data file", page.len());
        assert!(index.contains(&format!("({subject}.md)")), "README.md has no link to {subject}.md");
        let shown = data.with_extension("md");
        if read(&shown) != page {
            fs::write(&shown, page).expect("docs/measurements can be written");
            rewritten.push(shown);
        }
        count += rows.len();
    }
    assert!(count > 100, "only {count} rows found");
    assert!(rewritten.is_empty(), "written anew, to be committed: {rewritten:?}");
}
