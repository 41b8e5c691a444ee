//! Work that outlives its request: its messages, for as long as clients may ask for them.
//!
//! Whoever runs the work publishes its messages here, the final one last; whoever waits follows them, from any request and as
//! often as wanted. Of the messages only the newest is kept, so that a reader who comes late or reads slowly costs nothing;
//! work that consists of parts, each a result of its own, keeps those in it.
//! Final messages stay for a while, in memory or in a database file (`store`), where work that was begun is noted too: after a
//! crash it can be done again, and no final message is reported before it is on disk, so that none is reported twice. The nodes
//! of a cluster keep their work together on the broker (`shared`): each finds, follows and cancels what any of them runs.

mod message;
mod shared;
mod store;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::sync::{Notify, watch};

use crate::cluster::{Cluster, Kind};

pub use self::message::{Message, Part, Parts};
use self::shared::Shared;
use self::store::{Entry as Stored, Store};
pub use self::store::{NoStore, Repaired, repair};

/// The messages of some work that goes on; the newest is at hand. It ends after the final one, or without one when the program
/// ends before the work.
pub type Messages = watch::Receiver<Message>;

/// All work of one kind.
#[derive(Clone, Debug)]
pub struct Registry {
    live: Arc<Mutex<HashMap<String, Live>>>,
    /// Notified when no work goes on any more.
    emptied: Arc<Notify>,
    finished: Cache<String, Message>,
    /// Requests by the client's own key.
    keys: Cache<String, Key>,
    store: Option<Arc<Store>>,
    shared: Option<Shared>,
}

/// Work that goes on.
struct Live {
    messages: watch::Sender<Message>,
    cancel: Box<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
struct Key {
    request: Arc<[u8]>,
    id: String,
}

/// What a client's key says of its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing: it is new.
    No,
    /// The same request came before, and is this work.
    As(String),
    /// Another request came with this key.
    Other,
}

/// Some work, found.
#[derive(Debug)]
pub enum Found {
    /// It goes on.
    Live(Messages),
    /// It has ended with this message.
    Finished(Message),
}

/// Where work is noted, and whether it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In memory: it ends with the program.
    Memory,
    /// In a file.
    File,
    /// By the cluster's broker.
    Broker,
    /// In a file, or by a broker, that takes nothing at present, for this reason. It is tried again and again.
    Failing(Arc<str>),
}

/// Work that was begun before the program ended, and must be done again.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its id.
    pub id: String,
    /// Whose it is; none where the file is too old to say.
    pub owner: Option<String>,
    /// The span of the request that asked for it, as in a header `traceparent`; none where there were no traces.
    pub trace: Option<String>,
    /// The request as it came.
    pub request: Arc<[u8]>,
}

/// How many bytes of final messages are kept in memory, and of requests with keys.
const MOST_BYTES: u64 = 128 << 20;

impl Registry {
    /// A registry that keeps final messages in memory for so long.
    #[must_use]
    pub fn in_memory(keep: Duration) -> Self {
        let weigh = |id: &String, message: &Message| (id.len() + message.bytes() + 100) as u32;
        let weigh_key = |key: &String, known: &Key| (key.len() + known.request.len() + 200) as u32;
        Self {
            live: Arc::default(),
            emptied: Arc::default(),
            finished: Cache::builder()
                .max_capacity(MOST_BYTES)
                .eviction_policy(EvictionPolicy::lru())
                .weigher(weigh)
                .time_to_live(keep)
                .build(),
            keys: Cache::builder()
                .max_capacity(MOST_BYTES)
                .eviction_policy(EvictionPolicy::lru())
                .weigher(weigh_key)
                .time_to_live(keep)
                .build(),
            store: None,
            shared: None,
        }
    }

    /// A registry of what the nodes of a cluster keep together: work of this kind. What was found here is kept in memory too.
    #[must_use]
    pub fn in_cluster(cluster: Cluster, kind: Kind, keep: Duration) -> Self {
        Self { shared: Some(Shared::new(cluster, kind)), ..Self::in_memory(keep) }
    }

