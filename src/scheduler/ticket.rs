//! The handle of a submitted search.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::oneshot;

use super::job::{Answer, Job};
use super::{Failure, Finished};

/// A search in progress. Dropping it cancels the search.
#[derive(Debug)]
pub struct Ticket {
    pub(super) job: Arc<Job>,
    pub(super) answer: Answer,
}

impl Future for Ticket {
    type Output = Result<Finished, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.unwrap_or(Err(Failure::NeverRan)))
    }
}

impl Ticket {
    /// Asks the search to stop. The best result so far still comes.
    pub fn cancel(&self) {
        self.canceller().cancel();
    }

    /// A handle that can stop the search from elsewhere.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.job))
    }

    /// Whether the search has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.job.signals.started().is_some()
    }

    /// Its waiting and searching times so far.
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.job.times()
    }

    /// Waits for the result on this thread; for programs without an async runtime.
    ///
    /// # Errors
    /// Those of the future: when the search panicked.
    pub fn wait(mut self) -> Result<Finished, Failure> {
        let (_, closed) = oneshot::channel();
        let answer = std::mem::replace(&mut self.answer, closed);
        answer.blocking_recv().unwrap_or(Err(Failure::NeverRan))
    }
}

/// Stops a search, or ends its pondering, without its ticket.
#[derive(Clone, Debug)]
pub struct Canceller(Arc<Job>);

impl Canceller {
    /// As [`Ticket::cancel`].
    pub fn cancel(&self) {
        self.0.signals.cancel();
        self.0.expedite();
    }

    /// Ends a search whose result has been proven elsewhere.
    pub fn decide(&self) {
        self.0.signals.decide();
        self.0.expedite_begun();
    }

    /// As [`Ticket::times`].
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.0.times()
    }

    /// Ends pondering: the search's time counts from now on.
    pub fn call(&self) {
        self.0.signals.call();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.job.is_over() {
            return;
        }
        self.job.signals.cancel();
        if !self.has_begun() {
            // It will end without a result; its place is free now.
            self.job.leave(Err(Failure::NeverRan));
        }
        self.job.expedite();
    }
}
