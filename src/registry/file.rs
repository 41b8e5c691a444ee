//! The store in a data file: jobs survive a restart.
//!
//! One thread writes everything that has arrived since its last write, so many jobs share one wait for the disk. While writes
//! fail, the store is failing: new jobs are refused at once, results wait here, and the write is repeated every second. The
//! store recovers once all waiting results are written and there is room for more. The number of waiting results is bounded by
//! the jobs in progress when the failure began.

mod journal;
mod repair;

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::{oneshot, watch};

pub(super) use self::journal::StoredJob;
use self::journal::{Event, Final, Journal};
pub use self::repair::{Repaired, repair};
use super::job::Storage;
use super::store::{AcceptedJob, JobStore, StoreFuture};
use crate::job::{JobId, Message, StoreError};

/// The interval of checks whether the file has grown too large.
const SWEEP: Duration = Duration::from_secs(60);
/// The interval of attempts to recover a failing file.
const RETRY: Duration = Duration::from_secs(1);

/// The open file.
#[derive(Debug)]
pub(super) struct FileStore {
    state: watch::Receiver<Storage>,
    /// `None` only while it closes.
    requests: Option<mpsc::Sender<WriteRequest>>,
    writer: Option<JoinHandle<()>>,
}

/// An event to write, and its waiter.
#[derive(Debug)]
struct WriteRequest {
    event: Event,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl Drop for FileStore {
    /// Closes the file: the writer ends once no sender is left.
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(writer) = self.writer.take() {
            // Its result is `()`.
            let _ = writer.join();
        }
    }
}

impl FileStore {
    /// Opens or creates the file. Returns its entries, without the expired ones.
    pub fn open(path: &Path, keep: Duration) -> Result<(Self, Vec<(String, StoredJob)>), StoreError> {
        let (journal, entries) = Journal::open(path, keep)?;
        Ok((Self::start(journal)?, entries.into_iter().collect()))
    }

    fn start(journal: Journal) -> Result<Self, StoreError> {
        let (sender, state) = watch::channel(Storage::File);
        let (requests, inbox) = mpsc::channel();
        let writer = Writer { journal, state: sender, inbox, next_check: Instant::now() + SWEEP, failing: None };
        let writer = std::thread::Builder::new().name("store".to_owned()).spawn(move || writer.run())?;
        Ok(Self { state, requests: Some(requests), writer: Some(writer) })
    }

    async fn write(&self, event: Event) -> Result<(), StoreError> {
        let (done, wait) = oneshot::channel();
        let gone = || StoreError::Unavailable("the writer thread has ended".into());
        let requests = self.requests.as_ref().ok_or_else(gone)?;
        requests.send(WriteRequest { event, done }).map_err(|_| gone())?;
        wait.await.map_err(|_| gone())?
    }
}

impl JobStore for FileStore {
    fn storage(&self) -> Storage {
        self.state.borrow().clone()
    }

    fn wait_for_storage(&self, wanted: bool) -> BoxFuture<'_, Option<Arc<str>>> {
        let mut state = self.state.clone();
        let storing = async move {
            match &*state.wait_for(|state| matches!(state, Storage::Failing(_)) != wanted).await.ok()? {
                Storage::Failing(reason) => Some(Arc::clone(reason)),
                _ => None,
            }
        };
        storing.boxed()
    }

    /// A search that has begun ends with its result so far.
    fn will_rerun(&self, has_begun: bool) -> bool {
        !has_begun
    }

    fn persist<'a>(&'a self, accepted: AcceptedJob<'a>) -> StoreFuture<'a, ()> {
        let AcceptedJob { job, client, trace, key, request } = accepted;
        let request = String::from_utf8_lossy(request).into_owned();
        let [trace, key] = [trace, key].map(|text| text.map(str::to_owned));
        let (owner, client) = (job.owner.to_string(), Some(client.to_owned()));
        let entry = StoredJob { request, key, owner, client, trace, result: None };
        self.write(Event::Accepted(job.id.to_string(), entry)).boxed()
    }

    fn finish<'a>(&'a self, job: &'a JobId, own: Message) -> StoreFuture<'a, Option<Message>> {
        let event = Event::Ended(job.id.to_string(), Final::new(&own));
        async move { self.write(event).await.map(|()| Some(own)) }.boxed()
    }
}

/// The state of the writer thread.
#[derive(Debug)]
struct Writer {
    journal: Journal,
    state: watch::Sender<Storage>,
    inbox: mpsc::Receiver<WriteRequest>,
    /// The time of the next check.
    next_check: Instant,
    /// While the file fails: the error, and the waiting results.
    failing: Option<(StoreError, Vec<WriteRequest>)>,
}

impl Writer {
    /// Runs the writer until no sender is left.
    fn run(mut self) {
        loop {
            match self.inbox.recv_timeout(self.next_check.saturating_duration_since(Instant::now())) {
                Ok(first) => {
                    let requests = std::iter::once(first).chain(self.inbox.try_iter()).collect();
                    self.write(requests);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if Instant::now() >= self.next_check {
                self.maintain();
            }
        }
        // A last attempt. Jobs whose results are not written run again after a restart.
        if let Some((_, waiting)) = self.failing.take() {
            self.write(waiting);
        }
    }

    /// Writes the events.
    fn write(&mut self, requests: Vec<WriteRequest>) {
        if self.failing.is_none() {
            match self.journal.append(requests.iter().map(|request| request.event.clone()).collect()) {
                Ok(()) => return acknowledge(requests, &Ok(())),
                Err(error) => {
                    tracing::error!(
                        %error,
                        "searches cannot be stored: until they can, asynchronous ones are refused and results wait"
                    );
                    self.state.send_replace(Storage::Failing(error.to_string().into()));
                    self.next_check = Instant::now() + RETRY;
                    self.failing = Some((error, Vec::new()));
                }
            }
        }
        let Some((error, waiting)) = &mut self.failing else { return };
        let (results, refused) = requests.into_iter().partition(|request| matches!(request.event, Event::Ended(..)));
        waiting.extend::<Vec<_>>(results);
        acknowledge(refused, &Err(error.clone()));
    }

    /// Does the periodic work that is due.
    fn maintain(&mut self) {
        let Some((error, waiting)) = self.failing.take() else {
            self.next_check = Instant::now() + SWEEP;
            if let Err(error) = self.journal.compact() {
                tracing::warn!(%error, "the data file could not be compacted");
            }
            return;
        };
        let events = waiting.iter().map(|request| request.event.clone()).collect();
        if self.journal.probe().and_then(|()| self.journal.append(events)).is_ok() {
            self.next_check = Instant::now() + SWEEP;
            self.state.send_replace(Storage::File);
            tracing::info!(results = waiting.len(), "searches can be stored again; waiting results are stored");
            acknowledge(waiting, &Ok(()));
        } else {
            self.next_check = Instant::now() + RETRY;
            self.failing = Some((error, waiting));
        }
    }
}

fn acknowledge(requests: Vec<WriteRequest>, result: &Result<(), StoreError>) {
    for request in requests {
        // The waiter may have gone.
        let _ = request.done.send(result.clone());
    }
}

#[cfg(test)]
mod tests;
