//! Where jobs are stored besides this process's memory.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, pending, ready};

use super::job::{Found, Storage};
use crate::job::{JobId, Message, Part, StoreError, StoredPart};

/// What comes of a request to a store.
pub(super) type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// What is stored of a new job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted<'a> {
    pub job: &'a JobId,
    /// The span of the request, as in a header `traceparent`.
    pub trace: Option<&'a str>,
    /// The client's own key.
    pub key: Option<&'a str>,
    /// The request's body.
    pub request: &'a [u8],
}

/// A store of jobs. The defaults are those of memory alone.
pub(super) trait JobStore: fmt::Debug + Send + Sync {
    /// Where jobs are stored, and whether they can be at this moment.
    fn storage(&self) -> Storage {
        Storage::Memory
    }

    /// Ends when jobs can be stored, or cannot, as `wanted` says; at once when that is so already. Then, why they cannot.
    fn storing(&self, wanted: bool) -> BoxFuture<'_, Option<Arc<str>>> {
        if wanted { ready(None).boxed() } else { pending().boxed() }
    }

    /// Whether a job that this process leaves undone is run again.
    fn runs_again(&self, _has_begun: bool) -> bool {
        false
    }

    /// Whether results are found in the store, and not in memory.
    fn has_results(&self) -> bool {
        false
    }

    /// Stores a new job. Ends when it is safe.
    fn note<'a>(&'a self, _noted: Noted<'a>) -> Answer<'a, ()> {
        ready(Ok(())).boxed()
    }

    /// Stores the part that ended as number `number`.
    fn keep_part<'a>(&'a self, _job: &'a JobId, _number: usize, _part: &'a Part) -> Answer<'a, StoredPart> {
        ready(Ok(StoredPart::Own)).boxed()
    }

    /// Stores a final message where none is. Ends when it is safe, with the one that is stored, unless that has grown too old.
    fn finish<'a>(&'a self, _job: &'a JobId, own: Message) -> Answer<'a, Option<Message>> {
        ready(Ok(Some(own))).boxed()
    }

    /// Finds a job that this process neither runs nor has run.
    fn find<'a>(&'a self, _job: &'a JobId) -> Answer<'a, Option<Found>> {
        ready(Ok(None)).boxed()
    }

    /// What another process has stored that has ended a job, if one has: its final message, unless that has grown too old.
    fn overtaken<'a>(&'a self, _job: &'a JobId) -> Answer<'a, Option<Option<Message>>> {
        ready(Ok(None)).boxed()
    }

    /// Notes that a job is to end.
    fn note_cancelled<'a>(&'a self, _job: &'a JobId) -> Answer<'a, ()> {
        ready(Ok(())).boxed()
    }

    /// Asks the process that runs a job to end it; `false` when none does.
    fn ask_to_end<'a>(&'a self, _job: &'a JobId) -> BoxFuture<'a, bool> {
        ready(false).boxed()
    }
}

/// Jobs end with the process.
#[derive(Debug)]
pub(super) struct Memory;

impl JobStore for Memory {}
