//! The refusal of a wrong type states what the field expects: the range of a number, the words of a choice.

use serde_json::{Value, json};

use super::SHARED;
use super::bad_requests::{Case, cases};
use super::contract::resolve;

/// A field of a request with a range or words: its path, and what a refusal of a wrong type must name.
struct Field {
    path: Vec<String>,
    named: Vec<String>,
    wrong: Value,
}

/// Whether each server sets the highest value of a field itself.
fn is_capped(path: &[String]) -> bool {
    path == ["threads"] || path.first().is_some_and(|first| first == "budget")
}

/// The fields of a schema that have a range or words, those of its objects included.
fn fields(pointer: String, path: &[String], found: &mut Vec<Field>) {
    let (pointer, schema) = resolve(pointer);
    for (index, _) in schema["oneOf"].as_array().into_iter().flatten().enumerate() {
        fields(format!("{pointer}/oneOf/{index}"), path, found);
    }
    for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
        fields(format!("{pointer}/properties/{name}"), &[path, std::slice::from_ref(name)].concat(), found);
    }
    let words =
        schema["enum"].as_array().map(|words| words.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    let is_number = schema["type"].to_string().contains("integer") || schema["type"].to_string().contains("number");
    let range = schema["minimum"].as_i64().filter(|_| is_number).map(|least| match schema["maximum"].as_i64() {
        _ if is_capped(path) => vec![format!("from {least} to the server's cap")],
        Some(most) => vec![format!("from {least} to {most}")],
        None => vec![least.to_string()],
    });
    let wrong = if range.is_some() { json!("3") } else { json!(3) };
    // Names of games and formats are texts that the catalog knows.
    let is_open = path.iter().any(|name| ["game", "format", "write", "moves"].contains(&name.as_str()));
    if let Some(named) = range.or(words).filter(|_| !is_open) {
        found.push(Field { path: path.to_vec(), named, wrong });
    }
}

/// A body with a value at a path.
fn with(mut body: Value, path: &[String], value: Value) -> Value {
    path.iter().fold(&mut body, |part, name| &mut part[name.as_str()]).clone_from(&value);
    body
}

#[track_caller]
fn refused(route: &str, body: &Value, pointer: &str, named: &[String]) {
    let answer = SHARED.ask("POST", route, &[], body.to_string());
    let part = &answer.body["errors"][0];
    let detail = part["detail"].as_str().unwrap_or_default();
    assert_eq!((answer.status, part["pointer"].as_str()), (422, Some(pointer)), "{route} {body}: {detail}");
    let is_named = named.iter().all(|word| detail.contains(word.as_str()));
    assert!(detail.starts_with("expected ") && detail.contains(", not ") && is_named, "{route} {body}: {detail}");
}

#[test]
fn fields_of_requests_name_their_range_or_words() {
    let base = json!({"game": "reversi", "moves": ["f5"]});
    for (route, schema, least) in [
        ("/v1/searches", "SearchRequest", 16),
        ("/v1/reviews", "ReviewRequest", 7),
        ("/v1/records", "RecordRequest", 9),
    ] {
        let mut found = Vec::new();
        fields(format!("/components/schemas/{schema}"), &[], &mut found);
        assert!(found.len() >= least, "{schema}: {}", found.len());
        for Field { path, named, wrong } in found {
            let pointer = format!("/{}", path.join("/"));
            for value in [wrong, json!([]), json!({}), json!(true)] {
                refused(route, &with(base.clone(), &path, value.clone()), &pointer, &named);
                if route == "/v1/searches" {
                    let batch = json!({"searches": [with(base.clone(), &path, value)]});
                    let answer = SHARED.ask("POST", "/v1/batches", &[], batch.to_string()).body;
                    let part = &answer["items"][0]["problem"]["errors"][0];
                    let detail = part["detail"].as_str().unwrap_or_default();
                    assert_eq!(part["pointer"], pointer, "{answer:#}");
                    assert!(named.iter().all(|word| detail.contains(word.as_str())), "{batch}: {detail}");
                }
            }
        }
    }
    for (field, wrong, expected) in [
        ("ply", json!("1"), "expected a whole number from 1 to 4294967295, not the text \"1\""),
        ("side", json!(1), "expected `first` or `second`, not the number 1"),
        ("seconds", json!("1"), "expected seconds, not below 0 and at most 1.8e19, not the text \"1\""),
    ] {
        let body = json!({"game": "reversi", "moves": [{"move": "f5", field: wrong}]});
        refused("/v1/records", &body, &format!("/moves/0/{field}"), &[expected.to_owned()]);
    }
}

