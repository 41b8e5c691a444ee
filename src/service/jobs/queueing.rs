//! How a request becomes a task: stored on the broker, with the client's own key if it has one, and put into the queue.
//!
//! A key has a record of its own, which is entered first, and marked once the task is in the queue. Whoever finds it unmarked
//! waits; if it stays so, the node that entered it has died, and the next request takes the key over with a task of its own.
//! Each of these steps holds only against the revision of the record that was seen, so that of several requests one wins.

use std::time::{Duration, Instant};

use opentelemetry::trace::FutureExt as _;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tracing::Instrument as _;
use ulid::Ulid;

use super::reporting::conflict;
use super::work::{Order, Work};
use crate::cluster::{Accepted, Cluster, KeyEntry, KeyRecord, hash};
use crate::job::{JobId, Message};
use crate::registry::Found;
use crate::scheduler::Class;
use crate::service::guards::{Charge, Charges};
use crate::service::problem::{Code, Problem};
use crate::service::state::Service;
use crate::traces::current_parent;

/// A key whose task has not been accepted for so long belongs to a node that has died.
const TAKEOVER: Duration = Duration::from_secs(5);
/// The interval of polls whether it has.
const POLL: Duration = Duration::from_millis(20);

/// What a key says of a request.
enum Claim {
    /// The request is new; the revision of the key's record.
    Ours(u64),
    /// It is this task.
    Taken(JobId, Found),
}

/// Accepts a task, unless its key has been seen. Returns its name, and what is known of it.
///
/// # Errors
/// When another request came with the key, the quota is spent, or the broker does not store it.
pub async fn accept<W: Work>(
    service: &Service,
    cluster: &Cluster,
    order: &Order,
    work: W,
) -> Result<(JobId, Found), Problem> {
    if let Some(reason) = cluster.failing() {
        return Err(reason.into());
    }
    let accepting = Accepting {
        service: service.clone(),
        cluster: cluster.clone(),
        order: order.clone(),
        job: JobId::new(W::KIND, order.client.owner(), work.id()),
        class: work.class(),
        charges: None,
    };
    // A task of its own, so that a client who hangs up now leaves nothing half done.
    let accepted = tokio::spawn(accepting.run(work).with_current_context().in_current_span()).await;
    let (job, found) = accepted.map_err(|_| Problem::new(Code::Internal, "the task could not be accepted"))??;
    let needs_more = order.mode.wait.is_some() || !order.mode.is_async;
    // Whoever does not wait needs no more than the first message.
    match found {
        Found::Live(_) if needs_more => {
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
    order: Order,
    job: JobId,
    class: Class,
    /// What its searches are charged with: once, however often the key is lost and won.
    charges: Option<Charges>,
}

impl Accepting {
    async fn run<W: Work>(mut self, work: W) -> Result<(JobId, Found), Problem> {
        loop {
            let claim = match self.claim().await? {
                Some(Claim::Taken(job, found)) => return Ok((job, found)),
                Some(Claim::Ours(revision)) => Some(revision),
                None => None,
            };
            let first = work.first(&self.job.id);
            let charged = match self.charges {
                Some(_) => Ok(()),
                None => work.charge(&self.service, &self.order.client).map(|charges| self.charges = Some(charges)),
            };
            let written = match charged {
                Ok(()) => self.write(&first).await,
                Err(problem) => Err(problem),
            };
            let is_ours = match (written, claim, &self.order.mode.key) {
                (Ok(()), Some(revision), Some(key)) => {
                    let accepted = KeyRecord { is_accepted: true, ..self.key_record() };
                    self.cluster.replace_key(&self.job, key, &accepted, revision).await?.is_some()
                }
                (Ok(()), ..) => true,
                (Err(problem), Some(revision), Some(key)) => {
                    // One that stays is taken over by the next request with it.
                    drop(self.cluster.remove_key(&self.job, key, revision, false).await);
                    return Err(problem);
                }
                (Err(problem), ..) => return Err(problem),
            };
            if is_ours {
                // Whoever runs the task settles what it is charged with.
                self.charges.into_iter().flatten().for_each(|(_, charge)| charge.keep());
                return Ok((self.job, Found::Live(watch::channel(first).1)));
            }
            // This node was so slow that it was taken for dead: the task of whoever has the key now is the one.
            self.forget(&self.job).await;
            self.job.id = Ulid::generate().to_string().into();
        }
    }

    fn key_record(&self) -> KeyRecord {
        KeyRecord { id: self.job.id.to_string(), request: hash(&self.order.body), is_accepted: false }
    }

    /// Enters the key, if there is one, or finds the task that came with it.
    async fn claim(&self) -> Result<Option<Claim>, Problem> {
        let Some(key) = &self.order.mode.key else { return Ok(None) };
        let own = self.key_record();
        // The revision that was seen last, and since when.
        let mut seen = (0, Instant::now());
        loop {
            let (other, revision, has_ended) = match self.cluster.enter_key(&self.job, key, &own).await? {
                KeyEntry::New(revision) => return Ok(Some(Claim::Ours(revision))),
                KeyEntry::Taken { record, revision, has_ended } => (record, revision, has_ended),
            };
            if other.request != own.request {
                return Err(conflict());
            }
            let job = JobId { id: other.id.as_str().into(), ..self.job.clone() };
            if other.is_accepted || has_ended {
                if let Some(found) = self.service.registry(job.kind).find(&job).await? {
                    return Ok(Some(Claim::Taken(job, found)));
                }
                // The key has outlived its task.
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
                return Ok(Some(Claim::Ours(revision)));
            }
        }
    }

    /// Sees to it that a task that nobody knows is not run, if it has not begun.
    async fn forget(&self, job: &JobId) {
        if let Err(error) = self.cluster.forget(job).await {
            tracing::debug!(%error, id = &*job.id, "a task is run in vain");
        }
    }

    /// Stores the task and puts it into the queue.
    async fn write(&self, first: &Message) -> Result<(), Problem> {
        let request = RawValue::from_string(String::from_utf8_lossy(&self.order.body).into_owned())
            .map_err(|error| Problem::new(Code::Internal, format!("the request cannot be stored: {error}")))?;
        let (key, request_id) = (self.order.mode.key.clone(), self.order.request_id.clone());
        let charged = self.charges.as_ref().and_then(Charge::record);
        let accepted = Accepted { key, request_id, trace: current_parent(), request, first: first.into(), charged };
        let ended = first.parts.as_ref().map_or(&[][..], |parts| &parts.ended);
        let payer = self.order.client.to_string();
        Ok(self.cluster.accept((self.class, &payer), &self.job, &accepted, ended).await?)
    }
}
