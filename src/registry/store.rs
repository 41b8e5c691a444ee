//! Where jobs are stored, besides this process's memory.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, pending, ready};

use super::job::{FoundJob, Listed, Selection, Storage};
use crate::job::{JobId, Kind, Message, Part, StoreError, StoredPart};

/// The answer to a request to a store.
pub(super) type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A new job to store.
#[derive(Clone, Copy, Debug)]
pub(super) struct AcceptedJob<'a> {
    pub job: &'a JobId,
    /// Which of the owner's clients.
    pub client: &'a str,
    /// The span of the request, as in a header `traceparent`.
    pub trace: Option<&'a str>,
    /// The client's idempotency key.
    pub key: Option<&'a str>,
    /// The request's body.
    pub request: &'a [u8],
}

/// A store of jobs. The defaults suit memory alone.
pub(super) trait JobStore: fmt::Debug + Send + Sync {
    /// Where jobs are stored, and whether that works now.
    fn storage(&self) -> Storage {
        Storage::Memory
    }

    /// Waits until jobs can be stored (`wanted`) or cannot; returns the reason if they cannot.
    fn wait_for_storage(&self, wanted: bool) -> BoxFuture<'_, Option<Arc<str>>> {
        if wanted { ready(None).boxed() } else { pending().boxed() }
    }

    /// Whether a job that this process leaves unfinished runs again.
    fn will_rerun(&self, _has_begun: bool) -> bool {
        false
    }

    /// Whether results are looked up in the store rather than in memory.
    fn has_results(&self) -> bool {
        false
    }

    /// Stores a new job; returns once it is safe.
    fn persist<'a>(&'a self, _accepted: AcceptedJob<'a>) -> StoreFuture<'a, ()> {
        ready(Ok(())).boxed()
    }

    /// Stores the part that ended as number `number`.
    fn store_part<'a>(&'a self, _job: &'a JobId, _number: usize, _part: &'a Part) -> StoreFuture<'a, StoredPart> {
        ready(Ok(StoredPart::Own)).boxed()
    }

    /// Stores a final message if there is none. Once it is safe, returns the stored one, unless that has expired.
    fn finish<'a>(&'a self, _job: &'a JobId, own: Message) -> StoreFuture<'a, Option<Message>> {
        ready(Ok(Some(own))).boxed()
    }

    /// Finds a job that this process neither runs nor ran.
    fn find<'a>(&'a self, _job: &'a JobId) -> StoreFuture<'a, Option<FoundJob>> {
        ready(Ok(None)).boxed()
    }

    /// A client's jobs of a kind, the newest first; `None` if this process has them all.
    fn list<'a>(&'a self, _kind: Kind, _selection: Selection<'a>) -> StoreFuture<'a, Option<Vec<Listed>>> {
        ready(Ok(None)).boxed()
    }

    /// Whether another process has ended a job, and if so its final message, unless that has expired.
    fn remote_result<'a>(&'a self, _job: &'a JobId) -> StoreFuture<'a, Option<Option<Message>>> {
        ready(Ok(None)).boxed()
    }

    /// Stores that a job must end.
    fn store_cancellation<'a>(&'a self, _job: &'a JobId) -> StoreFuture<'a, ()> {
        ready(Ok(())).boxed()
    }

    /// Asks the process that runs a job to end it; `false` if none runs it.
    fn request_cancellation<'a>(&'a self, _job: &'a JobId) -> BoxFuture<'a, bool> {
        ready(false).boxed()
    }
}

/// Jobs end with the process.
#[derive(Debug)]
pub(super) struct Memory;

impl JobStore for Memory {}
