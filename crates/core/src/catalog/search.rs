//! A search ready to run, with typed workers behind an untyped interface.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::alike::read_graded;
use super::engines::{Granted, Root};
use super::json::to_json;
use super::moves::Move;
use super::part::{Part, PartError};
use super::policy::BudgetRequest;
use super::refusal::{Refusal, RefusalKind};
use super::reuse::{KeyPrefix, Reusable, TreeCache, into_reusable, restore};
use super::strength::{MoveSampler, Strength};
use crate::clock::ThreadTime;
use crate::games::Game;
use crate::grade::Graded;
use crate::memory::free_later;
use crate::rng::Rng;
use crate::search::{Branches, Budget, Control, CoreSharing, Engine, Report, Signals, Task, suspend_core_sharing};

/// A request for a search, without the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchSpec<'a> {
    /// The engine: its name, or an object with its name and options.
    pub engine: Option<&'a Value>,
    /// Limits.
    pub budget: BudgetRequest,
    /// The number of threads.
    pub threads: Option<u32>,
    /// Seed, for a reproducible search.
    pub seed: Option<u64>,
    /// Root moves to consider.
    pub filter: Option<&'a Filter>,
    /// The part of the tree to report below the root's children.
    pub branches: Branches,
    /// Legal moves to be graded.
    pub grade: &'a [String],
    /// Its strength and variety.
    pub strength: Strength,
    /// A token shared by searches that can reuse each other's trees and tables; `None` with a seed.
    pub reuse: Option<&'a str>,
    /// Whether only one game at a time is searched under the token. Then all searches share one table, regardless of the moves
    /// played in between.
    pub one_game: bool,
}

/// The root moves that a search considers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FilterFields", rename_all = "snake_case")]
pub enum Filter {
    /// Only these.
    Allow(Vec<String>),
    /// All but these.
    Avoid(Vec<String>),
}

/// A filter in a request. Not a serde enum, for which a second field would be malformed JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilterFields {
    allow: Option<Vec<Move>>,
    avoid: Option<Vec<Move>>,
}

impl TryFrom<FilterFields> for Filter {
    type Error = &'static str;

    fn try_from(fields: FilterFields) -> Result<Self, Self::Error> {
        let texts = |moves: Vec<Move>| moves.into_iter().map(|Move(text)| text).collect();
        match fields {
            FilterFields { allow: Some(moves), avoid: None } => Ok(Self::Allow(texts(moves))),
            FilterFields { allow: None, avoid: Some(moves) } => Ok(Self::Avoid(texts(moves))),
            _ => Err("expected either `allow` or `avoid`"),
        }
    }
}

/// The granted parameters of a search.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine's name.
    pub engine: &'static str,
    /// Its options, defaults included.
    pub options: Value,
    /// The effective limits.
    pub budget: BudgetRequest,
    /// The number of workers.
    pub threads: u32,
    /// The seed.
    pub seed: u64,
    /// The moves to be graded.
    pub graded: Vec<Graded>,
    /// Notes for the client.
    pub warnings: Vec<String>,
}

/// The minimum interval between progress reports, and their receiver.
pub type Listener<'a> = (Duration, &'a dyn Fn(Report<String>));

/// The environment of one worker: clock, signals, progress, CPU permits, tree cache.
#[derive(Clone, Copy)]
pub struct WorkerContext<'a> {
    /// The search's clock and flags.
    pub signals: &'a Signals,
    /// The receiver of progress.
    pub on_progress: Option<Listener<'a>>,
    /// The source of CPU permits.
    pub core_sharing: Option<&'a dyn CoreSharing>,
    /// The trees of earlier searches.
    pub tree_cache: Option<&'a dyn TreeCache>,
    /// The start of the worker's CPU time, if that is not its own start.
    pub since: Option<ThreadTime>,
}

impl<'a> WorkerContext<'a> {
    /// A worker without listeners that has the CPU to itself.
    #[must_use]
    pub const fn new(signals: &'a Signals) -> Self {
        Self { signals, on_progress: None, core_sharing: None, tree_cache: None, since: None }
    }
}

/// A search ready to run. Each worker runs once, in any order and on any thread; then the search is finished once.
pub trait AnySearch: Send + Sync {
    /// The granted parameters.
    fn plan(&self) -> &Plan;

