//! Contestants: an engine of the catalog, or another program. Both can join a game and choose a move.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Rules;
use super::played_game::PlayedGame;
use crate::protocols::clock::{Clock, Time};
use crate::protocols::{ChosenMove, Fault, Program, RunningProgram, Start};
use tesuji_core::catalog::{AnySearch, BudgetRequest, Policy, Refusal, SearchSpec, Strength, WorkerContext};
use tesuji_core::rng::mix;
use tesuji_core::search::{Branches, Report, Signals};

/// A contestant of a match.
#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// An engine of the catalog.
    Engine(CatalogEngine),
    /// Another program.
    Program(Program),
}

/// An engine of the catalog and its limits per move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogEngine {
    /// Its name, or an object with name and options.
    pub engine: Option<Value>,
    /// The limits of each search.
    pub budget: BudgetRequest,
    /// The clock of a game, which limits each search too.
    pub clock: Option<GameClock>,
    /// Threads of each search.
    pub threads: Option<u32>,
    /// The seed of its searches, instead of the match's.
    pub seed: Option<u64>,
    /// What each search reports besides the move: nothing by default.
    pub branches: Branches,
    /// Its strength and variety.
    pub strength: Strength,
}

/// A contestant's clock for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// The initial time.
    pub main: Duration,
    /// The increment per move.
    pub increment: Duration,
}

/// A contestant in one game.
pub(super) trait Player {
    /// Waits until it can be asked for a move; this is not its thinking time.
    fn wait(&self) {}

    /// Chooses a move after `game`.
    fn choose(&mut self, game: &PlayedGame<'_>) -> Result<ChosenMove, Fault>;
}

impl Contestant {
    /// Joins a game with this seed for its searches.
    pub(super) fn join_game<'a>(
        &'a self,
        rules: &Rules<'_>,
        policy: &'a Policy,
        game: &PlayedGame<'_>,
        seed: u64,
    ) -> Result<Box<dyn Player + 'a>, Fault> {
        Ok(match self {
            Self::Engine(own) => Box::new(EnginePlayer { own, policy, seed, spent: Duration::ZERO, moves: 0 }),
            Self::Program(program) => {
                let position = game.opening.position.as_deref();
                let Rules { catalog, game, variant } = *rules;
                Box::new(program.start(&Start { catalog, game, variant, position })?)
            }
        })
    }

    /// The threads that are busy while it thinks.
    #[must_use]
    pub fn threads(&self) -> u32 {
        let (Self::Engine(CatalogEngine { threads, .. }) | Self::Program(Program { threads, .. })) = self;
        threads.unwrap_or(1).max(1)
    }
}

impl CatalogEngine {
    /// Prepares the search of a position, with this time from its clock.
    pub(super) fn prepare(
        &self,
        game: &PlayedGame<'_>,
        policy: &Policy,
        seed: u64,
        time: Time,
    ) -> Result<Arc<dyn AnySearch>, Refusal> {
        let time_ms = self.budget.time_ms.into_iter().chain(time.most_ms).min();
        let engine = self.engine.as_ref();
        let spec = SearchSpec {
            engine,
            budget: BudgetRequest { time_ms, soft_ms: time.soft_ms, ..self.budget },
            threads: self.threads,
            seed: Some(seed),
            branches: self.branches,
            strength: self.strength,
            ..SearchSpec::default()
        };
        game.session.search(&spec, policy)
    }
}

/// Search seeds are below this limit, so that every client can represent them.
const SEEDS: u64 = 1 << 53;

/// An engine of the catalog in one game.
struct EnginePlayer<'a> {
    own: &'a CatalogEngine,
    policy: &'a Policy,
    seed: u64,
    /// Its thinking time, and the number of its moves.
    spent: Duration,
    moves: u32,
}

impl EnginePlayer<'_> {
    /// The clock's time for this move. An expired clock leaves a millisecond and does not lose the game.
    fn time(&self, game: &PlayedGame<'_>) -> Time {
        let Some(clock) = self.own.clock else { return Time::default() };
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let left = (clock.main + clock.increment * self.moves).saturating_sub(self.spent);
        let clock = Clock {
            left: [Some(ms(left)), None],
            increment: [ms(clock.increment), 0],
            moves: game.session.moves_ahead().map(u64::from),
            move_time: None,
        };
        clock.time(true, false)
    }
}

impl Player for EnginePlayer<'_> {
    fn choose(&mut self, game: &PlayedGame<'_>) -> Result<ChosenMove, Fault> {
        let begin = Instant::now();
        let seed = mix(self.seed ^ mix(game.played() as u64)) % SEEDS;
        let report = run(&*self.own.prepare(game, self.policy, seed, self.time(game))?)?;
        self.spent += begin.elapsed();
        self.moves += 1;
        let best = report.children.into_iter().next();
        let best = best.ok_or_else(|| Fault::Crash("the search found no move".to_owned()))?;
        Ok(ChosenMove { mv: best.mv, nodes: Some(report.nodes) })
    }
}

impl Player for RunningProgram<'_> {
    fn wait(&self) {
        self.wait();
    }

    fn choose(&mut self, game: &PlayedGame<'_>) -> Result<ChosenMove, Fault> {
        self.choose(&game.line().collect::<Vec<_>>())
    }
}

/// Stack size of a search thread, in bytes: enough for the deepest recursion of any game.
pub(super) const STACK: usize = 16 << 20;

/// Runs a search's first worker on this thread, and the others on new threads.
pub(super) fn run(search: &dyn AnySearch) -> Result<Report<String>, Fault> {
    let signals = Signals::default();
    let worker = |number: u32| {
        // A panic is the engine's fault: it loses the game, not the match.
        catch_unwind(AssertUnwindSafe(|| search.run(number, WorkerContext::new(&signals))))
            .map_err(|_| signals.cancel())
            .is_ok()
    };
    let all_ran = thread::scope(|scope| {
        let start = |number| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, move || worker(number))
        };
        let others: Vec<_> = (1..search.plan().threads).map(start).collect();
        let first = worker(0);
        let joined = others.into_iter().map(|thread| thread.is_ok_and(|thread| thread.join().unwrap_or(false)));
        joined.fold(first, |all, ran| all && ran)
    });
    let report = all_ran.then(|| search.finish()).flatten();
    report.ok_or_else(|| Fault::Crash("the search panicked".to_owned()))
}
