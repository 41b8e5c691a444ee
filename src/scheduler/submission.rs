//! Submissions: a search, and how to run and report it.

use std::sync::Arc;
use std::time::Duration;

use super::core_scheduler::Class;
use super::observer::Observer;
use tesuji_core::catalog::AnySearch;
use tesuji_core::search::Report;

/// A search and its options.
pub struct Submission {
    /// The search.
    pub search: Arc<dyn AnySearch>,
    /// Whether a client waits for it.
    pub class: Class,
    /// The receiver of progress, called on the first worker's thread.
    pub progress: Option<ProgressListener>,
    /// Whether it ponders: its time counts from [`Canceller::ponder_hit`](super::Canceller::ponder_hit) on.
    pub ponders: bool,
    /// The observer.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Submission {
    /// An interactive search without progress or observer.
    #[must_use]
    pub fn new(search: Arc<dyn AnySearch>) -> Self {
        Self { search, class: Class::Interactive, progress: None, ponders: false, observer: None }
    }
}

impl From<Arc<dyn AnySearch>> for Submission {
    fn from(search: Arc<dyn AnySearch>) -> Self {
        Self::new(search)
    }
}

/// The receiver of a search's progress, and the shortest interval.
pub struct ProgressListener {
    /// The shortest time between two reports.
    pub interval: Duration,
    /// Called with each report.
    pub on_report: Box<dyn Fn(Report<String>) + Send + Sync>,
}
