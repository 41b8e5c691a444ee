//! Errors: RFC 9457 `application/problem+json`, with a stable code, JSON Pointers to the refused parts, and the request's id.
//!
//! Handlers return a [`Problem`]; the [`render`] middleware, which has the request's id, writes it. It also turns axum's own
//! refusals (404, 405) into problems, so that every error has this format.

use std::fmt::Display;

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::trace::request_id;
use tesuji_core::api::{self, ProblemDetails};
use tesuji_core::catalog::Refusal;
use tesuji_core::custom::Fault;

pub use tesuji_core::api::Code;

/// An error on its way to the client over HTTP.
#[derive(Clone, Debug)]
pub struct Problem {
    problem: api::Problem,
    /// Seconds after which to try again.
    retry_after: Option<u32>,
}

impl Problem {
    /// A problem with its `detail`.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        api::Problem::new(code, detail).into()
    }

    /// The refusal of the value at a JSON Pointer.
    pub fn at(code: Code, pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        api::Problem::at(code, pointer, reason).into()
    }

    /// The refusal of an address's query, or of one of its parameters. They have no JSON Pointer.
    pub fn of_query(problem: impl Display, expected: &str) -> Self {
        let problem = problem.to_string();
        let problem = problem.strip_prefix("Failed to deserialize query string: ").unwrap_or(&problem);
        Self::at(Code::InvalidRequest, "", format!("{problem}: expected {expected}"))
    }

    /// Its code.
    pub const fn code(&self) -> Code {
        self.problem.code()
    }

    /// Its document, for a request with this id.
    pub fn details(&self, request_id: Option<String>) -> ProblemDetails {
        self.problem.details(request_id)
    }

    /// Adds `Retry-After`.
    pub fn retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }
}

impl From<api::Problem> for Problem {
    fn from(problem: api::Problem) -> Self {
        Self { problem, retry_after: None }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        api::Problem::from(refusal).into()
    }
}

/// The status of problems with this code.
fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl IntoResponse for Problem {
    /// An empty response with the problem, for [`render`].
    fn into_response(self) -> Response {
        let mut response = status(self.code()).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Marks a response as a problem with this code.
#[derive(Clone, Copy, Debug)]
pub struct Rendered(pub &'static str);

/// Writes a response's problem, if it has one.
pub async fn render(request: Request, next: Next) -> Response {
    let id = request_id(request.headers());
    let mut response = next.run(request).await;
    let Some(problem) = response.extensions_mut().remove::<Problem>() else {
        return response;
    };
    let code = problem.code();
    let (mut parts, _) = response.into_parts();
    let mut body = Json(problem.details(id)).into_response();
    parts.headers.remove(header::CONTENT_LENGTH);
    body.headers_mut().extend(parts.headers);
    *body.status_mut() = status(code);
    body.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    body.extensions_mut().insert(Rendered(code.name()));
    if let Some(seconds) = problem.retry_after {
        body.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    body
}

/// No such path.
pub async fn no_route() -> Problem {
    Problem::new(Code::NotFound, "unknown path; /openapi.yaml lists the routes")
}

/// The path exists, the method does not.
pub async fn wrong_method() -> Problem {
    Problem::new(Code::MethodNotAllowed, "method not allowed at this path; the Allow header lists the allowed ones")
}

/// A handler panicked, or the rules of a game at run time failed: only this request fails.
pub fn panicked(panic: Box<dyn std::any::Any + Send + 'static>) -> Response<Body> {
    if let Some(fault) = Fault::of_panic(&*panic) {
        return Problem::from(api::Problem::from(fault.clone())).into_response();
    }
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = message.unwrap_or("without a message"), "a handler panicked");
    Problem::new(Code::Internal, "the request failed on the server").into_response()
}
