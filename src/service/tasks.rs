//! Tasks of the cluster: work that outlives its request, accepted by one node and run by any.
//!
//! Whoever accepts a task writes it down on the broker and puts it into the queue; a node with an idle core takes it and runs
//! it as if it had been asked itself; all nodes tell of it, through their registries. What a dead node has not ended is run
//! again by another; a node that ends hands over. Whoever is first with a result has it stored, so that none is told twice.

mod accepting;

use std::convert::Infallible;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::drain::Phase;
use super::guards::Charges;
use super::problem::{Code, Problem};
use super::searches::kept;
use super::state::Service;
use super::storage::unavailable;
use super::{batches, jobs, reviews};
use crate::cluster::{Accepted, Attached, Cluster, Delivery, Kind, NotKept, Task};
use crate::registry::{JobId, Message, New, Part, Parts, Registry, Seen};

pub use self::accepting::{NewTask, accept, check};

/// So many nodes may die in a task before it is given up: it may be what kills them.
const DEATHS: u64 = 4;
/// By so much the numbers of messages rise when a task is run again: those of the runs before are all lower.
const RUN: u64 = 1_000_000;
/// The numbers of a task's messages that ends while nobody runs it: nobody knows how many runs were before.
const LAST_RUN: u64 = RUN * RUN;
/// The pause before a task is begun again that could not be.
const AGAIN: Duration = Duration::from_millis(500);
/// How often it is looked whether a core is idle.
const LOOK: Duration = Duration::from_millis(5);
/// Seconds after which there may be room in the queue.
const RETRY_AFTER: u32 = 5;

impl From<NotKept> for Problem {
    fn from(error: NotKept) -> Self {
        match error {
            NotKept::Full => Self::new(Code::Overloaded, error.to_string()).retry_after(RETRY_AFTER),
            NotKept::Away(reason) => unavailable(&reason),
            NotKept::Unreadable(_) => Self::new(Code::Internal, error.to_string()),
        }
    }
}

/// A task to be run here.
pub struct Run {
    pub service: Service,
    pub job: JobId,
    pub accepted: Accepted,
    /// What its searches were charged with.
    pub charges: Charges,
    /// The parts that have ended before.
    pub ended: Vec<Part>,
    /// The number of its first message here.
    pub seq: u64,
    /// Whether it is to end soon.
    pub stop: CancellationToken,
}

/// How a task's run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its final message is stored.
    Told,
    /// This node ends first: another one has to run it.
    HandedOver,
}

impl Run {
    fn kind(&self, kind: Kind) -> &Registry {
        self.service.registry(kind)
    }

    /// Runs it to its end.
    async fn run(self, kind: Kind) -> End {
        match kind {
            Kind::Search => kept::run(self).await,
            Kind::Review => reviews::run(self).await,
            Kind::Batch => batches::run(self).await,
        }
    }

    /// Ends it without a result: this node refuses it, or it cannot be run.
    pub async fn fail(self, kind: Kind, reason: &str) -> End {
        self.charges.iter().for_each(|(_, charge)| charge.cancel());
        tracing::error!(reason, id = &*self.job.id, kind = kind.name(), "a task of the cluster fails");
        let told = &self.accepted.first;
        let mut document: Value = serde_json::from_str(told.text.get()).unwrap_or_default();
        document["status"] = json!("failed");
        document["final"] = json!(true);
        document["seq"] = json!(self.seq + 1);
        if let Some(warnings) = document.get_mut("warnings").and_then(Value::as_array_mut) {
            warnings.push(json!("the search failed on the server's side"));
        }
        let parts = told.parts.map(|(total, _)| Parts { total, ended: self.ended.clone() }.into());
        let text = document.to_string().into();
        let message = Message { seq: self.seq + 1, is_final: true, failed: true, lasts: false, text, parts };
        stored(self.kind(kind), &self.job, message).await
    }
}

/// Tells a task's final message, once it is stored.
pub async fn stored(registry: &Registry, job: &JobId, message: Message) -> End {
    match registry.finish(job, message).await {
        Ok(()) => End::Told,
        Err(error) => {
            tracing::warn!(%error, id = &*job.id, "a result could not be stored before the end: another node has to find it again");
            End::HandedOver
        }
    }
}

