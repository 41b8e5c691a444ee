//! The shards that this node runs for others.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::wire::{End, Ending};
use crate::scheduler::Canceller;

/// The shards that this node runs for others.
#[derive(Debug, Default)]
pub(super) struct HostedShards(Mutex<HashMap<(String, u32), ShardState>>);

/// A registered shard, by its search's id and its first worker.
#[derive(Debug)]
enum ShardState {
    /// It has not begun; it may have been ended already.
    Registered(Option<End>),
    Running(Canceller),
}

fn apply(end: End, canceller: &Canceller) {
    match end {
        End::Cancelled => canceller.cancel(),
        End::Decided => canceller.decide(),
    }
}

impl HostedShards {
    fn lock(&self) -> MutexGuard<'_, HashMap<(String, u32), ShardState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of shards.
    pub fn count(&self) -> u64 {
        self.lock().len() as u64
    }

    /// Registers a shard; `false` if it is known.
    pub fn register(&self, key: (String, u32)) -> bool {
        let mut shards = self.lock();
        let is_new = !shards.contains_key(&key);
        if is_new {
            shards.insert(key, ShardState::Registered(None));
        }
        is_new
    }

    /// Marks a shard as begun.
    pub fn begin(&self, key: &(String, u32), canceller: Canceller) {
        if let Some(entry) = self.lock().get_mut(key) {
            if let ShardState::Registered(Some(end)) = *entry {
                apply(end, &canceller);
            }
            *entry = ShardState::Running(canceller);
        }
    }

    pub fn end(&self, ending: &Ending) {
        for (_, entry) in self.lock().iter_mut().filter(|((id, _), _)| *id == ending.id) {
            match entry {
                ShardState::Registered(end) => *end = Some(ending.end),
                ShardState::Running(canceller) => apply(ending.end, canceller),
            }
        }
    }

    pub fn remove(&self, key: &(String, u32)) {
        self.lock().remove(key);
    }
}
