//! Closes a connection whose client may still be sending.
//!
//! If a socket with unread bytes is closed, the operating system resets the connection, and the reset discards what the client
//! has not read, including the response with the reason. So the writing side is closed first, and further input is discarded
//! until the client closes too, for a limited time.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long a client can continue to send unread bytes.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// A connection that waits for its client before it closes, if necessary.
pub struct Lingering<S> {
    stream: S,
    must_linger: Arc<AtomicBool>,
    /// The end of the wait, once the writing side is closed.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S> Lingering<S> {
    /// A connection, and the flag that makes it wait.
    pub fn new(stream: S) -> (Self, Arc<AtomicBool>) {
        let must_linger = Arc::<AtomicBool>::default();
        (Self { stream, must_linger: Arc::clone(&must_linger), end: None }, must_linger)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.end.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            if !this.must_linger.load(Ordering::Relaxed) {
                return Poll::Ready(Ok(()));
            }
        }
        let end = this.end.get_or_insert_with(|| Box::pin(sleep(LINGER_TIMEOUT)));
        let mut scratch = [0; 4096];
        loop {
            if end.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ok(()));
            }
            let mut into = ReadBuf::new(&mut scratch);
            // A broken connection is closed, too.
            if ready!(Pin::new(&mut this.stream).poll_read(context, &mut into)).is_err() || into.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}
