//! A worker's turns with a core: between two steps of its search, and within a long call of a game's function.
//!
//! Functions of games that are not built in also run on HTTP threads, which read positions and moves. A call that takes long
//! there waits for a core as a search does, while another thread takes over the other requests.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use super::core_scheduler::{Class, CorePermit, CoreScheduler, ScheduledSearch};
use super::observer::Observer;
use tesuji_core::search::{CoreSharing, MakeCoreSharing, replace_core_sharing};

/// The pause in which another thread takes over the requests of this one, which would otherwise take them back at once.
const TAKE_OVER: Duration = Duration::from_millis(1);

/// A worker's permit. The observer gets the length of each slice.
pub(super) struct WorkerPermit {
    permit: RefCell<CorePermit>,
    observer: Option<Arc<dyn Observer>>,
    /// The start of the slice.
    since: Cell<Instant>,
}

impl WorkerPermit {
    pub fn new(permit: CorePermit, observer: Option<Arc<dyn Observer>>) -> Self {
        Self { permit: RefCell::new(permit), observer, since: Cell::new(Instant::now()) }
    }

    pub fn end_slice(&self, now: Instant) {
        self.observer.iter().for_each(|observer| observer.slice_ended(now - self.since.get()));
    }
}

impl CoreSharing for WorkerPermit {
    fn yield_core(&self, now: Instant, until: Instant) -> bool {
        let waited = self.permit.borrow_mut().checkpoint(now, until);
        if waited {
            self.end_slice(now);
            self.since.set(Instant::now());
        }
        waited
    }
}

/// The same for long calls, on any thread.
struct BlockingPermit(Rc<WorkerPermit>);

impl CoreSharing for BlockingPermit {
    fn yield_core(&self, now: Instant, until: Instant) -> bool {
        block_here(|| self.0.yield_core(now, until))
    }
}

/// Waits on any thread, even one that serves HTTP.
fn block_here<T>(wait: impl FnOnce() -> T) -> T {
    let serves = Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
    if !serves {
        return wait();
    }
    block_in_place(|| {
        std::thread::sleep(TAKE_OVER);
        wait()
    })
}

/// Until dropped, makes the long calls of this thread take a worker's turns.
pub(super) struct LongCalls(Option<MakeCoreSharing>);

impl LongCalls {
    pub fn of(worker_permit: &Rc<WorkerPermit>) -> Self {
        let worker_permit = Rc::clone(worker_permit);
        Self(replace_core_sharing(Some(Rc::new(move || Rc::new(BlockingPermit(Rc::clone(&worker_permit)))))))
    }
}

impl Drop for LongCalls {
    fn drop(&mut self) {
        replace_core_sharing(self.0.take());
    }
}

/// Makes the long calls of this thread, outside of searches, take turns with the searches.
pub(super) fn share(cores: Arc<CoreScheduler>) {
    replace_core_sharing(Some(Rc::new(move || {
        let permit = block_here(|| cores.enter(&ScheduledSearch::old(Class::Interactive)));
        Rc::new(BlockingPermit(Rc::new(WorkerPermit::new(permit, None))))
    })));
}
