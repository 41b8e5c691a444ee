//! The store of a cluster: jobs on its broker, which every node can find, follow, cancel and end.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::job::{FoundJob, Listed, Selection, Storage};
use super::store::{JobStore, StoreFuture};
use crate::cluster::{Cluster, Follower, ListedTask, Update};
use crate::job::{JobId, Kind, Message, Part, Parts, StoreError, StoredPart};

/// The pause before another request to the broker after a failure.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// The jobs of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Broker(pub Cluster);

impl Broker {
    /// A message with its parts: those of `before`, and later ones from their records.
    async fn read(&self, task: &JobId, update: &Update, before: Option<&Message>) -> Result<Message, StoreError> {
        let Some(parts) = &update.message.parts else { return Ok(update.message.clone()) };
        let before = before.and_then(|before| before.parts.as_ref());
        let mut ended = before.map_or_else(Vec::new, |parts| parts.ended.clone());
        ended.extend(self.0.parts(task, ended.len(), Some(update.ended)).await?);
        Ok(Message { parts: Some(Parts { total: parts.total, ended }.into()), ..update.message.clone() })
    }

    /// Passes on another node's messages, up to the final one or until nobody listens.
    async fn mirror(self, task: JobId, mut follower: Follower, sender: watch::Sender<Message>) {
        loop {
            let update = tokio::select! {
                biased;
                () = sender.closed() => return,
                () = self.0.leaving() => return,
                update = follower.next() => update,
            };
            let (newest, is_silent) = (sender.borrow().clone(), update.is_none());
            let next = match update {
                Some(update) if update.message.seq > newest.seq => {
                    self.read(&task, &update, Some(&newest)).await.map(Some)
                }
                Some(_) => Ok(None),
                None => self.0.result(&task).await,
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

    /// Whether the job will have no result: it was accepted and abandoned, or its result has expired.
    async fn is_gone(&self, task: &JobId) -> bool {
        matches!(self.0.accepted(task).await, Ok(None)) && matches!(self.0.result(task).await, Ok(None))
    }

    /// Repeats a request to the broker until it succeeds; fails only when this node leaves.
    async fn retry<T, F: Future<Output = Result<T, StoreError>>>(&self, ask: impl Fn() -> F) -> Result<T, StoreError> {
        loop {
            match ask().await {
                Ok(done) => return Ok(done),
                Err(error) => tracing::debug!(%error, "a request to the cluster's broker failed and is repeated"),
            }
            let pause = async {
                tokio::time::sleep(RETRY_PAUSE).await;
                self.0.wait_for_storage(true).await
            };
            tokio::select! {
                biased;
                () = self.0.leaving() => return Err(StoreError::Unavailable("this node is leaving the cluster".into())),
                _ = pause => {}
            }
        }
    }
}

impl JobStore for Broker {
    fn storage(&self) -> Storage {
        match self.0.storage_error() {
            None => Storage::Broker,
            Some(reason) => Storage::Failing(reason.to_string().into()),
        }
    }

    fn wait_for_storage(&self, wanted: bool) -> BoxFuture<'_, Option<Arc<str>>> {
        self.0.wait_for_storage(wanted).boxed()
    }

    fn will_rerun(&self, _has_begun: bool) -> bool {
        true
    }

    fn has_results(&self) -> bool {
        true
    }

    fn store_part<'a>(&'a self, job: &'a JobId, number: usize, part: &'a Part) -> StoreFuture<'a, StoredPart> {
        self.retry(move || self.0.store_part(job, number, part)).boxed()
    }

    fn finish<'a>(&'a self, job: &'a JobId, own: Message) -> StoreFuture<'a, Option<Message>> {
        let finish = async move {
            let stored = self.retry(|| self.0.finish(job, &own)).await?;
            self.0.publish_end(job).await;
            Ok(stored)
        };
        finish.boxed()
    }

    fn find<'a>(&'a self, job: &'a JobId) -> StoreFuture<'a, Option<FoundJob>> {
        let find = async move {
            if let Some(result) = self.0.result(job).await? {
                return Ok(Some(FoundJob::Finished(result)));
            }
            let Some(accepted) = self.0.accepted(job).await? else {
                // It may have ended just now.
                return Ok(self.0.result(job).await?.map(FoundJob::Finished));
            };
            let follower = self.0.follow(job.clone()).await?;
            let mut newest = self.read(job, &accepted.first, None).await?;
            match follower.newest().await {
                Some(update) => newest = self.read(job, &update, Some(&newest)).await?,
                // It is waiting, or has ended meanwhile.
                None => {
                    if let Some(result) = self.0.result(job).await? {
                        return Ok(Some(FoundJob::Finished(result)));
                    }
                }
            }
            let (sender, messages) = watch::channel(newest);
            tokio::spawn(self.clone().mirror(job.clone(), follower, sender));
            Ok(Some(FoundJob::Live(messages)))
        };
        find.boxed()
    }

    fn list<'a>(&'a self, kind: Kind, selection: Selection<'a>) -> StoreFuture<'a, Option<Vec<Listed>>> {
        let list = async move {
            let tasks = self.0.list(selection.owner, selection.client, kind).await?.into_iter().rev();
            let wanted = tasks
                .filter(|(id, task)| selection.includes_id(id) && selection.includes_status(&task.status))
                .take(selection.limit);
            let listed = wanted.map(|(id, ListedTask { game, status })| {
                let job = JobId { kind, owner: selection.owner.into(), id };
                Listed { job, game, status }
            });
            Ok(Some(listed.collect()))
        };
        list.boxed()
    }

    fn remote_result<'a>(&'a self, job: &'a JobId) -> StoreFuture<'a, Option<Option<Message>>> {
        let remote_result =
            async move { Ok(if self.0.is_open(job).await? { None } else { Some(self.0.result(job).await?) }) };
        remote_result.boxed()
    }

    fn store_cancellation<'a>(&'a self, job: &'a JobId) -> StoreFuture<'a, ()> {
        self.0.store_cancellation(job).boxed()
    }

    fn request_cancellation<'a>(&'a self, job: &'a JobId) -> BoxFuture<'a, bool> {
        self.0.request_cancellation(job).boxed()
    }
}
