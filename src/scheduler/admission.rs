//! Admission: who has begun, and what they hold of the machine. `place` says who is admitted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Limits;
use super::core_scheduler::{Class, CoreScheduler};
use super::job::Job;
use super::place::Places;
use super::threads::Threads;
use super::tree_cache::TreeCache;
use tesuji_core::catalog::Plan;
use tokio::sync::Notify;

/// So many simulations take less time than to wake another thread for them, which costs as much as all the rest of a request.
const BRIEF: u64 = 16;

/// Everything that the searches share.
#[derive(Debug)]
pub(super) struct Admission {
    pub core_scheduler: Arc<CoreScheduler>,
    /// What ended searches have left; none where nothing is kept.
    pub tree_cache: Option<TreeCache>,
    threads: Threads,
    limits: Limits,
    places: Mutex<Places>,
    /// Notified when the last place is given back.
    pub emptied: Notify,
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    /// Searches begun and not ended yet.
    begun: Vec<Weak<Job>>,
    /// Their workers.
    workers: usize,
    /// Bytes of tree and table granted to them.
    memory: u64,
    /// Searches that have not begun, interactive ones and batch.
    waiting: [VecDeque<Arc<Job>>; 2],
}

impl Ledger {
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

impl Admission {
    pub fn new(limits: Limits, threads: Threads) -> Self {
        let tree_cache = TreeCache::new(limits.kept);
        Self {
            core_scheduler: Arc::new(CoreScheduler::new(limits.cores)),
            tree_cache,
            threads,
            limits,
            places: Mutex::new(Places::new(limits.live)),
            emptied: Notify::new(),
            ledger: Mutex::default(),
        }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many searches have had a core and have not ended.
    pub fn running(&self) -> usize {
        let begun: Vec<_> = self.ledger().begun.iter().filter_map(Weak::upgrade).collect();
        begun.iter().filter(|job| job.signals.started().is_some()).count()
    }

    /// Bytes granted to the searches that have begun.
    pub fn memory(&self) -> u64 {
        self.ledger().memory
    }

    /// Takes a search that has been admitted. A brief one is done at once, on the calling thread, where a core is free.
    pub fn take(&self, job: Arc<Job>, class: Class) {
        let mut ledger = self.ledger();
        if job.claim.is_brief
            && ledger.waiting.iter().all(VecDeque::is_empty)
            && ledger.fits(&job.claim, &self.limits)
            && let Some(permit) = self.core_scheduler.try_enter(&job.visitor)
        {
            ledger.begin(&job);
            drop(ledger);
            return job.run_with(0, permit, self);
        }
        ledger.waiting[class as usize].push_back(job);
        drop(ledger);
        self.call();
    }

    /// Has searches begin, in order, while there are threads and memory for them.
    fn call(&self) {
        loop {
            let mut ledger = self.ledger();
            let Some(class) = ledger.waiting.iter().position(|line| !line.is_empty()) else { return };
            let claim = ledger.waiting[class][0].claim;
            // What is too large for the machine's rest begins when it has the machine for itself.
            if !ledger.fits(&claim, &self.limits) && !ledger.begun.is_empty() {
                return;
            }
            let Some(job) = ledger.waiting[class].pop_front() else { return };
            ledger.begin(&job);
            drop(ledger);
            for worker in 0..claim.workers as u32 {
                let job = Arc::clone(&job);
                // First in, first out: those that come to the core scheduler first are served first.
                self.threads.spawn(move || job.run(worker));
            }
        }
    }

    /// Takes back what an ended search held, and lets the next one begin.
    pub fn release(&self, job: &Job) {
        let mut ledger = self.ledger();
        ledger.workers -= job.claim.workers;
        ledger.memory -= job.claim.memory;
        ledger.begun.retain(|begun| !std::ptr::eq(begun.as_ptr(), job));
        drop(ledger);
        self.call();
    }

    /// Takes a search off the line. `false` when it had begun.
    pub fn forget(&self, job: &Job) -> bool {
        let mut ledger = self.ledger();
        for line in &mut ledger.waiting {
            if let Some(index) = line.iter().position(|waiting| std::ptr::eq(&**waiting, job)) {
                let forgotten = line.remove(index);
                drop(ledger);
                drop(forgotten);
                // It may have held up others.
                self.call();
                return true;
            }
        }
        false
    }

    /// Everybody who is here.
    pub fn everybody(&self) -> Vec<Arc<Job>> {
        let ledger = self.ledger();
        let begun = ledger.begun.iter().filter_map(Weak::upgrade);
        begun.chain(ledger.waiting.iter().flatten().cloned()).collect()
    }
}
