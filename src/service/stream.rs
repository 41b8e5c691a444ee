//! Streams of messages: server-sent events, or one JSON document per line.

use crate::job::Message;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _};

/// The interval of comments in a silent stream, so that proxies keep the connection.
const COMMENT: Duration = Duration::from_secs(15);

/// Asks proxies not to buffer streams.
const UNBUFFERED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// Server-sent events; the id of each is its number.
pub fn events(messages: impl Stream<Item = Message> + Send + 'static) -> Response {
    let event = |message: Message| Event::default().id(message.seq.to_string()).data(message.text);
    let events = messages.map(move |message| Ok::<_, Infallible>(event(message)));
    ([UNBUFFERED], Sse::new(events).keep_alive(KeepAlive::new().interval(COMMENT))).into_response()
}

/// One JSON document per line.
pub fn lines(messages: impl Stream<Item = Message> + Send + 'static) -> Response {
    let lines = messages.map(|message| Ok::<_, Infallible>(format!("{}\n", message.text)));
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    ([kind, UNBUFFERED], Body::from_stream(lines)).into_response()
}
