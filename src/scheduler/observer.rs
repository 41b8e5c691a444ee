//! Who hears of a job's life: what metrics and logs are made of, without the scheduler knowing of either.

use std::time::Duration;

use super::{Failure, Refused};
use tesuji_core::search::Report;

/// Hears of one job's life. All methods do nothing unless they are implemented.
///
/// A job is either [refused](Observer::refused) or [admitted](Observer::admitted); one that is admitted [ends](Observer::ended)
/// exactly once, also when nobody waits for its result any more. Whatever is reported comes before the job's answer, so that
/// whoever has the answer finds it counted. The methods are called on search threads: they must not block, and must not panic.
pub trait Observer: Send + Sync {
    /// There was no place for it. Nothing follows.
    fn refused(&self, _reason: Refused) {}

    /// It has a place, and waits for threads, memory and a core.
    fn admitted(&self) {}

    /// Its first worker has a core, so long after the admission. A job that is given up before never starts.
    fn started(&self, _waited: Duration) {}

    /// One of its workers has kept a core for so long, and another search has it now, or the worker has ended.
    fn had_core(&self, _time: Duration) {}

    /// Its workers' results have been merged, which took so long; it ends with what came of it.
    fn merged(&self, _took: Duration) {}

    /// It has ended.
    fn ended(&self, _ended: &Ended<'_>) {}
}

/// A job that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// What it has found, or why it has found nothing.
    pub result: Result<&'a Report<String>, &'a Failure>,
    /// Time from admission to the first worker's start; to the end, when there was no start.
    pub queued: Duration,
    /// Time from there to the end.
    pub searched: Duration,
}
