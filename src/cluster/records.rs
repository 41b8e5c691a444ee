//! What the cluster knows of each task, whichever node is asked: what was accepted, that it is to end, what came out of it.
//!
//! | record | in | until |
//! |---|---|---|
//! | `KIND.ID.accepted`: the request, its owner, the first message | tasks | its end |
//! | `KIND.ID.cancelled`: it is to end | tasks | its end |
//! | `KIND.ID.handed`: how often a node that ended has handed it over | tasks | its end |
//! | `KIND.ID.part.N`: the part that ended as number N, of a batch | tasks | its end |
//! | `KIND.ID.result`: the final message with its parts; the first one written stays | results | `keep_ms` |
//! | `key.HASH`: which task came with a client's own key, and whether it was accepted | results | `keep_ms` |
//!
//! What a crash leaves in `tasks` goes after a week.

use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::Cluster;
use super::jetstream::NotKept;
use super::queue::{Kind, Task};
use crate::scheduler::Class;

/// So many parts are read at the same time.
const AT_ONCE: usize = 16;
/// The length of an id: that of a ULID.
const ID: usize = 26;

/// A message about a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    /// Its number.
    pub seq: u64,
    /// Nothing follows it.
    pub is_final: bool,
    /// Whether the task failed.
    pub failed: bool,
    /// Whether it is final for good.
    pub lasts: bool,
    /// What clients get.
    pub text: Box<RawValue>,
    /// Of a task that consists of parts: how many there are, and how many have ended, each with a record of its own.
    pub parts: Option<(usize, usize)>,
}

/// A part of a task that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EndedPart {
    /// Its place in the whole.
    pub place: usize,
    /// What clients get.
    pub text: Box<RawValue>,
}

/// What has come out of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The final message.
    pub told: Told,
    /// The parts, of a task that consists of parts.
    pub parts: Vec<EndedPart>,
}

/// A task that has been accepted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Accepted {
    /// Whose it is: searches of the same scope may know of each other.
    pub scope: String,
    /// The id of the request that brought it.
    pub request_id: Option<String>,
    /// The span of that request, as in a header `traceparent`; none where the node that was asked has no traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The request's body.
    pub request: Box<RawValue>,
    /// The first message.
    pub first: Told,
}

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
    /// It was known, with this revision.
    Known(Known, u64),
}

/// A hash as text.
#[must_use]
pub fn hash(text: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text))
}

