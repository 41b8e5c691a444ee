//! The list of each client's tasks, read from the names of records alone.
//!
//! | record | in | until |
//! |---|---|---|
//! | `list.CLIENT.KIND.ID.GAME.STATUS`: the states `queued` and `running` | tasks | its end |
//! | the same with its last state | results | `keep_ms` |
//!
//! `CLIENT` is a hash of owner and client: no list is found without them. `GAME` is `_` for several games.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bucket::{hash, names};
use super::state::Cluster;
use crate::job::{JobId, Kind, StoreError};

/// The maximum number of names read from a bucket: the broker sends this many at a time.
const MOST: usize = 100_000;
/// The length of a hash in a name.
const HASH: usize = 32;
const SEVERAL: &str = "_";
/// The states of unfinished tasks, in their order.
const QUEUED: &str = "queued";
const RUNNING: &str = "running";

/// A task's entry in its client's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    client: String,
    game: String,
}

/// A task in its client's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTask {
    /// Its game; `None` if it has several.
    pub game: Option<Arc<str>>,
    /// Its state.
    pub status: Arc<str>,
}

impl Entry {
    /// The entry of a task in the list of one of an owner's clients; `game` is `None` if it has several games.
    #[must_use]
    pub fn new(owner: &str, client: &str, game: Option<&str>) -> Self {
        let is_plain = |game: &&str| game.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        Self { client: list_of(owner, client), game: game.filter(is_plain).unwrap_or(SEVERAL).to_owned() }
    }

    /// The prefix of the names of a task's records in the list.
    fn prefix(&self, task: &JobId) -> String {
        format!("list.{}.{}.{}.{}", self.client, task.kind.name(), task.id, self.game)
    }
}

/// The name of a client's list.
fn list_of(owner: &str, client: &str) -> String {
    // Owners' names contain no blanks.
    let mut hash = hash(format!("{owner} {client}").as_bytes());
    hash.truncate(HASH);
    hash
}

impl Cluster {
    /// Lists an accepted task.
    pub(super) async fn list_queued(&self, task: &JobId, entry: &Entry) -> Result<(), StoreError> {
        self.0.jetstream.assets()?.tasks.put(&format!("{}.{QUEUED}", entry.prefix(task)), &true).await
    }

    /// Lists a task as running.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn list_running(&self, task: &JobId, entry: &Entry) -> Result<(), StoreError> {
        self.0.jetstream.assets()?.tasks.put(&format!("{}.{RUNNING}", entry.prefix(task)), &true).await
    }

    /// Lists a task with its last state.
    pub(super) async fn list_ended(&self, task: &JobId, entry: &Entry, status: &str) -> Result<(), StoreError> {
        self.0.jetstream.assets()?.results.put(&format!("{}.{status}", entry.prefix(task)), &true).await
    }

    /// Removes a task from the unfinished ones. Without its entry, all lists are searched.
    ///
    /// # Errors
    /// When the broker does not remove it.
    pub async fn unlist(&self, task: &JobId, entry: Option<&Entry>) -> Result<(), StoreError> {
        let client = entry.map_or("*", |entry| &*entry.client);
        let pattern = format!("list.{client}.{}.{}.*.*", task.kind.name(), task.id);
        self.0.jetstream.assets()?.tasks.remove_all(&pattern).await
    }

    /// The tasks of one of an owner's clients, by their ids.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn list(
        &self,
        owner: &str,
        client: &str,
        kind: Kind,
    ) -> Result<BTreeMap<Arc<str>, ListedTask>, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let pattern = format!("list.{}.{}.*.*.*", list_of(owner, client), kind.name());
        // In this order: a task that ends in between is found in one of them.
        let mut found = names(&assets.tasks.small, &pattern, MOST).await?;
        found.extend(names(&assets.results.small, &pattern, MOST).await?);
        let mut tasks = BTreeMap::<Arc<str>, ListedTask>::new();
        for name in &found {
            let mut parts = name.rsplit('.');
            let (Some(status), Some(game), Some(id)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let is_later = |known: &ListedTask| match &*known.status {
                QUEUED => true,
                RUNNING => status != QUEUED,
                _ => false,
            };
            if tasks.get(id).is_none_or(is_later) {
                let game = (game != SEVERAL).then(|| game.into());
                tasks.insert(id.into(), ListedTask { game, status: status.into() });
            }
        }
        Ok(tasks)
    }
}
