//! Work that outlives its request: its messages, for as long as clients may ask for them.
//!
//! Whoever runs the work publishes its messages here, the final one last; whoever waits follows them, from any request and as
//! often as wanted. Of the messages only the newest is kept, so that a reader who comes late or reads slowly costs nothing;
//! work that consists of parts, each a result of its own, keeps those in it.
//! All work has an owner, and is found by nobody else. Final messages stay for a while, in memory (`shelf`), or in a data
//! file as well (`file`), where work that was begun is noted too: after a crash it can be done again, and no final message is
//! reported before it is on disk, so that none is reported twice. The nodes of a cluster keep their work together on the broker
//! alone (`broker`): each finds, follows and cancels what any of them runs, and the final message stored first counts. Each of
//! these is a `JobStore` (`store`).

mod broker;
mod file;
mod job;
mod shelf;
mod store;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::cluster::{Cluster, Inquiry, Update};
use crate::job::{JobId, Kind, Message, Part, StoreError, StoredPart};

use self::broker::Broker;
use self::file::FileStore;
use self::shelf::{Payer, Shelf};
use self::store::{JobStore, Memory, Noted};

pub use self::file::{Repaired, repair};
pub use self::job::{Found, Messages, New, Pending, Seen, Storage};
pub use self::shelf::Keep;

/// All work of one kind.
#[derive(Clone, Debug)]
pub struct Registry {
    jobs: Arc<Mutex<Jobs>>,
    /// Notified when no work goes on any more.
    emptied: Arc<Notify>,
    store: Arc<dyn JobStore>,
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
    fn new(keep: Keep, store: impl JobStore + 'static) -> Self {
        let jobs = Jobs { live: HashMap::new(), shelf: Shelf::new(keep) };
        Self { jobs: Arc::new(Mutex::new(jobs)), emptied: Arc::default(), store: Arc::new(store) }
    }

    /// A registry that keeps final messages in memory.
    #[must_use]
    pub fn in_memory(keep: Keep) -> Self {
        Self::new(keep, Memory)
    }

    /// A registry of what the nodes of a cluster keep together.
    #[must_use]
    pub fn in_cluster(cluster: Cluster, keep: Keep) -> Self {
        Self::new(keep, Broker(cluster))
    }

    /// A registry that keeps them in a data file, and what must be done again because the program ended before it was done.
    ///
    /// # Errors
    /// When the file cannot be opened or read, or belongs to another process.
    pub fn in_file(path: &Path, keep: Keep) -> Result<(Self, Vec<Pending>), StoreError> {
        let (store, mut entries) = FileStore::open(path, keep.time)?;
        let registry = Self::new(keep, store);
        let mut pending = Vec::new();
        // In the order in which they go.
        entries.sort_by_key(|(_, entry)| entry.result.as_ref().map(|result| result.at));
        for (id, entry) in entries {
            let job = JobId::new(Kind::Search, &entry.owner, &id);
            let Some(result) = entry.result else {
                let request = entry.request.into_bytes().into();
                pending.push(Pending { job, key: entry.key, trace: entry.trace, request });
                continue;
            };
            let shelf = &mut registry.jobs().shelf;
            if let Some(key) = &entry.key {
                shelf.enter_key(&job, key, entry.request.as_bytes());
            }
            // Which of the owner's clients it was, the file does not say.
            let payer = (Arc::clone(&job.owner), Arc::clone(&job.owner));
            shelf.put(&job, result.message(), payer, entry.key, result.age());
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
        self.store.runs_again(has_begun)
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
        self.store.storage()
    }

    /// Ends when work cannot be noted, with the reason; at once when that is so already. In memory it always can.
    pub async fn failing(&self) -> Arc<str> {
        match self.store.storing(false).await {
            Some(reason) => reason,
            None => std::future::pending().await,
        }
    }

    /// Ends when work can be noted; at once when that is so already. In memory it always can.
    pub async fn available(&self) {
        self.store.storing(true).await;
    }

    /// Notes work where it outlives this process, if there is such a place. Returns when it is safe there. Work that could not
    /// be noted is as if it had never been.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn note(
        &self,
        job: &JobId,
        trace: Option<&str>,
        key: Option<&str>,
        request: &[u8],
    ) -> Result<(), StoreError> {
        self.store.note(Noted { job, trace, key, request }).await.inspect_err(|_| self.abandon(job))
    }