    /// A registry that keeps them in a database file, and what must be done again because the program ended before it was done.
    ///
    /// # Errors
    /// When the file cannot be opened or read, or belongs to another process.
    pub fn in_file(path: &Path, keep: Duration) -> Result<(Self, Vec<Pending>), NoStore> {
        let (store, entries) = Store::open(path, keep)?;
        let registry = Self { store: Some(Arc::new(store)), ..Self::in_memory(keep) };
        let mut pending = Vec::new();
        for (id, entry) in entries {
            let request: Arc<[u8]> = entry.request.into_bytes().into();
            if let Some(key) = entry.key {
                registry.keys.insert(key, Key { request: Arc::clone(&request), id: id.clone() });
            }
            if entry.result.is_none() {
                pending.push(Pending { id, owner: entry.owner, trace: entry.trace, request });
            }
        }
        Ok((registry, pending))
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the work survives the program's end.
    #[must_use]
    pub fn is_durable(&self) -> bool {
        self.store.is_some() || self.shared.is_some()
    }

    /// Whether other nodes of a cluster know of the work, and do again what this one does not end.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// How much work goes on.
    #[must_use]
    pub fn count(&self) -> usize {
        self.live().len()
    }

    /// Enters new work, `first` being its first message, unless `key` has been seen or work of this id goes on. What `begin`
    /// returns is called to cancel it; when `begin` fails, nothing is entered.
    ///
    /// # Errors
    /// Those of `begin`.
    pub fn enter<E>(
        &self,
        id: &str,
        key: Option<(&str, &[u8])>,
        first: Message,
        begin: impl FnOnce() -> Result<Box<dyn Fn() + Send + Sync>, E>,
    ) -> Result<Seen, E> {
        let mut live = self.live();
        if live.contains_key(id) {
            return Ok(Seen::As(id.to_owned()));
        }
        // Under the lock: of two equal requests at the same moment, one is new.
        if let Some((key, request)) = key
            && let Some(known) = self.keys.get(key)
            && (live.contains_key(&known.id) || self.finished.contains_key(&known.id) || self.store.is_some())
        {
            return Ok(if *known.request == *request { Seen::As(known.id) } else { Seen::Other });
        }
        let cancel = begin()?;
        if let Some((key, request)) = key {
            self.keys.insert(key.to_owned(), Key { request: request.into(), id: id.to_owned() });
        }
        live.insert(id.to_owned(), Live { messages: watch::Sender::new(first), cancel });
        Ok(Seen::No)
    }

    /// Takes a key for one that has not been seen: its work is not kept any more.
    pub fn forget_key(&self, key: &str) {
        self.keys.invalidate(key);
    }

    /// Where work is noted, and whether it can be at this moment.
    #[must_use]
    pub fn storage(&self) -> Storage {
        if let Some(shared) = &self.shared {
            return shared.storage();
        }
        self.store.as_ref().map_or(Storage::Memory, |store| store.state().borrow().clone())
    }

    /// Ends when work cannot be noted, with the reason; at once when that is so already. In memory it always can.
    pub async fn failing(&self) -> Arc<str> {
        if let Some(shared) = &self.shared {
            return shared.failing().await;
        }
        if let Some(store) = &self.store {
            let mut state = store.state();
            if let Ok(state) = state.wait_for(|state| matches!(state, Storage::Failing(_))).await
                && let Storage::Failing(reason) = &*state
            {
                return Arc::clone(reason);
            }
        }
        std::future::pending().await
    }

    /// Ends when work can be noted; at once when that is so already. In memory it always can.
    pub async fn available(&self) {
        if let Some(shared) = &self.shared {
            shared.available().await;
        }
        if let Some(store) = &self.store {
            // Without its writer, whoever tries to note something gets an error.
            let _ = store.state().wait_for(|state| !matches!(state, Storage::Failing(_))).await;
        }
    }

    /// Notes work on disk, if there is a file, and whose it is. Returns when it is safe there. Work that could not be noted is
    /// as if it had never been.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn note(
        &self,
        id: &str,
        (owner, trace): (&str, Option<&str>),
        key: Option<&str>,
        request: &[u8],
    ) -> Result<(), NoStore> {
        let Some(store) = &self.store else { return Ok(()) };
        let request = String::from_utf8_lossy(request).into_owned();
        let (owner, trace) = (Some(owner.to_owned()), trace.map(str::to_owned));
        let noted = store.put(id, Stored { request, key: key.map(str::to_owned), owner, trace, result: None }).await;
        if noted.is_err() {
            key.into_iter().for_each(|key| self.forget_key(key));
            self.abandon(id);
        }
        noted
    }