    /// Runs one worker to its end.
    fn run(&self, worker: u32, context: WorkerContext<'_>);

    /// Merges the workers' results; `None` if no worker has run.
    fn finish(&self) -> Option<Report<String>>;

    /// Whether its workers can run in several processes. Each process prepares the same search, with the same seed, and runs
    /// some of the workers; their results go as [`Part`]s to the process that finishes the search. The result is the same as in
    /// one process.
    fn has_parts(&self) -> bool {
        false
    }

    /// The result of a worker that ran here, for another process to merge; returned once. `None` if the worker has not run
    /// here, or the search has no parts.
    fn part(&self, _worker: u32) -> Option<Part> {
        None
    }

    /// Takes the result of a worker that ran in another process.
    ///
    /// # Errors
    /// When the search has no parts or no such worker, the worker's result is there already, or the part does not belong to a
    /// search of this position.
    fn take(&self, _worker: u32, _part: Part) -> Result<(), PartError> {
        Err(PartError::Undivided)
    }

    /// The tree or table for later searches, after the end; returned once.
    fn take_reusable(&self) -> Option<Reusable>;
}

/// A typed search.
pub(super) struct Prepared<G: Game, E: Engine<G>> {
    position: G,
    moves: Vec<G::Move>,
    /// The moves to be graded.
    graded: Vec<G::Move>,
    engine: E,
    budget: Budget,
    longest: Duration,
    branches: Branches,
    sampler: Option<MoveSampler>,
    plan: Plan,
    /// The keys of the tree cache and the hash of the position's past; `None` without a cache.
    family: Option<(KeyPrefix, u64)>,
    /// Created by the first worker, so that a waiting search holds no memory.
    shared: Mutex<Option<SharedState<E::Shared>>>,
    reports: Mutex<Vec<Option<Report<G::Move>>>>,
}

/// The shared state of the workers, and the amount reused from an earlier search.
struct SharedState<S> {
    shared: Arc<S>,
    reused: u64,
}

impl<G: Game, E: Engine<G>> Prepared<G, E> {
    pub fn new(
        Root { position, variant, trail, .. }: Root<'_, G>,
        engine: E,
        spec: &SearchSpec<'_>,
        Granted { budget, threads, warnings }: Granted,
        longest: Duration,
    ) -> Result<Self, Refusal> {
        let seed = read_seed(spec.seed)?;
        let engine = engine.resolved(position);
        let level = spec.strength.limited().map(|level| G::LEVELS[usize::from(level) - 1]);
        let (graded, searched) = read_graded(position, spec.grade)?;
        let plan = Plan {
            engine: E::NAME,
            options: to_json(&engine.clone().completed()),
            budget: BudgetRequest::from(&budget),
            threads,
            seed,
            graded,
            warnings,
        };
        let family = spec.reuse.filter(|_| spec.seed.is_none()).map(|scope| {
            let variant = to_json(variant).to_string();
            let anywhere = spec.one_game && !E::REUSE_COPIES;
            (KeyPrefix::of((scope, position.identity(), variant, E::NAME, plan.options.to_string()), anywhere), trail)
        });
        Ok(Self {
            moves: filtered(position, spec.filter)?,
            graded: searched,
            family,
            position: position.clone(),
            engine,
            budget,
            longest,
            branches: Branches { all: spec.branches.all || spec.strength.chooses(), ..spec.branches },
            sampler: spec.strength.chooses().then(|| MoveSampler::new(spec.strength, level, seed)),
            plan,
            shared: Mutex::default(),
            reports: Mutex::new(vec![None; threads as usize]),
        })
    }
}

impl<G: Game, E: Engine<G>> Prepared<G, E> {
    fn shared(&self) -> MutexGuard<'_, Option<SharedState<E::Shared>>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A report in the game's notation.
    fn write(&self, report: Report<G::Move>, cpu: Duration, reused: u64) -> Report<String> {
        Report { cpu, reused, ..report.write_moves(&self.position, G::write_move) }
    }

    /// A worker's task, with the budget of the whole search.
    fn task(&self, worker: u32) -> Task<'_, G> {
        Task {
            position: &self.position,
            moves: &self.moves,
            budget: self.budget,
            seed: self.plan.seed,
            worker,
            branches: self.branches,
            graded: &self.graded,
        }
    }

    fn reports(&self) -> MutexGuard<'_, Vec<Option<Report<G::Move>>>> {
        // A panicking worker leaves it intact: no worker holds the lock while it searches.
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shared state of the workers; the first worker creates it or takes it from the tree cache.
    fn begin(&self, task: &Task<'_, G>, tree_cache: Option<&dyn TreeCache>) -> (Arc<E::Shared>, u64) {
        let (_guard, mut begun) = (suspend_core_sharing(), self.shared());
        let begun = begun.get_or_insert_with(|| {
            let workers = self.plan.threads;
            let inherited = self.family.zip(tree_cache).and_then(|((family, trail), tree_cache)| {
                if !cfg!(feature = "reuse") {
                    return None;
                }
                let key = family.key(&self.position, trail);
                // Measured: moving a subtree to the front takes half a millisecond per MiB of tree. It may take a quarter of
                // the search's time.
                const BYTES_PER_MILLISECOND: u64 = 512 << 10;
                let time = self.budget.share(0, workers).shortest_time().filter(|_| E::REUSE_COPIES);
                let most = time.map_or(u64::MAX, |time| time.as_millis() as u64 * BYTES_PER_MILLISECOND);
                restore(&self.engine, task, workers, key, tree_cache.take(key, most)?)
            });
            let (shared, reused) = inherited.unwrap_or_else(|| (self.engine.share(task, workers), 0));
            SharedState { shared: Arc::new(shared), reused }
        });
        (Arc::clone(&begun.shared), begun.reused)
    }
}

impl<G: Game, E: Engine<G>> Drop for Prepared<G, E> {
    fn drop(&mut self) {
        if let Some(begun) = self.shared().take().filter(|_| size_of::<E::Shared>() > 0) {
            free_later(begun.shared);
        }
    }
}