/// Runs tasks of the cluster, as many at a time as there are cores for, until the server drains; ends when those it has have
/// ended or been handed over.
pub async fn work(service: Service, cluster: Cluster) {
    let Some(mut taker) = cluster.taker().await else { return };
    let mut running = JoinSet::new();
    while service.drain.phase() == Phase::Serving {
        while running.try_join_next().is_some() {}
        // One runs even where others leave no core idle: it has its turn in the scheduler.
        let has_core = running.len() < service.policy.cores as usize && service.scheduler.idle() > 0;
        if !running.is_empty() && !has_core {
            tokio::time::sleep(LOOK).await;
        } else if let Some(delivery) = taker.next(service.drain.reached(Phase::Draining)).await {
            running.spawn(deliver(service.clone(), cluster.clone(), delivery));
        }
    }
    while running.join_next().await.is_some() {}
}

/// Runs a task that this node has been given. One whose run breaks off is handed out again when nothing is heard of it.
async fn deliver(service: Service, cluster: Cluster, delivery: Delivery) {
    let ended = tokio::select! {
        ended = begin_again(&service, &cluster, &delivery) => ended,
        attached = overtaken(&service, &cluster, &delivery) => Ok((End::Told, attached)),
    };
    service.metrics.cluster_run(match &ended {
        Ok((End::Told, _)) => "done",
        Ok((End::HandedOver, _)) => "handed_over",
        Err(_) => "not_begun",
    });
    let task = delivery.task.clone();
    match ended {
        // Forgotten before the queue forgets it: what a crash leaves is handed out again, and then forgotten.
        Ok((End::Told, attached)) => match cluster.forget(&task, &attached).await {
            Ok(()) => delivery.done().await,
            Err(error) => tracing::debug!(%error, id = task.id, "an ended task is to be forgotten later"),
        },
        Ok((End::HandedOver, _)) => {
            if let Err(error) = cluster.note_handed(&task).await {
                tracing::debug!(%error, id = task.id, "a task is handed over and taken for one whose node has died");
            }
            delivery.hand_over().await;
        }
        // A node of another version may be able to.
        Err(NotKept::Unreadable(record)) if delivery.times <= DEATHS => {
            tracing::warn!(%record, id = task.id, "this node cannot read a task");
            delivery.put_off(AGAIN).await;
        }
        Err(NotKept::Unreadable(record)) => {
            tracing::error!(%record, id = task.id, "a task that cannot be read is given up");
            drop(cluster.forget(&task, &Attached::default()).await);
            delivery.give_up().await;
        }
        Err(error) => {
            tracing::warn!(%error, id = task.id, "a task could not be begun");
            delivery.hand_over().await;
        }
    }
}

/// Says that a task is being run, until another node has ended it, which took this one for dead: then whoever follows it here
/// gets what that one has stored. Returns what is to be forgotten.
async fn overtaken(service: &Service, cluster: &Cluster, delivery: &Delivery) -> Attached {
    let (registry, job) = (service.registry(delivery.task.kind), JobId::from(&delivery.task));
    loop {
        delivery.keep_alive().await;
        // A broker that is away tells later.
        if registry.live_here(&job).is_some() && matches!(registry.give_way(&job).await, Ok(true)) {
            tracing::info!(id = &*job.id, "another node has ended a task that this one ran too");
            let accepted = cluster.accepted(&delivery.task).await;
            return accepted.ok().flatten().map(|accepted| accepted.attached()).unwrap_or_default();
        }
    }
}

/// Begins a task, again and again while the broker does not tell what it is: that is no death of a node. Gives it back when
/// this node drains meanwhile.
async fn begin_again(service: &Service, cluster: &Cluster, delivery: &Delivery) -> Result<(End, Attached), NotKept> {
    loop {
        match begin(service, cluster, &delivery.task, delivery.times).await {
            Err(NotKept::Away(reason)) if service.drain.phase() == Phase::Serving => {
                tracing::debug!(%reason, id = delivery.task.id, "a task is begun again");
                tokio::time::sleep(AGAIN).await;
            }
            ended => return ended,
        }
    }
}

