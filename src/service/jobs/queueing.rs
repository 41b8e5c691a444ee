//! From a request to a task in the queue, stored on the broker with the client's idempotency key, if any.
//!
//! The key's record is created first, and marked as accepted once the task is in the queue. A request that finds the record
//! unmarked waits; after [`TAKEOVER`] it assumes that the other node has died, and takes the key over with a new task. Every
//! step is a compare-and-swap on the record's revision, so one of several requests wins.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use opentelemetry::trace::FutureExt as _;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tracing::Instrument as _;
use ulid::Ulid;

use super::reporting::conflict;
use super::work::{JobRequest, Work};
use crate::cluster::{Accepted, Cluster, Entry, KeyEntry, KeyRecord, hash};
use crate::job::{JobId, Message};
use crate::library::hashes;
use crate::registry::FoundJob;
use crate::scheduler::Class;
use crate::service::guards::{Charge, Charges};
use crate::service::problem::{Code, Problem};
use crate::service::state::Service;
use crate::traces::current_parent;

/// If a key's task is not accepted within this time, its node has died.
const TAKEOVER: Duration = Duration::from_secs(5);
/// The interval of polls for acceptance.
const POLL: Duration = Duration::from_millis(20);

/// Who owns an idempotency key.
enum KeyClaim {
    /// This request; the revision of the key's record.
    Ours(u64),
    /// An earlier request; its task.
    Taken(JobId, FoundJob),
}

/// Accepts a task, unless the idempotency key leads to an earlier one. Returns its name and messages.
///
/// # Errors
/// When the key belongs to a different request, the quota is spent, or the broker does not store the task.
pub async fn accept<W: Work>(
    service: &Service,
    cluster: &Cluster,
    job_request: &JobRequest,
    work: W,
) -> Result<(JobId, FoundJob), Problem> {
    if let Some(reason) = cluster.storage_error() {
        return Err(reason.into());
    }
    let accepting = Accepting {
        service: service.clone(),
        cluster: cluster.clone(),
        job_request: job_request.clone(),
        job: JobId::new(W::KIND, job_request.client.owner(), work.id()),
        class: work.class(),
        games: hashes(&job_request.catalog, work.games()),
        entry: Entry::new(job_request.client.owner(), &job_request.client.to_string(), work.game()),
        charges: None,
    };
    // A separate task: a disconnect must not interrupt it halfway.
    let accepted = tokio::spawn(accepting.run(work).with_current_context().in_current_span()).await;
    let (job, found) = accepted.map_err(|_| Problem::new(Code::Internal, "the task could not be accepted"))??;
    let needs_more = job_request.mode.wait.is_some() || !job_request.mode.is_async;
    // Without a wait, the first message is enough.
    match found {
        FoundJob::Live(_) if needs_more => {
            let newer = service.registry(W::KIND).find(&job).await?;
            Ok((job, newer.unwrap_or(found)))
        }
        found => Ok((job, found)),
    }
}

/// A request that is becoming a task.
struct Accepting {
    service: Service,
    cluster: Cluster,
    job_request: JobRequest,
    job: JobId,
    class: Class,
    /// Its games that are not built in, with their hashes.
    games: BTreeMap<String, String>,
    /// Its entry in the client's list.
    entry: Entry,
    /// The charges of its searches, made once even if the key is lost and won again.
    charges: Option<Charges>,
}

