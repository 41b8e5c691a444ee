//! Work for other nodes: accepts shards if enough cores are idle, and refuses them at once otherwise.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_nats::{Message, Subject};
use futures_util::StreamExt as _;
use opentelemetry::{Context, KeyValue};
use tokio::time::interval;

use super::state::Cluster;
use super::wire::{Ending, Piece, Reply, Shard, State};
use super::workers::Workers;
use crate::metrics::Metrics;
use crate::scheduler::{Canceller, Ended, Failure, Observer, Reservation, Submission, Ticket};
use crate::traces::{FinishedSpan, Traces, parent_of};
use tesuji_core::api::PreparedSearch;

/// The interval of reports that a shard is running.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// How long the requesting node can be unknown.
const REQUESTER_GRACE: Duration = Duration::from_millis(1500);

/// A shard running on this node.
pub(super) struct RunningShard {
    workers: Arc<Workers>,
    ticket: Ticket,
}

impl RunningShard {
    pub fn canceller(&self) -> Canceller {
        self.ticket.canceller()
    }

    /// The results of its workers.
    pub async fn end(self) -> Result<Vec<Piece>, Failure> {
        match self.ticket.await {
            Ok(_) | Err(Failure::NeverRan | Failure::ShutDown) => Ok(self.workers.pieces()),
            Err(failure @ (Failure::Panicked(_) | Failure::GameFailed(_))) => Err(failure),
        }
    }
}

/// Counts a shard's slices and records its span; the search is counted on the requesting node.
#[derive(Debug)]
pub(super) struct ShardObserver {
    metrics: Metrics,
    traces: Traces,
    /// The span of the search's request.
    parent: Context,
    id: String,
    workers: usize,
}

impl Observer for ShardObserver {
    fn slice_ended(&self, time: Duration) {
        self.metrics.slice(time);
    }

    fn ended(&self, ended: &Ended<'_>) {
        if self.traces.is_on() {
            let to = SystemTime::now();
            let attributes = vec![
                KeyValue::new("tesuji.search.id", self.id.clone()),
                KeyValue::new("tesuji.threads", self.workers as i64),
                KeyValue::new("tesuji.queued_ms", ended.queued.as_secs_f64() * 1e3),
            ];
            let error = ended.result.err().map(|failure| failure.to_string().into());
            let from = to - ended.queued - ended.searched;
            self.traces.record(FinishedSpan { name: "shard", from, to, attributes, error }, &self.parent);
        }
    }
}

/// A registered shard; removed on drop.
struct ShardGuard {
    cluster: Cluster,
    key: (String, u32),
}

impl Drop for ShardGuard {
    fn drop(&mut self) {
        self.cluster.0.hosted_shards.remove(&self.key);
    }
}

impl Cluster {
    /// Prepares a shard's search as the requesting node did.
    fn prepare(&self, shard: &Shard) -> Result<(Workers, Range<u32>), String> {
        let Shard { id, request, policy, workers, .. } = shard;
        let prepared = PreparedSearch::new(id.clone(), request, &self.0.catalog, policy, None);
        let prepared = prepared.map_err(|problem| problem.detail().into_owned())?;
        let threads = prepared.plan().threads;
        let is_same = Some(threads) == request.threads && prepared.search.has_parts() && workers.end <= threads;
        if !is_same || workers.is_empty() {
            return Err(format!("the search has {threads} threads here and cannot run workers {workers:?}"));
        }
        Ok((Workers::new(prepared.search, workers), workers.clone()))
    }

    /// Starts the shard here, in the given place if there is one.
    pub(super) fn begin(&self, shard: &Shard, place: Option<Reservation>) -> Result<RunningShard, Reply> {
        let (workers, _) = self.prepare(shard).map_err(Reply::Refused)?;
        let workers = Arc::new(workers);
        let observer = ShardObserver {
            metrics: self.0.metrics.clone(),
            traces: self.0.traces.clone(),
            parent: shard.trace.as_deref().map(parent_of).unwrap_or_default(),
            id: shard.id.clone(),
            workers: shard.workers.len(),
        };
        let observer: Option<Arc<dyn Observer>> = Some(Arc::new(observer));
        let submission = Submission { class: shard.class, observer, ..Submission::new(Arc::clone(&workers) as _) };
        let ticket = match place {
            Some(place) => place.submit(submission),
            None => self.0.scheduler.submit(submission).map_err(|_| self.busy())?,
        };
        Ok(RunningShard { workers, ticket })
    }

