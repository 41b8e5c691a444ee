//! What the file holds: one table, a JSON document for each piece of work.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};
use serde::{Deserialize, Serialize};

use super::disk::NoStore;
use crate::registry::Message;

const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("work");
/// Holds something only while it is tried whether there is room.
const PROBE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("probe");

/// So many bytes must be free on the disk, or in the file, before it counts as having room again: more than any request
/// takes, so that the first one does not find the disk full again.
const ROOM: usize = 1 << 20;

/// What is kept of a piece of work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::registry) struct Entry {
    /// The request's body.
    pub request: String,
    /// The client's own key for it.
    pub key: Option<String>,
    /// Whose it is; files of the first version do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The span of the request, as in a header `traceparent`; none where there were no traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The final message, once there is one.
    pub result: Option<Final>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::registry) struct Final {
    seq: u64,
    failed: bool,
    /// Files of earlier versions do not say.
    #[serde(default)]
    lasts: bool,
    text: String,
    /// Seconds since 1970.
    pub at: u64,
}

impl Final {
    pub fn new(message: &Message) -> Self {
        let Message { seq, failed, lasts, ref text, .. } = *message;
        Self { seq, failed, lasts, text: text.as_ref().to_owned(), at: now() }
    }

    /// The message, unless it is too old.
    pub fn message(self, keep: Duration) -> Option<Message> {
        if self.is_old(keep) {
            return None;
        }
        let Self { seq, failed, lasts, text, .. } = self;
        Some(Message { seq, is_final: true, failed, lasts, text: text.into(), parts: None })
    }

    /// The length of its text in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// How long ago it came.
    pub fn age(&self) -> Duration {
        Duration::from_secs(now().saturating_sub(self.at))
    }

    fn is_old(&self, keep: Duration) -> bool {
        now() >= self.at.saturating_add(keep.as_secs())
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// A change of one entry.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Put(Entry),
    Finish(Final),
    Forget,
}

/// Makes several changes in one transaction.
pub(super) fn write<'a>(
    database: &Database,
    changes: impl Iterator<Item = (&'a str, &'a Change)>,
) -> Result<(), NoStore> {
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(TABLE)?;
        for (id, change) in changes {
            let entry = match change {
                Change::Put(entry) => entry.clone(),
                Change::Finish(result) => {
                    let known = table.get(id)?.and_then(|found| serde_json::from_slice::<Entry>(found.value()).ok());
                    // Without a request it could not be done again; it need not be.
                    let known = known.unwrap_or_default();
                    Entry { result: Some(result.clone()), ..known }
                }
                Change::Forget => {
                    table.remove(id)?;
                    continue;
                }
            };
            // Texts and numbers only.
            let bytes = serde_json::to_vec(&entry).expect("entries are JSON");
            table.insert(id, bytes.as_slice())?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Tries whether there is room to go on.
pub(super) fn probe(database: &Database) -> Result<(), NoStore> {
    let transaction = database.begin_write()?;
    // Not zeros: no file system may take them for nothing.
    transaction.open_table(PROBE)?.insert("room", vec![1; ROOM].as_slice())?;
    transaction.commit()?;
    let transaction = database.begin_write()?;
    transaction.delete_table(PROBE)?;
    transaction.commit()?;
    Ok(())
}

/// Takes out what is too old.
pub(super) fn sweep(database: &Database, keep: Duration) -> Result<(), NoStore> {
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(TABLE)?;
        table.retain(|_, entry| {
            let result = serde_json::from_slice::<Entry>(entry).ok().and_then(|entry| entry.result);
            result.is_none_or(|result| !result.is_old(keep))
        })?;
    }
    transaction.commit()?;
    Ok(())
}

/// All that is there, by id: the oldest first.
pub(super) fn read_all(database: &Database) -> Result<Vec<(String, Entry)>, NoStore> {
    let mut entries = Vec::new();
    let table = database.begin_read()?;
    for item in table.open_table(TABLE)?.iter()? {
        let (id, entry) = item?;
        match serde_json::from_slice(entry.value()) {
            Ok(entry) => entries.push((id.value().to_owned(), entry)),
            Err(error) => tracing::error!(%error, id = id.value(), "an entry of the database cannot be read"),
        }
    }
    Ok(entries)
}

/// The result of a piece of work, if it is there.
pub(super) fn result(database: &Database, id: &str) -> Result<Option<Final>, NoStore> {
    let table = database.begin_read()?.open_table(TABLE)?;
    let Some(found) = table.get(id)? else { return Ok(None) };
    Ok(serde_json::from_slice::<Entry>(found.value()).ok().and_then(|entry| entry.result))
}

/// How many entries a database counts.
pub(super) fn count(database: &impl redb::ReadableDatabase) -> Result<u64, NoStore> {
    use redb::ReadableTableMetadata as _;
    Ok(database.begin_read()?.open_table(TABLE)?.len()?)
}
