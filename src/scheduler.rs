//! Searches on the CPU: admission, a pool of their own, cancellation, and a fence round panics.
//!
//! Every worker of a search is a task of its own on a dedicated rayon pool, first come first served. No worker ever waits for
//! another inside the pool (a `join` would let it pick up work of some other search meanwhile, and its own search would end
//! when that one does): the last worker to end merges the results and sends them off.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use tokio::sync::oneshot;

use crate::catalog::AnySearch;
use crate::search::{Report, Signals};

/// Runs searches. Clones share the pool.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pool: Arc<ThreadPool>,
    live: Arc<AtomicUsize>,
    most_live: usize,
}

/// The scheduler could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the search threads could not be started: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

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

/// A search under way. Dropping it cancels the search: nobody waits for the result any more.
#[derive(Debug)]
pub struct Ticket {
    signals: Arc<Signals>,
    submitted: Instant,
    exit: Arc<Mutex<Option<Exit>>>,
    answer: oneshot::Receiver<Result<Finished, Failure>>,
}

impl Future for Ticket {
    type Output = Result<Finished, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.unwrap_or(Err(Failure::NeverRan)))
    }
}

impl Ticket {
    /// Asks the search to stop. The result still comes: the best found so far.
    pub fn cancel(&self) {
        self.signals.cancel();
    }

    /// How long the search has waited, and how long it has searched, so far.
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        let now = Instant::now();
        let started = self.signals.started().unwrap_or(now);
        (started - self.submitted, now - started)
    }

    /// Waits for the result on this thread; for programs without an async runtime.
    ///
    /// # Errors
    /// As the future's: when the search panicked.
    pub fn wait(mut self) -> Result<Finished, Failure> {
        let (_, closed) = oneshot::channel();
        let answer = std::mem::replace(&mut self.answer, closed);
        answer.blocking_recv().unwrap_or(Err(Failure::NeverRan))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.signals.cancel();
        if self.signals.started().is_none() {
            // It still waits for a thread, and will end there at once; its place is free now.
            self.exit.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}

/// How many bytes of stack a search thread has: enough for the deepest recursion of any game.
const STACK: usize = 16 << 20;

impl Scheduler {
    /// A scheduler with `threads` search threads that holds at most `most_live` searches, running or waiting.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(threads: usize, most_live: usize) -> Result<Self, NoThreads> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .thread_name(|index| format!("search-{index}"))
            .build()?;
        Ok(Self { pool: Arc::new(pool), live: Arc::default(), most_live })
    }

    /// Whether another search would be admitted now.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.live.load(Ordering::Relaxed) < self.most_live
    }

    /// Admits a search, or refuses it at once.
    ///
    /// # Errors
    /// When the scheduler holds as many searches as it may.
    pub fn submit(&self, search: Arc<dyn AnySearch>) -> Result<Ticket, Full> {
        self.submit_with_progress(search, None)
    }

    /// As [`Scheduler::submit`]; `progress` is called from the first worker's thread, at most once per its duration.
    ///
    /// # Errors
    /// As [`Scheduler::submit`].
    pub fn submit_with_progress(&self, search: Arc<dyn AnySearch>, progress: Option<Progress>) -> Result<Ticket, Full> {
        let place = Place::take(&self.live, self.most_live)?;
        let (sender, answer) = oneshot::channel();
        let workers = search.plan().threads;
        let submitted = Instant::now();
        let signals = Arc::new(Signals::default());
        let exit = Arc::new(Mutex::new(Some((sender, place))));
        let job = Arc::new(Job {
            search,
            signals: Arc::clone(&signals),
            submitted,
            running: AtomicUsize::new(workers as usize),
            panicked: Mutex::new(None),
            exit: Arc::clone(&exit),
            progress,
        });
        for worker in 0..workers {
            let job = Arc::clone(&job);
            self.pool.spawn_fifo(move || job.run(worker));
        }
        Ok(Ticket { signals, submitted, exit, answer })
    }
}

/// Who hears of a search's progress, and how often at most.
pub struct Progress {
    /// The shortest time between two reports.
    pub every: Duration,
    /// Called with each report.
    pub tell: Box<dyn Fn(Report<String>) + Send + Sync>,
}

/// A place among the live searches; given back when dropped.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(live: &Arc<AtomicUsize>, most: usize) -> Result<Self, Full> {
        let more = |count: usize| (count < most).then_some(count + 1);
        live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map_err(|_| Full(most))?;
        Ok(Self(Arc::clone(live)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Where a search's result goes, and the place it gives back then.
type Exit = (oneshot::Sender<Result<Finished, Failure>>, Place);

struct Job {
    search: Arc<dyn AnySearch>,
    signals: Arc<Signals>,
    submitted: Instant,
    /// Workers that have not ended yet.
    running: AtomicUsize,
    panicked: Mutex<Option<String>>,
    exit: Arc<Mutex<Option<Exit>>>,
    progress: Option<Progress>,
}

impl Job {
    /// One worker's whole life on the pool.
    fn run(&self, worker: u32) {
        if !self.signals.is_cancelled() {
            let tell = self.progress.as_ref().filter(|_| worker == 0);
            let tell = tell.map(|progress| (progress.every, &*progress.tell as &dyn Fn(Report<String>)));
            let search = AssertUnwindSafe(|| self.search.run(worker, &self.signals, tell));
            if let Err(panic) = catch_unwind(search) {
                *self.panicked.lock().unwrap_or_else(PoisonError::into_inner) = Some(message(&*panic));
                self.signals.cancel();
            }
        }
        if self.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.finish();
        }
    }

    /// The last worker's last act.
    fn finish(&self) {
        let panicked = self.panicked.lock().unwrap_or_else(PoisonError::into_inner).take();
        let result = match panicked {
            Some(message) => Err(Failure::Panicked(message)),
            None => match catch_unwind(AssertUnwindSafe(|| self.search.finish())) {
                Ok(Some(report)) => Ok(self.finished(report)),
                Ok(None) => Err(Failure::NeverRan),
                Err(panic) => Err(Failure::Panicked(message(&*panic))),
            },
        };
        if let Some((sender, place)) = self.exit.lock().unwrap_or_else(PoisonError::into_inner).take() {
            drop(place);
            // Nobody may be waiting any more; then the result is nobody's loss.
            drop(sender.send(result));
        }
    }

    fn finished(&self, report: Report<String>) -> Finished {
        let now = Instant::now();
        let started = self.signals.started().unwrap_or(now);
        Finished { report, queued: started - self.submitted, searched: now - started }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}
