//! Games uploaded by clients, the same on all nodes.
//!
//! | record | until |
//! |---|---|
//! | `owner.OWNER`: the games of an owner, each with its hash and the id of its file | forever |
//! | `file.ID.N`: part N of a file | its game is replaced or removed; without a record, until a node joins a day later |
//!
//! A file is written first. Then the owner's record replaces the one that was read; if another node has changed it meanwhile,
//! the change starts over. So the limit on a client's games holds over all nodes, and of two uploads with the same name, the
//! later one wins everywhere. Each node follows the records in the order of their changes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::kv::{self, UpdateErrorKind};
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use ulid::Ulid;

use super::bucket::{hash, names, unavailable};
use super::state::Cluster;
use crate::job::StoreError;

/// The size of a file's parts, in bytes: the broker limits messages.
const PART: usize = 512 << 10;
/// The longest time without a check for changes: a notice may have been lost.
const POLL: Duration = Duration::from_secs(1);
/// A file without a record is removed after this time.
const ORPHAN_AGE: Duration = Duration::from_secs(24 * 3600);
/// The timeout for the answer of a node that has some games.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(500);

/// The uploads of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uploads {
    /// The owner, as jobs name it.
    pub owner: String,
    /// The games, by their names.
    pub games: BTreeMap<String, Upload>,
}

/// An uploaded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upload {
    /// The SHA-256 of its file, in hexadecimal.
    pub hash: String,
    /// The id of its file.
    id: String,
    /// The number of the file's parts.
    parts: usize,
}

/// The outcome of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The game is new.
    New,
    /// It has replaced another version.
    Replaced,
    /// The client has the maximum number of games.
    TooMany,
}

/// A question for nodes that have these versions of an owner's games.
#[derive(Serialize, Deserialize)]
struct Wanted {
    owner: String,
    games: BTreeMap<String, String>,
}

fn record(owner: &str) -> String {
    format!("owner.{}", hash(owner.as_bytes()))
}

impl Cluster {
    /// Stores a client's game in place of its earlier version, unless the client has `most` others.
    ///
    /// # Errors
    /// When the broker does not store it.
    pub async fn add_game(&self, owner: &str, name: &str, file: &[u8], most: usize) -> Result<Added, StoreError> {
        let store = self.games()?;
        let id = Ulid::generate().to_string();
        let upload = Upload { hash: hash(file), id, parts: file.chunks(PART).len() };
        if let Err(error) = put_file(&store, &upload.id, file).await {
            self.remove_file(&store, &upload.id).await;
            return Err(error);
        }
        let change = |games: &mut BTreeMap<String, Upload>| {
            let has_room = games.contains_key(name) || games.len() < most;
            has_room.then(|| games.insert(name.to_owned(), upload.clone()))
        };
        // If this fails, the file stays: the record may have been written.
        let (added, dropped) = match self.change(&store, owner, change).await? {
            None => (Added::TooMany, Some(upload.clone())),
            // A repeated write finds its own game.
            Some(Some(before)) if before != upload => (Added::Replaced, Some(before)),
            Some(_) => (Added::New, None),
        };
        if let Some(dropped) = dropped {
            self.remove_file(&store, &dropped.id).await;
        }
        Ok(added)
    }

    /// Removes a client's game; `false` if there is none of this name.
    ///
    /// # Errors
    /// When the broker does not remove it.
    pub async fn remove_game(&self, owner: &str, name: &str) -> Result<bool, StoreError> {
        let store = self.games()?;
        let removed = self.change(&store, owner, |games| games.remove(name)).await?;
        if let Some(upload) = &removed {
            self.remove_file(&store, &upload.id).await;
        }
        Ok(removed.is_some())
    }

