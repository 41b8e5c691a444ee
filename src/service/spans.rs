//! The spans of traces: one for each request, with those of its searches. `trace` has the spans of the log.
//!
//! Names and attributes follow OpenTelemetry's semantic conventions for HTTP; the service's own begin with `tesuji.`.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use opentelemetry::trace::{FutureExt as _, SpanBuilder, SpanKind, Status, TraceContextExt as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::HeaderExtractor;

use super::guards::Peer;
use super::trace::{RequestSpan, has_parent, request_id};
use crate::scheduler::{Ended, Failure, SubmitError};
use crate::traces::{FinishedSpan, Traces, end, parent_text, remote_context};

/// The response header with the request's span, from W3C's draft "Trace Context Response Header".
const TRACE_RESPONSE: HeaderName = HeaderName::from_static("traceresponse");

/// Whether requests of a route have spans. Frequent probes and scrapes have none.
fn is_traced(route: Option<&str>) -> bool {
    !matches!(route, Some("/livez" | "/readyz" | "/metrics"))
}

/// Handles a request in a span, a child of the caller's if there is one.
pub async fn in_span(State(traces): State<Traces>, mut request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let parent = if has_parent(request.headers()) {
        remote_context(&HeaderExtractor(request.headers()))
    } else {
        Context::new()
    };
    let span = is_traced(route.as_deref()).then(|| described(&request, route));
    let Some(context) = span.and_then(|span| traces.begin(span, &parent)) else { return next.run(request).await };
    let span = context.span().span_context().clone();
    request.extensions_mut().insert(RequestSpan(span.clone()));
    let guard = SpanGuard(context.clone());
    let mut response = next.run(request).with_context(context).await;
    let status = response.status();
    if let Some(id) = request_id(response.headers()) {
        guard.0.span().set_attribute(KeyValue::new("tesuji.request.id", id));
    }
    guard.0.span().set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
    if status.is_server_error() {
        guard.0.span().set_attribute(KeyValue::new("error.type", status.as_str().to_owned()));
        guard.0.span().set_status(Status::error(""));
    }
    if let Ok(value) = HeaderValue::try_from(parent_text(&span)) {
        response.headers_mut().insert(TRACE_RESPONSE, value);
    }
    response.map(|body| Body::new(SpannedBody { body, _guard: guard }))
}

/// The span of a request, with the attributes known at its start.
fn described(request: &Request, route: Option<String>) -> SpanBuilder {
    let (method, is_known) = match *request.method() {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::DELETE
        | Method::OPTIONS
        | Method::PATCH
        | Method::TRACE
        | Method::CONNECT => (request.method().as_str(), true),
        _ => ("_OTHER", false),
    };
    let name = match (&route, is_known) {
        (Some(route), true) => format!("{method} {route}"),
        (Some(route), false) => format!("HTTP {route}"),
        (None, true) => method.to_owned(),
        (None, false) => "HTTP".to_owned(),
    };
    let text =
        |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::to_owned);
    let mut attributes = vec![
        KeyValue::new("http.request.method", method.to_owned()),
        KeyValue::new("url.path", request.uri().path().to_owned()),
        KeyValue::new("url.scheme", "http"),
    ];
    let mut add = |name: &'static str, value: Option<String>| {
        attributes.extend(value.map(|value| KeyValue::new(name, value)));
    };
    add("http.request.method_original", (!is_known).then(|| request.method().to_string()));
    add("http.route", route);
    add("user_agent.original", text(header::USER_AGENT));
    add("network.peer.address", request.extensions().get::<Peer>().map(|peer| peer.0.to_string()));
    let version = match request.version() {
        Version::HTTP_2 => "2",
        Version::HTTP_10 => "1.0",
        _ => "1.1",
    };
    add("network.protocol.version", Some(version.to_owned()));
    let authority = request.uri().authority().map(ToString::to_string).or_else(|| text(header::HOST));
    let authority = authority.and_then(|authority| authority.parse::<axum::http::uri::Authority>().ok());
    add("server.address", authority.as_ref().map(|authority| authority.host().to_owned()));
    if let Some(port) = authority.and_then(|authority| authority.port_u16()) {
        attributes.push(KeyValue::new("server.port", i64::from(port)));
    }
    SpanBuilder::from_name(name).with_kind(SpanKind::Server).with_attributes(attributes)
}

/// A request's span, which ends when this is dropped, even if its context is still in use.
struct SpanGuard(Context);

impl Drop for SpanGuard {
    fn drop(&mut self) {
        end(&self.0, None);
    }
}

