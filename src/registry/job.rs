//! The types in which the registry takes and returns jobs.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::job::{JobId, Message};

/// The messages of a job in progress, of which the newest can be read at once. The channel closes after the final one, or
/// without it when the process ends first.
pub type Messages = watch::Receiver<Message>;

/// A job to register.
#[derive(Debug)]
pub struct NewJob<'a> {
    /// Its name.
    pub job: &'a JobId,
    /// The client's idempotency key, and the request that it came with.
    pub key: Option<(&'a str, &'a [u8])>,
    /// The client whose share the result counts against, and whose list has the job; `None` for one without a result here.
    pub client: Option<&'a str>,
    /// Whether it was accepted earlier: it needs no room in the client's share.
    pub is_accepted: bool,
    /// Its game; `None` if it has several.
    pub game: Option<&'a str>,
    /// Its first message.
    pub first: Message,
}

/// A job in its client's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub job: JobId,
    /// Its game; `None` if it has several.
    pub game: Option<Arc<str>>,
    /// Its state, as clients read it.
    pub status: Arc<str>,
}

/// Which of a client's jobs of a kind to list.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The owner.
    pub owner: &'a str,
    /// The client, as in [`NewJob::client`].
    pub client: &'a str,
    /// The wanted states; all if empty.
    pub statuses: &'a [&'a str],
    /// Only jobs with lower ids, which began earlier.
    pub before: Option<&'a str>,
    /// The maximum number: the newest ones.
    pub limit: usize,
}

impl Selection<'_> {
    /// Whether a job's state is wanted.
    pub(super) fn includes_status(&self, status: &str) -> bool {
        self.statuses.is_empty() || self.statuses.contains(&status)
    }

    /// Whether an id comes before the limit.
    pub(super) fn includes_id(&self, id: &str) -> bool {
        self.before.is_none_or(|before| id < before)
    }
}

/// The registry's answer to a new job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Registration {
    /// It is new, and is registered.
    New,
    /// The request repeats an earlier one, of this job.
    Duplicate(JobId),
    /// The key belongs to a different request.
    KeyConflict,
    /// This client's results fill its share; the oldest expires after this time.
    ShareFull(Duration),
}

/// A job that was found.
#[derive(Debug)]
pub enum FoundJob {
    /// It is in progress.
    Live(Messages),
    /// It has ended with this message.
    Finished(Message),
}

/// Where jobs are stored, and whether that works now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In memory: jobs end with the process.
    Memory,
    /// In a file.
    File,
    /// On the cluster's broker.
    Broker,
    /// In a file or on a broker, which fails at present for this reason. Writes are repeated.
    Failing(Arc<str>),
}

/// A job that was in progress when the process ended, and must run again.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its name.
    pub job: JobId,
    /// The client, as in [`NewJob::client`].
    pub client: String,
    /// The client's idempotency key.
    pub key: Option<String>,
    /// The span of the request, as in a header `traceparent`; `None` without traces.
    pub trace: Option<String>,
    /// The request's body.
    pub request: Arc<[u8]>,
}
