//! What is submitted: a search, and how it is to be run and reported.

use std::sync::Arc;
use std::time::Duration;

use super::core_scheduler::Class;
use super::observer::Observer;
use tesuji_core::catalog::AnySearch;
use tesuji_core::search::Report;

/// A search, and what the scheduler should know of it.
pub struct Submission {
    /// The search.
    pub search: Arc<dyn AnySearch>,
    /// Whether somebody waits for it.
    pub class: Class,
    /// Who hears of its progress. Called from the first worker's thread.
    pub progress: Option<Progress>,
    /// Whether it ponders: its time counts from [`Canceller::call`](super::Canceller::call) on.
    pub ponders: bool,
    /// Who hears of its life.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Submission {
    /// An interactive search that nobody hears of before its result.
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

/// Who hears of a search's progress, and how often at most.
pub struct Progress {
    /// The shortest time between two reports.
    pub every: Duration,
    /// Called with each report.
    pub tell: Box<dyn Fn(Report<String>) + Send + Sync>,
}