impl Accepting {
    async fn run<W: Work>(mut self, work: W) -> Result<(JobId, FoundJob), Problem> {
        loop {
            let claim = match self.claim().await? {
                Some(KeyClaim::Taken(job, found)) => return Ok((job, found)),
                Some(KeyClaim::Ours(revision)) => Some(revision),
                None => None,
            };
            let first = work.first(&self.job.id);
            let charged = match self.charges {
                Some(_) => Ok(()),
                None => {
                    work.charge(&self.service, &self.job_request.client).map(|charges| self.charges = Some(charges))
                }
            };
            let written = match charged {
                Ok(()) => self.write(&first).await,
                Err(problem) => Err(problem),
            };
            let is_ours = match (written, claim, &self.job_request.mode.key) {
                (Ok(()), Some(revision), Some(key)) => {
                    let accepted = KeyRecord { is_accepted: true, ..self.key_record() };
                    self.cluster.replace_key(&self.job, key, &accepted, revision).await?.is_some()
                }
                (Ok(()), ..) => true,
                (Err(problem), Some(revision), Some(key)) => {
                    // If this fails, the next request with the key takes it over.
                    drop(self.cluster.remove_key(&self.job, key, revision, false).await);
                    return Err(problem);
                }
                (Err(problem), ..) => return Err(problem),
            };
            if is_ours {
                // The node that runs the task settles the charges.
                self.charges.into_iter().flatten().for_each(|(_, charge)| charge.commit());
                return Ok((self.job, FoundJob::Live(watch::channel(first).1)));
            }
            // This node was so slow that another request took the key over: its task counts.
            self.forget(&self.job).await;
            self.job.id = Ulid::generate().to_string().into();
        }
    }

    fn key_record(&self) -> KeyRecord {
        KeyRecord { id: self.job.id.to_string(), request: hash(&self.job_request.body), is_accepted: false }
    }

    /// Creates the key's record, if there is a key, or finds its task.
    async fn claim(&self) -> Result<Option<KeyClaim>, Problem> {
        let Some(key) = &self.job_request.mode.key else { return Ok(None) };
        let own = self.key_record();
        // The last revision seen, and when it was first seen.
        let mut seen = (0, Instant::now());
        loop {
            let (other, revision, has_ended) = match self.cluster.enter_key(&self.job, key, &own).await? {
                KeyEntry::New(revision) => return Ok(Some(KeyClaim::Ours(revision))),
                KeyEntry::Taken { record, revision, has_ended } => (record, revision, has_ended),
            };
            if other.request != own.request {
                return Err(conflict());
            }
            let job = JobId { id: other.id.as_str().into(), ..self.job.clone() };
            if other.is_accepted || has_ended {
                if let Some(found) = self.service.registry(job.kind).find(&job).await? {
                    return Ok(Some(KeyClaim::Taken(job, found)));
                }
                // The task has expired before its key.
                if has_ended {
                    self.cluster.remove_key(&self.job, key, revision, true).await?;
                    continue;
                }
            } else {
                if seen.0 != revision {
                    seen = (revision, Instant::now());
                }
                if seen.1.elapsed() < TAKEOVER {
                    tokio::time::sleep(POLL).await;
                    continue;
                }
            }
            if let Some(revision) = self.cluster.replace_key(&self.job, key, &own, revision).await? {
                self.forget(&job).await;
                return Ok(Some(KeyClaim::Ours(revision)));
            }
        }
    }

    /// Prevents the run of a task without clients, unless it has begun.
    async fn forget(&self, job: &JobId) {
        if let Err(error) = self.cluster.forget(job).await {
            tracing::debug!(%error, id = &*job.id, "an unneeded task could not be removed and will run");
        }
    }

    /// Stores the task and puts it into the queue.
    async fn write(&self, first: &Message) -> Result<(), Problem> {
        let request = RawValue::from_string(String::from_utf8_lossy(&self.job_request.body).into_owned())
            .map_err(|error| Problem::new(Code::Internal, format!("the request cannot be stored: {error}")))?;
        let (key, request_id) = (self.job_request.mode.key.clone(), self.job_request.request_id.clone());
        let (games, charged) = (self.games.clone(), self.charges.as_ref().and_then(Charge::record));
        let (trace, entry) = (current_parent(), Some(self.entry.clone()));
        let accepted = Accepted { key, request_id, trace, request, first: first.into(), games, entry, charged };
        let ended = first.parts.as_ref().map_or(&[][..], |parts| &parts.ended);
        let payer = self.job_request.client.to_string();
        Ok(self.cluster.accept((self.class, &payer), &self.job, &accepted, ended).await?)
    }
}
