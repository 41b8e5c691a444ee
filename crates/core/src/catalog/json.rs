//! Converts typed values, and parameters written as text, to JSON.

use serde::Serialize;
use serde_json::{Map, Value};

/// A variant, facts or options as JSON.
///
/// # Panics
/// When the type cannot be written as JSON: a bug in a game, which must not be mistaken for an empty value. The conformance
/// suite writes these values of every game.
pub(super) fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("variants, facts and options are JSON")
}

/// Reads a name, `KEY=VALUE,…`, the two joined by a colon, or JSON. Returns a text for a name alone, else an object.
///
/// # Errors
/// When it is malformed.
pub fn parse_parameters(text: &str) -> Result<Value, String> {
    if text.starts_with('{') {
        return serde_json::from_str(text).map_err(|error| format!("invalid JSON: {error}"));
    }
    let (name, pairs) = match text.split_once(':') {
        Some((name, pairs)) => (Some(name), pairs),
        None if text.contains('=') => (None, text),
        None => return Ok(text.into()),
    };
    let mut fields: Map<String, Value> = name.map(|name| ("name".to_owned(), name.into())).into_iter().collect();
    for pair in pairs.split(',') {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(format!("`{pair}`: expected KEY=VALUE"));
        };
        // Numbers and booleans are read as such; everything else is a word.
        let value = match value {
            "true" | "false" => Value::Bool(value == "true"),
            _ => value.parse().map_or_else(|_| value.into(), Value::Number),
        };
        fields.insert(key.trim().to_owned(), value);
    }
    Ok(Value::Object(fields))
}
