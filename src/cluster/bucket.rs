//! Records under names, on the broker.

use async_nats::jetstream::kv::CreateErrorKind;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::AsyncReadExt as _;
use ulid::Ulid;

use super::jetstream::{Bucket, NotKept};

/// Records of more bytes are kept aside.
const LARGE: usize = 512 << 10;

/// A record as it is stored: itself, or where it is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Here(Box<RawValue>),
    Aside(String),
}

impl Bucket {
    /// What is to be stored for a record; what is too large is put aside.
    async fn pack(&self, record: &impl Serialize) -> Result<(Bytes, Option<String>), NotKept> {
        // Texts and finite numbers only.
        let record = serde_json::value::to_raw_value(record).expect("records are JSON");
        if record.get().len() <= LARGE {
            let stored = serde_json::to_vec(&Stored::Here(record)).expect("records are JSON");
            return Ok((stored.into(), None));
        }
        let name = Ulid::generate().to_string();
        let mut text = record.get().as_bytes();
        self.large.put(name.as_str(), &mut text).await.map_err(NotKept::new)?;
        let stored = serde_json::to_vec(&Stored::Aside(name.clone())).expect("names are JSON");
        Ok((stored.into(), Some(name)))
    }

    /// Writes a record, over another one if there is one.
    pub async fn put(&self, name: &str, record: &impl Serialize) -> Result<(), NotKept> {
        let (stored, _) = self.pack(record).await?;
        self.small.put(name, stored).await.map_err(NotKept::new).map(drop)
    }

    /// Writes a record where there is none; `false` where there is one, which stays.
    pub async fn create(&self, name: &str, record: &impl Serialize) -> Result<bool, NotKept> {
        let (stored, aside) = self.pack(record).await?;
        match self.small.create(name, stored).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {
                if let Some(aside) = aside {
                    // It goes with its time, if it cannot go now.
                    drop(self.large.delete(aside).await);
                }
                Ok(false)
            }
            Err(error) => Err(NotKept::new(error)),
        }
    }

    /// Reads a record.
    pub async fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, NotKept> {
        let Some(stored) = self.small.get(name).await.map_err(NotKept::new)? else { return Ok(None) };
        let stored: Stored = serde_json::from_slice(&stored).map_err(NotKept::new)?;
        let record = match stored {
            Stored::Here(record) => serde_json::from_str(record.get()),
            Stored::Aside(name) => {
                let mut object = self.large.get(name).await.map_err(NotKept::new)?;
                let mut text = Vec::new();
                object.read_to_end(&mut text).await.map_err(NotKept::new)?;
                serde_json::from_slice(&text)
            }
        };
        record.map(Some).map_err(NotKept::new)
    }

    /// Whether there is a record.
    pub async fn has(&self, name: &str) -> Result<bool, NotKept> {
        Ok(self.small.get(name).await.map_err(NotKept::new)?.is_some())
    }

    /// Removes a record without a trace.
    pub async fn remove(&self, name: &str) -> Result<(), NotKept> {
        if let Some(stored) = self.small.get(name).await.map_err(NotKept::new)?
            && let Ok(Stored::Aside(aside)) = serde_json::from_slice(&stored)
        {
            self.large.delete(aside).await.map_err(NotKept::new)?;
        }
        let subject = format!("{}{name}", self.small.prefix);
        self.small.stream.purge().filter(subject).await.map_err(NotKept::new).map(drop)
    }
}
