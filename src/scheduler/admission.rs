//! Admission: which searches have begun, and their share of the machine. `place` decides who is admitted.
//!
//! Threads and memory are divided into the main part and an eighth beside it, the *side lane*. Searches get the main part in
//! order. While one waits for room there, smaller ones can pass it in two ways: in the side lane, where each can take half of
//! what is free, so that there is always room for smaller ones; and, up to eight of them, in the main part. So streams of small
//! searches neither wait for large ones nor delay them: large ones get the main part as it becomes free.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Limits;
use super::claim::{EIGHTH, Holding, Lane};
use super::core_scheduler::{Class, CorePermit, CoreScheduler};
use super::job::Job;
use super::threads::Threads;
use super::tree_cache::TreeCache;

/// The state shared by all searches.
#[derive(Debug)]
pub(super) struct Admission {
    pub core_scheduler: Arc<CoreScheduler>,
    /// The tree cache, if there is one.
    pub tree_cache: Option<TreeCache>,
    threads: Threads,
    limits: Limits,
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    /// Searches in progress.
    begun: Vec<Weak<Job>>,
    /// Their use of the main part and of the side lane.
    main: Holding,
    side: Holding,
    /// Waiting searches, interactive and batch.
    waiting: [VecDeque<Waiting>; 2],
}

/// A waiting search.
#[derive(Debug)]
struct Waiting {
    job: Arc<Job>,
    /// How many searches have passed it in the main part.
    passed_by: usize,
}

impl Ledger {
    fn has_main(&self, wanted: Holding, limits: &Limits) -> bool {
        // A search larger than the main part begins when it has the machine to itself.
        self.main.plus(wanted).fits(Holding::main(limits)) || self.begun.is_empty()
    }

    fn has_side(&self, wanted: Holding, limits: &Limits) -> bool {
        let left = Holding::side(limits).least(Holding::all(limits).minus(self.main)).minus(self.side);
        wanted.plus(wanted).fits(left)
    }

    /// Takes the next search that can begin.
    fn next(&mut self, limits: &Limits) -> Option<(Arc<Job>, Lane)> {
        // The class and index of the first search without room.
        let mut first: Option<(usize, usize)> = None;
        for class in 0..self.waiting.len() {
            for index in 0..self.waiting[class].len() {
                let wanted = self.waiting[class][index].job.claim.holding;
                let lane = match first {
                    None if self.has_main(wanted, limits) => Lane::Main,
                    // It is larger than the main part, which is free, and waits for the side lane: no further search passes it.
                    None if !wanted.fits(Holding::main(limits)) && self.main == Holding::default() => return None,
                    _ if self.has_side(wanted, limits) => Lane::Side,
                    None => {
                        first = Some((class, index));
                        continue;
                    }
                    Some((ahead, place)) => {
                        let passed_by = &mut self.waiting[ahead][place].passed_by;
                        if *passed_by >= EIGHTH || !self.main.plus(wanted).fits(Holding::main(limits)) {
                            continue;
                        }
                        *passed_by += 1;
                        Lane::Main
                    }
                };
                return self.waiting[class].remove(index).map(|waiting| (waiting.job, lane));
            }
        }
        None
    }

    fn begin(&mut self, job: &Arc<Job>, lane: Lane) {
        let held = self.part(lane);
        *held = held.plus(job.claim.holding);
        // A search begins once.
        let _ = job.lane.set(lane);
        self.begun.push(Arc::downgrade(job));
    }

    fn end(&mut self, job: &Job) {
        if let Some(&lane) = job.lane.get() {
            let held = self.part(lane);
            *held = held.minus(job.claim.holding);
        }
        self.begun.retain(|begun| !std::ptr::eq(begun.as_ptr(), job));
    }

    const fn part(&mut self, lane: Lane) -> &mut Holding {
        match lane {
            Lane::Main => &mut self.main,
            Lane::Side => &mut self.side,
        }
    }
}

