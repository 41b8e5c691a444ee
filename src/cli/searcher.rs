//! Runs searches on this machine and answers as the HTTP API would, with a progress line where a person watches.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tesuji::scheduler::{Finished, Limits, Progress, Scheduler, Submission, Ticket};
use tesuji_core::api::{Extent, SearchRequest, SearchResponse};
use tesuji_core::catalog::{AnySearch, AnySession, Plan, Policy, SearchSpec};
use tesuji_core::position::Side;
use tesuji_core::search::{Branches, Report};
use ulid::Ulid;

use super::{Failed, words};

/// What the interrupt key (Ctrl-C) does during a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// The search ends with the best found so far. The program has to end after it: it listens to the key from now on.
    EndsSearch,
    /// The program ends, as without a search.
    EndsProgram,
}

/// One search at a time, on all cores if it asks for them.
pub struct Searcher {
    scheduler: Scheduler,
    policy: Policy,
    /// Under which word searches may go on with each other's trees.
    scope: Option<&'static str>,
}

impl Searcher {
    /// Starts the search threads.
    pub fn new() -> Result<Self, Failed> {
        Self::keeping(0)
    }

    /// The same for the moves of a game, where each search may go on with what the one before has left: so many bytes.
    pub fn keeping(kept: u64) -> Result<Self, Failed> {
        let policy = Policy::for_one_user();
        let scheduler = Scheduler::new(Limits { kept, ..Limits::of(policy.cores as usize, 1) })?;
        Ok(Self { scheduler, policy, scope: (kept > 0).then_some("game") })
    }

    /// Searches a position as a request asks, and responds as the HTTP API would.
    pub fn answer(
        &self,
        session: &dyn AnySession,
        request: &SearchRequest,
        interrupt: Interrupt,
    ) -> Result<SearchResponse, Failed> {
        let search = self.prepare(session, &request.spec(self.scope))?;
        let view = session.view();
        let mover = view.to_move;
        let mut response = SearchResponse::new(Ulid::generate().to_string(), request, view, search.plan());
        if !response.is_over() {
            let bar = stderr().is_terminal().then(|| progress_bar(search.plan()));
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

    /// Searches a position as a request asks, but for what is reported of its children, and gives the bare result.
    pub fn result(
        &self,
        session: &dyn AnySession,
        request: &SearchRequest,
        branches: Branches,
    ) -> Result<Finished, Failed> {
        let spec = SearchSpec { branches, ..request.spec(self.scope) };
        Ok(self.scheduler.submit(self.prepare(session, &spec)?)?.wait()?)
    }

    /// Sets up a search, or refuses it.
    pub fn prepare(&self, session: &dyn AnySession, spec: &SearchSpec<'_>) -> Result<Arc<dyn AnySearch>, Failed> {
        Ok(session.search(spec, &self.policy)?)
    }
}

/// Waits for a search; the interrupt key ends it early.
fn wait_or_interrupt(mut ticket: Ticket) -> Result<Finished, Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        tokio::select! {
            result = &mut ticket => return result,
            // Where the key cannot be heard, it ends the program as ever.
            Ok(()) = tokio::signal::ctrl_c() => ticket.cancel(),
        }
        ticket.await
    });
    Ok(result?)
}

const EVERY: Duration = Duration::from_millis(100);

/// A bar of the first limit that can be measured, or a spinner.
fn progress_bar(plan: &Plan) -> ProgressBar {
    let budget = &plan.budget;
    let (bar, template) = match budget.time_ms.or(budget.cpu_ms).or(budget.simulations).or(budget.nodes) {
        Some(length) => (ProgressBar::new(length), "{bar:24} {percent:>3}%  {elapsed}  {msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {elapsed}  {msg}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the templates above are well-formed"))
}

/// Shows a search's progress on a bar.
fn show(bar: ProgressBar, plan: &Plan, mover: Side) -> Progress {
    let (budget, threads) = (plan.budget, u64::from(plan.threads));
    let tell = move |report: Report<String>| {
        // The first worker reports, for all.
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
    Progress { every: EVERY, tell: Box::new(tell) }
}