/// A response body that keeps the request's span open to its end.
struct SpannedBody {
    body: Body,
    _guard: SpanGuard,
}

impl HttpBody for SpannedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Runs work in its job's span and ends the span with it, also if the work is dropped.
pub async fn in_job<T>(context: Option<Context>, work: impl Future<Output = T>) -> T {
    let Some(context) = context else { return work.await };
    let guard = SpanGuard(context.clone());
    let done = work.with_context(context).await;
    drop(guard);
    done
}

/// The id of a search in spans and logs.
#[derive(Clone, Debug)]
pub enum SearchId {
    /// Its own.
    Own(String),
    /// That of its review.
    OfReview(String),
}

/// A search's trace; its spans are exported after its end, with the scheduler's times.
#[derive(Debug)]
pub struct SearchSpans {
    traces: Traces,
    /// The span of the request or job.
    parent: Context,
    admitted: OnceLock<SystemTime>,
    /// The time of merging the workers' results, if any.
    merged: OnceLock<Duration>,
}

impl SearchSpans {
    /// The trace of a search in the current context; `None` without traces.
    pub fn new(traces: &Traces) -> Option<Self> {
        traces.is_on().then(|| Self {
            traces: traces.clone(),
            parent: Context::current(),
            admitted: OnceLock::new(),
            merged: OnceLock::new(),
        })
    }

    /// Adds the refusal of admission to the request's span.
    pub fn refused(&self, reason: SubmitError) {
        self.parent.span().add_event("search refused", vec![KeyValue::new("tesuji.reason", reason.to_string())]);
    }

    /// Records the time of admission.
    pub fn admitted(&self) {
        let _ = self.admitted.set(SystemTime::now());
    }

    /// Records the duration of the merge.
    pub fn merged(&self, took: Duration) {
        let _ = self.merged.set(took);
    }

    /// Records the spans of a search that has ended, or was abandoned before its start.
    pub fn ended(&self, ended: &Ended<'_>, id: &SearchId, game: &str, engine: &'static str, threads: u32) {
        let now = SystemTime::now;
        let admitted = self.admitted.get().copied().unwrap_or_else(|| now() - ended.queued - ended.searched);
        let (started, over) = (admitted + ended.queued, admitted + ended.queued + ended.searched);
        let (key, value) = match id {
            SearchId::Own(id) => ("tesuji.search.id", id),
            SearchId::OfReview(id) => ("tesuji.review.id", id),
        };
        let id = KeyValue::new(key, value.clone());
        let given_up = match ended.result {
            Err(Failure::NeverRan) => Some("cancelled"),
            Err(Failure::ShutDown) => Some("shutdown"),
            Ok(_) | Err(Failure::Panicked(_) | Failure::GameFailed(_)) => None,
        };
        let mut attributes = vec![id.clone()];
        attributes.extend(given_up.map(|reason| KeyValue::new("tesuji.stop_reason", reason)));
        self.traces
            .record(FinishedSpan { name: "queue", from: admitted, to: started, attributes, error: None }, &self.parent);
        if given_up.is_some() {
            return;
        }
        let mut attributes = vec![
            id,
            KeyValue::new("tesuji.game", game.to_owned()),
            KeyValue::new("tesuji.engine", engine),
            KeyValue::new("tesuji.threads", i64::from(threads)),
        ];
        let mut error = None;
        match ended.result {
            Ok(report) => {
                let number = |name, number: u64| KeyValue::new(name, i64::try_from(number).unwrap_or(i64::MAX));
                attributes.push(KeyValue::new("tesuji.stop_reason", report.stop.name()));
                attributes.push(number("tesuji.nodes", report.nodes));
                attributes.push(number("tesuji.depth", report.depth.into()));
                attributes.push(number("tesuji.memory_bytes", report.bytes));
                let simulations = report.visits.map(|visits| visits.saturating_sub(report.reused));
                attributes.extend(simulations.map(|simulations| number("tesuji.simulations", simulations)));
            }
            Err(failure) => {
                attributes.push(KeyValue::new("tesuji.stop_reason", "failed"));
                error = Some(Cow::from(failure.to_string()));
            }
        }
        let search = FinishedSpan { name: "search", from: started, to: over, attributes, error };
        let search = self.traces.record(search, &self.parent);
        if let (Some(search), Some(took)) = (search, self.merged.get()) {
            let from = over.checked_sub(*took).unwrap_or(started).max(started);
            let attributes = vec![KeyValue::new("tesuji.threads", i64::from(threads))];
            self.traces.record(FinishedSpan { name: "merge", from, to: over, attributes, error: None }, &search);
        }
    }
}
