//! The records of each task, the same on every node: the request, whether it is to end, its result.
//!
//! | record | in | until |
//! |---|---|---|
//! | `KIND.OWNER.ID.accepted`: the request, the first message | tasks | its end |
//! | `KIND.OWNER.ID.cancelled`: it is to end | tasks | its end |
//! | `KIND.OWNER.ID.handed`: how often a node that ended has handed it over | tasks | its end |
//! | `KIND.OWNER.ID.part.N`: the part that ended as number N, of a batch | tasks | its end |
//! | `KIND.OWNER.ID.result`: the final message with its parts; the first one written stays | results | `keep_ms` |
//! | `key.HASH`: which task came with a client's own key | tasks, then results | its end, then `keep_ms` |
//!
//! `OWNER` is a hash of the owner's name: no record is found without it. What a crash leaves in `tasks` goes after a week.
//!
//! A node that was silent may go on with a task that another one has ended. It changes nothing any more: a result is written
//! only where there is none, and a part only counts while its task is open.

use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::state::Cluster;
use crate::job::{JobId, Message, Part, Parts, StoreError, StoredPart};
use crate::scheduler::Class;

/// So many parts are read at the same time.
const AT_ONCE: usize = 16;
/// The length of an id: that of a ULID.
const ID: usize = 26;

/// A message about a task without its parts, each of which has a record of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Update {
    /// The message.
    pub message: Message,
    /// How many of its parts have ended.
    pub ended: usize,
}

impl From<&Message> for Update {
    fn from(message: &Message) -> Self {
        let ended = message.parts.as_ref().map_or(0, |parts| parts.ended.len());
        let parts = message.parts.as_ref().map(|parts| Parts { total: parts.total, ended: Vec::new() }.into());
        Self { message: Message { parts, ..message.clone() }, ended }
    }
}

/// A task that has been accepted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Accepted {
    /// The owner's own key for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The id of the request that brought it.
    pub request_id: Option<String>,
    /// The span of that request, as in a header `traceparent`; none where the node that was asked has no traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The request's body.
    pub request: Box<RawValue>,
    /// The first message.
    pub first: Update,
    /// What its searches were charged with; none where there are no quotas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged: Option<Charged>,
}

/// What the searches of a task were charged with. The node that runs them settles that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Charged {
    /// The client, as the quota names it.
    pub client: String,
    /// Milliseconds, with the search's place in the task.
    pub prices: Vec<(usize, f64)>,
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

fn record(task: &JobId, what: &str) -> String {
    format!("{}.{}.{}.{what}", task.kind.name(), hash(task.owner.as_bytes()), task.id)
}

