//! Observers of jobs. Through them, metrics and logs stay outside the scheduler.

use std::time::Duration;

use super::{Failure, SubmitError};
use tesuji_core::search::Report;

/// Observes one job. By default, the methods do nothing.
///
/// A job is either [refused](Observer::refused) or [admitted](Observer::admitted); an admitted one [ends](Observer::ended)
/// exactly once, also after its client has gone. Every call comes before the job's response, so that a client that has the
/// response finds it counted. The methods run on search threads: they must not block or panic.
pub trait Observer: Send + Sync {
    /// It was refused; no further call.
    fn refused(&self, _reason: SubmitError) {}

    /// It has a place, and waits for threads, memory and a core.
    fn admitted(&self) {}

    /// Its first worker has a core, this long after admission. A job abandoned before never starts.
    fn started(&self, _waited: Duration) {}

    /// A worker has kept a core this long, and has passed it on or ended.
    fn slice_ended(&self, _time: Duration) {}

    /// Its workers' results have been merged, which took this long.
    fn merged(&self, _took: Duration) {}

    /// It has ended.
    fn ended(&self, _ended: &Ended<'_>) {}
}

/// An ended job.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// Its result, or why there is none.
    pub result: Result<&'a Report<String>, &'a Failure>,
    /// Time from admission to the start of the first worker, or to the end without a start.
    pub queued: Duration,
    /// Time from that start to the end.
    pub searched: Duration,
}
