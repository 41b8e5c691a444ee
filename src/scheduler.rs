//! Searches on the CPU: admission, cores shared in slices, cancellation, and panic isolation.
//!
//! A search is admitted or refused at once, or waits for its place (`place`). When there are threads and memory for it
//! (`admission`), each of its workers gets a thread of its own (`threads`) and asks for a core permit, again and again
//! while it searches, so that short searches need not wait for long ones (`core_scheduler`). The last worker to end
//! answers (`job`); what the search has grown is kept for the next one of the same game (`tree_cache`). Each job
//! reports its life to the observer that was submitted with it (`observer`).

mod admission;
mod core_scheduler;
mod job;
mod machine;
mod observer;
mod place;
mod submission;
mod threads;
mod ticket;
mod tree_cache;

use std::sync::Arc;
use std::time::Duration;

use self::admission::Admission;
use self::job::Job;
use self::place::Place;
use self::threads::Threads;
use self::tree_cache::TreeCache;
use tesuji_core::memory::give_back_large_blocks;
use tesuji_core::search::Report;

pub use self::core_scheduler::Class;
pub use self::machine::memory as machine_memory;
pub use self::observer::{Ended, Observer};
pub use self::submission::{Progress, Submission};
pub use self::ticket::{Canceller, Ticket};

/// Runs searches. Clones share everything.
#[derive(Clone, Debug)]
pub struct Scheduler {
    admission: Arc<Admission>,
}

/// What the searches of one scheduler may take together.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Workers that search at the same moment.
    pub cores: usize,
    /// Searches running or waiting; the next one is refused.
    pub live: usize,
    /// Workers that share the cores; further searches wait.
    pub workers: usize,
    /// Bytes of trees and tables, as granted by budgets; further searches wait.
    pub memory: u64,
    /// Bytes of trees and tables that ended searches leave to later ones; none when 0.
    pub kept: u64,
    /// Whether search threads step back a little behind the process's other threads.
    pub low_priority: bool,
}

impl Limits {
    /// So many cores and live searches, memory without limit, ordinary priority, nothing kept.
    #[must_use]
    pub const fn of(cores: usize, live: usize) -> Self {
        Self { cores, live, workers: 256, memory: u64::MAX, kept: 0, low_priority: false }
    }
}

/// The scheduler could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the search threads could not be started: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

/// Why a search is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// As many searches as allowed are running or waiting.
    #[error("{0} searches are running or waiting, as many as this server takes")]
    Full(usize),
    /// The program is to end.
    #[error("the server is shutting down and takes no new searches")]
    Closed,
}

/// Why an admitted search has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It panicked; it alone. The message is for the log.
    #[error("the search panicked: {0}")]
    Panicked(String),
    /// It was cancelled before it began.
    #[error("the search was cancelled before it began")]
    NeverRan,
    /// The program is to end, and it had not begun.
    #[error("the server ended before the search began")]
    ShutDown,
}

/// A finished search.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What it found.
    pub report: Report<String>,
    /// Time from admission to the first worker's start.
    pub queued: Duration,
    /// Time from there to the end.
    pub searched: Duration,
}

impl Finished {
    fn times(&self) -> (Duration, Duration) {
        (self.queued, self.searched)
    }
}

impl Scheduler {
    /// A scheduler within limits.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(limits: Limits) -> Result<Self, NoThreads> {
        give_back_large_blocks();
        // A thread of low priority that has looked for work in vain waits long for its next turn where others keep the cores
        // busy: there, another one should begin.
        let usual = if limits.low_priority { limits.workers } else { limits.cores };
        let threads = Threads::new(limits.workers, usual, limits.low_priority)?;
        Ok(Self { admission: Arc::new(Admission::new(limits, threads)) })
    }

    /// Whether another search would be admitted now.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.admission.places().check().is_ok()
    }

    /// How many cores no search uses or waits for now.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.admission.core_scheduler.idle()
    }

    /// How many searches are running or waiting.
    #[must_use]
    pub fn live(&self) -> usize {
        self.admission.places().live()
    }

    /// How many searches are running: a core has been theirs.
    #[must_use]
    pub fn running(&self) -> usize {
        self.admission.running()
    }

    /// Bytes of trees and tables granted to the searches that have begun.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.admission.memory()
    }

    /// Bytes for a search limited by time that asks for none itself, as the machine and the load are.
    #[must_use]
    pub fn default_memory(&self) -> u64 {
        self.admission.default_memory()
    }

    /// Bytes of trees and tables that ended searches have left.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.admission.tree_cache.as_ref().map_or(0, TreeCache::bytes)
    }

    /// How many searches found something that an earlier one had left.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.admission.tree_cache.as_ref().map_or(0, TreeCache::taken)
    }

    /// Lets go of what has been kept for too long.
    pub fn tidy(&self) {
        self.admission.tree_cache.iter().for_each(TreeCache::tidy);
    }

    /// Admits a search, or refuses it at once.
    ///
    /// # Errors
    /// When the scheduler holds as many searches as it may, or is closed.
    pub fn submit(&self, submission: impl Into<Submission>) -> Result<Ticket, Refused> {
        let submission = submission.into();
        let admitted = self.admission.admit().inspect_err(|&reason| {
            submission.observer.iter().for_each(|observer| observer.refused(reason));
        });
        admitted.map(|place| self.begin(place, submission))
    }

    /// Waits for a place, for a search that can wait; it need not be prepared yet. Those who wait are admitted in the order
    /// of their arrival. One place in eight stays free for searches that cannot wait ([`Scheduler::submit`]); so that the queue
    /// moves nevertheless, it gets every eighth place that becomes free meanwhile. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// [`Refused::Closed`], as soon as the scheduler is closed.
    pub async fn reserve(&self) -> Result<Reservation, Refused> {
        let place = self.admission.reserve().await?;
        Ok(Reservation { scheduler: self.clone(), place })
    }

    /// Takes a search that has a place.
    fn begin(&self, place: Place, submission: Submission) -> Ticket {
        let class = submission.class;
        let (job, answer) = Job::new(submission, place, Arc::downgrade(&self.admission));
        self.admission.take(Arc::clone(&job), class);
        if self.admission.places().is_closed() {
            // It may have come too late for `shut_down` to see it.
            job.shut_down();
        }
        Ticket { job, answer }
    }

    /// Ends when no search is running or waiting, and no place is reserved; at once when that is so already.
    pub async fn empty(&self) {
        self.admission.empty().await;
    }

    /// Admits no search any more.
    pub fn close(&self) {
        self.admission.close();
    }

    /// Ends every search with the best found so far, because the program is to end.
    pub fn shut_down(&self) {
        self.close();
        for job in self.admission.everybody() {
            job.shut_down();
        }
    }
}

/// A place that has been waited for. It counts as a live search; dropped, it goes to the next.
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
