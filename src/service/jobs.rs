//! Work that a registry holds, as clients meet it: begun, polled, followed and cancelled under its id. Searches, reviews and
//! batches are reported in the same way.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt as _};
use tokio_util::sync::CancellationToken;

use super::accept::Form;
use super::caching::{lasting, no_store};
use super::drain::shutting_down;
use super::problem::{Code, Problem};
use super::response_mode::ResponseMode;
use super::state::Service;
use super::storage::{full, unavailable};
use super::{stream, tasks};
use crate::cluster::Kind;
use crate::registry::{Found, JobId, Message, New, Parts, Registry, Seen};

/// Seconds after which there may be room for more work of a kind.
const RETRY_AFTER: u32 = 5;

/// Refuses work of a kind of which a server takes only so much at a time; `name` is that of the kind.
///
/// # Errors
/// When there is as much.
pub fn check_room(registry: &Registry, most: usize, name: &str) -> Result<(), Problem> {
    if registry.count() < most {
        return Ok(());
    }
    let detail = format!("{most} {name} are under way, as many as this server takes");
    Err(Problem::new(Code::Overloaded, detail).retry_after(RETRY_AFTER))
}

/// Enters work, unless its key has been seen; `begin` has the last word. Returns which it is, and whether it is new.
///
/// # Errors
/// Those of `begin`; when another request came with the key; when the client's results fill its share.
pub fn enter(
    registry: &Registry,
    new: New<'_>,
    begin: impl FnOnce() -> Result<Box<dyn Fn() + Send + Sync>, Problem>,
) -> Result<(JobId, bool), Problem> {
    let job = new.job.clone();
    match registry.enter(new, begin)? {
        Seen::No => Ok((job, true)),
        Seen::As(job) => Ok((job, false)),
        Seen::Other => Err(conflict()),
        Seen::Full(wait) => Err(full(wait)),
    }
}

/// What is called to end work that ends when `stop` is cancelled.
pub fn canceller(stop: &CancellationToken) -> Box<dyn Fn() + Send + Sync> {
    let stop = stop.clone();
    Box::new(move || stop.cancel())
}

/// The refusal of a request whose key another one came with.
pub fn conflict() -> Problem {
    Problem::new(Code::Conflict, "another request was sent with this Idempotency-Key")
}

