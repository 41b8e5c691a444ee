//! Limits on the size and time of request bodies. Without them, a client that sends a byte now and then could hold a connection
//! and a handler forever.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::{LengthLimitError, Limited};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::limits::Guards;

/// The body did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the body within {} ms", .0.as_millis())]
pub struct TooSlow(Duration);

/// The body exceeds the limit in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a body of at most {0} bytes")]
pub struct TooLong(usize);

/// Limits the bodies of all requests.
pub async fn limit_body(State(guards): State<Guards>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let limits = guards.body();
    let bytes = match request.extensions().get::<MatchedPath>().map(MatchedPath::as_str) {
        Some("/v1/batches") => guards.batch_bytes(),
        Some("/v1/games/{game}") => limits.game,
        _ => limits.bytes,
    };
    if request.body().size_hint().lower() > bytes as u64 {
        // A body that is too long is refused at once, before any of it is read or requested (`100 Continue`).
        return next
            .run(request.map(|_| Body::from_stream(futures_util::stream::iter([Err::<Bytes, _>(TooLong(bytes))]))))
            .await;
    }
    let limit = |body| Timed {
        body: Limited::new(body, bytes),
        end: Box::pin(sleep(limits.time)),
        limits: (bytes, limits.time),
    };
    next.run(request.map(|body| Body::new(limit(body)))).await
}

struct Timed {
    body: Limited<Body>,
    end: Pin<Box<Sleep>>,
    limits: (usize, Duration),
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Pending => self.end.as_mut().poll(context).map(|()| Some(Err(TooSlow(self.limits.1).into()))),
            Poll::Ready(Some(Err(error))) if error.is::<LengthLimitError>() => {
                Poll::Ready(Some(Err(TooLong(self.limits.0).into())))
            }
            ready => ready,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
