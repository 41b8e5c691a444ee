//! Work that outlives its request: its messages, for as long as clients may ask for them.
//!
//! Whoever runs the work publishes its messages here, the final one last; whoever waits follows them, from any request and as
//! often as wanted. Of the messages only the newest is kept, so that a reader who comes late or reads slowly costs nothing;
//! work that consists of parts, each a result of its own, keeps those in it.
//! All work has an owner, and is found by nobody else. Final messages stay for a while, in memory (`shelf`), or in a database
//! file as well (`store`), where work that was begun is noted too: after a crash it can be done again, and no final message is
//! reported before it is on disk, so that none is reported twice. The nodes of a cluster keep their work together on the broker
//! alone (`shared`): each finds, follows and cancels what any of them runs, and the final message stored first counts.

mod job;
mod message;
mod shared;
mod shelf;
mod store;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::cluster::{Cluster, Kind};

pub use self::job::{Found, JobId, Kept, Messages, New, Pending, Seen, Storage};
pub use self::message::{Message, Part, Parts};
use self::shared::Shared;
pub use self::shelf::Keep;
use self::shelf::{Payer, Shelf};
use self::store::{Entry as Stored, Store};
pub use self::store::{NoStore, Repaired, repair};

/// All work of one kind.
#[derive(Clone, Debug)]
pub struct Registry {
    jobs: Arc<Mutex<Jobs>>,
    /// Notified when no work goes on any more.
    emptied: Arc<Notify>,
    place: Place,
}

/// Where results are, besides the shelf.
#[derive(Clone, Debug)]
enum Place {
    /// Nowhere.
    Memory,
    /// In a file too.
    File(Arc<Store>),
    /// On the broker, and not on the shelf.
    Cluster(Shared),
}

/// What is under one lock, so that of two equal requests at the same moment one is new.
#[derive(Debug)]
struct Jobs {
    live: HashMap<JobId, Live>,
    shelf: Shelf,
}

