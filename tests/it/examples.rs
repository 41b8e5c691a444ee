//! The responses among the examples of `openapi.yaml` are real: what the server returns to the requests beside them.
//!
//! `UPDATE_EXPECT=1 cargo test --test it examples` records them.

use serde_json::Value;

use crate::http::contract::{DOCUMENT, edit};
use crate::http::{get, record};
use crate::schemas::{WIDTH, flow, put};

/// Each recorded example, its path, and the request: the name of another example, or JSON; none for a GET.
const RECORDED: [(&str, &str, &str); 17] = [
    ("batched.refused", "/v1/batches", "batch.refused"),
    ("found.tic-tac-toe.finished", "/v1/searches", "search.tic-tac-toe.finished"),
    ("described.connect-four.course", "/v1/positions", "position.connect-four.course"),
    ("found.connect-four", "/v1/searches", "search.connect-four"),
    ("found.connect-four.graded", "/v1/searches", "search.connect-four.graded"),
    ("game.reversi", "/v1/games/reversi", ""),
    ("described.reversi", "/v1/positions", "position.reversi"),
    ("recorded.gomoku", "/v1/records", "record.gomoku.sgf"),
    ("found.reversi.endgame", "/v1/searches", "search.reversi.endgame"),
    ("described.dots-and-boxes.finished", "/v1/positions", "position.dots-and-boxes.finished"),
    ("found.dots-and-boxes.2x2", "/v1/searches", "search.dots-and-boxes.2x2"),
    ("described.xiangqi.chase", "/v1/positions", "position.xiangqi.chase"),
    ("described.gomoku.swap2", "/v1/positions", "position.gomoku.swap2"),
    ("problem.invalid_budget", "/v1/searches", r#"{"game": "reversi", "budget": {"time_ms": 100000}}"#),
    ("problem.invalid_request", "/v1/searches", r#"{"game": "reversi", "budget": {"time": 1}}"#),
    ("kind.overloaded", "/problems/overloaded", ""),
    ("puzzles.connect-four", "/v1/puzzles?game=connect-four&difficulty=2&limit=1", ""),
];

/// Fields that differ from run to run.
const VARYING: [&str; 7] = ["id", "request_id", "seed", "queued_ms", "search_ms", "time_ms", "cpu_ms"];

fn example(name: &str) -> &'static Value {
    &DOCUMENT["components"]["examples"][name]["value"]
}

fn answer(path: &str, request: &str) -> Value {
    match request {
        "" => get(path).body,
        json if json.starts_with('{') => record(path, &[], json.to_owned()).body,
        name => record(path, &[], example(name).to_string()).body,
    }
}

/// A value without the fields that differ from run to run.
fn lasting(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| !VARYING.contains(&name.as_str()));
            fields.map(|(name, field)| (name.clone(), lasting(field))).collect()
        }
        Value::Array(items) => items.iter().map(lasting).collect(),
        // A whole number stays the same as a float.
        Value::Number(number) => number.as_f64().into(),
        other => other.clone(),
    }
}

/// Writes `start`, a name or a dash at an indent, and a value after it: small collections in a few lines, broken after
/// commas.
fn put_compact(start: &str, indent: usize, value: &Value, out: &mut String) {
    let text = flow(value);
    let is_long = text.len() > 5 * WIDTH || parts(&text).any(|part| part.len() > WIDTH);
    match value {
        Value::Object(fields) if is_long => {
            out.push_str(&format!("{:indent$}{start}\n", ""));
            fields.iter().for_each(|(name, field)| put_compact(&format!("{name}:"), indent + 2, field, out));
        }
        Value::Array(items) if is_long => {
            out.push_str(&format!("{:indent$}{start}\n", ""));
            items.iter().for_each(|item| put_compact("-", indent + 2, item, out));
        }
        Value::Object(_) | Value::Array(_) => {
            let mut line = format!("{:indent$}{start} ", "");
            for part in parts(&text) {
                if line.len() + part.len() > WIDTH && !line.trim().is_empty() {
                    out.push_str(&format!("{}\n", line.trim_end()));
                    line = format!("{:1$}", "", indent + 2);
                }
                line.push_str(part);
            }
            out.push_str(&format!("{line}\n"));
        }
        _ => put(start, indent, value, out),
    }
}

/// A collection in one line, split after the commas outside of strings.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    let mut is_text = false;
    let mut after_comma = false;
    line.split_inclusive(move |c| {
        is_text ^= c == '\'';
        let ends = c == ' ' && after_comma && !is_text;
        after_comma = c == ',';
        ends
    })
}

/// The file's text with an example's value replaced.
fn replaced(text: &str, name: &str, value: &Value) -> String {
    let start = text.find(&format!("\n    {name}:\n")).unwrap_or_else(|| panic!("{name} is an example")) + 1;
    let begin = start + text[start..].find("\n      value:").expect("an example has a value") + 1;
    let lines = text[begin..].split_inclusive('\n').skip(1);
    let rest: usize = lines.take_while(|line| line.starts_with("       ")).map(str::len).sum();
    let end = begin + text[begin..].find('\n').expect("a line ends") + 1 + rest;
    let mut written = String::new();
    put_compact("value:", 6, value, &mut written);
    [&text[..begin], &written, &text[end..]].concat()
}

#[test]
fn examples_are_responses() {
    for (name, path, request) in RECORDED {
        let value = answer(path, request);
        let (recorded, expected) = (lasting(&value), lasting(example(name)));
        if std::env::var_os("UPDATE_EXPECT").is_none() {
            assert_eq!(recorded, expected, "{name}: UPDATE_EXPECT=1 cargo test --test it examples");
        } else if recorded != expected {
            edit(|text| replaced(text, name, &value));
        }
    }
}
