//! The records of each task, the same on every node: the request, a cancellation, the result.
//!
//! | record | in | until |
//! |---|---|---|
//! | `KIND.OWNER.ID.accepted`: the request, the first message | tasks | its end |
//! | `KIND.OWNER.ID.cancelled`: the request to end it | tasks | its end |
//! | `KIND.OWNER.ID.handed`: how often a node that shut down handed it over | tasks | its end |
//! | `KIND.OWNER.ID.missed`: how often no node had its game | tasks | its end |
//! | `KIND.OWNER.ID.part.N`: the part that ended as number N, of a batch | tasks | its end |
//! | `KIND.OWNER.ID.result`: the final message with its parts; the first one written stays | results | `keep_ms` |
//! | `key.HASH`: the task of an idempotency key | tasks, then results | its end, then `keep_ms` |
//!
//! `listing` has the records of clients' lists. `OWNER` is a hash of the owner's name: no record is found without it. After a
//! crash, records in `tasks` expire after a week.
//!
//! A node that was silent can continue a task that another node has ended. That changes nothing: a result is written only if
//! there is none, and a part counts only while its task is open.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::bucket::hash;
use super::listing::Entry;
use super::state::Cluster;
use crate::job::{JobId, Message, Part, Parts, StoreError, StoredPart};
use crate::scheduler::Class;

/// The number of parts read at the same time.
const CONCURRENCY: usize = 16;
/// The length of an id (a ULID).
const ID: usize = 26;

/// A task's message without its parts, which have separate records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Update {
    /// The message.
    pub message: Message,
    /// The number of parts that have ended.
    pub ended: usize,
}

impl From<&Message> for Update {
    fn from(message: &Message) -> Self {
        let ended = message.parts.as_ref().map_or(0, |parts| parts.ended.len());
        let parts = message.parts.as_ref().map(|parts| Parts { total: parts.total, ended: Vec::new() }.into());
        Self { message: Message { parts, ..message.clone() }, ended }
    }
}

/// An accepted task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Accepted {
    /// The idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The id of its request.
    pub request_id: Option<String>,
    /// The span of that request, as in a header `traceparent`; `None` without traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The request's body.
    pub request: Box<RawValue>,
    /// The first message.
    pub first: Update,
    /// The games of its searches that are not built in, with the hash of each: another version must not run it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub games: BTreeMap<String, String>,
    /// Its entry in its client's list; tasks of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
    /// The charges of its searches; `None` without quotas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged: Option<Charged>,
}

/// The charges of a task's searches, which the node that runs them settles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Charged {
    /// The client, as the quota names it.
    pub client: String,
    /// Milliseconds, with the search's place in the task.
    pub prices: Vec<(usize, f64)>,
}

