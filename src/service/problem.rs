//! Errors: RFC 9457 `application/problem+json`, with a stable code, JSON Pointers to what was refused, and the request's id.
//!
//! Handlers return a [`Problem`]; the [`render`] middleware writes it, since only there the request's id is at hand. It also
//! turns axum's own refusals (404, 405) into problems, so that no error leaves in any other shape.

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::path::Name;
use tesuji_core::api::{ProblemDetails, RefusedPart};
use tesuji_core::catalog::{Refusal, RefusalKind};

/// Every kind of error, as clients can tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The body is not JSON.
    MalformedJson,
    /// No such route or resource.
    NotFound,
    /// The route exists, the method does not.
    MethodNotAllowed,
    /// The client takes no JSON.
    NotAcceptable,
    /// A header says what it cannot.
    InvalidHeader,
    /// What was asked does not go with what is.
    Conflict,
    /// The body is larger than the limit.
    TooLarge,
    /// The body says it is not JSON.
    UnsupportedMediaType,
    /// The body is JSON of another shape.
    InvalidRequest,
    /// No game of that name.
    UnknownGame,
    /// The variant's parameters are refused.
    InvalidVariant,
    /// The position is refused.
    InvalidPosition,
    /// A move is refused.
    IllegalMove,
    /// The engine or its options are refused.
    InvalidEngine,
    /// The budget is refused.
    InvalidBudget,
    /// The filter of root moves is refused.
    InvalidFilter,
    /// The request brings no API key, or one that is not known.
    Unauthorized,
    /// The body took too long to arrive.
    RequestTimeout,
    /// The client has spent its quota.
    QuotaExceeded,
    /// The server has as many searches as it takes.
    Overloaded,
    /// The server cannot store searches at present.
    StorageUnavailable,
    /// The server takes no new searches, because it ends.
    ShuttingDown,
    /// The search, or the request, failed here.
    Internal,
}

/// All codes, each with its status, title and description.
const TABLE: [(Code, &str, StatusCode, &str, &str); 23] = [
    (
        Code::MalformedJson,
        "malformed_json",
        StatusCode::BAD_REQUEST,
        "Malformed JSON",
        "The request's body is not well-formed JSON; the detail says where reading stopped.",
    ),
    (
        Code::NotFound,
        "not_found",
        StatusCode::NOT_FOUND,
        "Not found",
        "There is nothing at this path. The routes are listed in /openapi.yaml.",
    ),
    (
        Code::MethodNotAllowed,
        "method_not_allowed",
        StatusCode::METHOD_NOT_ALLOWED,
        "Method not allowed",
        "The path exists, but not with this method; the Allow header lists those it has.",
    ),
    (
        Code::NotAcceptable,
        "not_acceptable",
        StatusCode::NOT_ACCEPTABLE,
        "Not acceptable",
        "The Accept header leaves no form in which this route can answer.",
    ),
    (
        Code::InvalidHeader,
        "invalid_header",
        StatusCode::BAD_REQUEST,
        "Invalid header",
        "A header of the request is not what this service expects; the detail says which.",
    ),
    (
        Code::Conflict,
        "conflict",
        StatusCode::CONFLICT,
        "Conflict",
        "What was asked does not go with what was asked before, such as another request with the same Idempotency-Key.",
    ),
    (
        Code::TooLarge,
        "too_large",
        StatusCode::PAYLOAD_TOO_LARGE,
        "Body too large",
        "The request's body is larger than this server takes.",
    ),
    (
        Code::UnsupportedMediaType,
        "unsupported_media_type",
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "Unsupported media type",
        "The Content-Type or Content-Encoding header says that the body is no plain JSON.",
    ),
    (
        Code::InvalidRequest,
        "invalid_request",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Invalid request",
        "The body is JSON, but a field is unknown, missing or of a wrong type; the pointer says which.",
    ),
    (
        Code::UnknownGame,
        "unknown_game",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Unknown game",
        "There is no game of this name; GET /v1/games lists them.",
    ),
    (
        Code::InvalidVariant,
        "invalid_variant",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Invalid variant",
        "The game has no such variant, or a parameter is out of range; GET /v1/games/{game} lists them.",
    ),
    (
        Code::InvalidPosition,
        "invalid_position",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Invalid position",
        "The position is not in the game's notation, or cannot arise in the game.",
    ),
    (
        Code::IllegalMove,
        "illegal_move",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Illegal move",
        "A move is not in the game's notation, or not legal where it is played.",
    ),
    (
        Code::InvalidEngine,
        "invalid_engine",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Invalid engine",
        "The game has no such engine, or an option or the seed is refused; GET /v1/games/{game} lists engines and options.",
    ),
    (
        Code::InvalidBudget,
        "invalid_budget",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Invalid budget",
        "A limit is out of range, or the engine has no such limit; GET /v1/games lists the caps.",
    ),
    (
        Code::InvalidFilter,
        "invalid_filter",
        StatusCode::UNPROCESSABLE_ENTITY,
        "Invalid moves filter",
        "The filter names a move that is not legal, or leaves none.",
    ),
    (
        Code::Unauthorized,
        "unauthorized",
        StatusCode::UNAUTHORIZED,
        "API key needed",
        "This server asks for an API key, in the header `Authorization: Bearer KEY`; the request has none, or an unknown one.",
    ),
    (
        Code::RequestTimeout,
        "request_timeout",
        StatusCode::REQUEST_TIMEOUT,
        "Request timeout",
        "The request's body did not arrive in the time that this server waits for it; the connection is closed.",
    ),
    (
        Code::QuotaExceeded,
        "quota_exceeded",
        StatusCode::TOO_MANY_REQUESTS,
        "Quota exceeded",
        "This client has asked for more search time than its quota allows; try again as the Retry-After header tells.",
    ),
    (
        Code::Overloaded,
        "overloaded",
        StatusCode::SERVICE_UNAVAILABLE,
        "Overloaded",
        "As many searches as this server takes are running or waiting; try again as the Retry-After header tells.",
    ),
    (
        Code::StorageUnavailable,
        "storage_unavailable",
        StatusCode::SERVICE_UNAVAILABLE,
        "Storage unavailable",
        "This server cannot store searches at present, as when its disk is full: asynchronous searches and requests with an \
         Idempotency-Key are refused, others are answered. It goes on by itself; try again as the Retry-After header tells.",
    ),
    (
        Code::ShuttingDown,
        "shutting_down",
        StatusCode::SERVICE_UNAVAILABLE,
        "Shutting down",
        "This server is about to end and takes no new searches; try again as the Retry-After header tells.",
    ),
    (
        Code::Internal,
        "internal",
        StatusCode::INTERNAL_SERVER_ERROR,
        "Internal error",
        "Something failed on the server's side. The log has it under the request's id.",
    ),
];

