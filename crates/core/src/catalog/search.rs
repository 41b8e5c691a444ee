//! A search ready to run: typed inside, untyped outside, in as many pieces as it has workers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::engines::Root;
use super::json::written;
use super::moves::Move;
use super::part::{Part, PartError};
use super::policy::BudgetRequest;
use super::refusal::{Refusal, RefusalKind};
use super::reuse::{Family, Reusable, TreeCache, inherit, keep};
use super::strength::{Selection, Strength};
use crate::clock::ThreadTime;
use crate::games::Game;
use crate::memory::free_later;
use crate::rng::Rng;
use crate::search::{Branches, Budget, Control, Engine, Report, Signals, Task, Turns};

/// What a client asks of a search, besides the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchSpec<'a> {
    /// The engine's name, or an object with its name and options.
    pub engine: Option<&'a Value>,
    /// Limits.
    pub budget: BudgetRequest,
    /// Threads wanted.
    pub threads: Option<u32>,
    /// Seed, for a reproducible search.
    pub seed: Option<u64>,
    /// Root moves to consider.
    pub filter: Option<&'a Filter>,
    /// How much is reported below the root's children.
    pub branches: Branches,
    /// How strong it plays, and how varied.
    pub strength: Strength,
    /// Whether the search may go on with what others with the same word here have left, and leave its own to them. Never with
    /// a seed.
    pub reuse: Option<&'a str>,
    /// Whether only one game at a time is searched under that word. Then a table goes from search to search, whatever was
    /// played between them, and takes the memory of one.
    pub one_game: bool,
}

/// Which root moves a search considers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FilterFields", rename_all = "snake_case")]
pub enum Filter {
    /// Only these.
    Allow(Vec<String>),
    /// All but these.
    Avoid(Vec<String>),
}

/// A filter as clients write it. Not an enum in serde's sense, since there a second field would count as malformed JSON.
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

/// What a search was granted.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine's name.
    pub engine: &'static str,
    /// Its options, defaults included.
    pub options: Value,
    /// The limits in force.
    pub budget: BudgetRequest,
    /// The number of workers.
    pub threads: u32,
    /// The seed in force.
    pub seed: u64,
    /// What the client should know.
    pub warnings: Vec<String>,
}

/// Who hears of a search's progress, and how often at most.
pub type Listener<'a> = (Duration, &'a dyn Fn(Report<String>));

/// How one worker of a running search meets the world.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// The search's clock and flags.
    pub signals: &'a Signals,
    /// Who hears of progress.
    pub tell: Option<Listener<'a>>,
    /// Where the CPU is shared.
    pub turns: Option<&'a dyn Turns>,
    /// Where earlier searches have left their trees.
    pub tree_cache: Option<&'a dyn TreeCache>,
    /// From when on the worker's CPU time counts, where that is not its start.
    pub since: Option<ThreadTime>,
}

impl<'a> Outside<'a> {
    /// A worker that nobody listens to, with the CPU for itself.
    #[must_use]
    pub const fn new(signals: &'a Signals) -> Self {
        Self { signals, tell: None, turns: None, tree_cache: None, since: None }
    }
}

/// A search ready to run. Its workers may run in any order, on any threads, each once; then it is finished once.
pub trait AnySearch: Send + Sync {
    /// What it was granted.
    fn plan(&self) -> &Plan;

