//! From an engine's name and options to a search ready to run.

use std::sync::Arc;

use serde_json::Value;

use super::Policy;
use super::about::EngineAbout;
use super::refusal::{Refusal, RefusalKind, read};
use super::search::{AnySearch, Prepared, SearchSpec};
use super::strength::{Strength, WithStatistics, check_engine, limited};
use crate::games::{EngineList, Game};
use crate::search::{Budget, Engine, Limits};

/// Describes every engine of a game.
pub(super) fn each_engine<G: Game>() -> Vec<EngineAbout> {
    struct All(Vec<EngineAbout>);
    impl<G: Game> EngineList<G> for All {
        fn add<E: Engine<G>>(&mut self) {
            self.0.push(EngineAbout::of::<G, E>());
        }
    }
    let mut all = All(Vec::new());
    G::engines(&mut all);
    all.0
}

/// The position to search.
pub(super) struct Root<'a, G: Game> {
    pub position: &'a G,
    pub variant: &'a G::Variant,
    /// A hash of the past: an earlier position and the moves since then.
    pub trail: u64,
    /// Guesses and omissions of the position's reader, and adjudications that later moves ignored.
    pub warnings: &'a [String],
}

impl<G: Game> Clone for Root<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Root<'_, G> {}

/// Prepares a search of `root` for `spec`: at full strength or at a level.
pub(super) fn prepare<G: Game>(
    root: Root<'_, G>,
    spec: &SearchSpec<'_>,
    policy: &Policy,
) -> Result<Arc<dyn AnySearch>, Refusal> {
    let strength = spec.strength;
    strength.check().map_err(|invalid| Refusal::of_field(RefusalKind::InvalidEngine, "", &invalid))?;
    check_grade(spec)?;
    let Some(number) = strength.limited() else { return choose(root, spec, policy) };
    check_engine(spec.engine)?;
    let level = G::LEVELS[usize::from(number) - 1];
    let engine = Value::from(level.engine);
    let budget = limited(&level, spec.budget);
    // The tree of another search would make a level stronger.
    let own = SearchSpec { engine: Some(&engine), budget, threads: None, reuse: None, ..*spec };
    let limited = choose(root, &own, policy)?;
    if !strength.statistics {
        return Ok(limited);
    }
    let full = choose(root, &SearchSpec { strength: Strength::default(), ..*spec }, policy)?;
    Ok(Arc::new(WithStatistics::new(limited, full)))
}

/// Refuses grades together with a level, variety or filter: grades compare with the best of all legal moves at full strength.
fn check_grade(SearchSpec { grade, strength, filter, .. }: &SearchSpec<'_>) -> Result<(), Refusal> {
    if grade.is_empty() {
        return Ok(());
    }
    let (kind, pointer) = match () {
        () if strength.limited().is_some() => (RefusalKind::InvalidEngine, "/level"),
        () if strength.chooses() => (RefusalKind::InvalidEngine, "/variety"),
        () if filter.is_some() => (RefusalKind::InvalidFilter, "/moves_filter"),
        () => return Ok(()),
    };
    let problem = "not allowed with `grade`, which compares with the best of all legal moves at full strength";
    Err(Refusal::new(kind, pointer, problem))
}

