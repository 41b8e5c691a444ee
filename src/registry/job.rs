//! How the registry names, takes and returns jobs.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::job::{JobId, Message};

/// The messages of a job in progress; the newest is at hand. The channel closes after the final one, or without it when the
/// process ends first.
pub type Messages = watch::Receiver<Message>;

/// A job to register.
#[derive(Debug)]
pub struct New<'a> {
    /// Its name.
    pub job: &'a JobId,
    /// The client's idempotency key, and the request that it came with.
    pub key: Option<(&'a str, &'a [u8])>,
    /// The client whose share the result counts against; `None` for a job accepted earlier, or one without a result.
    pub payer: Option<&'a str>,
    /// Its first message.
    pub first: Message,
}

/// The registry's answer to a new job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is new, and is registered.
    No,
    /// The same request came before, and is this job.
    As(JobId),
    /// The key belongs to a different request.
    Other,
    /// This client's results fill its share; the oldest expires after this time.
    Full(Duration),
}

/// A job that was found.
#[derive(Debug)]
pub enum Found {
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
    /// The client's idempotency key.
    pub key: Option<String>,
    /// The span of the request, as in a header `traceparent`; `None` without traces.
    pub trace: Option<String>,
    /// The request's body.
    pub request: Arc<[u8]>,
}
