//! The core scheduler: as many permits as cores, passed on at checkpoints.
//!
//! A searching thread holds a permit. About every 100 µs it passes a checkpoint ([`CorePermit::checkpoint`]); if its slice is
//! over and others wait, it hands the permit on and waits itself. This suits recursive searches as well as stepwise ones, since
//! the thread keeps its stack.
//!
//! Order: first the searches that must end now, because their time is over or their client has gone; these do not even wait for
//! the end of a slice. Then interactive searches before batch ones, young before old (the youngest being the one that has used
//! the least CPU), and among equals the longest wait. So a short search waits for one slice, however many long ones there are,
//! and long ones take turns. Every eighth hand-over goes to the longest wait, so that nobody starves.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How long a search keeps a core for which others wait.
const SLICE: Duration = Duration::from_millis(2);

/// The number of slices for which a search is young: the less it has used, the sooner its next turn. Twice the shortest budgets
/// in use. (With one rank for all young searches, eight long ones that began together delayed a short one by 90 ms.)
const YOUNG: u128 = 10;

/// One hand-over in this many goes by waiting time alone.
const BY_AGE: u32 = 8;

/// Smaller ranks go first.
type Rank = u8;

/// It must end.
const URGENT: Rank = 0;

/// Behind all others: the permit is returned for good.
const LAST: Rank = Rank::MAX;

/// The priority of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A client waits for the response.
    #[default]
    Interactive,
    /// It runs when nothing else does.
    Batch,
}

/// The core scheduler.
#[derive(Debug)]
pub struct CoreScheduler {
    queue: Mutex<WaitQueue>,
    /// The number of waiting threads, readable without the lock.
    waiting: AtomicUsize,
    /// How many of them must end.
    urgent: AtomicUsize,
}

#[derive(Debug)]
struct WaitQueue {
    free: usize,
    arrivals: u64,
    hand_overs: u32,
    waiting: Vec<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    rank: Rank,
    arrival: u64,
    scheduled: Arc<ScheduledSearch>,
    thread: Thread,
    granted: Arc<AtomicBool>,
}

/// A search in the core scheduler, shared by its workers.
#[derive(Debug)]
pub struct ScheduledSearch {
    class: Class,
    /// Nanoseconds of CPU used by its workers.
    used: AtomicU64,
    /// It must end: its client has gone, or the result is wanted now.
    expedited: AtomicBool,
}

impl ScheduledSearch {
    /// A search that has used no CPU yet.
    pub fn new(class: Class) -> Arc<Self> {
        Arc::new(Self { class, used: AtomicU64::new(0), expedited: AtomicBool::new(false) })
    }

    /// A search that is no longer young.
    pub fn old(class: Class) -> Arc<Self> {
        let used = AtomicU64::new(YOUNG as u64 * SLICE.as_nanos() as u64);
        Arc::new(Self { class, used, expedited: AtomicBool::new(false) })
    }

    fn rank(&self) -> Rank {
        let slices = u128::from(self.used.load(Ordering::Relaxed)) / SLICE.as_nanos();
        let classes = self.class as Rank * (YOUNG as Rank + 1);
        1 + classes + slices.min(YOUNG) as Rank
    }
}

impl CoreScheduler {
    /// A core scheduler with one permit per core.
    pub fn new(cores: usize) -> Self {
        let queue = WaitQueue { free: cores, arrivals: 0, hand_overs: 0, waiting: Vec::new() };
        Self { queue: Mutex::new(queue), waiting: AtomicUsize::new(0), urgent: AtomicUsize::new(0) }
    }

    /// The number of cores that nobody uses or waits for.
    pub fn idle(&self) -> usize {
        self.queue().free
    }

    /// Waits for a permit. If the search must end before its start, the permit is not held.
    pub fn enter(self: &Arc<Self>, scheduled: &Arc<ScheduledSearch>) -> CorePermit {
        let mut queue = self.queue();
        let held = queue.take_free();
        let mut permit = CorePermit {
            core_scheduler: Arc::clone(self),
            scheduled: Arc::clone(scheduled),
            held,
            since: Instant::now(),
        };
        if !held {
            permit.wait(queue, None);
        }
        permit
    }

    /// A permit if one is free.
    pub fn try_enter(self: &Arc<Self>, scheduled: &Arc<ScheduledSearch>) -> Option<CorePermit> {
        let held = self.queue().take_free();
        held.then(|| CorePermit {
            core_scheduler: Arc::clone(self),
            scheduled: Arc::clone(scheduled),
            held,
            since: Instant::now(),
        })
    }

    /// Moves a search's waiting workers to the front, because they must end.
    pub fn expedite(&self, scheduled: &ScheduledSearch) {
        scheduled.expedited.store(true, Ordering::Relaxed);
        // The lock orders this with threads about to wait: they either see the mark or are in the queue.
        for waiter in self.queue().waiting.iter().filter(|waiter| std::ptr::eq(&*waiter.scheduled, scheduled)) {
            waiter.thread.unpark();
        }
    }

