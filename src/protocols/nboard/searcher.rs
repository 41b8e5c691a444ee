//! Searches of the positions of a game, within the limits of the command line and of the board.

use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{AnySession, BudgetRequest, SearchSpec, Strength};
use tesuji_core::search::Branches;

use super::GAME;
use crate::protocols::Failed;
use crate::protocols::searches::{Listener, SCOPE, Searches};
use crate::scheduler::Ticket;

/// Mebibytes of table that one search may leave to the next, unless the command line allows more.
const TABLE_MB: u64 = 80;

/// The searches, and what each may take.
pub struct Searcher {
    pub searches: Searches,
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
        let asked = request.budget.and_then(|budget| budget.memory_mb).unwrap_or(0);
        let searcher = Self { searches: Searches::new(GAME, asked.max(TABLE_MB))?, request };
        searcher.check(None)?;
        Ok(searcher)
    }

    /// Whether searches of this depth can be had.
    pub fn check(&self, depth: Option<u64>) -> Result<(), Failed> {
        let start = self.searches.open(None, None, &[])?;
        for values in [None, Some(1)] {
            start.search(&self.spec(Wanted { depth, values, ..Wanted::default() }), &self.searches.policy)?;
        }
        Ok(())
    }

    /// The most plies that a search may look ahead.
    pub fn deepest(&self) -> u64 {
        self.searches.policy.most.depth
    }

    fn spec(&self, wanted: Wanted) -> SearchSpec<'_> {
        let spec = self.request.spec(Some(SCOPE));
        // Neither a clock that shows days nor a board's depth is a reason not to move.
        let own = BudgetRequest { time_ms: wanted.most_ms, depth: wanted.depth, ..BudgetRequest::default() };
        let own = self.searches.policy.clamp(own).0;
        let time_ms = spec.budget.time_ms.into_iter().chain(own.time_ms).min();
        let depth = own.depth.or(spec.budget.depth);
        let budget = BudgetRequest { time_ms, soft_ms: wanted.soft_ms, depth, ..spec.budget };
        match wanted.values {
            None => SearchSpec { budget, ..spec },
            Some(count) => {
                let branches = Branches { multipv: count, ..spec.branches };
                SearchSpec { budget, branches, strength: Strength::default(), ..spec }
            }
        }
    }

    /// Begins a search.
    pub fn begin(
        &self,
        session: &dyn AnySession,
        wanted: Wanted,
        listener: Option<Listener>,
    ) -> Result<Ticket, Failed> {
        self.searches.begin(session, &self.spec(wanted), listener, false)
    }
}
