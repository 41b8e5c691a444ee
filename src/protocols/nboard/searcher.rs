//! Searches of the positions of a game, within the limits of the command line and of the board.

use std::time::Duration;

use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{AnySession, BudgetRequest, Catalog, Order, Policy, Strength};
use tesuji_core::search::{Branches, Report};

use super::game::open;
use crate::protocols::Failed;
use crate::scheduler::{Limits, Progress, Scheduler, Submission, Ticket};

/// Under which word one search goes on with the table of another.
const SCOPE: &str = "game";
/// Mebibytes of table that one search may leave to the next, unless the command line allows more.
const KEPT_MB: u64 = 80;
/// How often a search reports what it has found, at most.
const EVERY: Duration = Duration::from_millis(250);

/// One search at a time, and what it may take.
pub struct Searcher {
    pub catalog: Catalog,
    policy: Policy,
    scheduler: Scheduler,
    /// Engine, limits and level, as the command line has them.
    request: SearchRequest,
}

/// What is wanted of a search.
#[derive(Clone, Copy, Default)]
pub struct Wanted {
    /// The board's limit in plies, which replaces the command line's.
    pub depth: Option<u64>,
    /// What is left of a clock for the move: no iteration begins after the first, no search takes longer than the second.
    pub soft_ms: Option<u64>,
    pub most_ms: Option<u64>,
    /// Exact values of so many moves, by the engine at full strength; none where a move is to be played.
    pub values: Option<u32>,
}

impl Searcher {
    /// Starts the search threads, and makes the tables that the first move would else wait for.
    ///
    /// # Errors
    /// When the catalog refuses the request (a `Refusal`), or a thread cannot be started.
    pub fn new(request: SearchRequest) -> Result<Self, Failed> {
        let (catalog, policy) = (Catalog::standard(), Policy::for_one_user());
        // A table and the list of positions in which it may serve.
        let asked = request.budget.and_then(|budget| budget.memory_mb).map_or(0, |mebibytes| mebibytes + KEPT_MB);
        let kept = asked.max(KEPT_MB) << 20;
        let scheduler = Scheduler::new(Limits { kept, ..Limits::of(policy.cores as usize, 1) })?;
        let searcher = Self { catalog, policy, scheduler, request };
        searcher.check(None)?;
        open(&searcher.catalog, None, &[])?.prepare();
        Ok(searcher)
    }

    /// Whether searches of this depth can be had.
    pub fn check(&self, depth: Option<u64>) -> Result<(), Failed> {
        let start = open(&self.catalog, None, &[])?;
        for values in [None, Some(1)] {
            start.search(&self.order(Wanted { depth, values, ..Wanted::default() }), &self.policy)?;
        }
        Ok(())
    }

    /// The most plies that a search may look ahead.
    pub fn deepest(&self) -> u64 {
        self.policy.most.depth
    }

    fn order(&self, wanted: Wanted) -> Order<'_> {
        let order = self.request.order(Some(SCOPE));
        // Neither a clock that shows days nor a board's depth is a reason not to move.
        let own = BudgetRequest { time_ms: wanted.most_ms, depth: wanted.depth, ..BudgetRequest::default() };
        let own = self.policy.clamp(own).0;
        let time_ms = order.budget.time_ms.into_iter().chain(own.time_ms).min();
        let depth = own.depth.or(order.budget.depth);
        let budget = BudgetRequest { time_ms, soft_ms: wanted.soft_ms, depth, ..order.budget };
        match wanted.values {
            None => Order { budget, ..order },
            Some(count) => {
                let branches = Branches { multipv: count, ..order.branches };
                Order { budget, branches, strength: Strength::default(), ..order }
            }
        }
    }

    /// Begins a search. `tell` hears of its progress, with the nodes of all its threads.
    pub fn begin<T>(&self, session: &dyn AnySession, wanted: Wanted, tell: Option<T>) -> Result<Ticket, Failed>
    where
        T: Fn(Report<String>) + Send + Sync + 'static,
    {
        let search = session.search(&self.order(wanted), &self.policy)?;
        let threads = u64::from(search.plan().threads);
        let progress = tell.map(|tell| {
            // The first worker reports, for all.
            let tell = move |report: Report<String>| tell(Report { nodes: report.nodes * threads, ..report });
            Progress { every: EVERY, tell: Box::new(tell) }
        });
        Ok(self.scheduler.submit(Submission { progress, ..Submission::new(search) })?)
    }
}
