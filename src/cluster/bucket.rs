//! Named records on the broker.

use std::fmt;
use std::time::Duration;

use async_nats::jetstream::kv::{Operation, UpdateErrorKind};
use async_nats::jetstream::{kv, object_store};
use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;
use ulid::Ulid;

use crate::job::StoreError;

/// Records larger than this, in bytes, are stored as objects.
const LARGE: usize = 512 << 10;
/// The timeout for such an object, whose chunks arrive one by one.
const OBJECT_TIMEOUT: Duration = Duration::from_secs(20);

/// An error of the client library.
pub(super) fn unavailable(error: impl fmt::Display) -> StoreError {
    StoreError::Unavailable(format!("the cluster's broker cannot store records: {error}").into())
}

/// Named records. Large ones are stored as objects, since the broker limits messages.
#[derive(Clone)]
pub(super) struct Bucket {
    pub small: kv::Store,
    pub large: object_store::ObjectStore,
}

/// A stored record: itself, or a reference to its object.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Here(Box<RawValue>),
    Aside(String),
}

/// A hash as text.
#[must_use]
pub fn hash(text: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text))
}

/// The names of records that match a pattern, at most `most`.
pub(super) async fn names(store: &kv::Store, pattern: &str, most: usize) -> Result<Vec<String>, StoreError> {
    let prefix = &store.prefix;
    let found = store.stream.info_with_subjects(format!("{prefix}{pattern}")).await.map_err(unavailable)?;
    let name = |(subject, _): (String, usize)| subject.strip_prefix(&**prefix).unwrap_or_default().to_owned();
    found.take(most).map_ok(name).try_collect().await.map_err(unavailable)
}

impl Bucket {
    /// The stored form of a record; stores an object if it is large.
    async fn pack(&self, record: &impl Serialize) -> Result<(Bytes, Option<String>), StoreError> {
        // Texts and finite numbers only.
        let record = serde_json::value::to_raw_value(record).expect("records are JSON");
        if record.get().len() <= LARGE {
            let stored = serde_json::to_vec(&Stored::Here(record)).expect("records are JSON");
            return Ok((stored.into(), None));
        }
        let name = Ulid::generate().to_string();
        let mut text = record.get().as_bytes();
        let put = self.large.put(name.as_str(), &mut text);
        timeout(OBJECT_TIMEOUT, put).await.map_err(unavailable)?.map_err(unavailable)?;
        let stored = serde_json::to_vec(&Stored::Aside(name.clone())).expect("names are JSON");
        Ok((stored.into(), Some(name)))
    }

    /// Writes a record, replacing an existing one.
    pub async fn put(&self, name: &str, record: &impl Serialize) -> Result<(), StoreError> {
        let (stored, _) = self.pack(record).await?;
        self.small.put(name, stored).await.map_err(unavailable).map(drop)
    }

    /// Writes a record if there is none. Returns its revision; `None` if there is another record, which stays.
    pub async fn create(&self, name: &str, record: &impl Serialize) -> Result<Option<u64>, StoreError> {
        self.replace(name, record, 0).await
    }

    /// Replaces the record with this revision. Returns the new revision; `None` if the record has another one or is missing.
    pub async fn replace(&self, name: &str, record: &impl Serialize, revision: u64) -> Result<Option<u64>, StoreError> {
        let (stored, object_name) = self.pack(record).await?;
        match self.small.update(name, stored.clone(), revision).await {
            Ok(revision) => Ok(Some(revision)),
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                self.stored_revision(name, &stored, object_name).await
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    /// The revision of a record whose write was refused, if it is stored nevertheless: an earlier attempt wrote it, and the
    /// broker's acknowledgement was lost. Otherwise removes its object.
    async fn stored_revision(
        &self,
        name: &str,
        stored: &Bytes,
        object_name: Option<String>,
    ) -> Result<Option<u64>, StoreError> {
        let entry = self.small.entry(name).await.map_err(unavailable)?;
        if let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put && entry.value == *stored) {
            return Ok(Some(entry.revision));
        }
        if let Some(object_name) = object_name {
            // If this fails, the object expires.
            drop(self.large.delete(object_name).await);
        }
        Ok(None)
    }

    /// Reads a record.
    pub async fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        Ok(self.get_revision(name).await?.map(|(record, _)| record))
    }

    /// Reads a record with its revision.
    pub async fn get_revision<T: DeserializeOwned>(&self, name: &str) -> Result<Option<(T, u64)>, StoreError> {
        let entry = self.small.entry(name).await.map_err(unavailable)?;
        let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else { return Ok(None) };
        let unreadable = |error: serde_json::Error| StoreError::Unreadable(format!("record {name}: {error}").into());
        let record = match serde_json::from_slice(&entry.value).map_err(unreadable)? {
            Stored::Here(record) => serde_json::from_str(record.get()),
            Stored::Aside(object_name) => {
                let read = async {
                    let mut object = self.large.get(object_name).await.map_err(unavailable)?;
                    let mut text = Vec::new();
                    object.read_to_end(&mut text).await.map_err(unavailable)?;
                    Ok::<_, StoreError>(text)
                };
                serde_json::from_slice(&timeout(OBJECT_TIMEOUT, read).await.map_err(unavailable)??)
            }
        };
        Ok(Some((record.map_err(unreadable)?, entry.revision)))
    }

    /// Whether the record exists.
    pub async fn has(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.small.get(name).await.map_err(unavailable)?.is_some())
    }

    /// Removes the small records that match a pattern.
    pub async fn remove_all(&self, pattern: &str) -> Result<(), StoreError> {
        let subjects = format!("{}{pattern}", self.small.prefix);
        self.small.stream.purge().filter(subjects).await.map_err(unavailable).map(drop)
    }

    /// Removes a record and its history.
    pub async fn remove(&self, name: &str) -> Result<(), StoreError> {
        if let Some(stored) = self.small.get(name).await.map_err(unavailable)?
            && let Ok(Stored::Aside(object_name)) = serde_json::from_slice(&stored)
        {
            self.large.delete(object_name).await.map_err(unavailable)?;
        }
        self.remove_all(name).await
    }

    /// Removes a record and its history if it still has this revision.
    pub async fn remove_revision(&self, name: &str, revision: u64) -> Result<(), StoreError> {
        let subject = format!("{}{name}", self.small.prefix);
        // Later revisions have higher numbers.
        let purge = self.small.stream.purge().sequence(revision + 1).filter(subject);
        purge.await.map_err(unavailable).map(drop)
    }
}