/// Prepares a search of `root` with the engine of `spec`; `auto` is the strongest that supports the budget.
fn choose<G: Game>(root: Root<'_, G>, spec: &SearchSpec<'_>, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal> {
    let (name, options) = split_engine::<G>(spec.engine)?;
    if name == "auto" && !options.as_object().is_none_or(serde_json::Map::is_empty) {
        let problem = "options need a named engine, not `auto`";
        return Err(Refusal::new(RefusalKind::InvalidEngine, "/engine", problem));
    }
    let mut matcher =
        EngineMatcher { root, spec, policy, name: &name, options: &options, found: None, names: Vec::new() };
    G::engines(&mut matcher);
    let EngineMatcher { found, names, .. } = matcher;
    found.unwrap_or_else(|| {
        Err(if name == "auto" {
            let problem = "no engine of this game supports this combination of limits";
            Refusal::new(RefusalKind::InvalidBudget, "/budget", problem)
        } else {
            Refusal::new(RefusalKind::InvalidEngine, "/engine/name", expected_engine(&names))
        })
    })
}

fn expected_engine(names: &[&str]) -> String {
    format!("expected auto, {}", names.join(", "))
}

/// The name and options of a requested engine: a name, or an object with both.
fn split_engine<G: Game>(engine: Option<&Value>) -> Result<(String, Value), Refusal> {
    let refuse = |pointer: &str, problem: &str| Err(Refusal::new(RefusalKind::InvalidEngine, pointer, problem));
    match engine {
        None => Ok(("auto".to_owned(), Value::Null)),
        Some(Value::String(name)) => Ok((name.clone(), Value::Null)),
        Some(Value::Object(fields)) => {
            let mut options = fields.clone();
            match options.remove("name") {
                Some(Value::String(name)) => Ok((name, Value::Object(options))),
                None => refuse("/engine", "expected a field `name`"),
                Some(_) => {
                    let names: Vec<_> = each_engine::<G>().into_iter().map(|engine| engine.name).collect();
                    refuse("/engine/name", &expected_engine(&names))
                }
            }
        }
        Some(_) => refuse("/engine", "expected an object with a field `name`, or just the name"),
    }
}

/// Tries a game's engines until one fits.
struct EngineMatcher<'a, G: Game> {
    root: Root<'a, G>,
    spec: &'a SearchSpec<'a>,
    policy: &'a Policy,
    name: &'a str,
    options: &'a Value,
    found: Option<Result<Arc<dyn AnySearch>, Refusal>>,
    names: Vec<&'static str>,
}

impl<G: Game> EngineList<G> for EngineMatcher<'_, G> {
    fn add<E: Engine<G>>(&mut self) {
        self.names.push(E::NAME);
        let fits = match self.name {
            "auto" => self.policy.suits(&self.spec.budget, &E::LIMITS),
            name => name == E::NAME,
        };
        if fits && self.found.is_none() {
            self.found = Some(self.prepare::<E>());
        }
    }
}

impl<G: Game> EngineMatcher<'_, G> {
    fn prepare<E: Engine<G>>(&self) -> Result<Arc<dyn AnySearch>, Refusal> {
        let engine: E = match self.options {
            Value::Null => E::default(),
            options => read(options, RefusalKind::InvalidEngine, "/engine", &E::parameters())?,
        };
        engine.check().map_err(|invalid| Refusal::of_field(RefusalKind::InvalidEngine, "/engine", &invalid))?;
        let granted = Granted::new(self.spec, self.policy, (E::NAME, &E::LIMITS), self.root.warnings)?;
        let search = Prepared::new(self.root, engine, self.spec, granted, self.policy.longest())?;
        Ok(Arc::new(search))
    }
}

/// The granted part of a request.
pub(super) struct Granted {
    pub budget: Budget,
    pub threads: u32,
    /// The position's warnings, then the differences from the request.
    pub warnings: Vec<String>,
}

impl Granted {
    /// Not inlined, so that all games and engines share one copy.
    #[inline(never)]
    fn new(
        spec: &SearchSpec<'_>,
        policy: &Policy,
        (engine, limits): (&str, &Limits),
        warnings: &[String],
    ) -> Result<Self, Refusal> {
        let mut budget = policy.grant(&spec.budget, engine, limits)?;
        let threads = policy.grant_threads(spec.threads, &budget, limits)?;
        if spec.budget.memory_mb.is_none() {
            budget.memory = Some(policy.memory(&budget, threads, limits));
        }
        let mut warnings = warnings.to_vec();
        if let Some(asked) = spec.threads.filter(|&asked| asked > threads) {
            let reason = match () {
                () if !limits.threads => format!("engine {engine} runs on one thread"),
                () if budget.time.is_some() && threads == policy.cores => {
                    "time is limited, and no more cores are idle".to_owned()
                }
                () if budget.cpu.is_some_and(|cpu| cpu.as_millis() == u128::from(threads)) => {
                    "each thread needs at least one millisecond of CPU time of the budget".to_owned()
                }
                () => "each thread needs at least one simulation and one node of the budget".to_owned(),
            };
            warnings.push(format!("{threads} of {asked} threads granted: {reason}"));
        }
        Ok(Self { budget, threads, warnings })
    }
}
