//! How a request becomes a task: stored on the broker, with the client's own key if it has one, and put into the queue.
//!
//! A key has a record of its own, which is entered first, and marked once the task is in the queue. Whoever finds it unmarked
//! waits; if it stays so, the node that entered it has died, and the next request takes the key over with a task of its own.
//! Each of these steps holds only against the revision of the record that was seen, so that of several requests one wins.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use opentelemetry::trace::FutureExt as _;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tracing::Instrument as _;
use ulid::Ulid;

use crate::cluster::{Accepted, Attached, Cluster, EndedPart, Entry, Kind, Known, Task, Told, hash};
use crate::registry::{Found, JobId, Message};
use crate::scheduler::Class;
use crate::service::guards::{Charge, Charges, Client};
use crate::service::jobs;
use crate::service::problem::{Code, Problem};
use crate::service::response_mode::ResponseMode;
use crate::service::state::Service;
use crate::traces::current_parent;

/// A key whose task has not been accepted for so long belongs to a node that has died.
const TAKEOVER: Duration = Duration::from_secs(5);
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(20);

/// What is to become a task.
pub struct NewTask {
    pub kind: Kind,
    /// Its id, unless its key has one already.
    pub id: String,
    pub class: Class,
    pub client: Client,
    pub request_id: Option<String>,
    pub body: Bytes,
    /// Its first message, under an id.
    pub first: Box<dyn Fn(&str) -> Message + Send + Sync>,
    /// Charges its searches to the client. Not called where the key is known.
    pub charge: Box<dyn FnOnce() -> Result<Charges, Problem> + Send + Sync>,
}

/// What a key says of a request.
enum Claim {
    /// The request is new; the revision of the key's record.
    Ours(u64),
    /// It is this task.
    Known(String, Found),
}

/// Refuses tasks while the broker does not store them.
///
/// # Errors
/// When it does not.
pub fn check(cluster: &Cluster) -> Result<(), Problem> {
    cluster.failing().map_or(Ok(()), |reason| Err(reason.into()))
}

/// Accepts a task, at its client's expense, unless its key has been seen. Returns its id, and what is known of it.
///
/// # Errors
/// When another request came with the key, the quota is spent, or the broker does not store it.
pub async fn accept(
    service: &Service,
    cluster: &Cluster,
    mode: &ResponseMode,
    new: NewTask,
) -> Result<(String, Found), Problem> {
    check(cluster)?;
    let kind = new.kind;
    let (owner, key) = (new.client.owner().to_owned(), mode.key.clone());
    let accepting = Accepting { service: service.clone(), cluster: cluster.clone(), new, key, charges: Charges::new() };
    // A task of its own, so that a client who hangs up now leaves nothing half done.
    let accepted = tokio::spawn(accepting.run().with_current_context().in_current_span()).await;
    let (id, found) = accepted.map_err(|_| Problem::new(Code::Internal, "the task could not be accepted"))??;
    let needs_more = mode.wait.is_some() || !mode.is_async;
    // Whoever does not wait needs no more than the first message.
    match found {
        Found::Live(_) if needs_more => {
            let newer = service.registry(kind).find(&JobId::new(&owner, &id)).await?;
            Ok((id, newer.unwrap_or(found)))
        }
        found => Ok((id, found)),
    }
}

/// A request that is becoming a task.
struct Accepting {
    service: Service,
    cluster: Cluster,
    new: NewTask,
    /// The client's own key.
    key: Option<String>,
    /// What its searches are charged with.
    charges: Charges,
}

impl Accepting {
    /// The task, once it is in the queue with this first message. Whoever runs it settles what it is charged with.
    fn accepted(self, first: Message) -> (String, Found) {
        self.charges.into_iter().for_each(|(_, charge)| charge.keep());
        (self.new.id, Found::Live(watch::channel(first).1))
    }

