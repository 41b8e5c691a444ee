//! Work that the nodes of a cluster keep together, on its broker: found, followed, cancelled and ended from any of them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::job::{Found, JobId, Kept, Storage};
use super::message::{Message, Part, Parts};
use super::store::{JobStore, NoStore};
use crate::cluster::{Cluster, EndedPart, Follower, Kind, NotKept, Outcome, Task, Told, Written};

/// The pause before the broker is asked again for what it has not done.
const AGAIN: Duration = Duration::from_millis(200);

/// The work of one kind.
#[derive(Clone, Debug)]
pub(super) struct Broker {
    cluster: Cluster,
    kind: Kind,
}

impl From<NotKept> for NoStore {
    fn from(error: NotKept) -> Self {
        Self::new(error.to_string())
    }
}

/// A text that clients get, which is JSON.
fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("messages are JSON")
}

impl From<&Message> for Told {
    fn from(message: &Message) -> Self {
        let Message { seq, is_final, failed, lasts, ref text, ref parts } = *message;
        let parts = parts.as_ref().map(|parts| (parts.total, parts.ended.len()));
        Self { seq, is_final, failed, lasts, text: raw(text), parts }
    }
}

impl From<&Part> for EndedPart {
    fn from(part: &Part) -> Self {
        Self { place: part.place, text: raw(&part.text) }
    }
}

impl From<EndedPart> for Part {
    fn from(part: EndedPart) -> Self {
        Self { place: part.place, text: part.text.get().into() }
    }
}

/// A message as it was told, its parts among it.
fn message(told: &Told, ended: Vec<Part>) -> Message {
    let Told { seq, is_final, failed, lasts, ref text, parts } = *told;
    let parts = parts.map(|(total, _)| Arc::new(Parts { total, ended }));
    Message { seq, is_final, failed, lasts, text: text.get().into(), parts }
}

impl From<&Message> for Outcome {
    fn from(message: &Message) -> Self {
        let parts = message.parts.iter().flat_map(|parts| &parts.ended).map(EndedPart::from).collect();
        Self { told: message.into(), parts }
    }
}

impl From<Outcome> for Message {
    fn from(outcome: Outcome) -> Self {
        message(&outcome.told, outcome.parts.into_iter().map(Part::from).collect())
    }
}

impl Broker {
    pub fn new(cluster: Cluster, kind: Kind) -> Self {
        Self { cluster, kind }
    }

    /// Some work as the cluster names it.
    fn task(&self, job: &JobId) -> Task {
        Task { kind: self.kind, owner: job.owner.as_ref().to_owned(), id: job.id.as_ref().to_owned() }
    }

    /// A message with its parts, those of `before` and the others.
    async fn read(&self, task: &Task, told: &Told, before: Option<&Message>) -> Result<Message, NotKept> {
        let Some((_, number)) = told.parts else { return Ok(message(told, Vec::new())) };
        let before = before.and_then(|before| before.parts.as_ref());
        let mut ended = before.map_or_else(Vec::new, |parts| parts.ended.clone());
        let others = self.cluster.parts(task, ended.len(), Some(number)).await?;
        ended.extend(others.into_iter().map(Part::from));
        Ok(message(told, ended))
    }

    async fn stored(&self, task: &Task) -> Result<Option<Message>, NotKept> {
        Ok(self.cluster.result(task).await?.map(Message::from))
    }

    /// Tells here what another node tells, until the end, or until nobody listens.
    async fn mirror(self, task: Task, mut follower: Follower, sender: watch::Sender<Message>) {
        loop {
            let told = tokio::select! {
                biased;
                () = sender.closed() => return,
                () = self.cluster.leaving() => return,
                told = follower.next() => told,
            };
            let (newest, is_silent) = (sender.borrow().clone(), told.is_none());
            let next = match told {
                Some(told) if told.seq > newest.seq => self.read(&task, &told, Some(&newest)).await.map(Some),
                Some(_) => Ok(None),
                None => self.stored(&task).await,
            };
            if is_silent && matches!(next, Ok(None)) && self.is_gone(&task).await {
                return;
            }
            if let Ok(Some(next)) = next {
                let is_final = next.is_final;
                sender.send_replace(next);
                if is_final {
                    return;
                }
            }
        }
    }

    /// Whether nothing will come of the work any more: it was accepted and given up, or its result has grown too old.
    async fn is_gone(&self, task: &Task) -> bool {
        matches!(self.cluster.accepted(task).await, Ok(None)) && matches!(self.stored(task).await, Ok(None))
    }

