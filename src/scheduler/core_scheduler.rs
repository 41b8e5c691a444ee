//! The core scheduler: as many permits as there are cores, passed on at checkpoints.
//!
//! A thread that searches holds a permit. About every 100 µs it comes by ([`CorePermit::pass`]); when its slice is over and
//! somebody waits, it hands the permit on and waits itself. This serves recursive searches as well as those in steps, since
//! the thread keeps its stack while it waits.
//!
//! Who is next: searches that must end now, because their time is over or nobody waits for them; these do not even wait for
//! the end of a slice. Then interactive searches before batch, young ones before old (of the young, whichever has used less
//! CPU), and of equals whoever has waited longest. So a short search waits for the end of one slice, however many long ones
//! there are, and long ones take turns. Every eighth hand-over goes to whoever has waited longest, so that nobody starves.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How long a search keeps a core that others wait for.
const SLICE: Duration = Duration::from_millis(2);

/// A search is young for so many slices: the less it has used, the sooner is its next turn. Twice the shortest budgets that
/// people ask for. (With one rank for all the young, eight long searches that began at the same moment kept a short one
/// waiting for 90 ms.)
const YOUNG: u128 = 10;

/// Every so many hand-overs, only the time waited counts.
const BY_AGE: u32 = 8;

/// Smaller goes first.
type Rank = u8;

/// It is to end.
const URGENT: Rank = 0;

/// Behind everybody: whoever hands on for good.
const LAST: Rank = Rank::MAX;

/// What must happen soon, and what may take its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Somebody waits for the answer.
    #[default]
    Interactive,
    /// It is done when nothing else is to do.
    Batch,
}

/// The core scheduler.
#[derive(Debug)]
pub struct CoreScheduler {
    line: Mutex<Line>,
    /// How many wait, for those who only look whether anybody does.
    waiting: AtomicUsize,
    /// How many of them are to end.
    urgent: AtomicUsize,
}

#[derive(Debug)]
struct Line {
    free: usize,
    arrivals: u64,
    hand_overs: u32,
    waiting: Vec<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    rank: Rank,
    arrival: u64,
    visitor: Arc<Visitor>,
    thread: Thread,
    granted: Arc<AtomicBool>,
}

/// A search as the core scheduler sees it; its workers share it.
#[derive(Debug)]
pub struct Visitor {
    class: Class,
    /// Nanoseconds of CPU that its workers have had.
    used: AtomicU64,
    /// It is to end: nobody waits for it any more, or what it has found is wanted now.
    expedited: AtomicBool,
}

impl Visitor {
    /// A search that has used nothing yet.
    pub fn new(class: Class) -> Arc<Self> {
        Arc::new(Self { class, used: AtomicU64::new(0), expedited: AtomicBool::new(false) })
    }

    fn rank(&self) -> Rank {
        let slices = u128::from(self.used.load(Ordering::Relaxed)) / SLICE.as_nanos();
        let classes = self.class as Rank * (YOUNG as Rank + 1);
        1 + classes + slices.min(YOUNG) as Rank
    }
}

impl CoreScheduler {
    /// A core scheduler with a permit for each core.
    pub fn new(cores: usize) -> Self {
        let line = Line { free: cores, arrivals: 0, hand_overs: 0, waiting: Vec::new() };
        Self { line: Mutex::new(line), waiting: AtomicUsize::new(0), urgent: AtomicUsize::new(0) }
    }

    /// How many cores nobody uses or waits for.
    pub fn idle(&self) -> usize {
        self.line().free
    }

    /// Waits for a permit; comes back without one when the search is to end before it has begun.
    pub fn enter(self: &Arc<Self>, visitor: &Arc<Visitor>) -> CorePermit {
        let mut line = self.line();
        let held = line.take_free();
        let mut permit =
            CorePermit { core_scheduler: Arc::clone(self), visitor: Arc::clone(visitor), held, since: Instant::now() };
        if !held {
            permit.wait(line, None);
        }
        permit
    }

    /// A permit if one is free.
    pub fn try_enter(self: &Arc<Self>, visitor: &Arc<Visitor>) -> Option<CorePermit> {
        let held = self.line().take_free();
        held.then(|| CorePermit {
            core_scheduler: Arc::clone(self),
            visitor: Arc::clone(visitor),
            held,
            since: Instant::now(),
        })
    }