/// Where some work can be asked about: `routes` is the path of all work of its kind.
///
/// # Errors
/// When its id does not fit in a header.
pub fn located(mut response: Response, routes: &str, id: &str) -> Result<Response, Problem> {
    let location = HeaderValue::from_str(&format!("{routes}/{id}"))
        .map_err(|_| Problem::new(Code::Internal, "what was begun has no address"))?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// Answers the request that began some work, in the form that it asked for. `held` is dropped when the answer has been sent, or
/// when nobody reads it any more.
///
/// # Errors
/// When the work failed, or has no result that can be reported.
pub async fn respond(
    registry: &Registry,
    found: Found,
    form: Form,
    mode: &ResponseMode,
    held: impl Send + 'static,
) -> Result<Response, Problem> {
    let message = match form {
        Form::Events => return Ok(no_store(stream::events(holding(follow(found, None), held)))),
        Form::Lines => return Ok(no_store(stream::lines(holding(follow(found, None), held)))),
        Form::Json if mode.is_async => {
            let message = newest(found, Some(mode.wait.unwrap_or_default())).await;
            let applied = (HeaderName::from_static("preference-applied"), HeaderValue::from_static("respond-async"));
            return Ok((status_of(&message), [applied], document(&message)).into_response());
        }
        Form::Json => tokio::select! {
            biased;
            message = newest(found, None) => message,
            // Nobody knows when there will be room. The same request asks for this work again.
            reason = registry.failing(), if mode.is_kept() => return Err(unavailable(&reason)),
        },
    };
    if message.failed {
        return Err(Problem::new(Code::Internal, "the search failed on the server's side"));
    }
    if !message.is_final {
        return Err(shutting_down());
    }
    Ok(document(&message))
}

/// A stream that holds on to something until it ends or is dropped.
fn holding<T>(
    messages: impl Stream<Item = T> + Send + 'static,
    held: impl Send + 'static,
) -> impl Stream<Item = T> + Send {
    messages.map(move |message| {
        let _ = &held;
        message
    })
}

/// The status of an answer that does not wait for the result.
const fn status_of(message: &Message) -> StatusCode {
    if message.is_final { StatusCode::OK } else { StatusCode::ACCEPTED }
}

/// How far some work is, or its result.
///
/// # Errors
/// When nothing has this id.
pub async fn tell(registry: &Registry, headers: &HeaderMap, job: &JobId) -> Result<Response, Problem> {
    Form::choose(headers, &[Form::Json])?;
    let mode = ResponseMode::read(headers)?;
    let found = find(registry, job).await?;
    let message = newest(found, Some(mode.wait.unwrap_or_default())).await;
    Ok(lasting(&message, headers).unwrap_or_else(|| document(&message)))
}

/// How long cancelled work may take to end before the answer tells that it has not yet.
const ENDING: Duration = Duration::from_secs(5);

/// Ends some work, and tells what it had found.
///
/// # Errors
/// When nothing has this id.
pub async fn end(service: &Service, kind: Kind, headers: &HeaderMap, job: &JobId) -> Result<Response, Problem> {
    Form::choose(headers, &[Form::Json])?;
    let registry = service.registry(kind);
    let found = find(registry, job).await?;
    if matches!(found, Found::Live(_))
        && !registry.cancel(job).await?
        && let Some(cluster) = &service.cluster
    {
        tasks::end_waiting(service, cluster, kind, job).await?;
    }
    let message = newest(found, Some(ENDING)).await;
    Ok((status_of(&message), document(&message)).into_response())
}

/// Tells some work's messages as they come.
///
/// # Errors
/// When nothing has this id.
pub async fn attend(registry: &Registry, headers: &HeaderMap, job: &JobId) -> Result<Response, Problem> {
    Form::choose(headers, &[Form::Events])?;
    let told = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse::<u64>().ok());
    let found = find(registry, job).await?;
    if let (Found::Finished(message), Some(told)) = (&found, told)
        && message.seq == told
    {
        // Everything was sent; this status keeps browsers from asking again and again.
        return Ok(no_store(StatusCode::NO_CONTENT));
    }
    Ok(no_store(stream::events(follow(found, told))))
}

async fn find(registry: &Registry, job: &JobId) -> Result<Found, Problem> {
    let found = registry.find(job).await?;
    found.ok_or_else(|| Problem::new(Code::NotFound, "nothing of yours has this id, or its result is no longer kept"))
}

/// The newest message, after waiting for the final one: so long, or as long as it takes.
async fn newest(found: Found, wait: Option<Duration>) -> Message {
    let mut messages = match found {
        Found::Finished(message) => return message,
        Found::Live(messages) => messages,
    };
    // When neither comes, the newest there is tells how far it is.
    let last = messages.wait_for(|message| message.is_final);
    match wait {
        Some(wait) => drop(tokio::time::timeout(wait, last).await),
        None => drop(last.await),
    }
    messages.borrow().clone()
}

/// The messages to come, without those already sent; exactly one is final, the last.
fn follow(found: Found, told: Option<u64>) -> impl Stream<Item = Message> + Send + 'static {
    unfold(Some((found, told)), async |state| {
        let (mut found, told) = state?;
        loop {
            let newest = match &mut found {
                Found::Live(messages) => messages.borrow_and_update().clone(),
                Found::Finished(message) => message.clone(),
            };
            if let Some(next) = newest.next_after(told) {
                let rest = (!next.is_final).then_some((found, Some(next.seq)));
                return Some((next, rest));
            }
            let Found::Live(messages) = &mut found else { return None };
            messages.changed().await.ok()?;
        }
    })
}

/// A message as a whole answer.
pub fn document(message: &Message) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let text = match &message.parts {
        Some(parts) => with_items(&message.text, parts),
        None => message.text.as_ref().to_owned(),
    };
    no_store(([kind], text))
}

/// An object's text with one field more: `items`, the parts in their places, null where one has not ended.
fn with_items(object: &str, parts: &Parts) -> String {
    let mut items = vec!["null"; parts.total];
    for part in &parts.ended {
        items[part.place] = &part.text;
    }
    format!("{},\"items\":[{}]}}", object.strip_suffix('}').unwrap_or(object), items.join(","))
}
