//! The share of the machine that a search needs, and the lane that it is taken from (`admission`).

use super::Limits;
use tesuji_core::catalog::Plan;

/// This many simulations take less time than waking another thread, which costs as much as the rest of a request.
const BRIEF: u64 = 16;

/// The side lane's share, and the number of searches that can pass another in the main part.
pub(super) const EIGHTH: usize = 8;

/// The part whose threads and memory a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Main,
    Side,
}

/// Threads and bytes of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holding {
    pub workers: usize,
    pub memory: u64,
}

impl Holding {
    pub const fn all(limits: &Limits) -> Self {
        Self { workers: limits.workers, memory: limits.memory }
    }

    pub const fn side(limits: &Limits) -> Self {
        Self { workers: limits.workers / EIGHTH, memory: limits.memory / EIGHTH as u64 }
    }

    pub const fn main(limits: &Limits) -> Self {
        Self::all(limits).minus(Self::side(limits))
    }

    pub const fn plus(self, other: Self) -> Self {
        Self { workers: self.workers.saturating_add(other.workers), memory: self.memory.saturating_add(other.memory) }
    }

    pub const fn minus(self, other: Self) -> Self {
        Self { workers: self.workers.saturating_sub(other.workers), memory: self.memory.saturating_sub(other.memory) }
    }

    pub fn least(self, other: Self) -> Self {
        Self { workers: self.workers.min(other.workers), memory: self.memory.min(other.memory) }
    }

    pub const fn fits(self, most: Self) -> bool {
        self.workers <= most.workers && self.memory <= most.memory
    }
}

/// The share of a search in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub holding: Holding,
    /// Whether it ends before another thread could start.
    pub is_brief: bool,
}

impl Claim {
    /// The share that a search needs.
    pub fn of(plan: &Plan) -> Self {
        let memory = plan.budget.memory_mb.unwrap_or(0).saturating_mul(1 << 20);
        let is_brief = plan.threads == 1 && plan.budget.simulations.is_some_and(|simulations| simulations <= BRIEF);
        Self { holding: Holding { workers: plan.threads as usize, memory }, is_brief }
    }
}
