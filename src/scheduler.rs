//! Searches on the CPU: admission, cores shared in slices, cancellation, and panic isolation.
//!
//! A search is admitted or refused at once, or waits for a place (`place`). Once there are threads and memory for its share
//! (`claim`, `admission`), each of its workers gets a thread (`threads`) and requests a core permit slice by slice, so that
//! short searches need not wait for long ones (`core_scheduler`, `worker_permit`). The last worker to end sends the result
//! (`job`); the search's tree is cached for the next search of the same game (`tree_cache`). Each job reports its stages to its
//! observer (`observer`).

mod admission;
mod claim;
mod core_scheduler;
mod job;
mod machine;
mod observer;
mod place;
mod submission;
mod threads;
mod ticket;
mod tree_cache;
mod worker_permit;

use std::sync::Arc;
use std::time::Duration;

use self::admission::Admission;
use self::job::Job;
use self::place::{Place, Places};
use self::threads::Threads;
use self::tree_cache::TreeCache;
use tesuji_core::custom::Fault;
use tesuji_core::memory::release_large_blocks;
use tesuji_core::search::Report;

pub use self::core_scheduler::Class;
pub use self::machine::memory as machine_memory;
pub use self::observer::{Ended, Observer};
pub use self::submission::{ProgressListener, Submission};
pub use self::ticket::{Canceller, Ticket};

/// Runs searches; clones share everything.
#[derive(Clone, Debug)]
pub struct Scheduler {
    places: Arc<Places>,
    admission: Arc<Admission>,
}

/// The limits of a scheduler.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Workers searching at the same time.
    pub cores: usize,
    /// Maximum of searches running or waiting; further ones are refused.
    pub live: usize,
    /// Workers sharing the cores; further searches wait.
    pub workers: usize,
    /// Bytes of trees and tables, as granted by budgets; further searches wait.
    pub memory: u64,
    /// Bytes of the tree cache; 0 disables it.
    pub tree_cache_bytes: u64,
    /// Whether search threads have a lower priority than the process's other threads.
    pub low_priority: bool,
}

impl Limits {
    /// This many cores and live searches, unlimited memory, normal priority, no tree cache.
    #[must_use]
    pub const fn of(cores: usize, live: usize) -> Self {
        Self { cores, live, workers: 256, memory: u64::MAX, tree_cache_bytes: 0, low_priority: false }
    }
}

/// Why a scheduler cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("the search threads could not be started: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

/// Why a search is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The maximum number of searches is running or waiting.
    #[error("{0} searches are running or waiting, the maximum of this server")]
    Full(usize),
    /// The process is shutting down.
    #[error("the server is shutting down and accepts no new searches")]
    Closed,
}

/// Why an admitted search has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The search panicked, without effect on others. The message is for the log.
    #[error("the search panicked: {0}")]
    Panicked(String),
    /// The rules of a game at run time failed.
    #[error("{0}")]
    GameFailed(Fault),
    /// It was cancelled before its start.
    #[error("the search was cancelled before it started")]
    NeverRan,
    /// The process shut down before its start.
    #[error("the server stopped before the search started")]
    ShutDown,
}

/// A finished search.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The result.
    pub report: Report<String>,
    /// Time from admission to the start of the first worker.
    pub queued: Duration,
    /// Time from that start to the end.
    pub searched: Duration,
}

impl Finished {
    fn times(&self) -> (Duration, Duration) {
        (self.queued, self.searched)
    }
}

impl Scheduler {
    /// A scheduler with these limits.
    ///
    /// # Errors
    /// When the operating system provides no threads.
    pub fn new(limits: Limits) -> Result<Self, NoThreads> {
        release_large_blocks();
        // An idle thread of low priority can wait long for its next turn while other programs keep the cores busy; another
        // thread should then start.
        let usual = if limits.low_priority { limits.workers } else { limits.cores };
        let threads = Threads::new(limits.workers, usual, limits.low_priority)?;
        Ok(Self { places: Arc::new(Places::new(limits.live)), admission: Arc::new(Admission::new(limits, threads)) })
    }

