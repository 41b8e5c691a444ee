//! The searches of a program's games: one at a time, each with the table of the one before.

use std::time::Duration;

use serde_json::Value;
use tesuji_core::catalog::{AnySession, Catalog, Policy, Refusal, SearchSpec, Setup};
use tesuji_core::search::Report;

use super::BoxError;
use crate::scheduler::{Limits, ProgressListener, Scheduler, Submission, Ticket};

/// The scope of `SearchSpec::reuse`: searches of one program share trees and tables.
pub const SCOPE: &str = "game";
/// The shortest interval of progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
/// The size of the list of positions in which a table can be used, in MiB.
const LIST_MB: u64 = 4;

/// A listener for a search's progress.
pub type Listener = Box<dyn Fn(Report<String>) + Send + Sync>;

/// The searches of one game.
pub struct Searches {
    game: &'static str,
    /// The catalog.
    pub catalog: Catalog,
    /// The policy of searches.
    pub policy: Policy,
    scheduler: Scheduler,
}

impl Searches {
    /// Starts the search threads. A search leaves at most this many mebibytes of table to the next.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn new(game: &'static str, table_mb: u64) -> Result<Self, BoxError> {
        let policy = Policy::for_one_user();
        let scheduler = scheduler(&policy, table_mb)?;
        Ok(Self { game, catalog: Catalog::standard(), policy, scheduler })
    }

    /// Drops the tables of earlier searches. Later ones leave at most this many mebibytes.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn clear_tables(&mut self, table_mb: u64) -> Result<(), BoxError> {
        self.scheduler = scheduler(&self.policy, table_mb)?;
        Ok(())
    }

    /// Sets up a position and makes the game's tables: the clock starts with the search's command.
    ///
    /// # Errors
    /// When the catalog refuses it.
    pub fn open(
        &self,
        variant: Option<&Value>,
        position: Option<&str>,
        moves: &[String],
    ) -> Result<Box<dyn AnySession>, Refusal> {
        let session = self.catalog.open(self.game, Setup { variant, position, moves })?;
        session.prepare();
        Ok(session)
    }

    /// Starts a search. The time of a search that `ponders` counts from
    /// [`Stop::ponder_hit`](super::search_thread::Stop::ponder_hit). A listener's reports count the nodes of all threads.
    ///
    /// # Errors
    /// When the catalog or the scheduler refuses it.
    pub fn begin(
        &self,
        session: &dyn AnySession,
        spec: &SearchSpec<'_>,
        listener: Option<Listener>,
        ponders: bool,
    ) -> Result<Ticket, BoxError> {
        let search = session.search(spec, &self.policy)?;
        let threads = u64::from(search.plan().threads);
        let progress = listener.map(|listener| {
            // The first worker reports for all.
            let on_report = move |report: Report<String>| listener(Report { nodes: report.nodes * threads, ..report });
            ProgressListener { interval: PROGRESS_INTERVAL, on_report: Box::new(on_report) }
        });
        Ok(self.scheduler.submit(Submission { progress, ponders, ..Submission::new(search) })?)
    }
}

fn scheduler(policy: &Policy, table_mb: u64) -> Result<Scheduler, BoxError> {
    let tree_cache_bytes = (table_mb + LIST_MB) << 20;
    Ok(Scheduler::new(Limits { tree_cache_bytes, ..Limits::of(policy.cores as usize, 1) })?)
}
