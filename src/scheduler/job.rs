//! One search on its way: waiting, worked at by its workers, answered.
//!
//! No worker waits for another: the last one to end merges the results and sends them off.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::oneshot;

use super::desk::{Claim, Desk, Place};
use super::gate::{Permit, Visitor};
use super::shelf::Shelf;
use super::{Failure, Finished, Progress};
use crate::catalog::{self, AnySearch, Outside};
use crate::search::{Report, Signals, Turns};

/// Where a search's result goes, and the place it gives back then.
pub(super) type Exit = (oneshot::Sender<Result<Finished, Failure>>, Place);

/// One search.
pub(super) struct Job {
    /// None once it has ended: whoever still holds the job does not keep its tree.
    pub search: Mutex<Option<Arc<dyn AnySearch>>>,
    pub signals: Signals,
    pub submitted: Instant,
    pub visitor: Arc<Visitor>,
    pub desk: Weak<Desk>,
    /// Workers that have not ended yet.
    pub running: AtomicUsize,
    pub panicked: Mutex<Option<String>>,
    pub exit: Mutex<Option<Exit>>,
    /// What it holds of the machine once it has begun.
    pub claim: Claim,
    pub progress: Option<Progress>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("claim", &self.claim).finish_non_exhaustive()
    }
}

impl Job {
    /// Has its waiting workers come, because it is to end.
    pub fn hurry(&self) {
        if let Some(desk) = self.desk.upgrade() {
            desk.gate.hurry(&self.visitor);
            if desk.forget(self) {
                // No worker had been called: nobody else will answer.
                self.leave(Err(self.never_ran()));
            }
        }
    }

    /// One worker's whole life on its thread.
    pub fn run(&self, worker: u32) {
        let Some(desk) = self.desk.upgrade() else { return };
        let permit = desk.gate.enter(&self.visitor);
        self.run_with(worker, permit, &desk);
    }

    /// The same with a core that it has been given.
    pub fn run_with(&self, worker: u32, permit: Permit, desk: &Desk) {
        let Some(search) = lock(&self.search).clone() else { return };
        // To look for what others have left, and to bring it here, may take longer than a brief search itself.
        let shelf = desk.shelf.as_ref().filter(|_| !self.claim.is_brief);
        let turn = Turn(RefCell::new(permit));
        if !self.signals.is_cancelled() {
            let tell = self.progress.as_ref().filter(|_| worker == 0);
            let tell = tell.map(|progress| (progress.every, &*progress.tell as &dyn Fn(Report<String>)));
            let outside = Outside {
                signals: &self.signals,
                tell,
                turns: Some(&turn),
                shelf: shelf.map(|shelf| shelf as &dyn catalog::Shelf),
            };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| search.run(worker, outside))) {
                *lock(&self.panicked) = Some(message(&*panic));
                self.signals.cancel();
            }
        }
        if self.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.finish(&*search, shelf);
            drop(turn);
            // Freeing a large tree takes milliseconds: it comes after the answer, and before others may have the memory.
            drop(lock(&self.search).take());
            drop(search);
            desk.release(self);
        }
    }

    /// The last worker's last act.
    fn finish(&self, search: &dyn AnySearch, shelf: Option<&Shelf>) {
        let panicked = lock(&self.panicked).take();
        let result = match panicked {
            Some(message) => Err(Failure::Panicked(message)),
            None => match catch_unwind(AssertUnwindSafe(|| search.finish())) {
                Ok(Some(report)) => Ok(self.finished(report)),
                Ok(None) => Err(self.never_ran()),
                Err(panic) => Err(Failure::Panicked(message(&*panic))),
            },
        };
        // Before the answer, since the next search may come as soon as it is heard.
        if let (Some(shelf), Ok(_)) = (shelf, &result)
            && let Ok(Some(legacy)) = catch_unwind(AssertUnwindSafe(|| search.leave()))
        {
            shelf.put(legacy);
        }
        self.leave(result);
    }

    fn never_ran(&self) -> Failure {
        if self.signals.is_shut_down() { Failure::ShutDown } else { Failure::NeverRan }
    }

    /// Whether it has been answered.
    pub fn is_over(&self) -> bool {
        lock(&self.exit).is_none()
    }

    /// Gives the place back and answers, the first time that it is called.
    pub fn leave(&self, result: Result<Finished, Failure>) {
        let exit = lock(&self.exit).take();
        if let Some((sender, place)) = exit {
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

/// A worker's permit, where the search comes by.
struct Turn(RefCell<Permit>);

impl Turns for Turn {
    fn pass(&self, now: Instant, until: Instant) -> bool {
        self.0.borrow_mut().pass(now, until)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}