/// Whether a text from a client can be an id, which becomes part of names.
fn is_id(id: &str) -> bool {
    id.len() == ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A record; `None` if another version wrote it and this one cannot read it.
fn none_if_unreadable<T>(record: Result<Option<T>, StoreError>) -> Result<Option<T>, StoreError> {
    if matches!(record, Err(StoreError::Unreadable(_))) { Ok(None) } else { record }
}

fn record(task: &JobId, what: &str) -> String {
    format!("{}.{}.{}.{what}", task.kind.name(), hash(task.owner.as_bytes()), task.id)
}

impl Cluster {
    /// Accepts a task: writes its record and the parts that have ended already, and puts it into the queue.
    ///
    /// # Errors
    /// When the broker does not store it, or the queue is full.
    pub async fn accept(
        &self,
        (class, payer): (Class, &str),
        task: &JobId,
        accepted: &Accepted,
        ended: &[Part],
    ) -> Result<(), StoreError> {
        let assets = self.0.jetstream.assets()?;
        for (number, part) in ended.iter().enumerate() {
            assets.tasks.create(&record(task, &format!("part.{number}")), part).await?;
        }
        let name = record(task, "accepted");
        assets.tasks.create(&name, accepted).await?;
        let put = async {
            if let Some(entry) = &accepted.entry {
                self.list_queued(task, entry).await?;
            }
            self.put(&assets, class, payer, task).await
        };
        let put = put.await;
        if put.is_err() {
            drop(self.unlist(task, accepted.entry.as_ref()).await);
            // Without its record it does not run, even if it is in the queue.
            drop(assets.tasks.remove(&name).await);
        }
        put
    }

    /// An accepted task; `None` if it has ended or never existed.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn accepted(&self, task: &JobId) -> Result<Option<Accepted>, StoreError> {
        if !is_id(&task.id) {
            return Ok(None);
        }
        self.0.jetstream.assets()?.tasks.get(&record(task, "accepted")).await
    }

    /// Whether a task has a result.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn has_ended(&self, task: &JobId) -> Result<bool, StoreError> {
        self.0.jetstream.assets()?.results.has(&record(task, "result")).await
    }

    /// Whether a task is unfinished: accepted, and without a result.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn is_open(&self, task: &JobId) -> Result<bool, StoreError> {
        // In this order: when a result has expired, the task's record is long gone.
        Ok(!self.has_ended(task).await? && self.0.jetstream.assets()?.tasks.has(&record(task, "accepted")).await?)
    }

    /// A task's result, if it has ended.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn result(&self, task: &JobId) -> Result<Option<Message>, StoreError> {
        if !is_id(&task.id) {
            return Ok(None);
        }
        self.0.jetstream.assets()?.results.get(&record(task, "result")).await
    }

    /// Writes a task's result if there is none. Returns the stored one; `None` if that has expired.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn finish(&self, task: &JobId, message: &Message) -> Result<Option<Message>, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let name = record(task, "result");
        // A task without a record has had its result.
        if let Some(accepted) = self.accepted(task).await?
            && assets.results.create(&name, message).await?.is_some()
        {
            if let Some((entry, brief)) = accepted.entry.zip(message.brief()) {
                self.list_ended(task, &entry, &brief.status).await?;
            }
            return Ok(Some(message.clone()));
        }
        assets.results.get(&name).await
    }

    /// Removes an ended task's records, except its result and its key. The accepted request goes last: until then the removal
    /// can be repeated.
    ///
    /// # Errors
    /// When the broker does not remove it.
    pub async fn forget(&self, task: &JobId) -> Result<(), StoreError> {
        let assets = self.0.jetstream.assets()?;
        let accepted = none_if_unreadable(self.accepted(task).await)?;
        let entry = accepted.as_ref().and_then(|accepted| accepted.entry.as_ref());
        // The node that stored the result may have died before it listed it.
        if let Some(entry) = entry
            && let Some(brief) = none_if_unreadable(self.result(task).await)?.and_then(|result| result.brief())
        {
            self.list_ended(task, entry, &brief.status).await?;
        }
        self.unlist(task, entry).await?;
        if let Some(key) = accepted.as_ref().and_then(|accepted| accepted.key.as_ref()) {
            self.keep_key(task, key).await?;
        }
        // The maximum that can have been written.
        let parts = accepted.and_then(|accepted| accepted.first.message.parts).map_or(0, |parts| parts.total);
        let parts = (0..parts).map(|number| record(task, &format!("part.{number}")));
        let parts = parts.map(|name| {
            let tasks = assets.tasks.clone();
            async move { tasks.remove(&name).await }
        });
        futures_util::stream::iter(parts).buffer_unordered(CONCURRENCY).try_collect::<()>().await?;
        for what in ["cancelled", "handed", "missed"] {
            let name = record(task, what);
            // Most tasks have none.
            if assets.tasks.has(&name).await? {
                assets.tasks.remove(&name).await?;
            }
        }
        assets.tasks.remove(&record(task, "accepted")).await
    }

    /// Stores that a task must end.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn store_cancellation(&self, task: &JobId) -> Result<(), StoreError> {
        self.0.jetstream.assets()?.tasks.put(&record(task, "cancelled"), &true).await
    }

    /// Whether a task must end.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn is_cancelled(&self, task: &JobId) -> Result<bool, StoreError> {
        self.0.jetstream.assets()?.tasks.has(&record(task, "cancelled")).await
    }

    /// How often a task was handed over by nodes that shut down or lacked its game.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn hand_overs(&self, task: &JobId) -> Result<u64, StoreError> {
        self.count(task, "handed").await
    }

    /// Counts another hand-over of a task.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn count_hand_over(&self, task: &JobId) -> Result<(), StoreError> {
        self.add_one(task, "handed").await
    }

    /// How often no node had a task's game.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn misses(&self, task: &JobId) -> Result<u64, StoreError> {
        self.count(task, "missed").await
    }

    /// Counts another time that no node has a task's game.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn count_miss(&self, task: &JobId) -> Result<(), StoreError> {
        self.add_one(task, "missed").await
    }

    async fn count(&self, task: &JobId, what: &str) -> Result<u64, StoreError> {
        Ok(self.0.jetstream.assets()?.tasks.get(&record(task, what)).await?.unwrap_or(0))
    }

    /// Not atomic, because only one node at a time has a task.
    async fn add_one(&self, task: &JobId, what: &str) -> Result<(), StoreError> {
        let times = self.count(task, what).await? + 1;
        self.0.jetstream.assets()?.tasks.put(&record(task, what), &times).await
    }

    /// Writes the part of an open task that ended as number `number`, if there is none.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn store_part(&self, task: &JobId, number: usize, part: &Part) -> Result<StoredPart, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let name = record(task, &format!("part.{number}"));
        if assets.tasks.create(&name, part).await?.is_none() {
            // The part was removed with its task.
            return Ok(assets.tasks.get(&name).await?.map_or(StoredPart::Over, StoredPart::Other));
        }
        // Checked after the write: parts are removed once there is a result, so a part written in place of a removed one is
        // noticed.
        if self.is_open(task).await? {
            return Ok(StoredPart::Own);
        }
        assets.tasks.remove(&name).await?;
        Ok(StoredPart::Over)
    }

    /// The parts of an open task, from number `first` up to `end`, or all.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn parts(&self, task: &JobId, first: usize, end: Option<usize>) -> Result<Vec<Part>, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let get = |number: usize| {
            let (tasks, name) = (assets.tasks.clone(), record(task, &format!("part.{number}")));
            async move { tasks.get::<Part>(&name).await }
        };
        if let Some(end) = end {
            let parts = futures_util::stream::iter((first..end).map(get)).buffered(CONCURRENCY);
            // Parts after a missing one would have wrong numbers: the task has just ended.
            return Ok(parts.try_collect::<Vec<_>>().await?.into_iter().map_while(|part| part).collect());
        }
        let mut parts = Vec::new();
        while let Some(part) = get(first + parts.len()).await? {
            parts.push(part);
        }
        Ok(parts)
    }
}