    fn busy(&self) -> Reply {
        Reply::Busy { idle: self.own().idle }
    }

    /// Accepts and ends shards, in the order of the messages.
    pub(super) async fn serve(self) {
        let id = self.0.members.own().id;
        let subjects = self.subjects();
        let Some(mut work) = self.0.connection.subscribe(subjects.work(&id, "*")).await else { return };
        let shards = subjects.work(&id, "shard");
        while let Some(message) = work.next().await {
            if *message.subject != *shards {
                match serde_json::from_slice::<Ending>(&message.payload) {
                    Ok(ending) => self.0.hosted_shards.end(&ending),
                    Err(error) => tracing::warn!(%error, "a cluster message cannot be read"),
                }
            } else {
                self.take(message);
            }
        }
    }

    /// Accepts a shard.
    fn take(&self, message: Message) {
        let Some(reply) = message.reply else { return };
        let shard = match serde_json::from_slice::<Shard>(&message.payload) {
            Ok(shard) => shard,
            Err(error) => {
                tracing::warn!(%error, "a shard cannot be read");
                tokio::spawn(self.clone().answer(reply, Reply::Refused(error.to_string())));
                return;
            }
        };
        let key = (shard.id.clone(), shard.workers.start);
        // A repeated message is answered by the first run.
        if self.0.hosted_shards.register(key.clone()) {
            let guard = ShardGuard { cluster: self.clone(), key };
            tokio::spawn(async move {
                guard.cluster.clone().run_shard(&shard, &guard.key, reply).await;
            });
        }
    }

    /// Reports that a shard is running, until the requesting node is gone.
    async fn report_running(&self, shard: &Shard, reply: &Subject) {
        let mut ticks = interval(HEARTBEAT);
        let gone = async {
            // It may not be known yet.
            tokio::time::sleep(REQUESTER_GRACE).await;
            self.0.members.wait_until_lost(&shard.from).await;
        };
        tokio::pin!(gone);
        loop {
            tokio::select! {
                biased;
                () = &mut gone => return,
                _ = ticks.tick() => self.clone().answer(reply.clone(), Reply::Taken).await,
            }
        }
    }

    async fn run_shard(self, shard: &Shard, key: &(String, u32), reply: Subject) {
        let has_room = self.own().idle >= shard.cores && self.0.members.own().state == State::Serving;
        let running = if has_room { self.begin(shard, None) } else { Err(self.busy()) };
        let running = match running {
            Ok(running) => running,
            Err(refusal) => return self.answer(reply, refusal).await,
        };
        let canceller = running.canceller();
        self.0.hosted_shards.begin(key, canceller.clone());
        let end = running.end();
        tokio::pin!(end);
        let ended = tokio::select! {
            ended = &mut end => ended,
            () = self.report_running(shard, &reply) => {
                tracing::info!(id = shard.id, "no node is waiting for a shard any more");
                canceller.cancel();
                end.await
            }
        };
        match ended {
            Ok(pieces) => {
                for piece in pieces {
                    self.clone().answer(reply.clone(), Reply::Piece(Box::new(piece))).await;
                }
                let idle = self.own().idle;
                self.answer(reply, Reply::Done { idle }).await;
            }
            Err(failure) => {
                tracing::error!(%failure, id = shard.id, "a shard failed");
                self.answer(reply, Reply::Failed(failure.to_string())).await;
            }
        }
    }

    async fn answer(self, to: Subject, reply: Reply) {
        // Texts and finite numbers only.
        let mut payload = serde_json::to_vec(&reply).expect("replies are JSON");
        if let Reply::Piece(piece) = &reply
            && payload.len() > self.0.connection.client.max_payload()
        {
            payload = serde_json::to_vec(&Reply::Large(piece.worker)).expect("numbers are JSON");
        }
        // A late message would be useless.
        if self.is_connected()
            && let Err(error) = self.0.connection.client.publish(to, payload.into()).await
        {
            tracing::warn!(%error, "a shard's result was not sent");
        }
    }
}
