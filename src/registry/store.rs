//! Where jobs are stored besides this process's memory.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, pending, ready};

use super::job::{Found, Kept, Storage};
use crate::job::{JobId, Message, Part};

/// The store did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct NoStore {
    reason: String,
    is_damage: bool,
}

impl NoStore {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_damage: false }
    }

    pub(super) fn damage(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_damage: true }
    }

    /// Whether the file itself is damaged, so that nothing but a repair helps.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        self.is_damage
    }
}

impl From<std::io::Error> for NoStore {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

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
    fn note<'a>(&'a self, _noted: Noted<'a>) -> BoxFuture<'a, Result<(), NoStore>> {
        ready(Ok(())).boxed()
    }

    /// Stores the part that ended as number `number`.
    fn keep_part<'a>(
        &'a self,
        _job: &'a JobId,
        _number: usize,
        _part: &'a Part,
    ) -> BoxFuture<'a, Result<Kept, NoStore>> {
        ready(Ok(Kept::Own)).boxed()
    }

    /// Stores a final message where none is. Ends when it is safe, with the one that is stored, unless that has grown too old.
    fn finish<'a>(&'a self, _job: &'a JobId, own: Message) -> BoxFuture<'a, Result<Option<Message>, NoStore>> {
        ready(Ok(Some(own))).boxed()
    }

    /// Finds a job that this process neither runs nor has run.
    fn find<'a>(&'a self, _job: &'a JobId) -> BoxFuture<'a, Result<Option<Found>, NoStore>> {
        ready(Ok(None)).boxed()
    }

    /// What another process has stored that has ended a job, if one has: its final message, unless that has grown too old.
    fn overtaken<'a>(&'a self, _job: &'a JobId) -> BoxFuture<'a, Result<Option<Option<Message>>, NoStore>> {
        ready(Ok(None)).boxed()
    }

    /// Notes that a job is to end.
    fn note_cancelled<'a>(&'a self, _job: &'a JobId) -> BoxFuture<'a, Result<(), NoStore>> {
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
