//! Calls of the API's routes in this process, for the client of an MCP request.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, Response, header};
use futures_util::StreamExt as _;
use opentelemetry::Context;
use opentelemetry::trace::FutureExt as _;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tesuji_core::api::{self, Code, ProblemDetails, Status};
use tesuji_core::catalog::Catalog;
use tesuji_core::custom::guarded;
use tower::ServiceExt as _;
use tracing::{Instrument as _, Span};

use super::analyses::Analyses;
use super::refused::ToolError;
use crate::service::{Client, Service};

/// The client of one MCP request, with the API that it calls.
#[derive(Clone)]
pub struct Caller {
    routes: Router,
    service: Service,
    client: Client,
    request_id: Option<HeaderValue>,
    marks: Marks,
    analyses: Analyses,
    /// The receiver of progress, if the client requested it.
    progress: Option<(Peer<RoleServer>, ProgressToken)>,
}

/// The log span and the trace of the HTTP request, which the transport's tasks do not inherit.
#[derive(Clone)]
struct Marks {
    span: Span,
    context: Context,
}

impl Marks {
    fn current() -> Self {
        Self { span: Span::current(), context: Context::current() }
    }
}

/// The client of an HTTP request.
pub fn client_of(context: &RequestContext<RoleServer>) -> Option<Client> {
    context.extensions.get::<Parts>()?.extensions.get().cloned()
}

/// A message of a search or a job.
pub trait Message: DeserializeOwned {
    /// Its state.
    fn status(&self) -> Status;

    /// Its progress, while it is running.
    fn progress(&self) -> Option<Progress>;
}

/// The progress of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The amount done, out of `total`.
    pub done: f64,
    /// The total, if it is known.
    pub total: Option<f64>,
    /// In words.
    pub words: String,
}

const REQUEST_ID: &str = "x-request-id";

impl Caller {
    /// Attaches the current span and trace to an HTTP request.
    pub fn mark(parts: &mut Parts) {
        parts.extensions.insert(Marks::current());
    }

    /// The caller of a client's request.
    pub fn of(
        (routes, service, analyses): (&Router, &Service, &Analyses),
        client: Client,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let parts = context.extensions.get::<Parts>();
        Self {
            routes: routes.clone(),
            service: service.clone(),
            analyses: analyses.clone(),
            client,
            request_id: parts.and_then(|parts| parts.headers.get(REQUEST_ID)).cloned(),
            marks: parts.and_then(|parts| parts.extensions.get()).cloned().unwrap_or_else(Marks::current),
            progress: context.meta.get_progress_token().map(|token| (context.peer.clone(), token)),
        }
    }

    /// The client.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// The longest time of a search in milliseconds.
    pub fn longest_ms(&self) -> u64 {
        self.service.policy_now().most.time_ms
    }

    /// The analyses of all clients.
    pub const fn analyses(&self) -> &Analyses {
        &self.analyses
    }

    /// Reads from the client's games.
    ///
    /// # Errors
    /// When the rules of a game at run time fail, or `read` does.
    pub fn read<T>(&self, read: impl FnOnce(&Catalog) -> Result<T, api::Problem>) -> Result<T, ToolError> {
        let catalog = self.service.library.catalog(self.client.owner());
        Ok(guarded(|| read(&catalog)).map_err(api::Problem::from)??)
    }

