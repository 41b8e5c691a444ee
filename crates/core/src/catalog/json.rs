//! Our own typed values as JSON.

use serde::Serialize;
use serde_json::Value;

/// A variant, facts or options as JSON.
///
/// # Panics
/// When the type cannot be written as JSON: a mistake in a game, which must not pass for a value that says nothing. All there
/// are are structs of numbers, texts and lists, and the conformance suite writes those of every game.
pub(super) fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("variants, facts and options are JSON")
}
