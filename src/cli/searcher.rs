//! Runs searches on this machine and responds like the HTTP API, with a progress line on a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::time::Duration;

use indicatif::ProgressBar;
use tesuji::scheduler::{Finished, Limits, ProgressListener, Scheduler, Submission, Ticket};
use tesuji_core::api::{Extent, SearchRequest, SearchResponse};
use tesuji_core::catalog::{AnySearch, AnySession, Plan, Policy, SearchSpec};
use tesuji_core::position::Side;
use tesuji_core::search::{Branches, Report};
use ulid::Ulid;

use super::{CommandError, terminal, words};

/// The effect of the interrupt key (Ctrl-C) during a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// The search ends with the best result so far. The program must end afterwards, because it handles the key from now on.
    EndsSearch,
    /// The program ends, as without a search.
    EndsProgram,
}

/// Runs searches, one at a time, on all cores if requested.
pub struct Searcher {
    scheduler: Scheduler,
    policy: Policy,
    /// The token under which searches share trees.
    scope: Option<&'static str>,
}

impl Searcher {
    /// Starts the search threads.
    pub fn new() -> Result<Self, CommandError> {
        Self::with_tree_cache(0)
    }

    /// As [`Searcher::new`], for the moves of a game: each search can reuse the previous one's tree, up to this many bytes.
    pub fn with_tree_cache(tree_cache_bytes: u64) -> Result<Self, CommandError> {
        let policy = Policy::for_one_user();
        let scheduler = Scheduler::new(Limits { tree_cache_bytes, ..Limits::of(policy.cores as usize, 1) })?;
        Ok(Self { scheduler, policy, scope: (tree_cache_bytes > 0).then_some("game") })
    }

    /// Searches a position for a request, and responds like the HTTP API.
    pub fn answer(
        &self,
        session: &dyn AnySession,
        request: &SearchRequest,
        interrupt: Interrupt,
    ) -> Result<SearchResponse, CommandError> {
        let search = self.prepare(session, &request.spec(self.scope))?;
        let view = session.view();
        let mover = view.to_move;
        let mut response = SearchResponse::new(Ulid::generate().to_string(), request, view, search.plan());
        if !response.is_over() {
            let bar = stderr().is_terminal().then(|| bar(search.plan()));
            let progress = bar.clone().map(|bar| show(bar, search.plan(), mover));
            let ticket = self.scheduler.submit(Submission { progress, ..Submission::new(search) })?;
            let finished = match interrupt {
                Interrupt::EndsSearch => wait_or_interrupt(ticket),
                Interrupt::EndsProgram => Ok(ticket.wait()?),
            };
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
            let Finished { report, queued, searched } = finished?;
            response.fill(report, (queued, searched), Extent::ALL);
        }
        Ok(response)
    }

    /// Searches a position for a request, without its report options, and returns the bare result.
    pub fn result(
        &self,
        session: &dyn AnySession,
        request: &SearchRequest,
        branches: Branches,
    ) -> Result<Finished, CommandError> {
        let spec = SearchSpec { branches, ..request.spec(self.scope) };
        Ok(self.scheduler.submit(self.prepare(session, &spec)?)?.wait()?)
    }

    /// Sets up a search, or refuses it.
    pub fn prepare(&self, session: &dyn AnySession, spec: &SearchSpec<'_>) -> Result<Arc<dyn AnySearch>, CommandError> {
        Ok(session.search(spec, &self.policy)?)
    }
}

/// Waits for a search; the interrupt key ends it early.
fn wait_or_interrupt(mut ticket: Ticket) -> Result<Finished, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        tokio::select! {
            result = &mut ticket => return result,
            // Without a handler, the key ends the program as usual.
            Ok(()) = tokio::signal::ctrl_c() => ticket.cancel(),
        }
        ticket.await
    });
    Ok(result?)
}

const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A progress bar of the first measurable limit, or a spinner.
fn bar(plan: &Plan) -> ProgressBar {
    let budget = &plan.budget;
    match budget.time_ms.or(budget.cpu_ms).or(budget.simulations).or(budget.nodes) {
        Some(length) => terminal::progress_bar(length, "{bar:24} {percent:>3}%  {elapsed}  {msg}"),
        None => terminal::progress_bar(0, "{spinner} {elapsed}  {msg}"),
    }
}

/// Shows a search's progress on a bar.
fn show(bar: ProgressBar, plan: &Plan, mover: Side) -> ProgressListener {
    let (budget, threads) = (plan.budget, u64::from(plan.threads));
    let on_report = move |report: Report<String>| {
        // Only the first worker reports; the others are assumed to be equally fast.
        let simulations = report.visits.map(|visits| visits * threads);
        let nodes = report.nodes * threads;
        bar.set_position(match (budget.time_ms, budget.cpu_ms, budget.simulations) {
            (Some(_), ..) => bar.elapsed().as_millis() as u64,
            (None, Some(_), _) => report.cpu.as_millis() as u64 * threads,
            (None, None, Some(_)) => simulations.unwrap_or(0),
            (None, None, None) => nodes,
        });
        let done = simulations.map_or_else(
            || format!("{} nodes", words::count(nodes)),
            |simulations| format!("{} simulations", words::count(simulations)),
        );
        let best = report.children.first().map_or("", |best| &best.mv);
        let value = report.root.outlook.map(|outlook| words::value_for(mover, outlook.value())).unwrap_or_default();
        bar.set_message(format!("{done}, depth {}, best {best} {value}", report.depth));
    };
    ProgressListener { interval: PROGRESS_INTERVAL, on_report: Box::new(on_report) }
}