    /// Runs one worker to its end.
    fn run(&self, worker: u32, outside: Outside<'_>);

    /// Merges what the workers found. `None` when none has run.
    fn finish(&self) -> Option<Report<String>>;

    /// Whether its workers may run in several processes. Each of them prepares the same search, with the same seed, and runs
    /// some of the workers; what they found goes as [`Part`]s to the process that finishes it. The result is that of one
    /// process.
    fn has_parts(&self) -> bool {
        false
    }

    /// What a worker has found that ran here, for another process to finish the search; the first time that it is asked.
    /// `None` when the worker has not run here, or the search has no parts.
    fn part(&self, _worker: u32) -> Option<Part> {
        None
    }

    /// Takes what a worker has found that ran in another process.
    ///
    /// # Errors
    /// When the search has no parts or no such worker, the worker has been heard of already, or the part is not one of a
    /// search of this position.
    fn take(&self, _worker: u32, _part: Part) -> Result<(), PartError> {
        Err(PartError::Undivided)
    }

    /// What it leaves to later searches, once it is finished; the first time that it is asked.
    fn leave(&self) -> Option<Reusable>;
}

/// A typed search.
pub(super) struct Prepared<G: Game, E: Engine<G>> {
    position: G,
    moves: Vec<G::Move>,
    engine: E,
    budget: Budget,
    longest: Duration,
    branches: Branches,
    selection: Option<Selection>,
    plan: Plan,
    /// Under which keys trees are kept for and by others, and the position's past; none where they are not.
    family: Option<(Family, u64)>,
    /// Made by the first worker to run, so that a search that waits holds no memory.
    shared: Mutex<Option<Begun<E::Shared>>>,
    reports: Mutex<Vec<Option<Report<G::Move>>>>,
}

/// What the workers share, and how much of it was there already.
struct Begun<S> {
    shared: Arc<S>,
    reused: u64,
}

impl<G: Game, E: Engine<G>> Prepared<G, E> {
    pub fn new(
        Root { position, variant, trail, .. }: Root<'_, G>,
        engine: E,
        spec: &SearchSpec<'_>,
        budget: Budget,
        threads: u32,
        longest: Duration,
        warnings: Vec<String>,
    ) -> Result<Self, Refusal> {
        let seed = read_seed(spec.seed)?;
        let engine = engine.settled(position);
        let level = spec.strength.limited().map(|level| G::LEVELS[usize::from(level) - 1]);
        let plan = Plan {
            engine: E::NAME,
            options: written(&engine.clone().completed()),
            budget: BudgetRequest::from(&budget),
            threads,
            seed,
            warnings,
        };
        let family = spec.reuse.filter(|_| spec.seed.is_none()).map(|scope| {
            let variant = written(variant).to_string();
            let anywhere = spec.one_game && !E::GOING_ON_COPIES;
            (Family::of((scope, G::NAME, variant, E::NAME, plan.options.to_string()), anywhere), trail)
        });
        Ok(Self {
            moves: filtered(position, spec.filter)?,
            family,
            position: position.clone(),
            engine,
            budget,
            longest,
            branches: Branches { all: spec.branches.all || spec.strength.chooses(), ..spec.branches },
            selection: spec.strength.chooses().then(|| Selection::new(spec.strength, level, seed)),
            plan,
            shared: Mutex::default(),
            reports: Mutex::new(vec![None; threads as usize]),
        })
    }
}

impl<G: Game, E: Engine<G>> Prepared<G, E> {
    fn shared(&self) -> MutexGuard<'_, Option<Begun<E::Shared>>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A report in the game's notation.
    fn write(&self, report: Report<G::Move>, cpu: Duration, reused: u64) -> Report<String> {
        Report { cpu, reused, ..report.map_moves(|mv| self.position.write_move(mv)) }
    }

    /// The task of a worker, with the whole search's budget.
    fn task(&self, worker: u32) -> Task<'_, G> {
        Task {
            position: &self.position,
            moves: &self.moves,
            budget: self.budget,
            seed: self.plan.seed,
            worker,
            branches: self.branches,
        }
    }

