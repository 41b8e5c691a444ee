//! Who plays: an engine of the catalog, or another program. And what both can do: sit down at a game, and choose a move.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Rules;
use super::game::PlayedGame;
use crate::protocols::clock::{Clock, Time};
use crate::protocols::{ChosenMove, Fault, Playing, Program, Start};
use tesuji_core::catalog::{AnySearch, BudgetRequest, Outside, Policy, Refusal, SearchSpec, Strength};
use tesuji_core::rng::mix;
use tesuji_core::search::{Branches, Report, Signals};

/// A contestant of a match.
#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// An engine of the catalog.
    Own(Own),
    /// Another program.
    Program(Program),
}

/// An engine of the catalog, and what it may spend on a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    /// Its name, or an object with name and options.
    pub engine: Option<Value>,
    /// Limits of each search.
    pub budget: BudgetRequest,
    /// The clock of a game, which limits each search too.
    pub clock: Option<GameClock>,
    /// Threads of each search.
    pub threads: Option<u32>,
    /// What its searches draw their seeds from, in place of the match's seed.
    pub seed: Option<u64>,
    /// What each search tells besides the move: nothing by default.
    pub branches: Branches,
    /// How strong it plays, and how varied.
    pub strength: Strength,
}

/// A clock that a contestant gets for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// What it shows at the start.
    pub main: Duration,
    /// What it gains with every move.
    pub increment: Duration,
}

/// A contestant in one game.
pub(super) trait Player {
    /// Waits until it can be asked for a move; what that takes is not its own time.
    fn wait(&self) {}

    /// Chooses a move. `game` is the game so far.
    fn choose(&mut self, game: &PlayedGame<'_>) -> Result<ChosenMove, Fault>;
}

impl Contestant {
    /// Sits down at a game with this seed.
    pub(super) fn sit<'a>(
        &'a self,
        rules: &Rules<'_>,
        policy: &'a Policy,
        game: &PlayedGame<'_>,
        seed: u64,
    ) -> Result<Box<dyn Player + 'a>, Fault> {
        Ok(match self {
            Self::Own(own) => Box::new(Seated { own, policy, seed, spent: Duration::ZERO, moves: 0 }),
            Self::Program(program) => {
                let position = game.opening.position.as_deref();
                let Rules { catalog, game, variant } = *rules;
                Box::new(program.start(&Start { catalog, game, variant, position })?)
            }
        })
    }

    /// Threads that are busy while it thinks.
    #[must_use]
    pub fn threads(&self) -> u32 {
        let (Self::Own(Own { threads, .. }) | Self::Program(Program { threads, .. })) = self;
        threads.unwrap_or(1).max(1)
    }
}

impl Own {
    /// Prepares the search of a position, which its clock gives so much time.
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

/// The seeds of searches stay below this, where every client can hold them.
const SEEDS: u64 = 1 << 53;

/// An engine of the catalog in one game.
struct Seated<'a> {
    own: &'a Own,
    policy: &'a Policy,
    seed: u64,
    /// What it has thought, and how many moves.
    spent: Duration,
    moves: u32,
}

impl Seated<'_> {
    /// What the clock leaves for this move. A clock that has run out leaves a millisecond: no game is lost by it.
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

impl Player for Seated<'_> {
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

impl Player for Playing<'_> {
    fn wait(&self) {
        self.wait();
    }

    fn choose(&mut self, game: &PlayedGame<'_>) -> Result<ChosenMove, Fault> {
        self.choose(&game.line().collect::<Vec<_>>())
    }
}

/// How many bytes of stack a thread that searches has: enough for the deepest recursion of any game.
pub(super) const STACK: usize = 16 << 20;

/// Runs a search on this thread, and on as many more as it has further workers.
pub(super) fn run(search: &dyn AnySearch) -> Result<Report<String>, Fault> {
    let signals = Signals::default();
    let worker = |number: u32| {
        // A panic is the engine's fault, and loses one game, not the match.
        catch_unwind(AssertUnwindSafe(|| search.run(number, Outside::new(&signals))))
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