/// The values in a parameter's description, as refusals name them.
fn words(parameter: &Value) -> Vec<String> {
    match parameter["type"].as_str() {
        Some("integer" | "number") => vec![
            format!("from {} to {}", parameter["minimum"], parameter["maximum"])
                .replace(".0 ", " ")
                .trim_end_matches(".0")
                .to_owned(),
        ],
        Some("choice") => parameter["choices"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|word| word.as_str().unwrap_or_default().to_owned())
            .collect(),
        Some("boolean") => vec!["true or false".to_owned()],
        _ => vec!["a cell".to_owned()],
    }
}

#[test]
fn parameters_of_variants_and_engines_name_their_range_or_choices() {
    let games = SHARED.ask("GET", "/v1/games", &[], "").body;
    let mut count = 0;
    for game in games["games"].as_array().into_iter().flatten() {
        for variant in game["variants"].as_array().into_iter().flatten() {
            for parameter in variant["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap_or_default();
                let body = json!({"game": game["name"], "variant": {"name": variant["name"], name: []}});
                refused("/v1/positions", &body, &format!("/variant/{name}"), &words(parameter));
                count += 1;
            }
            let body = json!({"game": game["name"], "variant": {"name": 1}});
            let name = variant["name"].as_str().unwrap_or_default().to_owned();
            refused("/v1/positions", &body, "/variant/name", &[name]);
        }
        for engine in game["engines"].as_array().into_iter().flatten() {
            for parameter in engine["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap_or_default();
                let body = json!({"game": game["name"], "engine": {"name": engine["name"], name: []}});
                refused("/v1/searches", &body, &format!("/engine/{name}"), &words(parameter));
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn wrong_types_are_reported_in_the_terms_of_json() {
    for (body, detail) in [
        (
            r#"{"game":"reversi","budget":{"time_ms":"100"}}"#,
            r#"expected a whole number from 1 to the server's cap, not the text "100""#,
        ),
        (r#"{"game":"reversi","moves":4}"#, "expected a list of moves, or a text of them, not the number 4"),
        (
            r#"{"game":"connect-four","moves":[44]}"#,
            "expected a move as text, or a column from 1 to 9 as a number, not the number 44",
        ),
        (r#"{"game":4}"#, "expected text, not the number 4"),
        (r#"{"game":"reversi","threads":[]}"#, "expected a whole number from 1 to the server's cap, not a list"),
        (r#"{"game":"reversi","level":"3"}"#, r#"expected a whole number from 1 to 10, not the text "3""#),
        (r#"{"game":"reversi","budget":[1]}"#, "expected an object, not a list"),
        (
            r#"{"game":"reversi","engine":{"name":"mcts","exploration":"1"}}"#,
            r#"expected a number from 0 to 10, not the text "1""#,
        ),
        (r#"{"game":"reversi","perspective":"white"}"#, "expected `side_to_move` or `first_player`, not `white`"),
    ] {
        let answer = SHARED.ask("POST", "/v1/searches", &[], body);
        assert_eq!((answer.status, answer.body["errors"][0]["detail"].as_str()), (422, Some(detail)), "{body}");
    }
    for Case { what, body, .. } in cases() {
        let reported = SHARED.ask("POST", "/v1/searches", &[], body).body["errors"].to_string();
        for word in ["u64", "u32", "f64", "sequence", " map", "struct", "boolean", "variant `", "invalid type"] {
            assert!(!reported.contains(word), "{what}: {reported}");
        }
    }
    let reported = SHARED.ask("POST", "/v1/positions", &[], r#"{"game":"connect-four","moves":["0"]}"#).body;
    assert!(
        reported["errors"][0]["detail"].as_str().is_some_and(|reported| reported.contains("count from 1")),
        "{reported:#}"
    );
}
