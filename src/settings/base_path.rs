//! The path under which a proxy publishes the server.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A path without a slash at its end, such as `/ai`; empty at the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BasePath(Arc<str>);

impl BasePath {
    /// The path, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of the service's root, with a slash at its end.
    #[must_use]
    pub fn root(&self) -> String {
        format!("{}/", self.0)
    }
}

impl FromStr for BasePath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = text.strip_suffix('/').unwrap_or(text);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_segment = |segment: &str| !matches!(segment, "" | "." | "..") && segment.bytes().all(is_plain);
        let is_path = path.is_empty() || path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_segment));
        if is_path { Ok(Self(path.into())) } else { Err(format!("expected a path such as `/ai`, not `{text}`")) }
    }
}

impl TryFrom<String> for BasePath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<BasePath> for String {
    fn from(path: BasePath) -> Self {
        path.root()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_is_a_plain_path() {
        for (text, path) in [("/ai", "/ai"), ("/ai/", "/ai"), ("/a/b-1.c_~", "/a/b-1.c_~"), ("/", ""), ("", "")] {
            assert_eq!(text.parse(), Ok(BasePath(path.into())), "{text}");
        }
        for text in
            ["ai", "//", "/ai//x", "//evil.example", "/a b", "/ai?x", "/../x", "https://evil.example/", "/ai\r\n"]
        {
            assert!(text.parse::<BasePath>().is_err(), "{text}");
        }
    }
}
