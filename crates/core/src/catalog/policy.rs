//! The defaults and caps of a server for the budgets of searches.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::refusal::{Refusal, RefusalKind};
use super::typed;
use crate::search::{Budget, Limits};

/// Limits of a search; the first one reached stops it. Each has a cap, listed by `/v1/games`: more is refused with
/// `invalid_budget`. Without `time_ms`, `cpu_ms`, `simulations`, `nodes` and `depth`, the server's default time is granted;
/// without `memory_mb`, what the time or the simulations can fill, at most the engine's default. Limits unknown to the engine
/// are refused. A single legal move is searched for about 1000 simulations or nodes under any budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RequestedBudget")]
pub struct BudgetRequest {
    /// Milliseconds from the start of the search, without the wait before it. On busy cores, the search gets less CPU time
    /// (`used.cpu_ms`); if less than half, a warning reports it.
    #[serde(deserialize_with = "typed::capped", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = Policy::default().most.time_ms))]
    pub time_ms: Option<u64>,
    /// Milliseconds of CPU time of all threads together: as much search on a busy server as on an idle one, but slower.
    /// `time_ms` limits the real time; without it, the server's cap of `time_ms` does (`stop_reason` `deadline`).
    #[serde(deserialize_with = "typed::capped", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = Policy::default().most.cpu_ms))]
    pub cpu_ms: Option<u64>,
    /// Monte-Carlo simulations of all threads together. `mcts` only.
    #[serde(deserialize_with = "typed::capped", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = Policy::default().most.simulations))]
    pub simulations: Option<u64>,
    /// Positions visited by all threads together, counted as `nodes` in the report.
    #[serde(deserialize_with = "typed::capped", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = Policy::default().most.nodes))]
    pub nodes: Option<u64>,
    /// Plies of iterative deepening. `negamax` only.
    #[serde(deserialize_with = "typed::capped", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = Policy::default().most.depth))]
    pub depth: Option<u64>,
    /// Mebibytes. A tree (`mcts`) of that size is recycled: the least visited nodes are removed, proofs are kept, and the
    /// search continues. A table (`negamax`, `solver`) grows to that size as it fills, so that memory does not slow down a
    /// short search.
    #[serde(deserialize_with = "typed::capped", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = Policy::default().most.memory_mb))]
    pub memory_mb: Option<u64>,
    /// Milliseconds after which no iteration begins; for clocks, not in the HTTP API.
    #[serde(skip)]
    pub soft_ms: Option<u64>,
}

/// Defaults and caps of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Policy {
    /// The time of a search without `time_ms`, `cpu_ms`, `simulations`, `nodes` and `depth`.
    #[schemars(range(min = 1))]
    pub default_time_ms: u64,
    /// The caps of a budget.
    pub most: Caps,
    /// The number of search threads that run at once.
    #[schemars(range(min = 1))]
    pub cores: u32,
    /// Maximum bytes of tree or table for a time-limited search without `memory_mb`, under the current load. If absent, the
    /// engine's default applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub default_memory: Option<u64>,
}

/// The caps of a budget: more is refused, never reduced. A search without a time limit stops after `time_ms` too, with the
/// `stop_reason` `deadline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Caps {
    /// Milliseconds.
    #[schemars(range(min = 1))]
    pub time_ms: u64,
    /// Milliseconds of CPU time: `time_ms` on all `threads`.
    #[schemars(range(min = 1))]
    pub cpu_ms: u64,
    /// Simulations.
    #[schemars(range(min = 1))]
    pub simulations: u64,
    /// Nodes.
    #[schemars(range(min = 1))]
    pub nodes: u64,
    /// Plies.
    #[schemars(range(min = 1))]
    pub depth: u64,
    /// Mebibytes.
    #[schemars(range(min = 1))]
    pub memory_mb: u64,
    /// Threads.
    #[schemars(range(min = 1))]
    pub threads: u32,
}

impl Caps {
    /// The same caps with this time, and the CPU time of all threads within it.
    #[must_use]
    pub fn with_time(self, time_ms: u64) -> Self {
        Self { time_ms, cpu_ms: time_ms.saturating_mul(self.threads.into()), ..self }
    }
}

impl Default for Policy {
    fn default() -> Self {
        let most = Caps {
            time_ms: 0,
            cpu_ms: 0,
            simulations: 1_000_000_000,
            nodes: 100_000_000_000,
            depth: 250,
            memory_mb: 4096,
            threads: 64,
        };
        Self {
            default_time_ms: 1000,
            most: most.with_time(60_000),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            default_memory: None,
        }
    }
}