impl Cluster {
    /// Accepts a task: its record and the parts that have ended already are written, and it is put into the queue.
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
        let put = self.put(&assets, class, payer, task).await;
        if put.is_err() {
            // Without its record it is not run, even if the broker has put it into the queue.
            drop(assets.tasks.remove(&name).await);
        }
        put
    }

    /// What was accepted; none when it has ended, or never was.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn accepted(&self, task: &JobId) -> Result<Option<Accepted>, StoreError> {
        if !is_id(&task.id) {
            return Ok(None);
        }
        self.0.jetstream.assets()?.tasks.get(&record(task, "accepted")).await
    }

    /// Whether a task has a result.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn has_ended(&self, task: &JobId) -> Result<bool, StoreError> {
        self.0.jetstream.assets()?.results.has(&record(task, "result")).await
    }

    /// Whether a task is still to end: it was accepted, and has no result.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn is_open(&self, task: &JobId) -> Result<bool, StoreError> {
        // In this order: where a result has grown too old, the task's record went long before.
        Ok(!self.has_ended(task).await? && self.0.jetstream.assets()?.tasks.has(&record(task, "accepted")).await?)
    }

    /// What has come out of a task, if it has ended.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn result(&self, task: &JobId) -> Result<Option<Message>, StoreError> {
        if !is_id(&task.id) {
            return Ok(None);
        }
        self.0.jetstream.assets()?.results.get(&record(task, "result")).await
    }

    /// Writes what has come out of a task where nothing is written. Returns what is there; nothing where that has grown too
    /// old.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn finish(&self, task: &JobId, message: &Message) -> Result<Option<Message>, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let name = record(task, "result");
        // A task that is forgotten has had its result.
        if assets.tasks.has(&record(task, "accepted")).await? && assets.results.create(&name, message).await?.is_some()
        {
            return Ok(Some(message.clone()));
        }
        assets.results.get(&name).await
    }

    /// Removes what is on the broker of a task that has ended, except its result and its key. That it was accepted goes last:
    /// until then it can be forgotten again.
    ///
    /// # Errors
    /// When the broker does not remove it.
    pub async fn forget(&self, task: &JobId) -> Result<(), StoreError> {
        let assets = self.0.jetstream.assets()?;
        let accepted = match self.accepted(task).await {
            Err(StoreError::Unreadable(_)) => None,
            accepted => accepted?,
        };
        if let Some(key) = accepted.as_ref().and_then(|accepted| accepted.key.as_ref()) {
            self.keep_key(task, key).await?;
        }
        // So many may have been written.
        let parts = accepted.and_then(|accepted| accepted.first.message.parts).map_or(0, |parts| parts.total);
        let parts = (0..parts).map(|number| record(task, &format!("part.{number}")));
        let parts = parts.map(|name| {
            let tasks = assets.tasks.clone();
            async move { tasks.remove(&name).await }
        });
        futures_util::stream::iter(parts).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        for what in ["cancelled", "handed"] {
            let name = record(task, what);
            // Most have none.
            if assets.tasks.has(&name).await? {
                assets.tasks.remove(&name).await?;
            }
        }
        assets.tasks.remove(&record(task, "accepted")).await
    }

    /// Notes that a task is to end.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn note_cancelled(&self, task: &JobId) -> Result<(), StoreError> {
        self.0.jetstream.assets()?.tasks.put(&record(task, "cancelled"), &true).await
    }

    /// Whether a task is to end.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn is_cancelled(&self, task: &JobId) -> Result<bool, StoreError> {
        self.0.jetstream.assets()?.tasks.has(&record(task, "cancelled")).await
    }

    /// How often a task has been handed over by nodes that ended.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn handed(&self, task: &JobId) -> Result<u64, StoreError> {
        let handed = self.0.jetstream.assets()?.tasks.get(&record(task, "handed")).await?;
        Ok(handed.unwrap_or(0))
    }

    /// Notes that a task is handed over once more.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn note_handed(&self, task: &JobId) -> Result<(), StoreError> {
        let times = self.handed(task).await? + 1;
        self.0.jetstream.assets()?.tasks.put(&record(task, "handed"), &times).await
    }

    /// Writes the part of an open task that ended as number `number`, unless there is one.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn store_part(&self, task: &JobId, number: usize, part: &Part) -> Result<StoredPart, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let name = record(task, &format!("part.{number}"));
        if assets.tasks.create(&name, part).await?.is_none() {
            // One that is gone by now went with its task.
            return Ok(assets.tasks.get(&name).await?.map_or(StoredPart::Over, StoredPart::Other));
        }
        // Asked after it is written: parts are removed once there is a result, so one in the place of a removed one is noticed.
        if self.is_open(task).await? {
            return Ok(StoredPart::Own);
        }
        assets.tasks.remove(&name).await?;
        Ok(StoredPart::Over)
    }

    /// The parts of a task that has not ended, from number `first` on: up to `end`, or as many as there are.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn parts(&self, task: &JobId, first: usize, end: Option<usize>) -> Result<Vec<Part>, StoreError> {
        let assets = self.0.jetstream.assets()?;
        let get = |number: usize| {
            let (tasks, name) = (assets.tasks.clone(), record(task, &format!("part.{number}")));
            async move { tasks.get::<Part>(&name).await }
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
