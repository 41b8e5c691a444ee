//! The log of requests: a span for each, with the caller's trace if there is one, and a line for each response.

use std::time::Duration;

use axum::http::{HeaderMap, Request, Response};
use opentelemetry::trace::SpanContext;
use tower_http::classify::ServerErrorsFailureClass as Failure;
use tracing::Span;
use tracing::field::Empty;

/// A request's exported span, in its extensions, for the log.
#[derive(Clone, Debug)]
pub struct RequestSpan(pub SpanContext);

/// The request's id, given or generated.
pub fn request_id(headers: &HeaderMap) -> Option<String> {
    headers.get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned)
}

/// The span for all log lines of a request. Some fields are filled in later.
pub fn span<B>(request: &Request<B>) -> tracing::Span {
    let request_id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    let path = request.uri().path();
    let span = tracing::info_span!(
        "request",
        request_id,
        method = %request.method(),
        path,
        client = Empty,
        trace_id = Empty,
        parent_id = Empty,
        span_id = Empty
    );
    let (parent, own) = (Parent::of(request.headers()), request.extensions().get::<RequestSpan>());
    // If both are present, they belong to the same trace.
    match (&parent, own) {
        (_, Some(RequestSpan(own))) => {
            span.record("trace_id", own.trace_id().to_string());
            span.record("span_id", own.span_id().to_string());
        }
        (Some(parent), None) => {
            span.record("trace_id", parent.trace);
        }
        (None, None) => {}
    }
    if let Some(parent) = parent {
        span.record("parent_id", parent.span);
    }
    span
}

/// Whether a request belongs to a caller's trace.
pub fn has_parent(headers: &HeaderMap) -> bool {
    Parent::of(headers).is_some()
}

/// Marks a frequent response, logged at DEBUG only.
#[derive(Clone, Copy, Debug)]
pub struct Routine;

/// A duration in milliseconds, to the microsecond.
pub fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// The response header is ready; the body of a stream follows.
pub fn answered<B>(response: &Response<B>, latency: Duration, _: &Span) {
    let (status, latency_ms) = (response.status().as_u16(), millis(latency));
    if response.extensions().get::<Routine>().is_some() {
        tracing::debug!(status, latency_ms, "request answered");
    } else {
        tracing::info!(status, latency_ms, "request answered");
    }
}

/// The response reports a failure here, or its body broke off.
pub fn failed(failure: Failure, latency: Duration, _: &Span) {
    // A full server is not a failure; other errors are logged where they happen.
    tracing::warn!(reason = %failure, latency_ms = millis(latency), "request failed");
}

/// The caller's place in a distributed trace, from the header `traceparent` of W3C's "Trace Context":
/// `VERSION-TRACE-SPAN-FLAGS`, in lower-case hexadecimal.
#[derive(Debug, PartialEq, Eq)]
struct Parent<'a> {
    trace: &'a str,
    span: &'a str,
}

impl<'a> Parent<'a> {
    /// Reads the header; a malformed one is ignored, as the recommendation requires.
    fn of(headers: &'a HeaderMap) -> Option<Self> {
        let mut values = headers.get_all("traceparent").iter();
        let text = values.next()?.to_str().ok()?;
        if values.next().is_some() {
            return None;
        }
        let mut parts = text.split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let hex = |text: &str, length: usize| {
            text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        };
        let given = |text: &str| text.bytes().any(|byte| byte != b'0');
        let well_formed = hex(version, 2) && hex(trace, 32) && hex(span, 16) && hex(flags, 2);
        // Later versions can append parts; version 00 cannot, and ff is invalid.
        let versioned = version != "ff" && (version != "00" || parts.next().is_none());
        (well_formed && versioned && given(trace) && given(span)).then_some(Self { trace, span })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(text: &'static str) -> Option<(String, String)> {
        let headers = HeaderMap::from_iter([("traceparent".parse().expect("a name"), HeaderValue::from_static(text))]);
        Parent::of(&headers).map(|parent| (parent.trace.to_owned(), parent.span.to_owned()))
    }

    #[test]
    fn well_formed_parents_are_read() {
        let (trace, span) = ("0af7651916cd43dd8448eb211c80319c".to_owned(), "b7ad6b7169203331".to_owned());
        for text in [
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-holds",
        ] {
            assert_eq!(read(text), Some((trace.clone(), span.clone())), "{text}");
        }
    }

    #[test]
    fn malformed_parents_are_ignored() {
        for text in [
            "",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
