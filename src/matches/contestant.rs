//! Who plays: an engine of the catalog, or another program. And what both can do: sit down at a game, and choose a move.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::game::Table;
use super::{Rules, gomocup, uci};
use crate::catalog::{AnySearch, BudgetRequest, Order, Outside, Policy, Refusal};
use crate::rng::mix;
use crate::search::{Report, Signals};

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
    /// Threads of each search.
    pub threads: Option<u32>,
    /// What its searches draw their seeds from, in place of the match's seed.
    pub seed: Option<u64>,
}

/// How another program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface; for Xiangqi here.
    Uci,
    /// The protocol of the Gomocup tournaments, for Gomoku.
    Gomocup,
}

impl Protocol {
    /// The game that is played over it.
    #[must_use]
    pub const fn game(self) -> &'static str {
        match self {
            Self::Uci => "xiangqi",
            Self::Gomocup => "gomoku",
        }
    }
}

/// Another program, and what it may spend on a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Limits that it is told: time, and over UCI nodes and depth; memory.
    pub budget: BudgetRequest,
    /// Threads that it is told to use.
    pub threads: Option<u32>,
    /// It loses the game by a move that takes longer.
    pub lost_after: Duration,
    /// Parameters of the variant in whose notation it reads and writes moves.
    pub notation: Vec<(String, Value)>,
    /// Options of its own, set before each game.
    pub options: Vec<(String, String)>,
}

/// Why a contestant could not play on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ended, could not be started, or failed inside.
    #[error("{0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer after {} ms", .0.as_millis())]
    Timeout(Duration),
    /// It played what is no legal move.
    #[error("{0}")]
    IllegalMove(String),
    /// It said that it cannot do what it was told, or something that the protocol does not know.
    #[error("{0}")]
    Protocol(String),
    /// The catalog refused what it was told.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

impl Fault {
    /// The reason for which the game is lost, as a stable word.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Crash(_) => "crash",
            Self::Timeout(_) => "timeout",
            Self::IllegalMove(_) => "illegal_move",
            Self::Protocol(_) | Self::Refused(_) => "protocol",
        }
    }
}

/// A move chosen, and how many nodes that took, where it was told.
pub(super) struct Choice {
    pub mv: String,
    pub nodes: Option<u64>,
}

/// A contestant in one game.
pub(super) trait Player {
    /// Chooses a move. `table` has the game so far.
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, Fault>;
}

impl Contestant {
    /// Sits down at a game with this seed.
    pub(super) fn sit<'a>(
        &'a self,
        rules: &Rules<'_>,
        policy: &'a Policy,
        table: &Table<'_>,
        seed: u64,
    ) -> Result<Box<dyn Player + 'a>, Fault> {
        Ok(match self {
            Self::Own(own) => Box::new(Seated { own, policy, seed }),
            Self::Program(Program { protocol, .. }) if protocol.game() != rules.game => {
                let game = protocol.game();
                return Err(Fault::Protocol(format!("programs that speak this protocol play {game} here")));
            }
            Self::Program(program) => match program.protocol {
                Protocol::Uci => Box::new(uci::Player::start(program, rules, table)?),
                Protocol::Gomocup => Box::new(gomocup::Player::start(program, table)?),
            },
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
    /// Prepares the search of a position.
    pub(super) fn prepare(&self, table: &Table<'_>, policy: &Policy, seed: u64) -> Result<Arc<dyn AnySearch>, Refusal> {
        let engine = self.engine.as_ref();
        let order = Order { engine, budget: self.budget, threads: self.threads, seed: Some(seed), ..Order::default() };
        table.session.search(&order, policy)
    }
}

/// The seeds of searches stay below this, where every client can hold them.
const SEEDS: u64 = 1 << 53;

/// An engine of the catalog in one game.
struct Seated<'a> {
    own: &'a Own,
    policy: &'a Policy,
    seed: u64,
}

impl Player for Seated<'_> {
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, Fault> {
        let seed = mix(self.seed ^ mix(table.played() as u64)) % SEEDS;
        let report = run(&*self.own.prepare(table, self.policy, seed)?)?;
        let best = report.children.into_iter().next();
        let best = best.ok_or_else(|| Fault::Crash("the search found no move".to_owned()))?;
        Ok(Choice { mv: best.mv, nodes: Some(report.nodes) })
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
