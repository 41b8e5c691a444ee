//! The database file, as the registry uses it: notes and results go in, results come out.
//!
//! One thread writes (`writer`), all that has come meanwhile in one transaction, so that many searches share one wait for the
//! disk. It also sees to it that a full disk is no end: see there. `disk` keeps redb's panics in, `records` knows what is in
//! the file, `salvage` reads what is left of a damaged one.

mod disk;
mod records;
mod salvage;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

pub use self::disk::NoStore;
use self::disk::{Open, Place};
pub(super) use self::records::Entry;
use self::records::{Change, Final, read_all, result, sweep};
pub use self::salvage::{Repaired, repair};
use self::writer::{Order, Writer};
use super::{Message, Storage};

/// The open file.
#[derive(Debug)]
pub(super) struct Store {
    database: Slot,
    state: watch::Receiver<Storage>,
    /// None only while it closes.
    orders: Option<mpsc::Sender<Order>>,
    writer: Option<JoinHandle<()>>,
    keep: Duration,
}

/// Where the database is found while it is open.
#[derive(Clone, Debug, Default)]
struct Slot(Arc<Mutex<Option<Arc<Open>>>>);

impl Slot {
    fn get(&self) -> Option<Arc<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another database, or none, in its place.
    fn set(&self, open: Option<Arc<Open>>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), open);
        // Closed here, with the lock free again.
        drop(before);
    }
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

impl Store {
    /// Opens or makes the file. Returns what is in it, the oldest first, without what is too old.
    pub fn open(path: &Path, keep: Duration) -> Result<(Self, Vec<(String, Entry)>), NoStore> {
        Self::open_at(Place::new(path), keep)
    }

    fn open_at(place: Place, keep: Duration) -> Result<(Self, Vec<(String, Entry)>), NoStore> {
        let open = place.open(true)?;
        let entries = open.run(|database| {
            sweep(database, keep)?;
            read_all(database)
        })?;
        let database = Slot::default();
        database.set(Some(Arc::new(open)));
        let (sender, state) = watch::channel(Storage::File);
        let (orders, inbox) = mpsc::channel();
        let writer = Writer::new(place, keep, database.clone(), sender, inbox);
        let writer = std::thread::Builder::new().name("store".to_owned()).spawn(move || writer.run())?;
        Ok((Self { database, state, orders: Some(orders), writer: Some(writer), keep }, entries))
    }

    /// How it is.
    pub fn state(&self) -> watch::Receiver<Storage> {
        self.state.clone()
    }

    /// Writes a new piece of work. Ends when it is safe, or cannot be written.
    pub async fn put(&self, id: &str, entry: Entry) -> Result<(), NoStore> {
        self.order(id, Change::Put(entry)).await
    }

    /// Writes a result. Ends when it is safe, as long as that may take; fails only when the program ends before.
    pub async fn finish(&self, id: &str, message: &Message) -> Result<(), NoStore> {
        self.order(id, Change::Finish(Final::new(message))).await
    }

    async fn order(&self, id: &str, change: Change) -> Result<(), NoStore> {
        let (done, wait) = oneshot::channel();
        let gone = || NoStore::new("the thread that writes has ended");
        let orders = self.orders.as_ref().ok_or_else(gone)?;
        orders.send(Order::Change { id: id.to_owned(), change, done }).map_err(|_| gone())?;
        wait.await.map_err(|_| gone())?
    }

    /// The final message of a piece of work, if it is there.
    pub async fn find(&self, id: &str) -> Result<Option<Message>, NoStore> {
        let Some(open) = self.database.get() else {
            return Err(NoStore::new(match &*self.state.borrow() {
                Storage::Failing(reason) => reason.as_ref(),
                Storage::File | Storage::Broker | Storage::Memory => "the database is being opened anew",
            }));
        };
        let id = id.to_owned();
        let read = tokio::task::spawn_blocking(move || open.run(|database| result(database, &id))).await;
        let read = read.unwrap_or_else(|_| Err(NoStore::new("the thread that reads has ended")));
        match read {
            Ok(found) => Ok(found.and_then(|found| found.message(self.keep))),
            Err(error) => {
                // The writer opens it anew; without one the program ends.
                if let Some(orders) = &self.orders {
                    drop(orders.send(Order::Suspect(error.clone())));
                }
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests;
