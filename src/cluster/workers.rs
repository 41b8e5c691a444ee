//! Some workers of a spread search, as a search for the scheduler of one node. It ends with the workers' results, which the
//! requesting node merges.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::wire::Piece;
use tesuji_core::catalog::{AnySearch, Plan, Reusable, WorkerContext};
use tesuji_core::search::{Budget, Report};

/// Some of a search's workers.
pub(super) struct Workers {
    search: Arc<dyn AnySearch>,
    /// Their combined share of the budget.
    plan: Plan,
    first: u32,
    pieces: Mutex<Vec<Piece>>,
    decided: AtomicBool,
}

impl Workers {
    /// The given workers of a search with parts.
    pub fn new(search: Arc<dyn AnySearch>, workers: &Range<u32>) -> Self {
        let plan = search.plan();
        let (all, number) = (u64::from(plan.threads), u64::from(workers.end - workers.start));
        let mut budget = plan.budget;
        budget.memory_mb = budget.memory_mb.map(|memory| (memory * number).div_ceil(all));
        let countable = Budget { simulations: budget.simulations, ..Budget::default() };
        let shares = workers.clone().map(|worker| countable.share(worker, plan.threads).simulations);
        budget.simulations = shares.sum();
        let plan = Plan { budget, threads: workers.end - workers.start, ..plan.clone() };
        Self { search, plan, first: workers.start, pieces: Mutex::default(), decided: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Piece>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes their results, ordered by number. Workers stopped before their start have none.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut pieces = std::mem::take(&mut *self.lock());
        pieces.sort_by_key(|piece| piece.worker);
        pieces
    }

    /// Whether one of them has proven the result, so that the others can end.
    pub fn decided(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
    }
}

impl AnySearch for Workers {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn run(&self, worker: u32, context: WorkerContext<'_>) {
        let worker = self.first + worker;
        // No tree is kept: the next search may be spread differently.
        self.search.run(worker, WorkerContext { tree_cache: None, ..context });
        let decides = context.signals.is_decided();
        self.decided.fetch_or(decides, Ordering::Relaxed);
        if let Some(part) = self.search.part(worker) {
            self.lock().push(Piece { worker, part, decides });
        }
    }

    /// The totals of their work, for metrics; the results are in the pieces.
    fn finish(&self) -> Option<Report<String>> {
        let pieces = self.lock();
        let mut reports = pieces.iter().map(|piece| piece.part.report());
        let mut sum = reports.next()?.clone();
        for report in reports {
            sum.nodes += report.nodes;
            sum.bytes += report.bytes;
            sum.cpu = sum.cpu.saturating_add(report.cpu);
            sum.visits = sum.visits.zip(report.visits).map(|(a, b)| a + b);
        }
        Some(sum)
    }

    fn take_reusable(&self) -> Option<Reusable> {
        None
    }
}
