//! A search ready to run: typed inside, untyped outside, in as many pieces as it has workers.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::policy::BudgetRequest;
use super::refusal::{Refusal, RefusalKind};
use crate::games::Game;
use crate::memory::free_later;
use crate::rng::Rng;
use crate::search::{Branches, Budget, Control, Engine, Report, Signals, Task, Turns};

/// What a client asks of a search, besides the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order<'a> {
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
    /// How much is told below the root's children.
    pub branches: Branches,
}

/// Which root moves a search considers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "FilterFields")]
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
    allow: Option<Vec<String>>,
    avoid: Option<Vec<String>>,
}

impl TryFrom<FilterFields> for Filter {
    type Error = &'static str;

    fn try_from(fields: FilterFields) -> Result<Self, Self::Error> {
        match fields {
            FilterFields { allow: Some(moves), avoid: None } => Ok(Self::Allow(moves)),
            FilterFields { allow: None, avoid: Some(moves) } => Ok(Self::Avoid(moves)),
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
}

impl<'a> Outside<'a> {
    /// A worker that nobody listens to, with the CPU for itself.
    #[must_use]
    pub const fn new(signals: &'a Signals) -> Self {
        Self { signals, tell: None, turns: None }
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
}

/// A typed search.
pub(super) struct Prepared<G: Game, E: Engine<G>> {
    position: G,
    moves: Vec<G::Move>,
    engine: E,
    budget: Budget,
    longest: Duration,
    branches: Branches,
    plan: Plan,
    /// Made by the first worker to run, so that a search that waits holds no memory.
    shared: OnceLock<E::Shared>,
    reports: Mutex<Vec<Option<Report<G::Move>>>>,
}

impl<G: Game, E: Engine<G>> Prepared<G, E> {
    pub fn new(
        position: &G,
        engine: E,
        order: &Order<'_>,
        budget: Budget,
        threads: u32,
        longest: Duration,
        warnings: Vec<String>,
    ) -> Result<Self, Refusal> {
        let seed = read_seed(order.seed)?;
        let plan = Plan {
            engine: E::NAME,
            options: serde_json::to_value(&engine).unwrap_or(Value::Null),
            budget: BudgetRequest::from(&budget),
            threads,
            seed,
            warnings,
        };
        Ok(Self {
            moves: filtered(position, order.filter)?,
            position: position.clone(),
            engine,
            budget,
            longest,
            branches: order.branches,
            plan,
            shared: OnceLock::new(),
            reports: Mutex::new(vec![None; threads as usize]),
        })
    }
}

impl<G: Game, E: Engine<G>> Drop for Prepared<G, E> {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.take().filter(|_| size_of::<E::Shared>() > 0) {
            free_later(shared);
        }
    }
}

/// Seeds are whole numbers that JavaScript can hold.
const LARGEST_SEED: u64 = (1 << 53) - 1;

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
        let problem = "no legal move is left: expected to leave at least one";
        return Err(Refusal::new(RefusalKind::InvalidFilter, format!("/moves_filter/{field}"), problem));
    }
    Ok(moves)
}

impl<G: Game, E: Engine<G>> AnySearch for Prepared<G, E> {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn run(&self, worker: u32, outside: Outside<'_>) {
        let whole = Task {
            position: &self.position,
            moves: &self.moves,
            budget: self.budget,
            seed: self.plan.seed,
            worker,
            branches: self.branches,
        };
        let shared = self.shared.get_or_init(|| self.engine.share(&whole, self.plan.threads));
        let task = Task { budget: self.budget.share(worker, self.plan.threads), ..whole };
        let control = Control::new(outside.signals, self.budget.time, self.longest).with_turns(outside.turns);
        let report = match outside.tell {
            None => self.engine.search(&task, &control, shared),
            Some((every, tell)) => {
                let tell = |report: &Report<G::Move>| tell(report.clone().map_moves(|mv| self.position.write_move(mv)));
                self.engine.search(&task, &control.with_progress(every, &tell), shared)
            }
        };
        // A worker that panicked has poisoned nothing: it never holds the lock while it searches.
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)[worker as usize] = Some(report);
    }

    fn finish(&self) -> Option<Report<String>> {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let found: Vec<_> = reports.iter_mut().filter_map(Option::take).collect();
        let shared = self.shared.get().filter(|_| !found.is_empty())?;
        Some(self.engine.merge(&self.position, found, shared).map_moves(|mv| self.position.write_move(mv)))
    }
}
