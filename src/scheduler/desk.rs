//! The desk: who is admitted, who has begun, and what they hold of the machine.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::gate::{Class, Gate};
use super::job::Job;
use super::shelf::Shelf;
use super::threads::Threads;
use super::{Full, Limits};
use crate::catalog::Plan;

/// So many simulations take less time than to wake another thread for them, which costs as much as all the rest of a request.
const BRIEF: u64 = 16;

/// Everything that the searches share.
#[derive(Debug)]
pub(super) struct Desk {
    pub gate: Arc<Gate>,
    /// What ended searches have left; none where nothing is kept.
    pub shelf: Option<Shelf>,
    threads: Threads,
    limits: Limits,
    book: Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    /// Searches admitted and not answered yet.
    live: usize,
    /// Searches begun and not ended yet.
    begun: Vec<Weak<Job>>,
    /// Their workers.
    workers: usize,
    /// Bytes of tree and table granted to them.
    memory: u64,
    /// Searches that have not begun, interactive ones and batch.
    waiting: [VecDeque<Arc<Job>>; 2],
    closed: bool,
}

impl Book {
    /// Whether there is that much left.
    fn fits(&self, claim: &Claim, limits: &Limits) -> bool {
        self.workers + claim.workers <= limits.workers && self.memory.saturating_add(claim.memory) <= limits.memory
    }

    fn begin(&mut self, job: &Arc<Job>) {
        self.workers += job.claim.workers;
        self.memory += job.claim.memory;
        self.begun.push(Arc::downgrade(job));
    }
}

/// What a search that has begun holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    workers: usize,
    memory: u64,
    /// Whether it is over sooner than another thread would have begun with it.
    pub is_brief: bool,
}

impl Claim {
    /// What a search will hold.
    pub fn of(plan: &Plan) -> Self {
        let memory = plan.budget.memory_mb.unwrap_or(0).saturating_mul(1 << 20);
        let is_brief = plan.threads == 1 && plan.budget.simulations.is_some_and(|simulations| simulations <= BRIEF);
        Self { workers: plan.threads as usize, memory, is_brief }
    }
}

impl Desk {
    pub fn new(limits: Limits, threads: Threads) -> Self {
        let shelf = Shelf::new(limits.kept);
        Self { gate: Arc::new(Gate::new(limits.cores)), shelf, threads, limits, book: Mutex::default() }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches running or waiting.
    pub fn live(&self) -> usize {
        self.book().live
    }

    /// Bytes granted to the searches that have begun.
    pub fn memory(&self) -> u64 {
        self.book().memory
    }

    /// Whether another search would be admitted now.
    pub fn has_room(&self) -> bool {
        let book = self.book();
        !book.closed && book.live < self.limits.live
    }

    /// A place for one more search.
    pub fn admit(self: &Arc<Self>) -> Result<Place, Full> {
        let mut book = self.book();
        if book.closed || book.live >= self.limits.live {
            return Err(Full(self.limits.live));
        }
        book.live += 1;
        Ok(Place(Arc::downgrade(self)))
    }

    /// Takes a search that has been admitted. A brief one is done at once, on the calling thread, where a core is free.
    pub fn take(&self, job: Arc<Job>, class: Class) {
        let mut book = self.book();
        if job.claim.is_brief
            && book.waiting.iter().all(VecDeque::is_empty)
            && book.fits(&job.claim, &self.limits)
            && let Some(permit) = self.gate.try_enter(&job.visitor)
        {
            book.begin(&job);
            drop(book);
            return job.run_with(0, permit, self);
        }
        book.waiting[class as usize].push_back(job);
        drop(book);
        self.call();
    }

    /// Has searches begin, in order, while there are threads and memory for them.
    fn call(&self) {
        loop {
            let mut book = self.book();
            let Some(class) = book.waiting.iter().position(|line| !line.is_empty()) else { return };
            let claim = book.waiting[class][0].claim;
            // What is too large for the machine's rest begins when it has the machine for itself.
            if !book.fits(&claim, &self.limits) && !book.begun.is_empty() {
                return;
            }
            let Some(job) = book.waiting[class].pop_front() else { return };
            book.begin(&job);
            drop(book);
            for worker in 0..claim.workers as u32 {
                let job = Arc::clone(&job);
                self.threads.spawn(move || job.run(worker));
            }
        }
    }

    /// Takes back what an ended search held, and lets the next one begin.
    pub fn release(&self, job: &Job) {
        let mut book = self.book();
        book.workers -= job.claim.workers;
        book.memory -= job.claim.memory;
        book.begun.retain(|begun| !std::ptr::eq(begun.as_ptr(), job));
        drop(book);
        self.call();
    }

    /// Takes a search off the line. `false` when it had begun.
    pub fn forget(&self, job: &Job) -> bool {
        let mut book = self.book();
        for line in &mut book.waiting {
            if let Some(index) = line.iter().position(|waiting| std::ptr::eq(&**waiting, job)) {
                let forgotten = line.remove(index);
                drop(book);
                drop(forgotten);
                // It may have held up others.
                self.call();
                return true;
            }
        }
        false
    }

    /// Admits nobody any more.
    pub fn close(&self) {
        self.book().closed = true;
    }

    /// Everybody who is here.
    pub fn everybody(&self) -> Vec<Arc<Job>> {
        let book = self.book();
        let begun = book.begun.iter().filter_map(Weak::upgrade);
        begun.chain(book.waiting.iter().flatten().cloned()).collect()
    }
}

/// A place among the live searches; given back when dropped.
#[derive(Debug)]
pub(super) struct Place(Weak<Desk>);

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(desk) = self.0.upgrade() {
            desk.book().live -= 1;
        }
    }
}
