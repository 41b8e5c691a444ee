//! Problem details as RFC 9457 has them, with what this API adds: the document that every error response contains. A
//! [`Problem`] becomes one when the request's id is known.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Code;
use crate::catalog::{Refusal, RefusalKind};

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

/// An error on its way to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    detail: String,
    errors: Vec<RefusedPart>,
}

impl Problem {
    /// A problem with a sentence about this occurrence of it.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), errors: Vec::new() }
    }

    /// The sentence about this occurrence.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Points to the refused part of the request.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        self.errors.push(RefusedPart { pointer: pointer.into(), detail: detail.into() });
        self
    }

    /// The same about a part of a larger whole: its pointers lead from there.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        self.errors.iter_mut().for_each(|part| part.pointer.insert_str(0, prefix));
        self
    }

    /// Its kind.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The document that tells it, to a request with this id.
    #[must_use]
    pub fn details(&self, request_id: Option<String>) -> ProblemDetails {
        let name = self.code.name();
        ProblemDetails {
            kind: format!("/problems/{name}"),
            title: self.code.title().into(),
            status: self.code.status(),
            detail: self.detail.clone(),
            code: name.into(),
            errors: self.errors.clone(),
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
        };
        Self::new(code, refusal.to_string()).at(refusal.pointer, refusal.detail)
    }
}