/// Work that goes on.
struct Live {
    messages: watch::Sender<Message>,
    cancel: Box<dyn Fn() + Send + Sync>,
    payer: Payer,
    key: Option<String>,
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl Registry {
    fn new(keep: Keep, place: Place) -> Self {
        let jobs = Jobs { live: HashMap::new(), shelf: Shelf::new(keep) };
        Self { jobs: Arc::new(Mutex::new(jobs)), emptied: Arc::default(), place }
    }

    /// A registry that keeps final messages in memory.
    #[must_use]
    pub fn in_memory(keep: Keep) -> Self {
        Self::new(keep, Place::Memory)
    }

    /// A registry of what the nodes of a cluster keep together: work of this kind.
    #[must_use]
    pub fn in_cluster(cluster: Cluster, kind: Kind, keep: Keep) -> Self {
        Self::new(keep, Place::Cluster(Shared::new(cluster, kind)))
    }

    /// A registry that keeps them in a database file, and what must be done again because the program ended before it was done.
    ///
    /// # Errors
    /// When the file cannot be opened or read, or belongs to another process.
    pub fn in_file(path: &Path, keep: Keep) -> Result<(Self, Vec<Pending>), NoStore> {
        let (store, mut entries) = Store::open(path, keep.time)?;
        let registry = Self::new(keep, Place::File(Arc::new(store)));
        let mut pending = Vec::new();
        // In the order in which they go.
        entries.sort_by_key(|(_, entry)| entry.result.as_ref().map(|result| result.at));
        for (id, entry) in entries {
            let job = JobId::new(entry.owner.as_deref().unwrap_or_default(), &id);
            let Some(result) = entry.result else {
                let request = entry.request.into_bytes().into();
                pending.push(Pending {
                    job,
                    is_owned: entry.owner.is_some(),
                    key: entry.key,
                    trace: entry.trace,
                    request,
                });
                continue;
            };
            let shelf = &mut registry.jobs().shelf;
            if let Some(key) = &entry.key {
                shelf.enter_key(&job, key, entry.request.as_bytes());
            }
            // Which of the owner's clients it was, the file does not say.
            let payer = (Arc::clone(&job.owner), Arc::clone(&job.owner));
            shelf.put(&job, (None, result.bytes()), payer, entry.key, result.age());
        }
        Ok((registry, pending))
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether work is run again that this process leaves undone: by another node, or, where its search has not begun, by the
    /// next process with this file.
    #[must_use]
    pub fn runs_again(&self, has_begun: bool) -> bool {
        match self.place {
            Place::Memory => false,
            Place::File(_) => !has_begun,
            Place::Cluster(_) => true,
        }
    }

    /// How much work goes on.
    #[must_use]
    pub fn count(&self) -> usize {
        self.jobs().live.len()
    }

    /// Enters new work, unless its key has been seen, work of this name goes on, or its result would find no room. What `begin`
    /// returns is called to cancel it; when `begin` fails, nothing is entered.
    ///
    /// # Errors
    /// Those of `begin`.
    pub fn enter<E>(
        &self,
        new: New<'_>,
        begin: impl FnOnce() -> Result<Box<dyn Fn() + Send + Sync>, E>,
    ) -> Result<Seen, E> {
        let New { job, key, payer, first } = new;
        let jobs = &mut *self.jobs();
        jobs.shelf.sweep();
        if jobs.live.contains_key(job) {
            return Ok(Seen::As(job.clone()));
        }
        if let Some((key, request)) = key
            && let Some(known) = jobs.shelf.known(&job.owner, key, request)
        {
            return Ok(known.map_or(Seen::Other, Seen::As));
        }
        let is_counted = payer.is_some();
        let payer = (Arc::clone(&job.owner), payer.map_or_else(|| Arc::clone(&job.owner), Arc::from));
        if is_counted && let Some(wait) = jobs.shelf.wait(&payer) {
            return Ok(Seen::Full(wait));
        }
        let cancel = begin()?;
        if let Some((key, request)) = key {
            jobs.shelf.enter_key(job, key, request);
        }
        let key = key.map(|(key, _)| key.to_owned());
        jobs.live.insert(job.clone(), Live { messages: watch::Sender::new(first), cancel, payer, key });
        Ok(Seen::No)
    }

    /// Where work is noted, and whether it can be at this moment.
    #[must_use]
    pub fn storage(&self) -> Storage {
        match &self.place {
            Place::Memory => Storage::Memory,
            Place::File(store) => store.state().borrow().clone(),
            Place::Cluster(shared) => shared.storage(),
        }
    }

    /// Ends when work cannot be noted, with the reason; at once when that is so already. In memory it always can.
    pub async fn failing(&self) -> Arc<str> {
        match &self.place {
            Place::Memory => {}
            Place::File(store) => {
                let mut state = store.state();
                if let Ok(state) = state.wait_for(|state| matches!(state, Storage::Failing(_))).await
                    && let Storage::Failing(reason) = &*state
                {
                    return Arc::clone(reason);
                }
            }
            Place::Cluster(shared) => return shared.failing().await,
        }
        std::future::pending().await
    }

    /// Ends when work can be noted; at once when that is so already. In memory it always can.
    pub async fn available(&self) {
        match &self.place {
            Place::Memory => {}
            // Without its writer, whoever tries to note something gets an error.
            Place::File(store) => drop(store.state().wait_for(|state| !matches!(state, Storage::Failing(_))).await),
            Place::Cluster(shared) => shared.available().await,
        }
    }

    /// Notes work on disk, if there is a file. Returns when it is safe there. Work that could not be noted is as if it had
    /// never been.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn note(
        &self,
        job: &JobId,
        trace: Option<&str>,
        key: Option<&str>,
        request: &[u8],
    ) -> Result<(), NoStore> {
        let Place::File(store) = &self.place else { return Ok(()) };
        let request = String::from_utf8_lossy(request).into_owned();
        let (owner, trace) = (Some(job.owner.as_ref().to_owned()), trace.map(str::to_owned));
        let entry = Stored { request, key: key.map(str::to_owned), owner, trace, result: None };
        store.put(&job.id, entry).await.inspect_err(|_| self.abandon(job))
    }

    /// Reports a message that is not the final one.
    pub fn tell(&self, job: &JobId, message: Message) {
        if let Some(live) = self.jobs().live.get(job) {
            live.messages.send_replace(message);
        }
    }

    /// Stores the final message and reports the one that is stored; where a full disk is in the way, that may be long from now.
    ///
    /// # Errors
    /// When the program ends before: nothing has been reported, and the work is done again when the program runs again.
    pub async fn finish(&self, job: &JobId, own: Message) -> Result<(), NoStore> {
        match &self.place {
            Place::Memory => self.keep(job, own),
            Place::File(store) => {
                store.finish(&job.id, &own).await.inspect_err(|_| self.abandon(job))?;
                self.keep(job, own);
            }
            Place::Cluster(shared) => {
                let stored = shared.finish(job, own).await.inspect_err(|_| self.abandon(job))?;
                self.conclude(job, stored);
                shared.tell_end(job).await;
            }
        }
        Ok(())
    }

    /// Puts the final message of work that goes on here onto the shelf, and reports it.
    fn keep(&self, job: &JobId, message: Message) {
        let jobs = &mut *self.jobs();
        jobs.shelf.sweep();
        // At once, so that whoever looks finds it in one place or the other.
        let Some(Live { messages, payer, key, .. }) = jobs.live.remove(job) else { return };
        let bytes = message.bytes();
        jobs.shelf.put(job, (Some(message.clone()), bytes), payer, key, Duration::ZERO);
        self.wake(jobs);
        messages.send_replace(message);
    }

    /// Reports the final message that the cluster has of work that goes on here; without one, the work has none any more.
    fn conclude(&self, job: &JobId, stored: Option<Message>) {
        if let (Some(live), Some(stored)) = (self.remove(job), stored) {
            live.messages.send_replace(stored);
        }
    }

    /// Ends work that goes on here where another node has ended it: with that one's final message. `false` while none has.
    ///
    /// # Errors
    /// When the broker does not tell.
    pub async fn give_way(&self, job: &JobId) -> Result<bool, NoStore> {
        let Place::Cluster(shared) = &self.place else { return Ok(false) };
        let is_over = !shared.is_open(job).await?;
        if is_over {
            let stored = shared.result(job).await?;
            self.conclude(job, stored);
        }
        Ok(is_over)
    }

    /// Keeps a part, the `number`th that has ended, as long as the result will be kept.
    ///
    /// # Errors
    /// When the program ends before.
    pub async fn keep_part(&self, job: &JobId, number: usize, part: &Part) -> Result<Kept, NoStore> {
        match &self.place {
            Place::Cluster(shared) => shared.keep_part(job, number, part).await,
            Place::Memory | Place::File(_) => Ok(Kept::Own),
        }
    }

    fn wake(&self, jobs: &Jobs) {
        if jobs.live.is_empty() {
            self.emptied.notify_waiters();
        }
    }

    fn remove(&self, job: &JobId) -> Option<Live> {
        let jobs = &mut *self.jobs();
        let removed = jobs.live.remove(job);
        self.wake(jobs);
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

    /// Forgets work that has no result and will have none in this process, and its key.
    pub fn abandon(&self, job: &JobId) {
        if let Some(Live { key: Some(key), .. }) = self.remove(job) {
            self.jobs().shelf.forget_key(job, key);
        }
    }

    /// Asks work that goes on here to end soon; `false` when there is none of this name.
    pub fn cancel_here(&self, job: &JobId) -> bool {
        let jobs = self.jobs();
        let found = jobs.live.get(job);
        found.inspect(|live| (live.cancel)()).is_some()
    }

    /// Asks work to end soon, wherever it goes on; `false` when nobody runs it, because it waits, has ended or never was.
    ///
    /// # Errors
    /// When the other nodes cannot be asked.
    pub async fn cancel(&self, job: &JobId) -> Result<bool, NoStore> {
        let Place::Cluster(shared) = &self.place else { return Ok(self.cancel_here(job)) };
        // Noted first: a node that takes it now sees the note, and so does the next one if whoever runs it dies.
        let noted = shared.note_cancelled(job).await;
        if self.cancel_here(job) {
            return Ok(true);
        }
        noted?;
        Ok(shared.ask_to_end(job).await)
    }

    /// The messages of work that goes on here.
    #[must_use]
    pub fn live_here(&self, job: &JobId) -> Option<Messages> {
        self.jobs().live.get(job).map(|live| live.messages.subscribe())
    }

    /// Finds work.
    ///
    /// # Errors
    /// When the file cannot be read, or the broker does not tell, so that nobody knows.
    pub async fn find(&self, job: &JobId) -> Result<Option<Found>, NoStore> {
        let at_hand = {
            let jobs = &mut *self.jobs();
            if let Some(live) = jobs.live.get(job) {
                return Ok(Some(Found::Live(live.messages.subscribe())));
            }
            jobs.shelf.sweep();
            jobs.shelf.find(job)
        };
        match (&self.place, at_hand) {
            (_, Some(Some(message))) => Ok(Some(Found::Finished(message))),
            (Place::File(store), Some(None)) => Ok(store.find(&job.id).await?.map(Found::Finished)),
            (Place::Cluster(shared), None) => shared.find(job).await,
            (Place::Memory | Place::Cluster(_), Some(None)) | (Place::Memory | Place::File(_), None) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests;
