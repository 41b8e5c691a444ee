//! The handle of a submitted search.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::oneshot;

use super::admission::Admission;
use super::job::{Job, ResultReceiver};
use super::{Failure, Finished};

/// A search in progress. Dropping it cancels the search.
#[derive(Debug)]
pub struct Ticket {
    pub(super) canceller: Canceller,
    pub(super) receiver: ResultReceiver,
}

impl Future for Ticket {
    type Output = Result<Finished, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receiver).poll(context).map(|result| result.unwrap_or(Err(Failure::NeverRan)))
    }
}

impl Ticket {
    /// Asks the search to stop. The best result so far still comes.
    pub fn cancel(&self) {
        self.canceller.cancel();
    }

    /// A handle that can stop the search from elsewhere.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// Whether the search has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.canceller.job.signals.started().is_some()
    }

    /// Its waiting and searching times so far.
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.canceller.times()
    }

    /// Waits for the result on this thread; for programs without an async runtime.
    ///
    /// # Errors
    /// Those of the future: when the search panicked.
    pub fn wait(mut self) -> Result<Finished, Failure> {
        let (_, closed) = oneshot::channel();
        let receiver = std::mem::replace(&mut self.receiver, closed);
        receiver.blocking_recv().unwrap_or(Err(Failure::NeverRan))
    }
}

/// Stops a search, or ends its pondering, without its ticket.
#[derive(Clone, Debug)]
pub struct Canceller {
    pub(super) job: Arc<Job>,
    pub(super) admission: Weak<Admission>,
}

impl Canceller {
    /// As [`Ticket::cancel`].
    pub fn cancel(&self) {
        self.job.signals.cancel();
        self.expedite();
    }

    fn expedite(&self) {
        if let Some(admission) = self.admission.upgrade() {
            admission.expedite(&self.job);
        }
    }

    /// Ends a search whose result has been proven elsewhere.
    pub fn decide(&self) {
        self.job.signals.decide();
        // Only its started workers move to the front: there is nothing left to find.
        if let Some(admission) = self.admission.upgrade() {
            admission.core_scheduler.expedite(&self.job.scheduled);
        }
    }

    /// As [`Ticket::times`].
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.job.times()
    }

    /// Ends pondering: the search's time counts from now on.
    pub fn ponder_hit(&self) {
        self.job.signals.ponderhit();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let job = &self.canceller.job;
        if job.is_over() {
            return;
        }
        job.signals.cancel();
        if !self.has_begun() {
            // It will end without a result; its place is free now.
            job.complete(Err(Failure::NeverRan));
        }
        self.canceller.expedite();
    }
}