    async fn run(mut self) -> Result<(String, Found), Problem> {
        // Called once, however often the key is lost and won.
        let mut charge = Some(std::mem::replace(&mut self.new.charge, Box::new(|| Ok(Charges::new()))));
        let Some(key) = self.key.clone() else {
            self.charges = charge.take().map_or_else(|| Ok(Charges::new()), |charge| charge())?;
            let first = self.write().await?;
            return Ok(self.accepted(first));
        };
        loop {
            let revision = match self.claim(&key).await? {
                Claim::Ours(revision) => revision,
                Claim::Known(id, found) => return Ok((id, found)),
            };
            let written = match charge.take().map_or(Ok(()), |charge| charge().map(|charges| self.charges = charges)) {
                Ok(()) => self.write().await,
                Err(problem) => Err(problem),
            };
            let first = match written {
                Ok(first) => first,
                Err(problem) => {
                    self.cluster.forget_key(self.new.kind, self.owner(), &key, revision).await;
                    return Err(problem);
                }
            };
            let known = Known { is_accepted: true, ..self.known() };
            if self.cluster.replace_key(self.new.kind, (self.owner(), &key), &known, revision).await?.is_some() {
                return Ok(self.accepted(first));
            }
            // This node was so slow that it was taken for dead: the task of whoever has the key now is the one.
            self.forget(&self.new.id).await;
            self.new.id = Ulid::generate().to_string();
        }
    }

    fn owner(&self) -> &str {
        self.new.client.owner()
    }

    /// What the registry or the broker has of a task of this client.
    async fn find(&self, id: &str) -> Result<Option<Found>, Problem> {
        Ok(self.service.registry(self.new.kind).find(&JobId::new(self.owner(), id)).await?)
    }

    fn known(&self) -> Known {
        Known { id: self.new.id.clone(), request: hash(&self.new.body), is_accepted: false }
    }

    /// Enters the key, or finds the task that came with it.
    async fn claim(&self, key: &str) -> Result<Claim, Problem> {
        let (kind, own) = (self.new.kind, self.known());
        // The revision that was seen last, and since when.
        let mut seen = (0, Instant::now());
        loop {
            let (other, revision, has_ended) = match self.cluster.enter_key(kind, self.owner(), key, &own).await? {
                Entry::New(revision) => return Ok(Claim::Ours(revision)),
                Entry::Open(other, revision) => (other, revision, false),
                Entry::Ended(other, revision) => (other, revision, true),
            };
            if other.request != own.request {
                return Err(jobs::conflict());
            }
            if other.is_accepted || has_ended {
                if let Some(found) = self.find(&other.id).await? {
                    return Ok(Claim::Known(other.id, found));
                }
                // The key has outlived its task.
                if has_ended {
                    self.cluster.expire_key(kind, self.owner(), key, revision).await?;
                    continue;
                }
            } else {
                if seen.0 != revision {
                    seen = (revision, Instant::now());
                }
                if seen.1.elapsed() < TAKEOVER {
                    tokio::time::sleep(LOOK).await;
                    continue;
                }
            }
            if let Some(revision) = self.cluster.replace_key(kind, (self.owner(), key), &own, revision).await? {
                self.forget(&other.id).await;
                return Ok(Claim::Ours(revision));
            }
        }
    }

    /// Sees to it that a task that nobody knows is not run, if it has not begun.
    async fn forget(&self, id: &str) {
        let task = Task { kind: self.new.kind, owner: self.owner().to_owned(), id: id.to_owned() };
        if let Err(error) = self.cluster.forget(&task, &Attached::default()).await {
            tracing::debug!(%error, id, "a task is run in vain");
        }
    }

    /// Stores the task and puts it into the queue. Returns its first message.
    async fn write(&self) -> Result<Message, Problem> {
        let NewTask { kind, class, ref client, ref request_id, ref body, .. } = self.new;
        let first = (self.new.first)(&self.new.id);
        let request = RawValue::from_string(String::from_utf8_lossy(body).into_owned())
            .map_err(|error| Problem::new(Code::Internal, format!("the request cannot be kept: {error}")))?;
        let (key, request_id, charged) = (self.key.clone(), request_id.clone(), Charge::record(&self.charges));
        let accepted =
            Accepted { key, request_id, trace: current_parent(), request, first: Told::from(&first), charged };
        let ended = first.parts.iter().flat_map(|parts| &parts.ended).map(EndedPart::from).collect::<Vec<_>>();
        let task = Task { kind, owner: self.owner().to_owned(), id: self.new.id.clone() };
        self.cluster.accept((class, &client.to_string()), &task, &accepted, &ended).await?;
        Ok(first)
    }
}
