//! Request bodies that were not read to the end.
//!
//! A request can be answered before its body is read: a missing key or a body that is too long is refused at once. The next
//! request on the connection follows the body, so the connection must close, and HTTP/1.1 requires an announcement
//! (`Connection: close`): otherwise a client's pool sends its next request into a closing connection.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::timeout;

/// How much of a body, in bytes, is read to keep its connection, and for how long: data sent with the header has arrived
/// already.
const MAX_DISCARDED: u64 = 64 << 10;
const DISCARD_TIMEOUT: Duration = Duration::from_millis(100);

/// A body for the service. Its unread part goes to the [`UnreadBody`].
#[derive(Debug)]
pub struct RequestBody {
    /// `None` once it has been read to the end.
    body: Option<Incoming>,
    begun: bool,
    unread: UnreadBody,
}

/// The unread part of a dropped body; clones share it.
#[derive(Clone, Debug, Default)]
pub struct UnreadBody(Arc<Mutex<Option<Unread>>>);

#[derive(Debug)]
struct Unread {
    body: Incoming,
    begun: bool,
}

impl RequestBody {
    /// A body, and the handle of its unread part.
    pub fn new(body: Incoming) -> (Self, UnreadBody) {
        let unread = UnreadBody::default();
        let tracked = Self { body: (!body.is_end_stream()).then_some(body), begun: false, unread: unread.clone() };
        (tracked, unread)
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        self.begun = true;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(&mut *body).poll_frame(context));
        if frame.is_none() || body.is_end_stream() {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let Some(body) = self.body.take() {
            *self.unread.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Unread { body, begun: self.begun });
        }
    }
}

impl UnreadBody {
    /// Whether too much of an answered request's body is unread to read it now; `awaits_continue`: the client waits for `100
    /// Continue`.
    pub async fn must_close(self, awaits_continue: bool) -> bool {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Unread { body, begun }) = left else { return false };
        // A waiting client has sent nothing and need not; in the other cases, the rest is too long or too slow.
        if begun || awaits_continue || body.size_hint().lower() > MAX_DISCARDED {
            return true;
        }
        !timeout(DISCARD_TIMEOUT, read_to_end(body)).await.unwrap_or(false)
    }
}

/// Reads a body to its end; `false` if it breaks, or is too long.
async fn read_to_end(mut body: Incoming) -> bool {
    let mut read = 0;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        read += frame.data_ref().map_or(0, |data| data.len() as u64);
        if read > MAX_DISCARDED {
            return false;
        }
    }
    true
}
