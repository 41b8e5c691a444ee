//! Work as the registry names it, takes it and finds it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::job::{JobId, Message};

/// The messages of some work that goes on; the newest is at hand. It ends after the final one, or without one when the program
/// ends before the work.
pub type Messages = watch::Receiver<Message>;

/// Work that is to be entered.
#[derive(Debug)]
pub struct New<'a> {
    /// Its name.
    pub job: &'a JobId,
    /// The client's own key for it, and the request that came with the key.
    pub key: Option<(&'a str, &'a [u8])>,
    /// The client whose share its result will fill; none where the work was accepted before, or leaves no result.
    pub payer: Option<&'a str>,
    /// Its first message.
    pub first: Message,
}

/// What the registry makes of new work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is new, and has been entered.
    No,
    /// The same request came before, and is this work.
    As(JobId),
    /// Another request came with this key.
    Other,
    /// The results of this client fill its share; this long from now one of them goes.
    Full(Duration),
}

/// Some work, found.
#[derive(Debug)]
pub enum Found {
    /// It goes on.
    Live(Messages),
    /// It has ended with this message.
    Finished(Message),
}

/// Where work is noted, and whether it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In memory: it ends with the program.
    Memory,
    /// In a file.
    File,
    /// By the cluster's broker.
    Broker,
    /// In a file, or by a broker, that takes nothing at present, for this reason. It is tried again and again.
    Failing(Arc<str>),
}

/// Work that was begun before the program ended, and must be done again.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its name.
    pub job: JobId,
    /// The client's own key for it.
    pub key: Option<String>,
    /// The span of the request that asked for it, as in a header `traceparent`; none where there were no traces.
    pub trace: Option<String>,
    /// The request as it came.
    pub request: Arc<[u8]>,
}
