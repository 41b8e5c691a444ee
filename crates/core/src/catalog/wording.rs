//! Serde's messages about values of a wrong type, in words for people who write JSON rather than Rust.

/// Longer texts are not quoted.
const LONGEST: usize = 60;

/// Rewords a message of serde's: `invalid type: string "4", expected u64` becomes `expected a whole number from 0 on, not the
/// text "4"`. Other messages are unchanged.
#[must_use]
pub fn plain_words(message: &str) -> String {
    if let Some((found, expected)) = wrong_type(message) {
        return format!("expected {}, not {}", describe_expected(expected), describe_found(found));
    }
    match message.strip_prefix("unknown variant `").and_then(|rest| rest.rsplit_once("`, expected ")) {
        Some((found, expected)) => {
            format!("expected {expected}, not {}", quoted(&format!("`{found}`"), "", "another text"))
        }
        None => message.to_owned(),
    }
}

/// The same, for a field with a more precise expectation than serde's.
#[must_use]
pub fn plain_words_for(expected: &str, message: &str) -> String {
    match wrong_type(message) {
        Some((found, _)) => format!("expected {expected}, not {}", describe_found(found)),
        None => plain_words(message),
    }
}

/// The value found and the one expected, in messages about types.
fn wrong_type(message: &str) -> Option<(&str, &str)> {
    let strange = ["invalid type: ", "invalid value: "].iter().find_map(|prefix| message.strip_prefix(prefix))?;
    // The value found can contain anything; the expectation contains no such comma.
    strange.rsplit_once(", expected ")
}

fn describe_expected(name: &str) -> &str {
    match name {
        "u64" | "usize" | "u128" => "a whole number from 0 on",
        "u32" => "a whole number from 0 to 4294967295",
        "u16" => "a whole number from 0 to 65535",
        "u8" => "a whole number from 0 to 255",
        "i8" | "i16" | "i32" | "i64" | "isize" | "i128" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" | "bool" => "true or false",
        "a string" | "path string" | "a borrowed string" => "text",
        "a sequence" => "a list",
        "a map" => "an object",
        "string or map" => "text or an object",
        "variant identifier" => "a name",
        "unit" => "null",
        _ if name.starts_with("struct ") => "an object",
        _ if name.starts_with("enum ") => "a name",
        _ => name,
    }
}

fn describe_found(found: &str) -> String {
    match found.split_once(' ') {
        Some(("string", text)) => quoted(text, "the text ", "this text"),
        Some(("integer", number)) => format!("the number {}", number.trim_matches('`')),
        Some(("boolean", value)) => value.trim_matches('`').to_owned(),
        Some(("floating", rest)) => format!("the number {}", rest.trim_start_matches("point ").trim_matches('`')),
        _ => match found {
            "sequence" => "a list".to_owned(),
            "map" => "an object".to_owned(),
            "unit value" | "null" | "Option value" => "null".to_owned(),
            other => other.to_owned(),
        },
    }
}

/// The given value, unless it is long.
fn quoted(text: &str, prefix: &str, instead: &str) -> String {
    if text.len() > LONGEST { instead.to_owned() } else { format!("{prefix}{text}") }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Sample {
        count: Option<u64>,
        small: u32,
        list: Option<Vec<String>>,
        flag: bool,
        share: f64,
        choice: Option<Choice>,
        part: Option<Part>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Choice {
        Left,
        Right,
    }

    #[derive(Debug, Deserialize)]
    struct Part {}

    #[test]
    fn wrong_types_are_told_in_plain_words() {
        for (json, told) in [
            (r#"{"count":"4"}"#, r#"expected a whole number from 0 on, not the text "4""#),
            (r#"{"count":-1}"#, "expected a whole number from 0 on, not the number -1"),
            (r#"{"count":0.5}"#, "expected a whole number from 0 on, not the number 0.5"),
            (r#"{"small":4294967296}"#, "expected a whole number from 0 to 4294967295, not the number 4294967296"),
            (r#"{"small":null}"#, "expected a whole number from 0 to 4294967295, not null"),
            (r#"{"list":"f5"}"#, r#"expected a list, not the text "f5""#),
            (r#"{"list":["f5",null]}"#, "expected text, not null"),
            (r#"{"list":[true]}"#, "expected text, not true"),
            (r#"{"flag":{}}"#, "expected true or false, not an object"),
            (r#"{"share":[]}"#, "expected a number, not a list"),
            (r#"{"part":1}"#, "expected an object, not the number 1"),
            (r#"{"choice":"up"}"#, "expected `left` or `right`, not `up`"),
            (r#"{"flag":"x, expected u64"}"#, r#"expected true or false, not the text "x, expected u64""#),
        ] {
            // Read from a text, and from a value.
            let value: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
            for error in [serde_json::from_str::<Sample>(json), serde_json::from_value(value)] {
                let message = error.expect_err(json).to_string();
                let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
                assert_eq!(plain_words(message), told, "{json}: {message}");
            }
        }
        let long = format!(r#"invalid type: string "{}", expected u64"#, "x".repeat(1000));
        assert_eq!(plain_words(&long), "expected a whole number from 0 on, not this text");
        assert_eq!(plain_words("missing field `game`"), "missing field `game`");
    }
}