    /// Posts a request and reads the response.
    ///
    /// # Errors
    /// When the API refuses it.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, ToolError> {
        let bytes = self.file(path, "application/json", body).await?;
        serde_json::from_slice(&bytes).map_err(ToolError::failed)
    }

    /// Posts a request for a response of a media type.
    ///
    /// # Errors
    /// When the API refuses it.
    pub async fn file(&self, path: &str, media_type: &str, body: &impl Serialize) -> Result<Bytes, ToolError> {
        let response = self.call(Method::POST, path, media_type, to_body(body)?).await?;
        to_bytes(response.into_body(), usize::MAX).await.map_err(ToolError::failed)
    }

    /// Posts a request and reads the final message. The earlier ones become progress notifications, if the client requested
    /// them.
    ///
    /// # Errors
    /// When the API refuses it.
    pub async fn search<T: Message>(&self, path: &str, body: &impl Serialize) -> Result<T, ToolError> {
        if self.progress.is_none() {
            return self.post(path, body).await;
        }
        let response = self.call(Method::POST, path, "application/x-ndjson", to_body(body)?).await?;
        self.last(response).await
    }

    /// Follows the messages of a job up to the final one; the job is cancelled if this is dropped before.
    ///
    /// # Errors
    /// When the job is unknown.
    pub async fn follow<T: Message>(&self, job: &str) -> Result<T, ToolError> {
        let mut cancel = CancelOnDrop(Some((self.clone(), job.to_owned())));
        let response = self.call(Method::GET, &format!("{job}/events"), "text/event-stream", Body::empty()).await?;
        let message = self.last(response).await?;
        cancel.0 = None;
        Ok(message)
    }

    async fn call(&self, method: Method, path: &str, accept: &str, body: Body) -> Result<Response<Body>, ToolError> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::ACCEPT, accept)
            .header(header::CONTENT_TYPE, "application/json")
            .extension(self.client.clone());
        if let Some(id) = &self.request_id {
            request = request.header(REQUEST_ID, id);
        }
        let request = request.body(body).map_err(ToolError::failed)?;
        let answered = self.routes.clone().oneshot(request);
        let answered = answered.instrument(self.marks.span.clone()).with_context(self.marks.context.clone());
        let response = answered.await.unwrap_or_else(|never| match never {});
        if response.status().is_success() { Ok(response) } else { Err(refusal(response).await?) }
    }

    /// The final message of a stream, in JSON lines or server-sent events.
    async fn last<T: Message>(&self, response: Response<Body>) -> Result<T, ToolError> {
        let mut frames = response.into_body().into_data_stream();
        let (mut buffer, mut newest, mut done) = (Vec::new(), None::<T>, -1.0);
        while let Some(frame) = frames.next().await {
            buffer.extend_from_slice(&frame.map_err(ToolError::failed)?);
            while let Some(end) = buffer.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = buffer.drain(..=end).collect();
                let text = line.strip_prefix(b"data:").unwrap_or(&line).trim_ascii();
                if !text.starts_with(b"{") {
                    continue;
                }
                let message = newest.insert(serde_json::from_slice(text).map_err(ToolError::failed)?);
                // The protocol requires that progress increases.
                if let Some(progress) = message.progress().filter(|progress| progress.done > done) {
                    done = progress.done;
                    self.report(progress).await;
                }
            }
        }
        let last = newest.filter(|message| message.status().is_final());
        last.ok_or_else(|| ToolError::from(api::Problem::new(Code::ShuttingDown, "the server ended the stream")))
    }

    /// Reports progress, if the client requested it.
    async fn report(&self, Progress { done, total, words }: Progress) {
        let Some((peer, token)) = &self.progress else { return };
        let mut report = ProgressNotificationParam::new(token.clone(), done).with_message(words);
        report.total = total;
        // The client may be gone.
        drop(peer.notify_progress(report).await);
    }
}

fn to_body(body: &impl Serialize) -> Result<Body, ToolError> {
    serde_json::to_vec(body).map(Body::from).map_err(ToolError::failed)
}

async fn refusal(response: Response<Body>) -> Result<ToolError, ToolError> {
    let after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let after = after.and_then(|seconds| seconds.parse().ok());
    let bytes = to_bytes(response.into_body(), usize::MAX).await.map_err(ToolError::failed)?;
    let details: ProblemDetails = serde_json::from_slice(&bytes).map_err(ToolError::failed)?;
    Ok(ToolError::of(details, after))
}

/// Cancels a job when dropped.
struct CancelOnDrop(Option<(Caller, String)>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some((caller, job)) = self.0.take() else { return };
        tokio::spawn(async move {
            // It may have ended.
            drop(caller.call(Method::DELETE, &job, "application/json", Body::empty()).await);
        });
    }
}