impl Code {
    fn row(self) -> &'static (Self, &'static str, StatusCode, &'static str, &'static str) {
        // The table has a row for every code, in the order of the enum.
        &TABLE[self as usize]
    }
}

/// An error on its way to the client.
#[derive(Clone, Debug)]
pub struct Problem {
    code: Code,
    detail: String,
    errors: Vec<RefusedPart>,
    /// Seconds after which to try again.
    retry_after: Option<u32>,
}

impl Problem {
    /// A problem with a sentence about this occurrence of it.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), errors: Vec::new(), retry_after: None }
    }

    /// Points to the refused part of the request.
    pub fn at(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        self.errors.push(RefusedPart { pointer: pointer.into(), detail: detail.into() });
        self
    }

    /// The same about a part of a larger whole: its pointers lead from there.
    pub fn below(mut self, prefix: &str) -> Self {
        self.errors.iter_mut().for_each(|part| part.pointer.insert_str(0, prefix));
        self
    }

    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        self.code.row().1
    }

    /// The document that tells it, to a request with this id.
    pub fn details(&self, request_id: Option<String>) -> ProblemDetails {
        let (_, name, status, title, _) = *self.code.row();
        ProblemDetails {
            kind: format!("/problems/{name}"),
            title: title.into(),
            status: status.as_u16(),
            detail: self.detail.clone(),
            code: name.into(),
            errors: self.errors.clone(),
            request_id,
        }
    }

    /// Tells when to try again.
    pub fn retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal.kind {
            RefusalKind::UnknownGame => Code::UnknownGame,
            RefusalKind::InvalidVariant => Code::InvalidVariant,
            RefusalKind::InvalidPosition => Code::InvalidPosition,
            RefusalKind::IllegalMove => Code::IllegalMove,
            RefusalKind::InvalidEngine => Code::InvalidEngine,
            RefusalKind::InvalidBudget => Code::InvalidBudget,
            RefusalKind::InvalidFilter => Code::InvalidFilter,
        };
        Self::new(code, refusal.to_string()).at(refusal.pointer, refusal.detail)
    }
}

impl IntoResponse for Problem {
    /// A bare status that carries the problem to [`render`].
    fn into_response(self) -> Response {
        let (_, _, status, ..) = *self.code.row();
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Marks an answer that is a problem, with its code.
#[derive(Clone, Copy, Debug)]
pub struct Rendered(pub &'static str);

/// Writes the problem that a response carries, if it does.
pub async fn render(request: Request, next: Next) -> Response {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let mut response = next.run(request).await;
    let Some(problem) = response.extensions_mut().remove::<Problem>() else {
        return response;
    };
    let (_, name, status, ..) = *problem.code.row();
    let (mut parts, _) = response.into_parts();
    let mut body = Json(problem.details(id)).into_response();
    parts.headers.remove(header::CONTENT_LENGTH);
    body.headers_mut().extend(parts.headers);
    *body.status_mut() = status;
    body.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    body.extensions_mut().insert(Rendered(name));
    if let Some(seconds) = problem.retry_after {
        body.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    body
}

/// No such path.
pub async fn no_route() -> Problem {
    Problem::new(Code::NotFound, "there is nothing at this path; /openapi.yaml lists the routes")
}

/// The path exists, the method does not.
pub async fn wrong_method() -> Problem {
    Problem::new(Code::MethodNotAllowed, "this path does not take this method; the Allow header lists those it takes")
}

/// A handler panicked: the request fails alone.
pub fn panicked(panic: Box<dyn std::any::Any + Send + 'static>) -> Response<Body> {
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = message.unwrap_or("without a message"), "a handler panicked");
    Problem::new(Code::Internal, "the request failed on the server's side").into_response()
}

/// A kind of problem, described at the address that its `type` gives.
#[derive(Serialize)]
struct Kind {
    code: Code,
    title: &'static str,
    status: u16,
    description: &'static str,
}

/// `GET /problems/{code}`
pub async fn describe(Name(name): Name) -> Result<Response, Problem> {
    let row = TABLE.iter().find(|(_, row_name, ..)| *row_name == name);
    let Some(&(code, _, status, title, description)) = row else {
        let names: Vec<&str> = TABLE.iter().map(|(_, name, ..)| *name).collect();
        return Err(Problem::new(
            Code::NotFound,
            format!("no problem has this code; expected one of {}", names.join(", ")),
        ));
    };
    Ok(Json(Kind { code, title, status: status.as_u16(), description }).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_row() {
        for (index, (code, name, ..)) in TABLE.iter().enumerate() {
            assert_eq!(*code as usize, index, "{name}");
            assert_eq!(serde_json::to_value(code).expect("codes are texts"), *name);
        }
    }
}