/// A limit of a budget, with everything specific to it.
#[derive(Clone, Copy, Debug)]
pub struct BudgetField {
    /// Its name in a request.
    pub name: &'static str,
    /// A description for users.
    pub description: &'static str,
    /// Its field in a request.
    pub of: fn(&mut BudgetRequest) -> &mut Option<u64>,
    /// Its cap on a server.
    pub cap: fn(&Caps) -> u64,
    /// Whether an engine supports it.
    pub supported: fn(&Limits) -> bool,
}

/// The limits of a budget, in the order in which they are listed.
pub const BUDGET_FIELDS: [BudgetField; 6] = [
    BudgetField {
        name: "time_ms",
        description: "Milliseconds; 1000 when no limit is given",
        of: |budget| &mut budget.time_ms,
        cap: |most| most.time_ms,
        supported: |_| true,
    },
    BudgetField {
        name: "cpu_ms",
        description: "Milliseconds of CPU time, of all threads together: as much search on a busy machine as on an idle one",
        of: |budget| &mut budget.cpu_ms,
        cap: |most| most.cpu_ms,
        supported: |_| true,
    },
    BudgetField {
        name: "simulations",
        description: "Monte-Carlo simulations",
        of: |budget| &mut budget.simulations,
        cap: |most| most.simulations,
        supported: |limits| limits.simulations,
    },
    BudgetField {
        name: "nodes",
        description: "Positions in the tree, or visited",
        of: |budget| &mut budget.nodes,
        cap: |most| most.nodes,
        supported: |limits| limits.nodes,
    },
    BudgetField {
        name: "depth",
        description: "Plies of iterative deepening",
        of: |budget| &mut budget.depth,
        cap: |most| most.depth,
        supported: |limits| limits.depth,
    },
    BudgetField {
        name: "memory_mb",
        description: "Mebibytes of tree or table",
        of: |budget| &mut budget.memory_mb,
        cap: |most| most.memory_mb,
        supported: |_| true,
    },
];

impl BudgetField {
    /// The limit of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        BUDGET_FIELDS.into_iter().find(|field| field.name == name)
    }

    /// The names of the limits that an engine supports.
    pub fn supported_by(limits: &Limits) -> impl Iterator<Item = &'static str> {
        BUDGET_FIELDS.into_iter().filter(|field| (field.supported)(limits)).map(|field| field.name)
    }

    /// The requested value.
    fn asked(&self, mut request: BudgetRequest) -> Option<u64> {
        *(self.of)(&mut request)
    }
}

impl Policy {
    /// The policy on a user's own machine, where a search may last a day: nobody else waits for it, and its user can stop it.
    #[must_use]
    pub fn for_one_user() -> Self {
        const DAY_MS: u64 = 24 * 60 * 60 * 1000;
        let server = Self::default();
        Self { most: server.most.with_time(DAY_MS), ..server }
    }

    /// The time after which every search is stopped.
    #[must_use]
    pub fn longest(&self) -> Duration {
        Duration::from_millis(self.most.time_ms)
    }

    /// Whether an engine supports all limits of a request.
    #[must_use]
    pub fn suits(&self, request: &BudgetRequest, limits: &Limits) -> bool {
        BUDGET_FIELDS.iter().all(|field| field.asked(*request).is_none() || (field.supported)(limits))
    }

    /// The request with every limit clamped to its range, and a message for each change: for protocols in which a search cannot
    /// be refused.
    #[must_use]
    pub fn clamp(&self, mut request: BudgetRequest) -> (BudgetRequest, Vec<String>) {
        let mut clamped = Vec::new();
        for field in BUDGET_FIELDS {
            let Some(value) = (field.of)(&mut request) else { continue };
            let granted = (*value).clamp(1, (field.cap)(&self.most));
            if granted != *value {
                clamped.push(format!("{}: {granted} in place of {value}", field.name));
                *value = granted;
            }
        }
        (request, clamped)
    }

    /// The granted budget: the requested one, with the default time if nothing limits time or work. Limits are refused, never
    /// silently reduced.
    ///
    /// # Errors
    /// When a limit is zero, above its cap, or unknown to the engine.
    pub fn grant(&self, request: &BudgetRequest, engine: &str, limits: &Limits) -> Result<Budget, Refusal> {
        for field in BUDGET_FIELDS {
            let Some(asked) = field.asked(*request) else { continue };
            let cap = (field.cap)(&self.most);
            let problem = if !(field.supported)(limits) {
                let known = BudgetField::supported_by(limits).collect::<Vec<_>>().join(", ");
                format!("engine {engine} has no such limit: expected {known}")
            } else if !(1..=cap).contains(&asked) {
                format!("expected 1 to {cap} (the cap here), not {asked}")
            } else {
                continue;
            };
            return Err(Refusal::new(RefusalKind::InvalidBudget, format!("/budget/{}", field.name), problem));
        }
        let unlimited = [request.time_ms, request.cpu_ms, request.simulations, request.nodes, request.depth]
            .iter()
            .all(Option::is_none);
        let time_ms = request.time_ms.or(unlimited.then_some(self.default_time_ms));
        Ok(Budget {
            time: time_ms.map(Duration::from_millis),
            cpu: request.cpu_ms.map(Duration::from_millis),
            soft: request.soft_ms.map(Duration::from_millis),
            simulations: request.simulations,
            nodes: request.nodes,
            depth: request.depth.map(|depth| depth as u32),
            memory: Some(request.memory_mb.map_or_else(|| self.default_memory(limits), |mb| mb << 20)),
        })
    }

