//! Jobs, which outlive their requests, and their messages.
//!
//! A running job publishes its messages here, the final one last; any number of requests can follow them. Only the newest
//! message is kept, so late and slow readers cost nothing; a job with parts (a batch) keeps their results in its message. Only
//! its owner finds a job, and each of the owner's clients has a list.
//!
//! A `JobStore` (`store`) keeps final messages for a while:
//!
//! - in memory (`results`);
//! - in a data file too (`file`), which also stores accepted jobs, so that they run again after a crash; no result is reported
//!   before it is on disk;
//! - on the broker of a cluster (`broker`): every node finds, follows, lists and cancels the jobs of all nodes, and the final
//!   message stored first counts.

mod broker;
mod file;
mod job;
mod results;
mod store;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::cluster::{Cluster, TaskRequest, Update};
use crate::job::{JobId, Kind, Message, Part, StoreError, StoredPart};

use self::broker::Broker;
use self::file::FileStore;
use self::results::{Payer, StoredResults};
use self::store::{AcceptedJob, JobStore, Memory};

pub use self::file::{Repaired, repair};
pub use self::job::{FoundJob, Listed, Messages, NewJob, Pending, Registration, Selection, Storage};
pub use self::results::Retention;

/// All jobs of one kind.
#[derive(Clone, Debug)]
pub struct Registry {
    jobs: Arc<Mutex<Jobs>>,
    /// Notified when the last job in progress has ended.
    emptied: Arc<Notify>,
    store: Arc<dyn JobStore>,
}

/// Under one lock, so that of two equal requests at the same moment, only one is new.
#[derive(Debug)]
struct Jobs {
    live: HashMap<JobId, Live>,
    results: StoredResults,
}

/// A job in progress.
struct Live {
    messages: watch::Sender<Message>,
    cancel: Box<dyn Fn() + Send + Sync>,
    /// `None` if it leaves no result here.
    payer: Option<Payer>,
    game: Option<Arc<str>>,
    key: Option<String>,
}

impl Live {
    /// Its entry in its client's list.
    fn listed(&self, job: &JobId) -> Listed {
        listed(job, self.game.clone(), &self.messages.borrow())
    }
}