impl Admission {
    pub fn new(limits: Limits, threads: Threads) -> Self {
        let tree_cache = TreeCache::new(limits.tree_cache_bytes);
        Self {
            core_scheduler: Arc::new(CoreScheduler::new(limits.cores)),
            tree_cache,
            threads,
            limits,
            ledger: Mutex::default(),
        }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of searches that have had a core and have not ended.
    pub fn running(&self) -> usize {
        let begun: Vec<_> = self.ledger().begun.iter().filter_map(Weak::upgrade).collect();
        begun.iter().filter(|job| job.signals.started().is_some()).count()
    }

    /// Bytes granted to searches in progress.
    pub fn memory(&self) -> u64 {
        let ledger = self.ledger();
        ledger.main.plus(ledger.side).memory
    }

    /// Bytes for a search without a memory limit: an eighth of the memory that is neither granted nor waited for, so that the
    /// next one finds room too; but at least a useful minimum.
    pub fn default_memory(&self) -> u64 {
        const LEAST: u64 = 4 << 20;
        let ledger = self.ledger();
        let waiting = ledger.waiting.iter().flatten().map(|waiting| waiting.job.claim.holding);
        let claimed = waiting.fold(ledger.main.plus(ledger.side), Holding::plus);
        (self.limits.memory.saturating_sub(claimed.memory) / EIGHTH as u64).max(LEAST)
    }

    /// Starts an admitted search. A brief one runs at once on the calling thread if a core is free.
    pub fn start(self: &Arc<Self>, job: Arc<Job>, class: Class) {
        let mut ledger = self.ledger();
        if job.claim.is_brief
            && ledger.waiting.iter().all(VecDeque::is_empty)
            && ledger.has_main(job.claim.holding, &self.limits)
            && let Some(permit) = self.core_scheduler.try_enter(&job.scheduled)
        {
            ledger.begin(&job, Lane::Main);
            drop(ledger);
            return self.run(&job, 0, permit);
        }
        ledger.waiting[class as usize].push_back(Waiting { job, passed_by: 0 });
        drop(ledger);
        self.start_waiting();
    }

    /// Starts searches while there are threads and memory for them.
    fn start_waiting(self: &Arc<Self>) {
        loop {
            let mut ledger = self.ledger();
            let Some((job, lane)) = ledger.next(&self.limits) else { return };
            ledger.begin(&job, lane);
            drop(ledger);
            for worker in 0..job.claim.holding.workers as u32 {
                let (job, admission) = (Arc::clone(&job), Arc::downgrade(self));
                // First in, first out: the first to reach the core scheduler are served first.
                self.threads.spawn(move || {
                    if let Some(admission) = admission.upgrade() {
                        let permit = admission.core_scheduler.enter(&job.scheduled);
                        admission.run(&job, worker, permit);
                    }
                });
            }
        }
    }

    /// Runs a worker of a search on this thread.
    fn run(self: &Arc<Self>, job: &Job, worker: u32, permit: CorePermit) {
        // Fetching a cached tree can take longer than a brief search.
        let tree_cache = self.tree_cache.as_ref().filter(|_| !job.claim.is_brief);
        if job.run(worker, permit, tree_cache) {
            self.release(job);
        }
    }

    /// Returns an ended search's share, and starts the next ones.
    fn release(self: &Arc<Self>, job: &Job) {
        let mut ledger = self.ledger();
        ledger.end(job);
        drop(ledger);
        self.start_waiting();
    }

    /// Ends a search with the best result so far, for shutdown.
    pub fn shut_down(self: &Arc<Self>, job: &Job) {
        job.signals.shut_down();
        self.expedite(job);
    }

    /// Moves a search's waiting workers to the front, because it must end.
    pub fn expedite(self: &Arc<Self>, job: &Job) {
        self.core_scheduler.expedite(&job.scheduled);
        if self.remove_waiting(job) {
            // No worker has started, so nobody else will answer.
            job.complete(Err(job.never_ran()));
        }
    }

    /// Removes a waiting search; `false` if it has begun.
    fn remove_waiting(self: &Arc<Self>, job: &Job) -> bool {
        let mut ledger = self.ledger();
        for line in &mut ledger.waiting {
            if let Some(index) = line.iter().position(|waiting| std::ptr::eq(&*waiting.job, job)) {
                let removed = line.remove(index);
                drop(ledger);
                drop(removed);
                // Others may have waited behind it.
                self.start_waiting();
                return true;
            }
        }
        false
    }

    /// All searches.
    pub fn all_jobs(&self) -> Vec<Arc<Job>> {
        let ledger = self.ledger();
        let begun = ledger.begun.iter().filter_map(Weak::upgrade);
        begun.chain(ledger.waiting.iter().flatten().map(|waiting| Arc::clone(&waiting.job))).collect()
    }
}
