//! Problem details as RFC 9457 has them, with what this API adds: the document that every error response contains.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A problem. Codes and titles are words of the version that writes it; another may know others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemDetails {
    /// Where the kind of problem is described: a URI reference.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of problem in a few words.
    pub title: Cow<'static, str>,
    /// The number of the response's status.
    pub status: u16,
    /// A sentence about this occurrence.
    pub detail: String,
    /// The kind of problem as a stable word.
    pub code: Cow<'static, str>,
    /// The refused parts of the request.
    pub errors: Vec<RefusedPart>,
    /// The request's id.
    pub request_id: Option<String>,
}

/// A refused part of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedPart {
    /// A JSON Pointer to it.
    pub pointer: String,
    /// What is wrong with it.
    pub detail: String,
}
