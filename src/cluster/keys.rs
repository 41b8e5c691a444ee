//! Clients' own keys (`Idempotency-Key`), each with the task that came with it.
//!
//! A key is among the tasks while its task is open, however long that takes, and then among the results, written there after
//! the task's result: so it never goes before it.

use serde::{Deserialize, Serialize};

use super::bucket::NotKept;
use super::records::hash;
use super::state::Cluster;
use crate::job::JobId;

/// Which task came with a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Its id.
    pub id: String,
    /// The hash of the request.
    pub request: String,
    /// Whether the task is in the queue. As long as it is not, whoever entered the key is about to put it there, or has died.
    pub is_accepted: bool,
}

/// A client's own key, when it is to be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// It is new, and has this revision.
    New(u64),
    /// A task has it that has not ended, with this revision.
    Open(Known, u64),
    /// A task has it that has ended; with this revision.
    Ended(Known, u64),
}

fn key_record(task: &JobId, key: &str) -> String {
    // No owner's name has a blank.
    format!("key.{}", hash(format!("{} {} {key}", task.kind.name(), task.owner).as_bytes()))
}

impl Cluster {
    /// Enters a client's own key for a task of its kind and owner, unless it is known.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn enter_key(&self, task: &JobId, key: &str, known: &Known) -> Result<Entry, NotKept> {
        let kept = self.0.jetstream.kept()?;
        let name = key_record(task, key);
        for _ in 0..3 {
            if let Some((ended, revision)) = kept.results.get_revision(&name).await? {
                return Ok(Entry::Ended(ended, revision));
            }
            if let Some(revision) = kept.tasks.create(&name, known).await? {
                // At a task's end its key is written among the results before it leaves the tasks.
                if !kept.results.has(&name).await? {
                    return Ok(Entry::New(revision));
                }
                kept.tasks.remove_revision(&name, revision).await?;
                continue;
            }
            // Its task may have ended in this moment.
            if let Some((other, revision)) = kept.tasks.get_revision(&name).await? {
                return Ok(Entry::Open(other, revision));
            }
        }
        Err(NotKept::new("a key comes and goes"))
    }

    /// Writes what is known of a client's own key over a revision of it. Returns the new one; none when somebody else has
    /// written meanwhile.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn replace_key(
        &self,
        task: &JobId,
        key: &str,
        known: &Known,
        revision: u64,
    ) -> Result<Option<u64>, NotKept> {
        self.0.jetstream.kept()?.tasks.replace(&key_record(task, key), known, revision).await
    }

    /// Forgets a key whose task was not accepted, unless somebody else has taken it over.
    pub async fn forget_key(&self, task: &JobId, key: &str, revision: u64) {
        if let Ok(kept) = self.0.jetstream.kept() {
            // One that stays is taken over by the next request with it.
            drop(kept.tasks.remove_revision(&key_record(task, key), revision).await);
        }
    }

    /// Forgets a key that has outlived the result of its task, if it is of this revision still.
    ///
    /// # Errors
    /// When the broker does not remove it.
    pub async fn expire_key(&self, task: &JobId, key: &str, revision: u64) -> Result<(), NotKept> {
        self.0.jetstream.kept()?.results.remove_revision(&key_record(task, key), revision).await
    }

    /// Has a key last as long as the result of its task, which has ended.
    pub(super) async fn keep_key(&self, task: &JobId, key: &str) -> Result<(), NotKept> {
        let kept = self.0.jetstream.kept()?;
        let name = key_record(task, key);
        if let Some(known) = kept.tasks.get::<Known>(&name).await?
            && *known.id == *task.id
        {
            kept.results.put(&name, &known).await?;
            kept.tasks.remove(&name).await?;
        }
        Ok(())
    }
}
