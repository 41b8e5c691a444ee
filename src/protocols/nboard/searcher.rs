//! Searches of the positions of a game, within the limits of the command line and of the board.

use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{AnySession, BudgetRequest, SearchSpec, Strength};
use tesuji_core::search::Branches;

use super::GAME;
use crate::protocols::BoxError;
use crate::protocols::searches::{Listener, SCOPE, Searches};
use crate::scheduler::Ticket;

/// The table that one search can leave to the next, in MiB, unless the command line allows more.
const TABLE_MB: u64 = 80;

/// The searches, and their limits.
pub struct Searcher {
    pub searches: Searches,
    /// Engine, limits and level from the command line.
    request: SearchRequest,
}

/// The parameters of a search.
#[derive(Clone, Copy, Default)]
pub struct SearchParameters {
    /// The board's limit in plies, which replaces the command line's.
    pub depth: Option<u64>,
    /// The clock's time for the move: no iteration starts after the first, and no search takes longer than the second.
    pub soft_ms: Option<u64>,
    pub most_ms: Option<u64>,
    /// The number of moves to evaluate exactly, at full strength; `None` to choose a move.
    pub values: Option<u32>,
}

impl Searcher {
    /// Starts the search threads, and makes the tables so that the first move need not wait for them.
    ///
    /// # Errors
    /// When the catalog refuses the request (a `Refusal`), or a thread cannot be started.
    pub fn new(request: SearchRequest) -> Result<Self, BoxError> {
        let asked = request.budget.and_then(|budget| budget.memory_mb).unwrap_or(0);
        let searcher = Self { searches: Searches::new(GAME, asked.max(TABLE_MB))?, request };
        searcher.check(None)?;
        Ok(searcher)
    }

    /// Checks that searches of this depth are accepted.
    pub fn check(&self, depth: Option<u64>) -> Result<(), BoxError> {
        let start = self.searches.open(None, None, &[])?;
        for values in [None, Some(1)] {
            start.search(
                &self.spec(SearchParameters { depth, values, ..SearchParameters::default() }),
                &self.searches.policy,
            )?;
        }
        Ok(())
    }

    /// The maximum depth of a search, in plies.
    pub fn deepest(&self) -> u64 {
        self.searches.policy.most.depth
    }

    fn spec(&self, parameters: SearchParameters) -> SearchSpec<'_> {
        let spec = self.request.spec(Some(SCOPE));
        // Clocks of days and excessive depths are clamped rather than refused.
        let own = BudgetRequest { time_ms: parameters.most_ms, depth: parameters.depth, ..BudgetRequest::default() };
        let own = self.searches.policy.clamp(own).0;
        let time_ms = spec.budget.time_ms.into_iter().chain(own.time_ms).min();
        let depth = own.depth.or(spec.budget.depth);
        let budget = BudgetRequest { time_ms, soft_ms: parameters.soft_ms, depth, ..spec.budget };
        match parameters.values {
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
        parameters: SearchParameters,
        listener: Option<Listener>,
    ) -> Result<Ticket, BoxError> {
        self.searches.begin(session, &self.spec(parameters), listener, false)
    }
}