    /// A search's waiting workers go first from now on, because they are to end.
    pub fn expedite(&self, visitor: &Visitor) {
        visitor.expedited.store(true, Ordering::Relaxed);
        // The lock orders this with those about to wait: they either see the mark or are in the line.
        for waiter in self.line().waiting.iter().filter(|waiter| std::ptr::eq(&*waiter.visitor, visitor)) {
            waiter.thread.unpark();
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, line: &mut Line, index: usize) -> Waiter {
        let waiter = line.waiting.swap_remove(index);
        self.waiting.store(line.waiting.len(), Ordering::Relaxed);
        if waiter.rank == URGENT {
            self.urgent.fetch_sub(1, Ordering::Relaxed);
        }
        waiter
    }

    /// Gives a permit to the next, if there is one.
    fn hand_on(&self, line: &mut Line, next: Option<usize>) -> bool {
        let Some(next) = next else { return false };
        let waiter = self.remove(line, next);
        waiter.granted.store(true, Ordering::Release);
        waiter.thread.unpark();
        true
    }
}

impl Line {
    /// Takes a permit that nobody has, if there is one.
    fn take_free(&mut self) -> bool {
        let any = self.free > 0;
        self.free -= usize::from(any);
        any
    }

    /// Who is next, unless whoever is to hand on has a better `rank`.
    fn next(&mut self, rank: Rank) -> Option<usize> {
        self.hand_overs = self.hand_overs.wrapping_add(1);
        let by_age = self.hand_overs.is_multiple_of(BY_AGE);
        let standing = |waiter: &Waiter| if by_age { waiter.rank.min(1) } else { waiter.rank };
        let (next, waiter) =
            self.waiting.iter().enumerate().min_by_key(|(_, waiter)| (standing(waiter), waiter.arrival))?;
        (standing(waiter) <= rank).then_some(next)
    }
}

/// Leave to use a core; given back when dropped.
#[derive(Debug)]
pub struct CorePermit {
    core_scheduler: Arc<CoreScheduler>,
    visitor: Arc<Visitor>,
    held: bool,
    /// When the slice began.
    since: Instant,
}

impl CorePermit {
    /// A checkpoint: hands the permit on if the slice is over and somebody waits, or if somebody must end, and comes back with
    /// another, at the next checkpoint of another search after `until` at the latest. Tells whether it waited.
    pub fn pass(&mut self, now: Instant, until: Instant) -> bool {
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
        let mut line = core_scheduler.line();
        // Whoever passes on is the last to have arrived; of a better rank it goes on all the same.
        let next = line.next(self.visitor.rank());
        if !core_scheduler.hand_on(&mut line, next) {
            return false;
        }
        self.held = false;
        self.wait(line, Some(until));
        true
    }

    /// Waits in the line for a permit. Once the search is to end, it waits as one that must end; without `until` (it has not
    /// begun), not at all.
    fn wait(&mut self, mut line: MutexGuard<'_, Line>, until: Option<Instant>) {
        let granted = Arc::new(AtomicBool::new(false));
        line.arrivals += 1;
        let arrival = line.arrivals;
        line.waiting.push(Waiter {
            rank: self.visitor.rank(),
            arrival,
            visitor: Arc::clone(&self.visitor),
            thread: std::thread::current(),
            granted: Arc::clone(&granted),
        });
        self.core_scheduler.waiting.store(line.waiting.len(), Ordering::Relaxed);
        drop(line);
        let mut urgent = false;
        while !granted.load(Ordering::Acquire) {
            let now = Instant::now();
            let ends = self.visitor.expedited.load(Ordering::Relaxed) || until.is_some_and(|until| now >= until);
            if ends && !urgent {
                let mut line = self.core_scheduler.line();
                // Not there: granted in this very moment.
                let Some(index) = line.waiting.iter().position(|waiter| waiter.arrival == arrival) else { continue };
                if until.is_none() {
                    self.core_scheduler.remove(&mut line, index);
                    return;
                }
                urgent = true;
                line.waiting[index].rank = URGENT;
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
        self.visitor.used.fetch_add(slice.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Drop for CorePermit {
    fn drop(&mut self) {
        if self.held {
            self.account(self.since.elapsed());
            let core_scheduler = Arc::clone(&self.core_scheduler);
            let mut line = core_scheduler.line();
            let next = line.next(LAST);
            if !core_scheduler.hand_on(&mut line, next) {
                line.free += 1;
            }
        }
    }
}