    /// Bytes of tree or table for a search without `memory_mb`: the engine's default, at most the server's cap.
    fn default_memory(&self, limits: &Limits) -> u64 {
        limits.default_memory.min(self.most.memory_mb << 20)
    }

    /// The same policy under load: only `idle` cores are idle at the moment, and a time-limited search without `memory_mb` gets
    /// at most `default_memory` bytes.
    #[must_use]
    pub fn under_load(self, idle: usize, default_memory: u64) -> Self {
        Self { cores: self.cores.min(idle as u32).max(1), default_memory: Some(default_memory), ..self }
    }

    /// Bytes of tree or table for a search without `memory_mb`: what its workers can fill within its time, simulations or
    /// nodes, at most the default. A short search thus does not clear, or withhold from others, memory that it never uses. The
    /// load counts only under a time limit, where it affects the result anyway; otherwise equal seeds would give different
    /// results.
    #[must_use]
    pub fn memory(&self, budget: &Budget, threads: u32, limits: &Limits) -> u64 {
        // Measured: the fastest game here, Connect Four, fills 220 MiB of tree per second, and less of a table.
        const BYTES_PER_MILLISECOND: u64 = 256 << 10;
        let in_time = [(budget.time, threads), (budget.cpu, 1)].map(|(time, threads)| {
            Some((time?.as_millis() as u64).saturating_mul(u64::from(threads) * BYTES_PER_MILLISECOND))
        });
        let in_all = [budget.simulations, budget.nodes].map(|count| Some(count?.saturating_mul(limits.bytes_per_node)));
        let filled =
            in_time.into_iter().chain(in_all).flatten().min().unwrap_or(u64::MAX).min(self.default_memory(limits));
        let is_timed = budget.time.is_some() || budget.cpu.is_some();
        let now = self.default_memory.filter(|_| is_timed).unwrap_or(u64::MAX);
        let whole = |bytes: u64| bytes >> 20 << 20;
        filled.next_multiple_of(1 << 20).min(self.default_memory(limits)).min(whole(now).max(1 << 20))
    }

    /// The number of workers granted to a search. Under a time limit, at most one per idle core: a worker that waits for a core
    /// would find its time spent. If only work is limited, all requested workers, since the result depends on their number.
    ///
    /// # Errors
    /// When zero or more than the cap are requested.
    pub fn grant_threads(&self, asked: Option<u32>, budget: &Budget, limits: &Limits) -> Result<u32, Refusal> {
        let most = self.most.threads;
        let asked = asked.unwrap_or(1);
        if !(1..=most).contains(&asked) {
            let problem = format!("expected 1 to {most} (the cap here), not {asked}");
            return Err(Refusal::new(RefusalKind::InvalidBudget, "/threads", problem));
        }
        if !limits.threads {
            return Ok(1);
        }
        let useful = if budget.time.is_some() { asked.min(self.cores) } else { asked };
        // Every worker makes at least one simulation, has at least one node and takes about a millisecond; more workers would
        // exceed the budget.
        let cpu_ms = budget.cpu.map(|cpu| cpu.as_millis() as u64);
        let countable = [budget.simulations, budget.nodes, cpu_ms].into_iter().flatten().min().unwrap_or(u64::MAX);
        Ok(u64::from(useful).min(countable).max(1) as u32)
    }
}

/// A granted budget in the words of the API.
impl From<&Budget> for BudgetRequest {
    fn from(budget: &Budget) -> Self {
        Self {
            time_ms: budget.time.map(|time| time.as_millis() as u64),
            cpu_ms: budget.cpu.map(|cpu| cpu.as_millis() as u64),
            simulations: budget.simulations,
            nodes: budget.nodes,
            depth: budget.depth.map(u64::from),
            memory_mb: budget.memory.map(|bytes| bytes >> 20),
            soft_ms: budget.soft.map(|soft| soft.as_millis() as u64),
        }
    }
}
