//! One search, from its admission to its result.
//!
//! No worker waits for another: the last one to end merges the results and sends them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::claim::{Claim, Lane};
use super::core_scheduler::{CorePermit, ScheduledSearch};
use super::place::Place;
use super::tree_cache::TreeCache;
use super::worker_permit::{LongCalls, WorkerPermit};
use super::{Ended, Failure, Finished, Observer, ProgressListener, Submission};
use tesuji_core::catalog::{self, AnySearch, WorkerContext};
use tesuji_core::custom::Fault;
use tesuji_core::search::{Report, Signals};

/// The receiver of a search's result, and the place to return.
pub(super) type Completion = (oneshot::Sender<Result<Finished, Failure>>, Place);

/// One search.
pub(super) struct Job {
    /// `None` after the end, so that holders of the job do not keep its tree.
    pub search: Mutex<Option<Arc<dyn AnySearch>>>,
    pub signals: Signals,
    pub submitted: Instant,
    pub scheduled: Arc<ScheduledSearch>,
    /// Workers still to end.
    pub running: AtomicUsize,
    /// Whether a worker has begun.
    pub has_run: AtomicBool,
    pub failed: Mutex<Option<Failure>>,
    pub completion: Mutex<Option<Completion>>,
    /// Its share of the machine once it has begun.
    pub claim: Claim,
    /// The lane whose share it uses; `None` before the start.
    pub lane: OnceLock<Lane>,
    pub progress: Option<ProgressListener>,
    pub observer: Option<Arc<dyn Observer>>,
}

/// The source of a search's result.
pub(super) type ResultReceiver = oneshot::Receiver<Result<Finished, Failure>>;

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("claim", &self.claim).finish_non_exhaustive()
    }
}

impl Job {
    /// A search with a place, not begun.
    pub fn new(submission: Submission, place: Place) -> (Arc<Self>, ResultReceiver) {
        let Submission { search, class, progress, ponders, observer } = submission;
        observer.iter().for_each(|observer| observer.admitted());
        let (sender, receiver) = oneshot::channel();
        let job = Self {
            running: AtomicUsize::new(search.plan().threads as usize),
            has_run: AtomicBool::new(false),
            claim: Claim::of(search.plan()),
            lane: OnceLock::new(),
            search: Mutex::new(Some(search)),
            signals: if ponders { Signals::pondering() } else { Signals::default() },
            submitted: Instant::now(),
            scheduled: ScheduledSearch::new(class),
            failed: Mutex::new(None),
            completion: Mutex::new(Some((sender, place))),
            progress,
            observer,
        };
        (Arc::new(job), receiver)
    }

    /// A worker's run on its thread. Returns whether the job is done: this worker was the last.
    pub fn run(&self, worker: u32, permit: CorePermit, tree_cache: Option<&TreeCache>) -> bool {
        let Some(search) = lock(&self.search).clone() else { return false };
        let worker_permit = Rc::new(WorkerPermit::new(permit, self.observer.clone()));
        let long_calls = LongCalls::of(&worker_permit);
        if !self.signals.is_cancelled() {
            if let Some(observer) = &self.observer
                && !self.has_run.swap(true, Ordering::Relaxed)
            {
                observer.started(self.submitted.elapsed());
            }
            let on_progress = self.progress.as_ref().filter(|_| worker == 0);
            let on_progress =
                on_progress.map(|progress| (progress.interval, &*progress.on_report as &dyn Fn(Report<String>)));
            let context = WorkerContext {
                signals: &self.signals,
                on_progress,
                core_sharing: Some(&*worker_permit),
                tree_cache: tree_cache.map(|tree_cache| tree_cache as &dyn catalog::TreeCache),
                since: None,
            };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| search.run(worker, context))) {
                *lock(&self.failed) = Some(failure(&*panic));
                self.signals.cancel();
            }
            worker_permit.end_slice(Instant::now());
        }
        let is_last = self.running.fetch_sub(1, Ordering::AcqRel) == 1;
        if is_last {
            self.finish(&*search, tree_cache);
            drop((long_calls, worker_permit));
            // Freeing a large tree takes milliseconds: after the response, and before others get the memory.
            drop(lock(&self.search).take());
            drop(search);
        }
        is_last
    }

    /// Merges the results and answers; called by the last worker.
    fn finish(&self, search: &dyn AnySearch, tree_cache: Option<&TreeCache>) {
        let failed = lock(&self.failed).take();
        let result = match failed {
            Some(failure) => Err(failure),
            None => match catch_unwind(AssertUnwindSafe(|| self.merge(search))) {
                Ok(Some(report)) => Ok(self.finished(report)),
                Ok(None) => Err(self.never_ran()),
                Err(panic) => Err(failure(&*panic)),
            },
        };
        // Before the response, because the next request can follow at once.
        if let (Some(tree_cache), Ok(_)) = (tree_cache, &result)
            && let Ok(Some(reusable)) = catch_unwind(AssertUnwindSafe(|| search.take_reusable()))
        {
            tree_cache.put(reusable);
        }
        self.complete(result);
    }

    fn merge(&self, search: &dyn AnySearch) -> Option<Report<String>> {
        let began = Instant::now();
        let report = search.finish();
        if let (Some(observer), Some(_)) = (&self.observer, &report) {
            observer.merged(began.elapsed());
        }
        report
    }

    /// Why it has no result, if no worker began.
    pub fn never_ran(&self) -> Failure {
        if self.signals.is_shut_down() { Failure::ShutDown } else { Failure::NeverRan }
    }

    /// Whether it has been answered.
    pub fn is_over(&self) -> bool {
        lock(&self.completion).is_none()
    }

    /// Returns the place and sends the result, once.
    pub fn complete(&self, result: Result<Finished, Failure>) {
        let completion = lock(&self.completion).take();
        if let Some((sender, place)) = completion {
            if let Some(observer) = &self.observer {
                let (queued, searched) = result.as_ref().map_or_else(|_| self.times(), Finished::times);
                let result = result.as_ref().map(|finished| &finished.report);
                observer.ended(&Ended { result, queued, searched });
            }
            drop(place);
            // The client may have gone.
            drop(sender.send(result));
        }
    }

    fn finished(&self, report: Report<String>) -> Finished {
        let (queued, searched) = self.times();
        Finished { report, queued, searched }
    }

    /// Its waiting and searching times so far.
    pub fn times(&self) -> (Duration, Duration) {
        let now = Instant::now();
        let started = self.signals.started().unwrap_or(now);
        (started - self.submitted, now - started)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Classifies a caught panic: a failure of a game's own rules, or a bug.
fn failure(panic: &(dyn Any + Send)) -> Failure {
    if let Some(fault) = Fault::of_panic(panic) {
        return Failure::GameFailed(fault.clone());
    }
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Failure::Panicked(text.unwrap_or_else(|| "without a message".to_owned()))
}