    /// Waits until the broker may do what it has not done.
    async fn pause(&self, error: NotKept) -> Result<(), NoStore> {
        tracing::debug!(%error, "the cluster's broker is asked again");
        tokio::select! {
            biased;
            () = self.cluster.leaving() => return Err(NoStore::new("this node leaves the cluster")),
            () = tokio::time::sleep(AGAIN) => {}
        }
        tokio::select! {
            biased;
            () = self.cluster.leaving() => Err(NoStore::new("this node leaves the cluster")),
            _ = self.cluster.storing(true) => Ok(()),
        }
    }
}

impl From<&Task> for JobId {
    fn from(task: &Task) -> Self {
        Self::new(&task.owner, &task.id)
    }
}

impl JobStore for Broker {
    fn storage(&self) -> Storage {
        match self.cluster.failing() {
            None => Storage::Broker,
            Some(reason) => Storage::Failing(reason.to_string().into()),
        }
    }

    fn storing(&self, wanted: bool) -> BoxFuture<'_, Option<Arc<str>>> {
        self.cluster.storing(wanted).boxed()
    }

    fn runs_again(&self, _has_begun: bool) -> bool {
        true
    }

    fn has_results(&self) -> bool {
        true
    }

    fn keep_part<'a>(&'a self, job: &'a JobId, number: usize, part: &'a Part) -> BoxFuture<'a, Result<Kept, NoStore>> {
        let keep = async move {
            let (task, own) = (self.task(job), EndedPart::from(part));
            loop {
                match self.cluster.store_part(&task, number, &own).await {
                    Ok(Written::Own) => return Ok(Kept::Own),
                    Ok(Written::Other(other)) => return Ok(Kept::Other(other.into())),
                    Ok(Written::Over) => return Ok(Kept::Over),
                    Err(error) => self.pause(error).await?,
                }
            }
        };
        keep.boxed()
    }

    fn finish<'a>(&'a self, job: &'a JobId, own: Message) -> BoxFuture<'a, Result<Option<Message>, NoStore>> {
        let finish = async move {
            let (task, outcome) = (self.task(job), Outcome::from(&own));
            loop {
                match self.cluster.finish(&task, outcome.clone()).await {
                    Ok(stored) => {
                        self.cluster.tell_end(&task).await;
                        return Ok(stored.map(Message::from));
                    }
                    Err(error) => self.pause(error).await?,
                }
            }
        };
        finish.boxed()
    }

    fn find<'a>(&'a self, job: &'a JobId) -> BoxFuture<'a, Result<Option<Found>, NoStore>> {
        let find = async move {
            let task = self.task(job);
            if let Some(result) = self.stored(&task).await? {
                return Ok(Some(Found::Finished(result)));
            }
            let Some(accepted) = self.cluster.accepted(&task).await? else {
                // It may have ended in this moment.
                return Ok(self.stored(&task).await?.map(Found::Finished));
            };
            let follower = self.cluster.follow(task.clone()).await?;
            let mut newest = self.read(&task, &accepted.first, None).await?;
            match follower.newest().await {
                Some(told) => newest = self.read(&task, &told, Some(&newest)).await?,
                // It waits, or has ended meanwhile.
                None => {
                    if let Some(result) = self.stored(&task).await? {
                        return Ok(Some(Found::Finished(result)));
                    }
                }
            }
            let (sender, messages) = watch::channel(newest);
            tokio::spawn(self.clone().mirror(task, follower, sender));
            Ok(Some(Found::Live(messages)))
        };
        find.boxed()
    }

    fn overtaken<'a>(&'a self, job: &'a JobId) -> BoxFuture<'a, Result<Option<Option<Message>>, NoStore>> {
        let overtaken = async move {
            let task = self.task(job);
            Ok(if self.cluster.is_open(&task).await? { None } else { Some(self.stored(&task).await?) })
        };
        overtaken.boxed()
    }

    fn note_cancelled<'a>(&'a self, job: &'a JobId) -> BoxFuture<'a, Result<(), NoStore>> {
        async move { Ok(self.cluster.note_cancelled(&self.task(job)).await?) }.boxed()
    }

    fn ask_to_end<'a>(&'a self, job: &'a JobId) -> BoxFuture<'a, bool> {
        async move { self.cluster.ask_to_end(&self.task(job)).await }.boxed()
    }
}
