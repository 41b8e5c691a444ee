//! Problem details (RFC 9457) with this API's extensions: the document of every error response. A [`Problem`] becomes one once
//! the request's id is known.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Code;
use crate::catalog::{Refusal, RefusalKind};
use crate::custom::Fault;

/// An error (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Problem")]
pub struct ProblemDetails {
    /// Where the kind of error is described.
    #[serde(rename = "type")]
    #[schemars(regex(pattern = "^/problems/[a-z_]+$"))]
    pub kind: String,
    /// The kind of error, in words.
    pub title: Cow<'static, str>,
    /// The HTTP status.
    pub status: u16,
    /// Describes this occurrence of the error. If a part of the request is refused, contains its pointer and reason from
    /// `errors`, for clients that show only this text.
    pub detail: String,
    /// The kind of problem as a stable word.
    #[schemars(with = "Code")]
    pub code: Cow<'static, str>,
    /// The refused parts of the request.
    pub errors: Vec<RefusedPart>,
    /// The request's id, as in `X-Request-Id`; null if the client's is not plain ASCII.
    pub request_id: Option<String>,
}

/// A part of the request that was refused.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ProblemPart")]
pub struct RefusedPart {
    /// Its place in the request's body (JSON Pointer, RFC 6901); for a missing field, the object without it.
    #[schemars(regex(pattern = "^(/([^~/]|~[01])*)*$"))]
    pub pointer: String,
    /// What is wrong with it, and what was expected.
    pub detail: String,
}

/// An error, before it becomes a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    /// The problem, and what was expected.
    reason: String,
    /// The refused part of the request, if there is one.
    pointer: Option<String>,
}

impl Problem {
    /// A problem with its `detail`.
    #[must_use]
    pub fn new(code: Code, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), pointer: None }
    }

    /// The refusal of the value at a JSON Pointer.
    #[must_use]
    pub fn at(code: Code, pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), pointer: Some(pointer.into()) }
    }

    /// The `detail`. If a part of the request is refused, it names the part and the reason, because the exceptions of many
    /// clients show only this text.
    #[must_use]
    pub fn detail(&self) -> Cow<'_, str> {
        match self.pointer.as_deref() {
            None | Some("") => self.reason.as_str().into(),
            Some(pointer) => format!("{pointer}: {}", self.reason).into(),
        }
    }

    /// The same for a part of a larger request: `prefix` precedes its pointer.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        self.pointer.iter_mut().for_each(|pointer| pointer.insert_str(0, prefix));
        self
    }

    /// Its code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    fn part(&self, pointer: &str) -> RefusedPart {
        RefusedPart { pointer: pointer.to_owned(), detail: self.reason.clone() }
    }

    /// Its document, for a request with this id.
    #[must_use]
    pub fn details(&self, request_id: Option<String>) -> ProblemDetails {
        let name = self.code.name();
        ProblemDetails {
            kind: format!("/problems/{name}"),
            title: self.code.title().into(),
            status: self.code.status(),
            detail: self.detail().into_owned(),
            code: name.into(),
            errors: self.pointer.iter().map(|pointer| self.part(pointer)).collect(),
            request_id,
        }
    }
}

impl From<Refusal> for Problem {
    fn from(mut refusal: Refusal) -> Self {
        if refusal.reads_as_moves {
            refusal.detail.push_str("; moves belong in `moves`");
        }
        let code = match refusal.kind {
            RefusalKind::UnknownGame => Code::UnknownGame,
            RefusalKind::InvalidVariant => Code::InvalidVariant,
            RefusalKind::InvalidPosition => Code::InvalidPosition,
            RefusalKind::IllegalMove => Code::IllegalMove,
            RefusalKind::InvalidEngine => Code::InvalidEngine,
            RefusalKind::InvalidBudget => Code::InvalidBudget,
            RefusalKind::InvalidFilter => Code::InvalidFilter,
            RefusalKind::InvalidRecord => Code::InvalidRecord,
            RefusalKind::GameFailed => Code::GameFailed,
        };
        Self::at(code, refusal.pointer, refusal.detail)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Refusal::of_fault(&fault).into()
    }
}
