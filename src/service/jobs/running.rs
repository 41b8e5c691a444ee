//! A task of the cluster on the node that runs it. What a dead node has not ended is run again by another; a node that ends
//! hands over. The first result to be stored counts, so that no result is reported twice.

use std::convert::Infallible;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::work::{End, Run, Work, canceller};
use crate::cluster::{Accepted, Cluster, Delivery};
use crate::job::{JobId, Message, Parts, StoreError};
use crate::registry::{New, Registry, Seen};
use crate::service::problem::Problem;
use crate::service::state::Service;

/// So many nodes may die in a task before it is given up: it may be what kills them.
pub const DEATHS: u64 = 4;
/// By so much the numbers of messages rise when a task runs again: those of the runs before are all lower.
const RUN: u64 = 1_000_000;
/// The numbers of a task's messages that ends while nobody runs it: nobody knows how many runs were before.
const LAST_RUN: u64 = RUN * RUN;
/// The interval of polls whether this node has ended its own run of a task.
const POLL: Duration = Duration::from_millis(5);

/// Says that a task is being run, until another node has ended it, which took this one for dead: then whoever follows it here
/// gets what that one has stored.
pub async fn overtaken(service: &Service, delivery: &Delivery) {
    let (registry, job) = (service.registry(delivery.task.kind), &delivery.task);
    loop {
        delivery.keep_alive().await;
        // A broker that is away tells later.
        if registry.live_here(job).is_some() && matches!(registry.give_way(job).await, Ok(true)) {
            tracing::info!(id = &*job.id, "another node has ended a task that was also running here");
            return;
        }
    }
}

/// Begins a task, unless it has ended, and runs it to its end.
pub async fn begin<W: Work>(service: &Service, cluster: &Cluster, task: &JobId, times: u64) -> Result<End, StoreError> {
    let registry = service.registry(W::KIND);
    loop {
        // This node may have been silent for so long that it gets what it runs already.
        while registry.live_here(task).is_some() {
            tokio::time::sleep(POLL).await;
        }
        let Some(accepted) = cluster.accepted(task).await? else {
            tracing::debug!(id = &*task.id, "a task has no record any more");
            return Ok(End::Done);
        };
        if cluster.has_ended(task).await? {
            return Ok(End::Done);
        }
        let stop = CancellationToken::new();
        let mut deaths = 0;
        if times > 1 {
            deaths = (times - 1).saturating_sub(cluster.handed(task).await?);
            tracing::info!(id = &*task.id, times, deaths, "a task runs again");
        }
        if cluster.is_cancelled(task).await? {
            stop.cancel();
        }
        let seq = (times - 1) * RUN;
        let Some(run) = prepare::<W>(service, cluster, task, &accepted, seq, stop).await? else { continue };
        let live = Live { registry, job: task };
        let publishing = tokio::spawn(registry.clone().publish(cluster.clone(), task.clone()));
        let end = if deaths > DEATHS {
            run.fail::<W>(&accepted, "the nodes that ran it have died").await
        } else {
            again::<W>(run, &accepted).await
        };
        drop(live);
        publishing.abort();
        return end;
    }
}

/// Runs a task as it was accepted.
async fn again<W: Work>(run: Run, accepted: &Accepted) -> Result<End, StoreError> {
    match W::read(&run, accepted).await {
        Ok(work) => Ok(run.go(work, accepted.trace.as_deref()).await),
        Err(_) => run.fail::<W>(accepted, "this node refuses the task").await,
    }
}

/// Enters a task that is to be run here; none when it runs here already.
async fn prepare<W: Work>(
    service: &Service,
    cluster: &Cluster,
    task: &JobId,
    accepted: &Accepted,
    seq: u64,
    stop: CancellationToken,
) -> Result<Option<Run>, StoreError> {
    // Of a finished game it is final, and yet to be stored.
    let mut first = Message { is_final: false, ..accepted.first.message.clone() };
    let mut ended = Vec::new();
    if let Some(parts) = &mut first.parts {
        ended = cluster.parts(task, 0, None).await?;
        *parts = Parts { total: parts.total, ended: ended.clone() }.into();
    }
    // The broker has its key, and will have its result.
    let new = New { job: task, key: None, payer: None, first };
    let Ok(seen) = service.registry(W::KIND).enter::<Infallible>(new, || Ok(canceller(&stop)));
    let charges = service.guards.charged_before(accepted.charged.as_ref());
    let (service, job) = (service.clone(), task.clone());
    Ok((seen == Seen::No).then(|| Run { service, job, charges, ended, seq, stop, is_kept: true }))
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
pub async fn end_waiting<W: Work>(service: &Service, job: &JobId) -> Result<(), Problem> {
    let Some(cluster) = &service.cluster else { return Ok(()) };
    let Some(accepted) = cluster.accepted(job).await? else { return Ok(()) };
    let registry = service.registry(W::KIND);
    if registry.live_here(job).is_some() || cluster.has_ended(job).await? {
        return Ok(());
    }
    let stop = CancellationToken::new();
    stop.cancel();
    let Some(run) = prepare::<W>(service, cluster, job, &accepted, LAST_RUN, stop).await? else {
        // A node that is this one has taken it meanwhile.
        registry.cancel_here(job);
        return Ok(());
    };
    let live = Live { registry, job };
    let ended = again::<W>(run, &accepted).await;
    drop(live);
    Ok(ended.map(drop)?)
}
