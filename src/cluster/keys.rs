//! Idempotency keys (`Idempotency-Key`), each with its task.
//!
//! A key is stored among the tasks while its task is open, then among the results. There it is written after the task's result,
//! so it never expires first.

use serde::{Deserialize, Serialize};

use super::bucket::{hash, unavailable};
use super::state::Cluster;
use crate::job::{JobId, StoreError};

/// The task of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// Its id.
    pub id: String,
    /// The hash of its request.
    pub request: String,
    /// Whether the task is in the queue. Until then, the node that created the record is about to put it there, or has died.
    pub is_accepted: bool,
}

/// The outcome of entering a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyEntry {
    /// It is new; the revision of its record.
    New(u64),
    /// It belongs to a task.
    Taken {
        /// The record.
        record: KeyRecord,
        /// The revision of the record.
        revision: u64,
        /// Whether the task has ended.
        has_ended: bool,
    },
}

fn key_record(task: &JobId, key: &str) -> String {
    // Owners' names contain no blanks.
    format!("key.{}", hash(format!("{} {} {key}", task.kind.name(), task.owner).as_bytes()))
}

impl Cluster {
    /// Enters a key for a task of its kind and owner, unless it exists.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn enter_key(&self, task: &JobId, key: &str, own: &KeyRecord) -> Result<KeyEntry, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let name = key_record(task, key);
        for _ in 0..3 {
            if let Some((record, revision)) = assets.results.get_revision(&name).await? {
                return Ok(KeyEntry::Taken { record, revision, has_ended: true });
            }
            if let Some(revision) = assets.tasks.create(&name, own).await? {
                // At a task's end, its key is written among the results before it leaves the tasks.
                if !assets.results.has(&name).await? {
                    return Ok(KeyEntry::New(revision));
                }
                assets.tasks.remove_revision(&name, revision).await?;
                continue;
            }
            // Its task may just have ended.
            if let Some((record, revision)) = assets.tasks.get_revision(&name).await? {
                return Ok(KeyEntry::Taken { record, revision, has_ended: false });
            }
        }
        Err(unavailable("a key comes and goes"))
    }

    /// Replaces a key's record of a revision. Returns the new revision; `None` if another node has replaced it meanwhile.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn replace_key(
        &self,
        task: &JobId,
        key: &str,
        own: &KeyRecord,
        revision: u64,
    ) -> Result<Option<u64>, StoreError> {
        self.0.jetstream.assets()?.tasks.replace(&key_record(task, key), own, revision).await
    }

    /// Removes a key whose task was not accepted or whose result has expired, if it still has this revision.
    ///
    /// # Errors
    /// When the broker does not remove it.
    pub async fn remove_key(&self, task: &JobId, key: &str, revision: u64, has_ended: bool) -> Result<(), StoreError> {
        let assets = self.0.jetstream.assets()?;
        let bucket = if has_ended { &assets.results } else { &assets.tasks };
        bucket.remove_revision(&key_record(task, key), revision).await
    }

    /// Keeps the key of an ended task as long as its result.
    pub(super) async fn keep_key(&self, task: &JobId, key: &str) -> Result<(), StoreError> {
        let assets = self.0.jetstream.assets()?;
        let name = key_record(task, key);
        if let Some(known) = assets.tasks.get::<KeyRecord>(&name).await?
            && *known.id == *task.id
        {
            assets.results.put(&name, &known).await?;
            assets.tasks.remove(&name).await?;
        }
        Ok(())
    }
}