/// Whether a client's text may be an id: it becomes part of names.
fn is_id(id: &str) -> bool {
    id.len() == ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn key_record(kind: Kind, key: &str) -> String {
    format!("key.{}", hash(format!("{} {key}", kind.name()).as_bytes()))
}

fn record(kind: Kind, id: &str, what: &str) -> String {
    format!("{}.{id}.{what}", kind.name())
}

impl Cluster {
    /// Enters a client's own key for a task, unless it is known.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn enter_key(&self, kind: Kind, key: &str, known: &Known) -> Result<Entry, NotKept> {
        let results = &self.0.jetstream.kept()?.results;
        let name = key_record(kind, key);
        for _ in 0..3 {
            if let Some(revision) = results.create(&name, known).await? {
                return Ok(Entry::New(revision));
            }
            // It may have grown too old in this moment.
            if let Some((other, revision)) = results.get_revision(&name).await? {
                return Ok(Entry::Known(other, revision));
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
        kind: Kind,
        key: &str,
        known: &Known,
        revision: u64,
    ) -> Result<Option<u64>, NotKept> {
        self.0.jetstream.kept()?.results.replace(&key_record(kind, key), known, revision).await
    }

    /// Forgets a key whose task was not accepted, unless somebody else has taken it over.
    pub async fn forget_key(&self, kind: Kind, key: &str, revision: u64) {
        if let Ok(kept) = self.0.jetstream.kept() {
            // One that stays is taken over by the next request with it.
            drop(kept.results.remove_revision(&key_record(kind, key), revision).await);
        }
    }

    /// Accepts a task: its record and the parts that have ended already are written, and it is put into the queue.
    ///
    /// # Errors
    /// When the broker does not store it, or the queue is full.
    pub async fn accept(
        &self,
        (class, owner): (Class, &str),
        task: &Task,
        accepted: &Accepted,
        ended: &[EndedPart],
    ) -> Result<(), NotKept> {
        let kept = self.0.jetstream.kept()?;
        for (number, part) in ended.iter().enumerate() {
            self.store_part(task.kind, &task.id, number, part).await?;
        }
        let name = record(task.kind, &task.id, "accepted");
        kept.tasks.create(&name, accepted).await?;
        let put = self.put(&kept, class, owner, task).await;
        if put.is_err() {
            // Without its record it is not run, even if the broker has put it into the queue.
            drop(kept.tasks.remove(&name).await);
        }
        put
    }

    /// What was accepted; none when it has ended, or never was.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn accepted(&self, kind: Kind, id: &str) -> Result<Option<Accepted>, NotKept> {
        if !is_id(id) {
            return Ok(None);
        }
        self.0.jetstream.kept()?.tasks.get(&record(kind, id, "accepted")).await
    }

    /// Whether a task has a result.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn has_ended(&self, task: &Task) -> Result<bool, NotKept> {
        self.0.jetstream.kept()?.results.has(&record(task.kind, &task.id, "result")).await
    }

    /// What has come out of a task, if it has ended.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn result(&self, kind: Kind, id: &str) -> Result<Option<Outcome>, NotKept> {
        if !is_id(id) {
            return Ok(None);
        }
        self.0.jetstream.kept()?.results.get(&record(kind, id, "result")).await
    }

    /// Writes what has come out of a task where nothing is written; returns what is there.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn finish(&self, kind: Kind, id: &str, outcome: Outcome) -> Result<Outcome, NotKept> {
        let kept = self.0.jetstream.kept()?;
        let name = record(kind, id, "result");
        if kept.results.create(&name, &outcome).await?.is_some() {
            return Ok(outcome);
        }
        // One that has grown too old in this moment was the same.
        Ok(kept.results.get(&name).await?.unwrap_or(outcome))
    }

    /// Removes the records of a task that has ended, of which so many parts may have been written. That it was accepted goes
    /// last: until then it can be done again.
    ///
    /// # Errors
    /// When the broker does not remove them.
    pub async fn forget(&self, task: &Task, parts: usize) -> Result<(), NotKept> {
        let kept = self.0.jetstream.kept()?;
        let parts = (0..parts).map(|number| record(task.kind, &task.id, &format!("part.{number}")));
        let parts = parts.map(|name| {
            let tasks = kept.tasks.clone();
            async move { tasks.remove(&name).await }
        });
        futures_util::stream::iter(parts).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        for what in ["cancelled", "handed"] {
            let name = record(task.kind, &task.id, what);
            // Most have none.
            if kept.tasks.has(&name).await? {
                kept.tasks.remove(&name).await?;
            }
        }
        kept.tasks.remove(&record(task.kind, &task.id, "accepted")).await
    }

    /// Notes that a task is to end.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn note_cancelled(&self, kind: Kind, id: &str) -> Result<(), NotKept> {
        self.0.jetstream.kept()?.tasks.put(&record(kind, id, "cancelled"), &true).await
    }

    /// Whether a task is to end.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn is_cancelled(&self, task: &Task) -> Result<bool, NotKept> {
        self.0.jetstream.kept()?.tasks.has(&record(task.kind, &task.id, "cancelled")).await
    }

    /// How often a task has been handed over by nodes that ended.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn handed(&self, task: &Task) -> Result<u64, NotKept> {
        let handed = self.0.jetstream.kept()?.tasks.get(&record(task.kind, &task.id, "handed")).await?;
        Ok(handed.unwrap_or(0))
    }

    /// Notes that a task is handed over once more.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn note_handed(&self, task: &Task) -> Result<(), NotKept> {
        let times = self.handed(task).await? + 1;
        self.0.jetstream.kept()?.tasks.put(&record(task.kind, &task.id, "handed"), &times).await
    }

    /// Writes the part of a task that ended as number `number`, unless there is one; then returns that.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn store_part(
        &self,
        kind: Kind,
        id: &str,
        number: usize,
        part: &EndedPart,
    ) -> Result<Option<EndedPart>, NotKept> {
        let kept = self.0.jetstream.kept()?;
        let name = record(kind, id, &format!("part.{number}"));
        if kept.tasks.create(&name, part).await?.is_some() { Ok(None) } else { kept.tasks.get(&name).await }
    }

    /// The parts of a task that has not ended, from number `first` on: up to `end`, or as many as there are.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn parts(
        &self,
        kind: Kind,
        id: &str,
        first: usize,
        end: Option<usize>,
    ) -> Result<Vec<EndedPart>, NotKept> {
        let kept = self.0.jetstream.kept()?;
        let get = |number: usize| {
            let (tasks, name) = (kept.tasks.clone(), record(kind, id, &format!("part.{number}")));
            async move { tasks.get::<EndedPart>(&name).await }
        };
        if let Some(end) = end {
            let parts = futures_util::stream::iter((first..end).map(get)).buffered(AT_ONCE);
            // Those after one that is gone would have a wrong number: the task has just ended.
            return Ok(parts.try_collect::<Vec<_>>().await?.into_iter().map_while(|part| part).collect());
        }
        let mut parts = Vec::new();
        while let Some(part) = get(first + parts.len()).await? {
            parts.push(part);
        }
        Ok(parts)
    }
}
