//! The routes of jobs: respond, poll, follow, cancel.

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt as _};

use super::running::end_waiting;
use super::work::Work;
use crate::job::{JobId, Message, Parts};
use crate::registry::{FoundJob, Registry};
use crate::service::accept::{Negotiable as _, ResponseFormat};
use crate::service::caching::{immutable_response, no_store};
use crate::service::drain::shutting_down;
use crate::service::path::OwnId;
use crate::service::problem::{Code, Problem};
use crate::service::response_mode::ResponseMode;
use crate::service::state::Service;
use crate::service::storage::unavailable;
use crate::service::stream;

/// The refusal of a request whose idempotency key belongs to another one.
pub fn conflict() -> Problem {
    Problem::new(Code::Conflict, "a different request was already sent with this Idempotency-Key")
}

/// Adds a job's `Location`; `routes` is the path of its kind.
///
/// # Errors
/// When the id cannot be put into a header.
pub fn with_location(mut response: Response, routes: &str, id: &str) -> Result<Response, Problem> {
    let location = HeaderValue::from_str(&format!("{routes}/{id}"))
        .map_err(|_| Problem::new(Code::Internal, "the job's id does not fit in a header"))?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// Responds to the request for a job, in the requested format. `guard` is dropped when the response has been sent or the client
/// has disconnected.
///
/// # Errors
/// When the job failed, or has no reportable result.
pub async fn respond(
    registry: &Registry,
    found: FoundJob,
    format: ResponseFormat,
    mode: &ResponseMode,
    guard: impl Send + 'static,
) -> Result<Response, Problem> {
    let message = match format {
        ResponseFormat::Events => return Ok(no_store(stream::events(holding(follow(found, None), guard)))),
        ResponseFormat::Lines => return Ok(no_store(stream::lines(holding(follow(found, None), guard)))),
        ResponseFormat::Json if mode.is_async => {
            let message = newest(found, Some(mode.wait.unwrap_or_default())).await;
            let applied = (HeaderName::from_static("preference-applied"), HeaderValue::from_static("respond-async"));
            return Ok((status_of(&message), [applied], document(&message)).into_response());
        }
        ResponseFormat::Json => tokio::select! {
            biased;
            message = newest(found, None) => message,
            // The wait could be of any length; a retry with the same key finds this job.
            reason = registry.storage_failure(), if mode.is_pollable() => return Err(unavailable(&reason)),
        },
    };
    if message.failed {
        return Err(Problem::new(Code::Internal, "the search failed on the server"));
    }
    if !message.is_final {
        return Err(shutting_down());
    }
    Ok(document(&message))
}

/// A stream that owns `guard` until it ends or is dropped.
fn holding<T>(
    messages: impl Stream<Item = T> + Send + 'static,
    guard: impl Send + 'static,
) -> impl Stream<Item = T> + Send {
    messages.map(move |message| {
        let _ = &guard;
        message
    })
}

/// The status of a response that does not wait for the result.
const fn status_of(message: &Message) -> StatusCode {
    if message.is_final { StatusCode::OK } else { StatusCode::ACCEPTED }
}

/// `GET /v1/KIND/{id}`: a job's progress or result.
pub async fn poll<W: Work>(
    State(service): State<Service>,
    own: OwnId,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Json])?;
    let mode = ResponseMode::read(&headers)?;
    let found = find(service.registry(W::KIND), &own.job(W::KIND)).await?;
    let message = newest(found, Some(mode.wait.unwrap_or_default())).await;
    Ok(immutable_response(&message, &headers).unwrap_or_else(|| document(&message)))
}

/// The longest wait for a cancelled job's end; then the response reports its progress.
const ENDING: Duration = Duration::from_secs(5);

/// `DELETE /v1/KIND/{id}`: ends a job and reports its result so far.
pub async fn cancel<W: Work>(
    State(service): State<Service>,
    own: OwnId,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Json])?;
    let (registry, job) = (service.registry(W::KIND), own.job(W::KIND));
    let found = find(registry, &job).await?;
    if matches!(found, FoundJob::Live(_)) {
        end::<W>(&service, &job).await?;
    }
    let message = newest(found, Some(ENDING)).await;
    Ok((status_of(&message), document(&message)).into_response())
}

/// Cancels a job, whether it is running on any node or waiting.
///
/// # Errors
/// When other nodes cannot be reached.
pub async fn end<W: Work>(service: &Service, job: &JobId) -> Result<(), Problem> {
    if service.registry(W::KIND).cancel(job).await? { Ok(()) } else { end_waiting::<W>(service, job).await }
}

/// `GET /v1/KIND/{id}/events`: a job's messages as a stream.
pub async fn events<W: Work>(
    State(service): State<Service>,
    own: OwnId,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Events])?;
    let sent = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse::<u64>().ok());
    let found = find(service.registry(W::KIND), &own.job(W::KIND)).await?;
    if let (FoundJob::Finished(message), Some(sent)) = (&found, sent)
        && message.seq == sent
    {
        // Everything was sent; this status stops browsers from reconnecting.
        return Ok(no_store(StatusCode::NO_CONTENT));
    }
    Ok(no_store(stream::events(follow(found, sent))))
}

async fn find(registry: &Registry, job: &JobId) -> Result<FoundJob, Problem> {
    let found = registry.find(job).await?;
    found.ok_or_else(|| Problem::new(Code::NotFound, "unknown id, or its result has expired"))
}

/// The newest message, after waiting this long for the final one; without a limit if `None`.
async fn newest(found: FoundJob, wait: Option<Duration>) -> Message {
    let mut messages = match found {
        FoundJob::Finished(message) => return message,
        FoundJob::Live(messages) => messages,
    };
    // Without the final message, the newest one reports the progress.
    let last = messages.wait_for(|message| message.is_final);
    match wait {
        Some(wait) => drop(tokio::time::timeout(wait, last).await),
        None => drop(last.await),
    }
    messages.borrow().clone()
}

/// The messages after number `sent`; only the last one is final.
fn follow(found: FoundJob, sent: Option<u64>) -> impl Stream<Item = Message> + Send + 'static {
    unfold(Some((found, sent)), async |state| {
        let (mut found, sent) = state?;
        loop {
            let newest = match &mut found {
                FoundJob::Live(messages) => messages.borrow_and_update().clone(),
                FoundJob::Finished(message) => message.clone(),
            };
            if let Some(next) = newest.next_after(sent) {
                let rest = (!next.is_final).then_some((found, Some(next.seq)));
                return Some((next, rest));
            }
            let FoundJob::Live(messages) = &mut found else { return None };
            messages.changed().await.ok()?;
        }
    })
}

/// A message as a response.
pub fn document(message: &Message) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let text = match &message.parts {
        Some(parts) => with_items(&message.text, parts),
        None => message.text.as_ref().to_owned(),
    };
    no_store(([kind], text))
}

/// An object's text with the field `items`: the parts in their places, null for those that have not ended.
fn with_items(object: &str, parts: &Parts) -> String {
    let mut items = vec!["null"; parts.total];
    for part in &parts.ended {
        items[part.place] = &part.text;
    }
    format!("{},\"items\":[{}]}}", object.strip_suffix('}').unwrap_or(object), items.join(","))
}