/// A job's entry in its client's list, with the state of its newest message.
fn listed(job: &JobId, game: Option<Arc<str>>, message: &Message) -> Listed {
    let status = message.brief().map_or_else(Arc::default, |brief| brief.status.into());
    Listed { job: job.clone(), game, status }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl Registry {
    fn new(retention: Retention, store: impl JobStore + 'static) -> Self {
        let jobs = Jobs { live: HashMap::new(), results: StoredResults::new(retention) };
        Self { jobs: Arc::new(Mutex::new(jobs)), emptied: Arc::default(), store: Arc::new(store) }
    }

    /// A registry that keeps final messages in memory.
    #[must_use]
    pub fn in_memory(retention: Retention) -> Self {
        Self::new(retention, Memory)
    }

    /// A registry on the broker of a cluster.
    #[must_use]
    pub fn in_cluster(cluster: Cluster, retention: Retention) -> Self {
        Self::new(retention, Broker(cluster))
    }

    /// A registry that keeps final messages in a data file, and the jobs that an earlier process left unfinished, to run again.
    ///
    /// # Errors
    /// When the file cannot be opened or read, or belongs to another process.
    pub fn in_file(path: &Path, retention: Retention) -> Result<(Self, Vec<Pending>), StoreError> {
        let (store, mut entries) = FileStore::open(path, retention.time)?;
        let registry = Self::new(retention, store);
        let mut pending = Vec::new();
        // In the order of their expiry.
        entries.sort_by_key(|(_, entry)| entry.result.as_ref().map(|result| result.at));
        for (id, entry) in entries {
            let job = JobId::new(Kind::Search, &entry.owner, &id);
            let client = entry.client.unwrap_or_else(|| entry.owner.clone());
            let Some(result) = entry.result else {
                let request = entry.request.into_bytes().into();
                pending.push(Pending { job, client, key: entry.key, trace: entry.trace, request });
                continue;
            };
            let results = &mut registry.jobs().results;
            if let Some(key) = &entry.key {
                results.enter_key(&job, key, entry.request.as_bytes());
            }
            let (message, payer) = (result.message(), (Arc::clone(&job.owner), client.into()));
            let game = message.brief().and_then(|brief| brief.game).map(Arc::from);
            results.put(listed(&job, game, &message), message, payer, entry.key, result.age());
        }
        Ok((registry, pending))
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a job that this process leaves unfinished runs again: on another node, or, if its search has not begun, in the
    /// next process with this file.
    #[must_use]
    pub fn will_rerun(&self, has_begun: bool) -> bool {
        self.store.will_rerun(has_begun)
    }

    /// The number of jobs in progress.
    #[must_use]
    pub fn count(&self) -> usize {
        self.jobs().live.len()
    }

    /// Registers a new job, unless its key is taken, a job of this name is in progress, or its client's share of results is
    /// full. `begin` returns the function that cancels it; if `begin` fails, nothing is registered.
    ///
    /// # Errors
    /// Those of `begin`.
    pub fn enter<E>(
        &self,
        new: NewJob<'_>,
        begin: impl FnOnce() -> Result<Box<dyn Fn() + Send + Sync>, E>,
    ) -> Result<Registration, E> {
        let NewJob { job, key, client, is_accepted, game, first } = new;
        let jobs = &mut *self.jobs();
        jobs.results.remove_expired();
        if jobs.live.contains_key(job) {
            return Ok(Registration::Duplicate(job.clone()));
        }
        if let Some((key, request)) = key
            && let Some(known) = jobs.results.job_of_key(&job.owner, key, request)
        {
            return Ok(known.map_or(Registration::KeyConflict, Registration::Duplicate));
        }
        let payer = client.map(|client| (Arc::clone(&job.owner), client.into()));
        if let Some(payer) = payer.as_ref().filter(|_| !is_accepted)
            && let Some(wait) = jobs.results.time_until_room(payer)
        {
            return Ok(Registration::ShareFull(wait));
        }
        let cancel = begin()?;
        if let Some((key, request)) = key {
            jobs.results.enter_key(job, key, request);
        }
        let key = key.map(|(key, _)| key.to_owned());
        let game = game.map(Arc::from);
        jobs.live.insert(job.clone(), Live { messages: watch::Sender::new(first), cancel, payer, game, key });
        Ok(Registration::New)
    }

    /// Where jobs are stored, and whether that works now.
    #[must_use]
    pub fn storage(&self) -> Storage {
        self.store.storage()
    }

    /// Waits until jobs cannot be stored, and returns the reason. Memory never fails.
    pub async fn storage_failure(&self) -> Arc<str> {
        match self.store.wait_for_storage(false).await {
            Some(reason) => reason,
            None => std::future::pending().await,
        }
    }

    /// Waits until jobs can be stored.
    pub async fn storage_available(&self) {
        self.store.wait_for_storage(true).await;
    }

    /// Stores a job where it survives this process, if the store supports this, and returns once it is safe. If that fails, the
    /// job is removed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn persist(
        &self,
        job: &JobId,
        trace: Option<&str>,
        key: Option<&str>,
        request: &[u8],
    ) -> Result<(), StoreError> {
        let payer = self.jobs().live.get(job).and_then(|live| live.payer.clone());
        let client = payer.map_or_else(|| Arc::clone(&job.owner), |(_, client)| client);
        self.store
            .persist(AcceptedJob { job, client: &client, trace, key, request })
            .await
            .inspect_err(|_| self.abandon(job))
    }

    /// Reports a message that is not the final one.
    pub fn report(&self, job: &JobId, message: Message) {
        if let Some(live) = self.jobs().live.get(job) {
            live.messages.send_replace(message);
        }
    }

    /// Stores the final message, and reports the stored one. On a full disk, this can take long.
    ///
    /// # Errors
    /// When the process ends first: nothing is reported, and the job runs again after a restart.
    pub async fn finish(&self, job: &JobId, own: Message) -> Result<(), StoreError> {
        let stored = self.store.finish(job, own).await.inspect_err(|_| self.abandon(job))?;
        self.conclude(job, stored);
        Ok(())
    }

    /// Ends a job in progress and reports its stored final message; `None` if that has expired.
    fn conclude(&self, job: &JobId, stored: Option<Message>) {
        let jobs = &mut *self.jobs();
        jobs.results.remove_expired();
        // Under one lock, so that every look-up finds it in one place or the other.
        let Some(Live { messages, payer, game, key, .. }) = jobs.live.remove(job) else { return };
        if let Some((stored, payer)) = stored.as_ref().zip(payer)
            && !self.store.has_results()
        {
            jobs.results.put(listed(job, game, stored), stored.clone(), payer, key, Duration::ZERO);
        }
        self.notify_if_empty(jobs);
        stored.into_iter().for_each(|stored| drop(messages.send_replace(stored)));
    }

    /// Ends a job in progress that another node has ended, with that node's final message; `false` if no node has.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn adopt_remote_result(&self, job: &JobId) -> Result<bool, StoreError> {
        let remote_result = self.store.remote_result(job).await?;
        let is_over = remote_result.is_some();
        remote_result.into_iter().for_each(|stored| self.conclude(job, stored));
        Ok(is_over)
    }

    /// Stores a part, the `number`th to end, for as long as the job's result.
    ///
    /// # Errors
    /// When the process ends first.
    pub async fn store_part(&self, job: &JobId, number: usize, part: &Part) -> Result<StoredPart, StoreError> {
        self.store.store_part(job, number, part).await
    }

    fn notify_if_empty(&self, jobs: &Jobs) {
        if jobs.live.is_empty() {
            self.emptied.notify_waiters();
        }
    }

    fn remove(&self, job: &JobId) -> Option<Live> {
        let jobs = &mut *self.jobs();
        let removed = jobs.live.remove(job);
        self.notify_if_empty(jobs);
        removed
    }

    /// Waits until no job is in progress.
    pub async fn wait_until_empty(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.count() == 0 {
                return;
            }
            emptied.await;
        }
    }

    /// Removes a job that will have no result in this process, and its key.
    pub fn abandon(&self, job: &JobId) {
        if let Some(Live { key: Some(key), .. }) = self.remove(job) {
            self.jobs().results.forget_key(job, key);
        }
    }

    /// Asks a job in progress here to end soon; `false` if there is none of this name.
    pub fn cancel_local(&self, job: &JobId) -> bool {
        let jobs = self.jobs();
        let found = jobs.live.get(job);
        found.inspect(|live| (live.cancel)()).is_some()
    }

    /// Asks a job to end soon, on any node; `false` if none runs it: it waits, has ended or never existed.
    ///
    /// # Errors
    /// When the other nodes cannot be asked.
    pub async fn cancel(&self, job: &JobId) -> Result<bool, StoreError> {
        // Stored first: a node that takes the job now sees it, and so does the next one if the current one dies.
        let stored = self.store.store_cancellation(job).await;
        if self.cancel_local(job) {
            return Ok(true);
        }
        stored?;
        Ok(self.store.request_cancellation(job).await)
    }

    /// The messages of a job in progress here.
    #[must_use]
    pub fn live_messages(&self, job: &JobId) -> Option<Messages> {
        self.jobs().live.get(job).map(|live| live.messages.subscribe())
    }

    /// Finds a job.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn find(&self, job: &JobId) -> Result<Option<FoundJob>, StoreError> {
        let at_hand = {
            let jobs = &mut *self.jobs();
            if let Some(live) = jobs.live.get(job) {
                return Ok(Some(FoundJob::Live(live.messages.subscribe())));
            }
            jobs.results.remove_expired();
            jobs.results.find(job)
        };
        match at_hand {
            Some(message) => Ok(Some(FoundJob::Finished(message))),
            None => self.store.find(job).await,
        }
    }

    /// A client's jobs of a kind that can be polled, the newest first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn list(&self, kind: Kind, selection: Selection<'_>) -> Result<Vec<Listed>, StoreError> {
        if let Some(list) = self.store.list(kind, selection).await? {
            return Ok(list);
        }
        let jobs = &mut *self.jobs();
        jobs.results.remove_expired();
        let is_own = |live: &Live| {
            live.payer
                .as_ref()
                .is_some_and(|(owner, client)| (&**owner, &**client) == (selection.owner, selection.client))
        };
        let live = jobs.live.iter().filter(|(job, live)| selection.includes_id(&job.id) && is_own(live));
        let live = live.map(|(job, live)| live.listed(job)).filter(|listed| selection.includes_status(&listed.status));
        Ok(newest(live.chain(jobs.results.list(selection).cloned()).collect(), selection.limit))
    }

    /// Publishes the messages of a job in progress here to the other nodes, until it ends.
    pub async fn publish(self, cluster: Cluster, job: JobId) {
        let Some(mut messages) = self.live_messages(&job) else { return };
        let mut publisher = cluster.publisher(&job).await;
        // A cancel request that came before the subscription is stored.
        if cluster.is_cancelled(&job).await == Ok(true) {
            self.cancel_local(&job);
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
                request = publisher.next_request() => {
                    let (TaskRequest::Newest(reply_to) | TaskRequest::Cancel(reply_to)) = &request;
                    let newest = Update::from(&*messages.borrow());
                    publisher.reply(reply_to, newest).await;
                    if matches!(request, TaskRequest::Cancel(_)) {
                        self.cancel_local(&job);
                    }
                }
            }
        }
    }
}

/// The newest jobs of a list, the newest first.
fn newest(mut list: Vec<Listed>, limit: usize) -> Vec<Listed> {
    list.sort_unstable_by(|a, b| b.job.id.cmp(&a.job.id));
    list.truncate(limit);
    list
}

#[cfg(test)]
mod tests;
