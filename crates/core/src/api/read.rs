//! Reads a request's body.

use serde::de::DeserializeOwned;

use super::strict::Object;
use super::{Code, Problem};
use crate::catalog::{json_pointer, plain_words};

/// Reads a body.
///
/// # Errors
/// `malformed_json` when it is not JSON; `invalid_request` with a pointer when it is JSON of the wrong form.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let malformed = |error: &serde_json::Error| Problem::new(Code::MalformedJson, error.to_string());
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let Object(value) = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let inner = error.inner();
        if !inner.is_data() {
            return malformed(inner);
        }
        let message = inner.to_string();
        let pointer = json_pointer(error.path(), &message);
        // serde_json appends the place in the text; the pointer is more useful.
        let detail = message.rsplit_once(" at line ").map_or(message.as_str(), |(detail, _)| detail);
        Problem::at(Code::InvalidRequest, pointer, plain_words(detail))
    })?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(value)
}