    fn queue(&self) -> MutexGuard<'_, WaitQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, queue: &mut WaitQueue, index: usize) -> Waiter {
        let waiter = queue.waiting.swap_remove(index);
        self.waiting.store(queue.waiting.len(), Ordering::Relaxed);
        if waiter.rank == URGENT {
            self.urgent.fetch_sub(1, Ordering::Relaxed);
        }
        waiter
    }

    /// Gives a permit to the next, if any.
    fn grant_to(&self, queue: &mut WaitQueue, next: Option<usize>) -> bool {
        let Some(next) = next else { return false };
        let waiter = self.remove(queue, next);
        waiter.granted.store(true, Ordering::Release);
        waiter.thread.unpark();
        true
    }
}

impl WaitQueue {
    /// Takes a free permit, if there is one.
    fn take_free(&mut self) -> bool {
        let any = self.free > 0;
        self.free -= usize::from(any);
        any
    }

    /// The next to run, unless the current holder has a better `rank`.
    fn next(&mut self, rank: Rank) -> Option<usize> {
        self.hand_overs = self.hand_overs.wrapping_add(1);
        let by_age = self.hand_overs.is_multiple_of(BY_AGE);
        let standing = |waiter: &Waiter| if by_age { waiter.rank.min(1) } else { waiter.rank };
        let (next, waiter) =
            self.waiting.iter().enumerate().min_by_key(|(_, waiter)| (standing(waiter), waiter.arrival))?;
        (standing(waiter) <= rank).then_some(next)
    }
}

/// Permission to use a core; returned on drop.
#[derive(Debug)]
pub struct CorePermit {
    core_scheduler: Arc<CoreScheduler>,
    scheduled: Arc<ScheduledSearch>,
    held: bool,
    /// The start of the slice.
    since: Instant,
}

impl CorePermit {
    /// A checkpoint: if the slice is over and others wait, or if another search must end, hands the permit on and waits for a
    /// new one. From `until` on, the wait is urgent and ends at the next checkpoint of another search. Returns whether it
    /// waited.
    pub fn checkpoint(&mut self, now: Instant, until: Instant) -> bool {
        let slice = now - self.since;
        let urgent = self.core_scheduler.urgent.load(Ordering::Relaxed) > 0;
        if !self.held || now >= until || (slice < SLICE && !urgent) {
            return false;
        }
        self.account(slice);
        self.since = now;
        if self.core_scheduler.waiting.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let core_scheduler = Arc::clone(&self.core_scheduler);
        let mut queue = core_scheduler.queue();
        // The current holder arrived last; with a better rank it keeps the permit nevertheless.
        let next = queue.next(self.scheduled.rank());
        if !core_scheduler.grant_to(&mut queue, next) {
            return false;
        }
        self.held = false;
        self.wait(queue, Some(until));
        true
    }

    /// Waits in the queue for a permit. Once the search must end, the wait becomes urgent; without `until` (before its start),
    /// it ends without a permit.
    fn wait(&mut self, mut queue: MutexGuard<'_, WaitQueue>, until: Option<Instant>) {
        let granted = Arc::new(AtomicBool::new(false));
        queue.arrivals += 1;
        let arrival = queue.arrivals;
        queue.waiting.push(Waiter {
            rank: self.scheduled.rank(),
            arrival,
            scheduled: Arc::clone(&self.scheduled),
            thread: std::thread::current(),
            granted: Arc::clone(&granted),
        });
        self.core_scheduler.waiting.store(queue.waiting.len(), Ordering::Relaxed);
        drop(queue);
        let mut urgent = false;
        while !granted.load(Ordering::Acquire) {
            let now = Instant::now();
            let ends = self.scheduled.expedited.load(Ordering::Relaxed) || until.is_some_and(|until| now >= until);
            if ends && !urgent {
                let mut queue = self.core_scheduler.queue();
                // Not in the queue: it was granted just now.
                let Some(index) = queue.waiting.iter().position(|waiter| waiter.arrival == arrival) else { continue };
                if until.is_none() {
                    self.core_scheduler.remove(&mut queue, index);
                    return;
                }
                urgent = true;
                queue.waiting[index].rank = URGENT;
                self.core_scheduler.urgent.fetch_add(1, Ordering::Relaxed);
            }
            match until {
                Some(until) if !urgent => std::thread::park_timeout(until.saturating_duration_since(now)),
                _ => std::thread::park(),
            }
        }
        self.held = true;
        self.since = Instant::now();
    }

    fn account(&self, slice: Duration) {
        self.scheduled.used.fetch_add(slice.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Drop for CorePermit {
    fn drop(&mut self) {
        if self.held {
            self.account(self.since.elapsed());
            let core_scheduler = Arc::clone(&self.core_scheduler);
            let mut queue = core_scheduler.queue();
            let next = queue.next(LAST);
            if !core_scheduler.grant_to(&mut queue, next) {
                queue.free += 1;
            }
        }
    }
}