    /// Tells a message that is not the final one.
    pub fn tell(&self, id: &str, message: Message) {
        if let Some(live) = self.live().get(id) {
            live.messages.send_replace(message);
        }
    }

    /// Tells the final message, once it is safe; where a full disk is in the way, that may be long from now.
    ///
    /// # Errors
    /// When the program ends before: nothing has been reported, and the work is done again when the program runs again.
    pub async fn finish(&self, id: &str, mut message: Message) -> Result<(), NoStore> {
        if let Some(shared) = &self.shared {
            // Where another node has been faster, its message is the one.
            message = shared.finish(id, message).await.inspect_err(|_| self.abandon(id))?;
        }
        if let Some(store) = &self.store {
            store.finish(id, &message).await.inspect_err(|_| self.abandon(id))?;
        }
        // In this order, so that whoever looks finds it in one place or the other.
        self.finished.insert(id.to_owned(), message.clone());
        if let Some(live) = self.remove(id) {
            live.messages.send_replace(message);
        }
        if let Some(shared) = &self.shared {
            shared.tell_end(id).await;
        }
        Ok(())
    }

    /// Keeps a part, the `number`th that has ended, as long as the result will be kept. Another one where another node has
    /// been faster: then that is the part of this number.
    ///
    /// # Errors
    /// When the program ends before.
    pub async fn keep_part(&self, id: &str, number: usize, part: &Part) -> Result<Option<Part>, NoStore> {
        match &self.shared {
            Some(shared) => shared.keep_part(id, number, part).await,
            None => Ok(None),
        }
    }

    fn remove(&self, id: &str) -> Option<Live> {
        let mut live = self.live();
        let removed = live.remove(id);
        if live.is_empty() {
            self.emptied.notify_waiters();
        }
        removed
    }

    /// Ends when no work goes on; at once when that is so already.
    pub async fn empty(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.count() == 0 {
                return;
            }
            emptied.await;
        }
    }

    /// Forgets work that has no result and will have none in this process.
    pub fn abandon(&self, id: &str) {
        drop(self.remove(id));
    }

    /// Asks work that goes on here to end soon; `false` when there is none of this id.
    pub fn cancel_here(&self, id: &str) -> bool {
        let live = self.live();
        let found = live.get(id);
        found.inspect(|live| (live.cancel)()).is_some()
    }

    /// Asks work to end soon, wherever it goes on; `false` when nobody runs it, because it waits, has ended or never was.
    ///
    /// # Errors
    /// When the other nodes cannot be asked.
    pub async fn cancel(&self, id: &str) -> Result<bool, NoStore> {
        let Some(shared) = &self.shared else { return Ok(self.cancel_here(id)) };
        // Noted first: a node that takes it now sees the note, and so does the next one if whoever runs it dies.
        let noted = shared.note_cancelled(id).await;
        if self.cancel_here(id) {
            return Ok(true);
        }
        noted?;
        Ok(shared.ask_to_end(id).await)
    }

    /// The messages of work that goes on here.
    #[must_use]
    pub fn live_here(&self, id: &str) -> Option<Messages> {
        self.live().get(id).map(|live| live.messages.subscribe())
    }

    /// Finds work.
    ///
    /// # Errors
    /// When the file cannot be read, so that nobody knows.
    pub async fn find(&self, id: &str) -> Result<Option<Found>, NoStore> {
        if let Some(messages) = self.live_here(id) {
            return Ok(Some(Found::Live(messages)));
        }
        if let Some(message) = self.finished.get(id) {
            return Ok(Some(Found::Finished(message)));
        }
        if let Some(shared) = &self.shared {
            return shared.find(id).await;
        }
        let Some(store) = &self.store else { return Ok(None) };
        Ok(store.find(id).await?.map(Found::Finished))
    }
}

#[cfg(test)]
mod tests;