    /// Whether another search would be admitted now.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.places.check().is_ok()
    }

    /// The number of cores that no search uses or waits for.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.admission.core_scheduler.idle()
    }

    /// The number of searches running or waiting.
    #[must_use]
    pub fn live(&self) -> usize {
        self.places.live()
    }

    /// The number of searches that have had a core and have not ended.
    #[must_use]
    pub fn running(&self) -> usize {
        self.admission.running()
    }

    /// Bytes of trees and tables granted to running searches.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.admission.memory()
    }

    /// Bytes for a time-limited search without a memory limit, given the machine and the load.
    #[must_use]
    pub fn default_memory(&self) -> u64 {
        self.admission.default_memory()
    }

    /// Bytes in the tree cache.
    #[must_use]
    pub fn tree_cache_bytes(&self) -> u64 {
        self.admission.tree_cache.as_ref().map_or(0, TreeCache::bytes)
    }

    /// The number of searches that reused a cached tree or table.
    #[must_use]
    pub fn tree_cache_hits(&self) -> u64 {
        self.admission.tree_cache.as_ref().map_or(0, TreeCache::hits)
    }

    /// Removes expired entries from the tree cache.
    pub fn evict_expired(&self) {
        self.admission.tree_cache.iter().for_each(TreeCache::evict_expired);
    }

    /// Admits a search, or refuses it at once.
    ///
    /// # Errors
    /// When the scheduler is full or closed.
    pub fn submit(&self, submission: impl Into<Submission>) -> Result<Ticket, SubmitError> {
        let submission = submission.into();
        let admitted = self.places.admit().inspect_err(|&reason| {
            submission.observer.iter().for_each(|observer| observer.refused(reason));
        });
        admitted.map(|place| self.begin(place, submission))
    }

    /// Waits for a place, for a search that can wait; it need not be prepared yet. Waiting searches are admitted in order of
    /// arrival. One place in eight stays free for searches that cannot wait ([`Scheduler::submit`]); so that the queue keeps
    /// moving, it gets every eighth place that becomes free meanwhile. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// [`SubmitError::Closed`] once the scheduler is closed.
    pub async fn reserve(&self) -> Result<Reservation, SubmitError> {
        let place = self.places.reserve().await?;
        Ok(Reservation { scheduler: self.clone(), place })
    }

    /// Runs a search that has a place.
    fn begin(&self, place: Place, submission: Submission) -> Ticket {
        let class = submission.class;
        let (job, receiver) = Job::new(submission, place);
        self.admission.start(Arc::clone(&job), class);
        if self.places.is_closed() {
            // It may have come too late for `shut_down`.
            self.admission.shut_down(&job);
        }
        Ticket { canceller: Canceller { job, admission: Arc::downgrade(&self.admission) }, receiver }
    }

    /// Waits until no search is running or waiting and no place is reserved.
    pub async fn wait_until_empty(&self) {
        self.places.wait_until_empty().await;
    }

    /// Makes long calls of game functions on this thread share the cores with the searches.
    pub fn share_cores(&self) {
        worker_permit::share(Arc::clone(&self.admission.core_scheduler));
    }

    /// Closes the scheduler: admits no further search.
    pub fn close(&self) {
        self.places.close();
    }

    /// Ends every search with its best result so far, for shutdown.
    pub fn shut_down(&self) {
        self.close();
        for job in self.admission.all_jobs() {
            self.admission.shut_down(&job);
        }
    }
}

/// A reserved place. It counts as a live search; on drop it goes to the next.
#[derive(Debug)]
#[must_use = "a place that is not used goes to the next"]
pub struct Reservation {
    scheduler: Scheduler,
    place: Place,
}

impl Reservation {
    /// Admits a search to the place.
    #[must_use = "dropping the ticket cancels the search"]
    pub fn submit(self, submission: impl Into<Submission>) -> Ticket {
        self.scheduler.begin(self.place, submission.into())
    }
}