/// The largest seed: integers up to here are exact in JavaScript.
pub(crate) const LARGEST_SEED: u64 = (1 << 53) - 1;

fn read_seed(asked: Option<u64>) -> Result<u64, Refusal> {
    match asked {
        Some(seed) if seed > LARGEST_SEED => {
            let problem = format!("expected a whole number from 0 to {LARGEST_SEED}, not {seed}");
            Err(Refusal::new(RefusalKind::InvalidEngine, "/seed", problem))
        }
        Some(seed) => Ok(seed),
        None => Ok(Rng::fresh_seed()),
    }
}

/// The root moves that a filter allows.
fn filtered<G: Game>(position: &G, filter: Option<&Filter>) -> Result<Vec<G::Move>, Refusal> {
    if position.outcome().is_some() {
        // A finished game is not an error; there is nothing to search.
        return Ok(Vec::new());
    }
    let (pointer, texts, is_kept) = match filter {
        None => return Ok(position.moves().collect()),
        Some(Filter::Allow(texts)) => ("/moves_filter/allow", texts, true),
        Some(Filter::Avoid(texts)) => ("/moves_filter/avoid", texts, false),
    };
    let mut named = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let mv = position.parse_move(text);
        named.push(mv.map_err(|illegal| Refusal::of_move(RefusalKind::InvalidFilter, pointer, index, &illegal))?);
    }
    let moves: Vec<G::Move> = position.moves().filter(|mv| named.contains(mv) == is_kept).collect();
    if moves.is_empty() {
        let problem = "the filter excludes every legal move: expected at least one to remain";
        return Err(Refusal::new(RefusalKind::InvalidFilter, pointer, problem));
    }
    Ok(moves)
}

impl<G: Game, E: Engine<G>> AnySearch for Prepared<G, E> {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn run(&self, worker: u32, context: WorkerContext<'_>) {
        let whole = self.task(worker);
        self.position.prepare();
        let budget = self.budget.share(worker, self.plan.threads);
        // The clocks run from here: making or fetching the tree counts as search time.
        let since = context.since.unwrap_or_else(ThreadTime::now);
        let control = Control::new(context.signals, budget.time, self.longest).with_cpu(budget.cpu, since);
        let control = control.with_core_sharing(context.core_sharing).alone(self.plan.threads == 1);
        let (shared, reused) = self.begin(&whole, context.tree_cache);
        let task = Task { budget, ..whole };
        let report = match context.on_progress {
            None => self.engine.search(&task, &control, &shared),
            Some((every, on_progress)) => {
                let on_progress =
                    |report: &Report<G::Move>| on_progress(self.write(report.clone(), since.elapsed(), reused));
                self.engine.search(&task, &control.with_progress(every, &on_progress), &shared)
            }
        };
        drop(shared);
        self.reports()[worker as usize] = Some(Report { cpu: since.elapsed(), ..report });
    }

    fn finish(&self) -> Option<Report<String>> {
        let found: Vec<_> = self.reports().iter_mut().filter_map(Option::take).collect();
        if found.is_empty() {
            return None;
        }
        // Created here if all workers ran elsewhere; their reports count what was reused there.
        let (shared, reused) = self.begin(&self.task(0), None);
        let reused = found.iter().fold(reused, |sum, report| sum + report.reused);
        let cpu = found.iter().fold(Duration::ZERO, |sum, report| sum.saturating_add(report.cpu));
        let mut report = self.engine.merge(&self.position, found, &shared);
        if let Some(sampler) = &self.sampler {
            sampler.apply(&self.position, &mut report);
        }
        Some(self.write(report, cpu, reused))
    }

    fn has_parts(&self) -> bool {
        self.plan.threads > 1 && self.engine.has_independent_workers()
    }

    fn part(&self, worker: u32) -> Option<Part> {
        if !self.has_parts() {
            return None;
        }
        let report = self.reports().get_mut(worker as usize)?.take()?;
        // The reuse in this process is reported once, with the first part.
        let reused = self.shared().as_mut().map_or(0, |begun| std::mem::take(&mut begun.reused));
        let cpu = report.cpu;
        Some(Part::from(self.write(report, cpu, reused)))
    }

    fn take(&self, worker: u32, part: Part) -> Result<(), PartError> {
        if !self.has_parts() {
            return Err(PartError::Undivided);
        }
        let report = part.read(&self.position)?;
        let mut reports = self.reports();
        match reports.get_mut(worker as usize) {
            Some(slot @ None) => *slot = Some(report),
            Some(Some(_)) => return Err(PartError::Again(worker)),
            None => return Err(PartError::Worker { worker, workers: self.plan.threads }),
        }
        Ok(())
    }

    fn take_reusable(&self) -> Option<Reusable> {
        if !cfg!(feature = "reuse") {
            return None;
        }
        let family = self.family?;
        let shared = Arc::into_inner(self.shared().take()?.shared)?;
        Some(into_reusable::<G, E>(&self.position, family, self.engine.retain(&self.position, shared)?))
    }
}
