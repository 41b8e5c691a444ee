//! Headers that change how a request is answered: asynchronously (`Prefer`, RFC 7240), or as the repetition of an earlier one
//! (`Idempotency-Key`).

use std::time::Duration;

use axum::http::HeaderMap;

use crate::service::problem::{Code, Problem};

/// The values of these headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseMode {
    /// Respond without waiting for the result.
    pub is_async: bool,
    /// How long to wait for the result before responding.
    pub wait: Option<Duration>,
    /// The client's idempotency key.
    pub key: Option<String>,
}

/// The longest wait, in seconds; longer ones are shortened, since the header is only a preference.
const LONGEST_WAIT: u64 = 300;

/// The longest key, in bytes.
const LONGEST_KEY: usize = 255;

impl ResponseMode {
    /// Reads the headers. Unknown and malformed preferences are ignored (RFC 7240).
    pub fn read(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut mode = Self::default();
        let values = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
        for preference in values.flat_map(|value| value.split(',')) {
            let preference = preference.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            if preference == "respond-async" {
                mode.is_async = true;
            } else if let Some(seconds) =
                preference.strip_prefix("wait=").and_then(|text| text.trim().parse::<u64>().ok())
            {
                mode.wait.get_or_insert(Duration::from_secs(seconds.min(LONGEST_WAIT)));
            }
        }
        if let Some(key) = headers.get("idempotency-key") {
            if !(1..=LONGEST_KEY).contains(&key.len()) {
                let problem = format!("expected an Idempotency-Key of 1 to {LONGEST_KEY} characters");
                return Err(Problem::new(Code::InvalidHeader, problem));
            }
            // Keys can have any bytes; each is taken as one character.
            mode.key = Some(key.as_bytes().iter().copied().map(char::from).collect());
        }
        Ok(mode)
    }

    /// Whether the result can be polled later.
    pub const fn is_pollable(&self) -> bool {
        self.is_async || self.key.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_are_read_and_unknown_ones_ignored() {
        for (text, is_async, wait) in [
            ("respond-async", true, None),
            ("Respond-Async, wait=10", true, Some(10)),
            ("wait=7; x=y, handling=strict", false, Some(7)),
            ("respond-async, wait=soon", true, None),
            ("wait=99999", false, Some(LONGEST_WAIT)),
            ("return=minimal", false, None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("prefer", text.parse().expect("it is a header"));
            let mode = ResponseMode::read(&headers).expect("it is read");
            assert_eq!((mode.is_async, mode.wait), (is_async, wait.map(Duration::from_secs)), "{text}");
        }
    }
}
