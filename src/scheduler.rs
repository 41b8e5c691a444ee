//! Searches on the CPU: admission, cores shared in slices, cancellation, and a fence round panics.
//!
//! A search is admitted or refused at once (`desk`). When there are threads and memory for it, each of its workers gets a
//! thread of its own (`threads`), waits for a core at the gate, and comes by there again and again while it searches, so that
//! short searches need not wait for long ones (`gate`). The last worker to end answers (`job`); what the search has grown is
//! kept for the next one of the same game (`shelf`).

mod desk;
mod gate;
mod job;
mod machine;
mod shelf;
mod threads;
mod ticket;

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use self::desk::{Claim, Desk};
use self::gate::Visitor;
use self::job::Job;
use self::shelf::Shelf;
use self::threads::Threads;
use crate::catalog::AnySearch;
use crate::memory::give_back_large_blocks;
use crate::search::{Report, Signals};

pub use self::gate::Class;
pub use self::machine::memory as machine_memory;
pub use self::ticket::{Canceller, Ticket};

/// Runs searches. Clones share everything.
#[derive(Clone, Debug)]
pub struct Scheduler {
    desk: Arc<Desk>,
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
    /// Whether search threads step back behind all else that the machine has to do.
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
pub struct NoThreads(#[from] std::io::Error);

/// The newcomer was refused: as many searches as allowed are running or waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} searches are running or waiting, as many as this server takes")]
pub struct Full(pub usize);

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

/// Who hears of a search's progress, and how often at most.
pub struct Progress {
    /// The shortest time between two reports.
    pub every: Duration,
    /// Called with each report.
    pub tell: Box<dyn Fn(Report<String>) + Send + Sync>,
}

impl Scheduler {
    /// A scheduler within limits.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(limits: Limits) -> Result<Self, NoThreads> {
        give_back_large_blocks();
        let threads = Threads::new(limits.cores, limits.low_priority)?;
        Ok(Self { desk: Arc::new(Desk::new(limits, threads)) })
    }

    /// Whether another search would be admitted now.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.desk.has_room()
    }

    /// How many cores no search uses or waits for now.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.desk.gate.idle()
    }

    /// How many searches are running or waiting.
    #[must_use]
    pub fn live(&self) -> usize {
        self.desk.live()
    }

    /// Bytes of trees and tables granted to the searches that have begun.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.desk.memory()
    }

    /// Bytes of trees and tables that ended searches have left.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.desk.shelf.as_ref().map_or(0, Shelf::bytes)
    }

    /// How many searches found something that an earlier one had left.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.desk.shelf.as_ref().map_or(0, Shelf::taken)
    }

    /// Lets go of what has been kept for too long.
    pub fn tidy(&self) {
        self.desk.shelf.iter().for_each(Shelf::tidy);
    }

    /// Admits a search, or refuses it at once.
    ///
    /// # Errors
    /// When the scheduler holds as many searches as it may.
    pub fn submit(&self, search: Arc<dyn AnySearch>) -> Result<Ticket, Full> {
        self.submit_with(search, Class::Interactive, None)
    }

    /// As [`Scheduler::submit`]; `progress` is called from the first worker's thread, at most once per its duration.
    ///
    /// # Errors
    /// As [`Scheduler::submit`].
    pub fn submit_with(
        &self,
        search: Arc<dyn AnySearch>,
        class: Class,
        progress: Option<Progress>,
    ) -> Result<Ticket, Full> {
        let place = self.desk.admit()?;
        let (sender, answer) = oneshot::channel();
        let job = Arc::new(Job {
            running: AtomicUsize::new(search.plan().threads as usize),
            claim: Claim::of(search.plan()),
            search: Mutex::new(Some(search)),
            signals: Signals::default(),
            submitted: Instant::now(),
            visitor: Visitor::new(class),
            desk: Arc::downgrade(&self.desk),
            panicked: Mutex::new(None),
            exit: Mutex::new(Some((sender, place))),
            progress,
        });
        self.desk.take(Arc::clone(&job), class);
        Ok(Ticket { job, answer })
    }

    /// Admits no search any more.
    pub fn close(&self) {
        self.desk.close();
    }

    /// Ends every search with the best found so far, because the program is to end.
    pub fn shut_down(&self) {
        self.close();
        for job in self.desk.everybody() {
            job.signals.shut_down();
            job.hurry();
        }
    }
}
