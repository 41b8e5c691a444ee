//! The database file: one table, a JSON document for each piece of work.
//!
//! One thread writes, all that has come meanwhile in one transaction, so that many searches share one wait for the disk.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::Message;

const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("work");

/// How often what is too old is taken out.
const SWEEP: Duration = Duration::from_secs(60);

/// The database did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoStore(String);

impl<E: Into<redb::Error>> From<E> for NoStore {
    fn from(error: E) -> Self {
        Self(error.into().to_string())
    }
}

/// What is kept of a piece of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The request's body.
    pub request: String,
    /// The client's own key for it.
    pub key: Option<String>,
    /// The final message, once there is one.
    pub result: Option<Final>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Final {
    seq: u64,
    failed: bool,
    text: String,
    /// Seconds since 1970.
    at: u64,
}

/// The open file.
#[derive(Debug)]
pub(super) struct Store {
    database: Arc<Database>,
    /// None only while it closes.
    orders: Option<mpsc::Sender<Order>>,
    writer: Option<JoinHandle<()>>,
    keep: Duration,
}

impl Drop for Store {
    /// Closes the file: the writer ends when nobody can order any more.
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(writer) = self.writer.take() {
            // It has nothing to say.
            let _ = writer.join();
        }
    }
}

/// Something to write, and who waits for it.
struct Order {
    id: String,
    what: What,
    done: oneshot::Sender<Result<(), NoStore>>,
}

enum What {
    Put(Entry),
    Finish(Final),
}

impl Store {
    /// Opens or makes the file. Returns what is in it, the oldest first, without what is too old.
    pub fn open(path: &Path, keep: Duration) -> Result<(Self, Vec<(String, Entry)>), NoStore> {
        let database = Arc::new(Database::create(path)?);
        sweep(&database, keep)?;
        let mut entries = Vec::new();
        let table = database.begin_read()?;
        for item in table.open_table(TABLE)?.iter()? {
            let (id, entry) = item?;
            match serde_json::from_slice(entry.value()) {
                Ok(entry) => entries.push((id.value().to_owned(), entry)),
                Err(error) => tracing::error!(%error, id = id.value(), "an entry of the database cannot be read"),
            }
        }
        let (orders, inbox) = mpsc::channel();
        let own = Arc::clone(&database);
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(&own, &inbox, keep))
            .map_err(|error| NoStore(error.to_string()))?;
        Ok((Self { database, orders: Some(orders), writer: Some(writer), keep }, entries))
    }

    pub async fn put(&self, id: &str, entry: Entry) -> Result<(), NoStore> {
        self.order(id, What::Put(entry)).await
    }

    pub async fn finish(&self, id: &str, message: &Message) -> Result<(), NoStore> {
        let result =
            Final { seq: message.seq, failed: message.failed, text: message.text.as_ref().to_owned(), at: now() };
        self.order(id, What::Finish(result)).await
    }

    async fn order(&self, id: &str, what: What) -> Result<(), NoStore> {
        let (done, wait) = oneshot::channel();
        let gone = || NoStore("the thread that writes has ended".to_owned());
        let orders = self.orders.as_ref().ok_or_else(gone)?;
        orders.send(Order { id: id.to_owned(), what, done }).map_err(|_| gone())?;
        wait.await.map_err(|_| gone())?
    }

    /// The final message of a piece of work, if it is there.
    pub async fn find(&self, id: &str) -> Option<Message> {
        let (database, id, keep) = (Arc::clone(&self.database), id.to_owned(), self.keep);
        let read = move || -> Result<Option<Final>, NoStore> {
            let table = database.begin_read()?.open_table(TABLE)?;
            let Some(found) = table.get(id.as_str())? else { return Ok(None) };
            Ok(serde_json::from_slice::<Entry>(found.value()).ok().and_then(|entry| entry.result))
        };
        let found = tokio::task::spawn_blocking(read).await.ok()?;
        let found = found.inspect_err(|error| tracing::error!(%error, "the database cannot be read")).ok()??;
        (!is_old(&found, keep)).then(|| Message {
            seq: found.seq,
            is_final: true,
            failed: found.failed,
            text: found.text.into(),
        })
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn is_old(result: &Final, keep: Duration) -> bool {
    now() >= result.at.saturating_add(keep.as_secs())
}

/// The writing thread's life: until nobody can order any more.
fn write_all(database: &Database, inbox: &mpsc::Receiver<Order>, keep: Duration) {
    let mut swept = Instant::now();
    loop {
        if swept.elapsed() >= SWEEP {
            swept = Instant::now();
            if let Err(error) = sweep(database, keep) {
                tracing::error!(%error, "the database cannot be swept");
            }
        }
        match inbox.recv_timeout(SWEEP) {
            Ok(first) => {
                let orders: Vec<Order> = std::iter::once(first).chain(inbox.try_iter()).collect();
                let result = write(database, &orders);
                for order in orders {
                    // Nobody may be waiting any more.
                    drop(order.done.send(result.clone()));
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Writes several entries in one transaction.
fn write(database: &Database, orders: &[Order]) -> Result<(), NoStore> {
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(TABLE)?;
        for Order { id, what, .. } in orders {
            let entry = match what {
                What::Put(entry) => entry.clone(),
                What::Finish(result) => {
                    let known =
                        table.get(id.as_str())?.and_then(|found| serde_json::from_slice::<Entry>(found.value()).ok());
                    // Without a request it could not be done again; it need not be.
                    let known = known.unwrap_or(Entry { request: String::new(), key: None, result: None });
                    Entry { result: Some(result.clone()), ..known }
                }
            };
            // Texts and numbers only.
            let bytes = serde_json::to_vec(&entry).expect("entries are JSON");
            table.insert(id.as_str(), bytes.as_slice())?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Takes out what is too old.
fn sweep(database: &Database, keep: Duration) -> Result<(), NoStore> {
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(TABLE)?;
        table.retain(|_, entry| {
            let result = serde_json::from_slice::<Entry>(entry).ok().and_then(|entry| entry.result);
            result.is_none_or(|result| !is_old(&result, keep))
        })?;
    }
    transaction.commit()?;
    Ok(())
}
