//! Whether a connection has a request in progress, and since when it has none.
//!
//! One rule covers every way to hold a connection without using it: silence from the start, half a header, HTTP/2 without a
//! request, a forgotten kept-alive connection. A request lasts from the end of its header to the end of the response's body, so
//! a stream is not silence.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// The activity of one connection.
#[derive(Debug)]
pub struct Activity {
    opened: Instant,
    requests: AtomicU32,
    /// The end of the last request, in milliseconds after the connection was opened; zero before the first.
    quiet_since: AtomicU64,
    /// Permits one waiter once there has been a request.
    used: Notify,
}

impl Activity {
    pub fn new() -> Arc<Self> {
        let (requests, quiet_since) = (AtomicU32::new(0), AtomicU64::new(0));
        Arc::new(Self { opened: Instant::now(), requests, quiet_since, used: Notify::new() })
    }

    /// Registers a request, in progress until the returned guard is dropped.
    pub fn begin(self: &Arc<Self>) -> RequestGuard {
        self.requests.fetch_add(1, Ordering::AcqRel);
        self.used.notify_one();
        RequestGuard(Arc::clone(self))
    }

    /// Waits for the first request; returns at once after it. For one caller.
    pub async fn used(&self) {
        self.used.notified().await;
    }

    /// Waits until the connection has been idle too long: for `first` before its first request, for `later` after one.
    pub async fn idle_too_long(&self, first: Duration, later: Duration) {
        loop {
            let end = match (self.requests.load(Ordering::Acquire), self.quiet_since.load(Ordering::Acquire)) {
                (0, 0) => self.opened + first,
                (0, since) => self.opened + Duration::from_millis(since) + later,
                _ => Instant::now() + later,
            };
            if end <= Instant::now() {
                return;
            }
            // Requests do not wake this: it checks again when the time would be over.
            sleep_until(end).await;
        }
    }
}

/// A request in progress.
#[derive(Debug)]
pub struct RequestGuard(Arc<Activity>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let now = self.0.opened.elapsed().as_millis().max(1) as u64;
        self.0.quiet_since.fetch_max(now, Ordering::AcqRel);
        self.0.requests.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A response body that keeps its request in progress until it is sent.
#[derive(Debug)]
pub struct ResponseBody {
    body: Body,
    _guard: RequestGuard,
}

impl ResponseBody {
    pub fn new(body: Body, guard: RequestGuard) -> Self {
        Self { body, _guard: guard }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