    /// Reports a message that is not the final one.
    pub fn report(&self, job: &JobId, message: Message) {
        if let Some(live) = self.jobs().live.get(job) {
            live.messages.send_replace(message);
        }
    }

    /// Stores the final message and reports the one that is stored; where a full disk is in the way, that may be long from now.
    ///
    /// # Errors
    /// When the program ends before: nothing has been reported, and the work is done again when the program runs again.
    pub async fn finish(&self, job: &JobId, own: Message) -> Result<(), StoreError> {
        let stored = self.store.finish(job, own).await.inspect_err(|_| self.abandon(job))?;
        self.conclude(job, stored);
        Ok(())
    }

    /// Reports the final message of work that goes on here; without one, the work has none any more.
    fn conclude(&self, job: &JobId, stored: Option<Message>) {
        let jobs = &mut *self.jobs();
        jobs.shelf.sweep();
        // At once, so that whoever looks finds it in one place or the other.
        let Some(Live { messages, payer, key, .. }) = jobs.live.remove(job) else { return };
        if let Some(stored) = &stored
            && !self.store.has_results()
        {
            jobs.shelf.put(job, stored.clone(), payer, key, Duration::ZERO);
        }
        self.wake(jobs);
        stored.into_iter().for_each(|stored| drop(messages.send_replace(stored)));
    }

    /// Ends work that goes on here where another node has ended it: with that one's final message. `false` while none has.
    ///
    /// # Errors
    /// When the store does not tell.
    pub async fn give_way(&self, job: &JobId) -> Result<bool, StoreError> {
        let overtaken = self.store.overtaken(job).await?;
        let is_over = overtaken.is_some();
        overtaken.into_iter().for_each(|stored| self.conclude(job, stored));
        Ok(is_over)
    }

    /// Keeps a part, the `number`th that has ended, as long as the result will be kept.
    ///
    /// # Errors
    /// When the program ends before.
    pub async fn keep_part(&self, job: &JobId, number: usize, part: &Part) -> Result<StoredPart, StoreError> {
        self.store.keep_part(job, number, part).await
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
    pub async fn cancel(&self, job: &JobId) -> Result<bool, StoreError> {
        // Noted first: a node that takes it now sees the note, and so does the next one if whoever runs it dies.
        let noted = self.store.note_cancelled(job).await;
        if self.cancel_here(job) {
            return Ok(true);
        }
        noted?;
        Ok(self.store.ask_to_end(job).await)
    }

    /// The messages of work that goes on here.
    #[must_use]
    pub fn live_here(&self, job: &JobId) -> Option<Messages> {
        self.jobs().live.get(job).map(|live| live.messages.subscribe())
    }

    /// Finds work.
    ///
    /// # Errors
    /// When the store does not tell, so that nobody knows.
    pub async fn find(&self, job: &JobId) -> Result<Option<Found>, StoreError> {
        let at_hand = {
            let jobs = &mut *self.jobs();
            if let Some(live) = jobs.live.get(job) {
                return Ok(Some(Found::Live(live.messages.subscribe())));
            }
            jobs.shelf.sweep();
            jobs.shelf.find(job)
        };
        match at_hand {
            Some(message) => Ok(Some(Found::Finished(message))),
            None => self.store.find(job).await,
        }
    }

    /// Publishes the messages of work that goes on here to the other nodes, until it ends.
    pub async fn publish(self, cluster: Cluster, job: JobId) {
        let Some(mut messages) = self.live_here(&job) else { return };
        let mut publisher = cluster.publisher(&job).await;
        // Whoever has asked before this node could be heard has left a note.
        if cluster.is_cancelled(&job).await == Ok(true) {
            self.cancel_here(&job);
        }
        loop {
            tokio::select! {
                changed = messages.changed() => {
                    let newest = messages.borrow_and_update().clone();
                    if changed.is_err() || newest.is_final {
                        return;
                    }
                    publisher.publish(Update::from(&newest)).await;
                }
                asked = publisher.asked() => {
                    let (Inquiry::Newest(answer) | Inquiry::Cancel(answer)) = &asked;
                    let newest = Update::from(&*messages.borrow());
                    publisher.answer(answer, newest).await;
                    if matches!(asked, Inquiry::Cancel(_)) {
                        self.cancel_here(&job);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