    /// The file of an upload; `None` if that has been replaced or removed meanwhile.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn game_file(&self, upload: &Upload) -> Result<Option<Vec<u8>>, StoreError> {
        let store = self.games()?;
        let mut file = Vec::new();
        for number in 0..upload.parts {
            let part = store.get(format!("file.{}.{number}", upload.id)).await.map_err(unavailable)?;
            let Some(part) = part else { return Ok(None) };
            file.extend_from_slice(&part);
        }
        Ok((hash(&file) == upload.hash).then_some(file))
    }

    /// Starts to follow the uploads of all clients, from the first one; `None` if the connection is closed for good.
    pub async fn follow_uploads(&self) -> Option<UploadsFollower> {
        let notices = self.0.connection.subscribe(self.subjects().games("changed")).await?;
        Some(UploadsFollower { cluster: self.clone(), notices, created: None, last: 0 })
    }

    /// Whether another node that runs tasks has these versions of an owner's games; `true` without a connection.
    pub async fn another_node_has(&self, owner: &str, games: &BTreeMap<String, String>) -> bool {
        let wanted = Wanted { owner: owner.to_owned(), games: games.clone() };
        // Texts only.
        let payload = serde_json::to_vec(&wanted).expect("texts are JSON");
        let asked = self.0.connection.client.request(self.subjects().games("wanted"), payload.into());
        !self.is_connected() || matches!(timeout(REQUEST_TIMEOUT, asked).await, Ok(Ok(_)))
    }

    /// Answers other nodes' requests for games for which `has` is true, until this node has left.
    pub async fn answer_game_requests(&self, has: impl Fn(&str, &BTreeMap<String, String>) -> bool + Send) {
        let Some(mut asked) = self.0.connection.subscribe(self.subjects().games("wanted")).await else { return };
        while let Some(Some(message)) = self.0.left.run_until_cancelled(asked.next()).await {
            if let Ok(Wanted { owner, games }) = serde_json::from_slice(&message.payload)
                && has(&owner, &games)
                && let Some(to) = message.reply
            {
                self.0.connection.send(to.to_string()).await;
            }
        }
    }

    fn games(&self) -> Result<kv::Store, StoreError> {
        self.0.jetstream.assets()?.games.clone().ok_or_else(|| unavailable("this node does not accept uploads"))
    }

    /// Changes the games of an owner, unless `change` returns `None`.
    async fn change<T>(
        &self,
        store: &kv::Store,
        owner: &str,
        change: impl Fn(&mut BTreeMap<String, Upload>) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        let name = record(owner);
        loop {
            let entry = store.entry(&name).await.map_err(unavailable)?;
            let (mut uploads, revision) = match &entry {
                Some(entry) => (read(&entry.value)?, entry.revision),
                None => (Uploads { owner: owner.to_owned(), ..Uploads::default() }, 0),
            };
            let Some(changed) = change(&mut uploads.games) else { return Ok(None) };
            // Texts and numbers only.
            let stored = serde_json::to_vec(&uploads).expect("uploads are JSON");
            match store.update(&name, stored.into(), revision).await {
                Ok(_) => {
                    self.0.connection.send(self.subjects().games("changed")).await;
                    return Ok(Some(changed));
                }
                Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {}
                Err(error) => return Err(unavailable(error)),
            }
        }
    }

    /// Removes files without a record, left behind by a failure. Recent ones stay: they may still get their record.
    ///
    /// # Errors
    /// When the broker does not answer, or a record cannot be read.
    pub async fn remove_orphaned_files(&self) -> Result<(), StoreError> {
        let store = self.games()?;
        let mut files = BTreeSet::new();
        for name in names(&store, "file.*.*", usize::MAX).await? {
            files.extend(name.split('.').nth(1).map(str::to_owned));
        }
        for name in names(&store, "owner.*", usize::MAX).await? {
            let uploads = store.get(name).await.map_err(unavailable)?.map(|record| read(&record)).transpose()?;
            for upload in uploads.iter().flat_map(|uploads| uploads.games.values()) {
                files.remove(&upload.id);
            }
        }
        let is_old = |id: &&String| {
            let age = Ulid::from_string(id).map(|id| id.datetime().elapsed().unwrap_or_default());
            age.is_ok_and(|age| age > ORPHAN_AGE)
        };
        for id in files.iter().filter(is_old) {
            self.remove_file(&store, id).await;
        }
        Ok(())
    }

    /// Removes a file. If that fails, it stays until a node joins.
    async fn remove_file(&self, store: &kv::Store, id: &str) {
        let parts = format!("{}file.{id}.>", store.prefix);
        if let Err(error) = store.stream.purge().filter(parts).await {
            tracing::warn!(%error, id, "a removed game's file could not be deleted from the broker");
        }
    }
}

async fn put_file(store: &kv::Store, id: &str, file: &[u8]) -> Result<(), StoreError> {
    for (number, part) in file.chunks(PART).enumerate() {
        store.put(format!("file.{id}.{number}"), Bytes::copy_from_slice(part)).await.map_err(unavailable)?;
    }
    Ok(())
}

fn read(record: &[u8]) -> Result<Uploads, StoreError> {
    serde_json::from_slice(record).map_err(|error| StoreError::Unreadable(format!("uploads: {error}").into()))
}

/// Follows the uploads of all clients.
pub struct UploadsFollower {
    cluster: Cluster,
    notices: Subscriber,
    /// When the broker's bucket was created.
    created: Option<i128>,
    /// The last change that was applied.
    last: u64,
}

impl UploadsFollower {
    /// Waits until something may have changed; `false` once this node has left.
    pub async fn wait(&mut self) -> bool {
        let notice = timeout(POLL, self.notices.next());
        !matches!(self.cluster.0.left.run_until_cancelled(notice).await, None | Some(Ok(None)))
    }

    /// Whether the broker has lost all uploads since the last call; following then starts over.
    ///
    /// # Errors
    /// When the broker cannot be reached.
    pub fn were_lost(&mut self) -> Result<bool, StoreError> {
        let created = self.cluster.games()?.stream.cached_info().created.unix_timestamp_nanos();
        let were_lost = self.created.is_some_and(|before| before != created);
        if were_lost {
            self.last = 0;
        }
        self.created = Some(created);
        Ok(were_lost)
    }

    /// The next change with its number: an owner's uploads as they are now; `None` if all have been applied.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn next(&self) -> Result<Option<(u64, Result<Uploads, StoreError>)>, StoreError> {
        let store = self.cluster.games()?;
        let owners = format!("{}owner.*", store.prefix);
        match store.stream.get_first_raw_message_by_subject(owners, self.last + 1).await {
            Ok(message) => Ok(Some((message.sequence, read(&message.payload)))),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Marks a change as applied.
    pub const fn mark_applied(&mut self, number: u64) {
        self.last = number;
    }
}
