//! Reads and checks request bodies.

use std::error::Error;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

use super::accept::{Negotiable, ResponseFormat};
use super::guards::{TooLong, TooSlow};
use super::problem::{Code, Problem};
use tesuji_core::api::parse;

/// A typed JSON body, for routes with several response formats, with the chosen one. `Content-Type` is optional: `curl -d`
/// sends a wrong one.
pub struct JsonFor<T> {
    pub format: ResponseFormat,
    pub headers: HeaderMap,
    /// The bytes of the body, and the value read from them.
    pub bytes: Bytes,
    pub body: T,
}

/// A body of any type, for routes that respond in JSON.
pub struct Raw {
    /// The request's headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub bytes: Bytes,
}

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        check_encoding(&parts.headers)?;
        ResponseFormat::choose(&parts.headers, &[ResponseFormat::Json])?;
        Ok(Self { headers: parts.headers, bytes: read(body).await? })
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonFor<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (format, headers, bytes) = receive(request, ResponseFormat::ALL).await?;
        let body = parse(&bytes)?;
        Ok(Self { format, headers, bytes, body })
    }
}

/// Reads a JSON body that is not parsed yet, and chooses the response's format.
pub async fn receive<F: Negotiable>(request: Request, formats: &[F]) -> Result<(F, HeaderMap, Bytes), Problem> {
    let (parts, body) = request.into_parts();
    check_media_type(&parts.headers)?;
    let format = F::choose(&parts.headers, formats)?;
    Ok((format, parts.headers, read(body).await?))
}

/// Reads a whole body within the guards' limits.
async fn read(body: Body) -> Result<Bytes, Problem> {
    to_bytes(body, usize::MAX).await.map_err(|error| {
        if let Some(limit) = cause::<TooLong>(&error) {
            Problem::new(Code::TooLarge, limit.to_string())
        } else if let Some(limit) = cause::<TooSlow>(&error) {
            Problem::new(Code::RequestTimeout, limit.to_string())
        } else {
            // The client stopped halfway.
            Problem::new(Code::MalformedJson, "the body ended before its announced length")
        }
    })
}

/// The first error of type `E` in an error's chain of causes.
fn cause<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| (*error).source())
        .find_map(|error| error.downcast_ref())
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(header::CONTENT_ENCODING) {
        Some(encoding) if encoding != "identity" => {
            Err(Problem::new(Code::UnsupportedMediaType, "expected a body without Content-Encoding"))
        }
        _ => Ok(()),
    }
}

/// The type of a body, by its `Content-Type`.
pub enum MediaType {
    Json,
    /// No type, or one that simple clients send by default.
    Unspecified,
    PlainText,
    /// Another type, in lower case and without parameters.
    Other(String),
}

impl MediaType {
    pub fn of(headers: &HeaderMap) -> Self {
        let essence = content_type(headers).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" => Self::Json,
            "" | "application/x-www-form-urlencoded" | "application/octet-stream" => Self::Unspecified,
            "text/plain" => Self::PlainText,
            other if other.starts_with("application/") && other.ends_with("+json") => Self::Json,
            _ => Self::Other(essence),
        }
    }
}

/// The header `Content-Type`; empty if absent.
pub fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Refuses bodies declared as another type than JSON; the defaults of simple clients pass.
fn check_media_type(headers: &HeaderMap) -> Result<(), Problem> {
    check_encoding(headers)?;
    match MediaType::of(headers) {
        MediaType::Json | MediaType::Unspecified | MediaType::PlainText => Ok(()),
        MediaType::Other(_) => Err(Problem::new(Code::UnsupportedMediaType, "expected application/json")),
    }
}