/// Begins a task, unless it has ended, and runs it to its end. Returns what is to be forgotten then, too.
async fn begin(service: &Service, cluster: &Cluster, task: &Task, times: u64) -> Result<(End, Attached), NotKept> {
    let (registry, job) = (service.registry(task.kind), JobId::from(task));
    loop {
        // This node may have been silent for so long that it gets what it runs already.
        while registry.live_here(&job).is_some() {
            tokio::time::sleep(LOOK).await;
        }
        let Some(accepted) = cluster.accepted(task).await? else {
            tracing::debug!(id = task.id, "a task has no record any more");
            return Ok((End::Told, Attached::default()));
        };
        let attached = accepted.attached();
        if cluster.has_ended(task).await? {
            return Ok((End::Told, attached));
        }
        let stop = CancellationToken::new();
        let mut deaths = 0;
        if times > 1 {
            deaths = (times - 1).saturating_sub(cluster.handed(task).await?);
            tracing::info!(id = task.id, times, deaths, "a task is run again");
        }
        if cluster.is_cancelled(task).await? {
            stop.cancel();
        }
        let seq = (times - 1) * RUN;
        let Some(run) = prepare(service, cluster, task, accepted, seq, stop).await? else { continue };
        let live = Live { registry, job: &job };
        let telling = tokio::spawn(registry.clone().tell_others(cluster.clone(), task.clone()));
        let end = if deaths > DEATHS {
            run.fail(task.kind, "the nodes that ran it have died").await
        } else {
            run.run(task.kind).await
        };
        drop(live);
        telling.abort();
        return Ok((end, attached));
    }
}

/// Enters a task that is to be run here; none when it runs here already.
async fn prepare(
    service: &Service,
    cluster: &Cluster,
    task: &Task,
    accepted: Accepted,
    seq: u64,
    stop: CancellationToken,
) -> Result<Option<Run>, NotKept> {
    let mut ended = Vec::new();
    if accepted.first.parts.is_some() {
        ended.extend(cluster.parts(task, 0, None).await?.into_iter().map(Part::from));
    }
    let parts = accepted.first.parts.map(|(total, _)| Parts { total, ended: ended.clone() }.into());
    let text = accepted.first.text.get().into();
    let first = Message { seq: accepted.first.seq, is_final: false, failed: false, lasts: false, text, parts };
    let cancel = jobs::canceller(&stop);
    let job = JobId::from(task);
    // The broker has its key, and will have its result.
    let new = New { job: &job, key: None, payer: None, first };
    let Ok(seen) = service.registry(task.kind).enter::<Infallible>(new, || Ok(cancel));
    let charges = service.guards.charged_before(accepted.charged.as_ref());
    Ok((seen == Seen::No).then(|| Run { service: service.clone(), job, accepted, charges, ended, seq, stop }))
}

/// A task in a registry, which it leaves at the latest when this is dropped.
struct Live<'a> {
    registry: &'a Registry,
    job: &'a JobId,
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        self.registry.abandon(self.job);
    }
}

/// Ends a task that nobody runs, here and now, as one that was cancelled before it began. Does nothing when it has ended.
///
/// # Errors
/// When the broker does not tell.
pub async fn end_waiting(service: &Service, cluster: &Cluster, kind: Kind, job: &JobId) -> Result<(), Problem> {
    let task = Task { kind, owner: job.owner.as_ref().to_owned(), id: job.id.as_ref().to_owned() };
    let Some(accepted) = cluster.accepted(&task).await? else { return Ok(()) };
    let registry = service.registry(kind);
    if registry.live_here(job).is_some() || cluster.has_ended(&task).await? {
        return Ok(());
    }
    let stop = CancellationToken::new();
    stop.cancel();
    let Some(run) = prepare(service, cluster, &task, accepted, LAST_RUN, stop).await? else {
        // A node that is this one has taken it meanwhile.
        registry.cancel_here(job);
        return Ok(());
    };
    let live = Live { registry, job };
    run.run(kind).await;
    drop(live);
    Ok(())
}