    fn reports(&self) -> MutexGuard<'_, Vec<Option<Report<G::Move>>>> {
        // A worker that panicked has poisoned nothing: it never holds the lock while it searches.
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the workers share; the first one makes it, or finds it made by an earlier search.
    fn begin(&self, task: &Task<'_, G>, tree_cache: Option<&dyn TreeCache>) -> (Arc<E::Shared>, u64) {
        let mut begun = self.shared();
        let begun = begun.get_or_insert_with(|| {
            let workers = self.plan.threads;
            let inherited = self.family.zip(tree_cache).and_then(|((family, trail), tree_cache)| {
                if !cfg!(feature = "reuse") {
                    return None;
                }
                let key = family.key(&self.position, trail);
                // Measured: to move a tree's part to the front takes half a millisecond for each MiB of the tree. That may be a
                // quarter of the time that the search has.
                const A_MILLISECOND: u64 = 512 << 10;
                let time = self.budget.share(0, workers).shortest_time().filter(|_| E::GOING_ON_COPIES);
                let most = time.map_or(u64::MAX, |time| time.as_millis() as u64 * A_MILLISECOND);
                inherit(&self.engine, task, workers, key, tree_cache.take(key, most)?)
            });
            let (shared, reused) = inherited.unwrap_or_else(|| (self.engine.share(task, workers), 0));
            Begun { shared: Arc::new(shared), reused }
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

/// Seeds are whole numbers that JavaScript can hold.
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

/// The root moves that a filter leaves.
fn filtered<G: Game>(position: &G, filter: Option<&Filter>) -> Result<Vec<G::Move>, Refusal> {
    if position.outcome().is_some() {
        // Nothing will be searched, and a finished game is no error.
        return Ok(Vec::new());
    }
    let read_all = |texts: &[String], field: &str| -> Result<Vec<G::Move>, Refusal> {
        let read = |(index, text): (usize, &String)| {
            position.parse_move(text).map_err(|illegal| {
                let pointer = format!("/moves_filter/{field}/{index}");
                Refusal::new(RefusalKind::InvalidFilter, pointer, illegal.to_string())
            })
        };
        texts.iter().enumerate().map(read).collect()
    };
    let (field, moves): (_, Vec<G::Move>) = match filter {
        None => return Ok(position.moves().collect()),
        Some(Filter::Allow(texts)) => {
            let allowed = read_all(texts, "allow")?;
            ("allow", position.moves().filter(|mv| allowed.contains(mv)).collect())
        }
        Some(Filter::Avoid(texts)) => {
            let avoided = read_all(texts, "avoid")?;
            ("avoid", position.moves().filter(|mv| !avoided.contains(mv)).collect())
        }
    };
    if moves.is_empty() {
        let problem = "expected to leave at least one legal move";
        return Err(Refusal::new(RefusalKind::InvalidFilter, format!("/moves_filter/{field}"), problem));
    }
    Ok(moves)
}

impl<G: Game, E: Engine<G>> AnySearch for Prepared<G, E> {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn run(&self, worker: u32, outside: Outside<'_>) {
        let whole = self.task(worker);
        self.position.prepare();
        let budget = self.budget.share(worker, self.plan.threads);
        // The clocks run from here on: what is made for this search, or found, takes its time.
        let since = outside.since.unwrap_or_else(ThreadTime::now);
        let control = Control::new(outside.signals, budget.time, self.longest).with_cpu(budget.cpu, since);
        let control = control.with_turns(outside.turns).alone(self.plan.threads == 1);
        let (shared, reused) = self.begin(&whole, outside.tree_cache);
        let task = Task { budget, ..whole };
        let report = match outside.tell {
            None => self.engine.search(&task, &control, &shared),
            Some((every, tell)) => {
                let tell = |report: &Report<G::Move>| tell(self.write(report.clone(), since.elapsed(), reused));
                self.engine.search(&task, &control.with_progress(every, &tell), &shared)
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
        // Made here and now where all workers have run elsewhere. Reports from there tell what was reused there.
        let (shared, reused) = self.begin(&self.task(0), None);
        let reused = found.iter().fold(reused, |sum, report| sum + report.reused);
        let cpu = found.iter().fold(Duration::ZERO, |sum, report| sum.saturating_add(report.cpu));
        let mut report = self.engine.merge(&self.position, found, &shared);
        if let Some(selection) = &self.selection {
            selection.apply(&self.position, &mut report);
        }
        Some(self.write(report, cpu, reused))
    }

    fn has_parts(&self) -> bool {
        self.plan.threads > 1 && self.engine.works_apart()
    }

    fn part(&self, worker: u32) -> Option<Part> {
        if !self.has_parts() {
            return None;
        }
        let report = self.reports().get_mut(worker as usize)?.take()?;
        // What was reused in this process is told once, with the first of its parts.
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

    fn leave(&self) -> Option<Reusable> {
        if !cfg!(feature = "reuse") {
            return None;
        }
        let family = self.family?;
        let shared = Arc::into_inner(self.shared().take()?.shared)?;
        Some(keep::<G, E>(&self.position, family, self.engine.leave(&self.position, shared)?))
    }
}
