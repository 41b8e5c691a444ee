//! A task of the cluster on the node that runs it. Tasks of a dead node run again on another; a node that shuts down hands its
//! tasks over. The first result stored counts, so no result is reported twice.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tesuji_core::api::Status;
use tesuji_core::catalog::Catalog;
use tokio_util::sync::CancellationToken;

use super::work::{End, Run, Work, canceller};
use crate::cluster::{Accepted, Cluster, Delivery};
use crate::job::{JobId, Message, Parts, StoreError};
use crate::library::missing_versions;
use crate::registry::{NewJob, Registration, Registry};
use crate::service::problem::Problem;
use crate::service::state::Service;

/// After more deaths of nodes than this, a task fails: it may have caused them.
pub const MAX_DEATHS: u64 = 4;
/// A task fails once no node had its games this many times. The pauses in between last longer than an upload takes to arrive.
const MAX_MISSES: u64 = 10;
/// The warning of such a task.
const MISSING: &str = "no server has the version of the game with which this began";
/// Each further run of a task numbers its messages from the next multiple of this, above those of earlier runs.
const SEQ_PER_RUN: u64 = 1_000_000;
/// The message numbers of a task that ends while no node runs it, since the number of earlier runs is unknown then.
const UNRUN_SEQ: u64 = SEQ_PER_RUN * SEQ_PER_RUN;
/// The interval of polls for the end of this node's earlier run of a task.
const POLL: Duration = Duration::from_millis(5);

/// Keeps a task's delivery alive while the task runs. Returns if another node, which assumed that this one had died, has ended
/// the task: followers here then get that node's result.
pub async fn keep_delivery_alive(service: &Service, delivery: &Delivery) {
    let (registry, job) = (service.registry(delivery.task.kind), &delivery.task);
    loop {
        delivery.keep_alive().await;
        // If the broker cannot be reached, the next round finds out.
        if registry.live_messages(job).is_some() && matches!(registry.adopt_remote_result(job).await, Ok(true)) {
            tracing::info!(id = &*job.id, "another node ended a task that was also running here");
            return;
        }
    }
}

/// Runs a task to its end, unless it has ended already.
pub async fn run_task<W: Work>(
    service: &Service,
    cluster: &Cluster,
    task: &JobId,
    times: u64,
) -> Result<End, StoreError> {
    let registry = service.registry(W::KIND);
    loop {
        // After a long silence, a node can be given a task that it is still running.
        while registry.live_messages(task).is_some() {
            tokio::time::sleep(POLL).await;
        }
        let Some(accepted) = cluster.accepted(task).await? else {
            tracing::debug!(id = &*task.id, "a task no longer has a record");
            return Ok(End::Done);
        };
        if cluster.has_ended(task).await? {
            return Ok(End::Done);
        }
        let stop = CancellationToken::new();
        if cluster.is_cancelled(task).await? {
            stop.cancel();
        }
        let (catalog, has_games) = catalog_of(service, task, &accepted);
        if !has_games && !stop.is_cancelled() && cluster.misses(task).await? < MAX_MISSES {
            return Ok(End::MissingGames);
        }
        let mut deaths = 0;
        if times > 1 {
            deaths = (times - 1).saturating_sub(cluster.hand_overs(task).await?);
            tracing::info!(id = &*task.id, times, deaths, "a task runs again");
        }
        let seq = (times - 1) * SEQ_PER_RUN;
        let Some(run) = register::<W>(service, cluster, task, &accepted, seq, stop, catalog).await? else { continue };
        let live = RegisteredTask { registry, job: task };
        if let Some(entry) = &accepted.entry {
            cluster.list_running(task, entry).await?;
        }
        let publishing = tokio::spawn(registry.clone().publish(cluster.clone(), task.clone()));
        let end = if deaths > MAX_DEATHS {
            run.fail::<W>(&accepted, "the nodes that ran this task died", None).await
        } else {
            run_accepted::<W>(run, &accepted).await
        };
        drop(live);
        publishing.abort();
        return end;
    }
}

/// The client's games on this node, without those in another version than the task's, and whether the task's games are among
/// them.
fn catalog_of(service: &Service, task: &JobId, accepted: &Accepted) -> (Arc<Catalog>, bool) {
    let catalog = service.library.catalog(&task.owner);
    let other: Vec<&str> = missing_versions(&catalog, &accepted.games).collect();
    if other.is_empty() { (catalog, true) } else { (Arc::new((*catalog).clone().without(other)), false) }
}

/// Runs a task as it was accepted.
async fn run_accepted<W: Work>(run: Run, accepted: &Accepted) -> Result<End, StoreError> {
    match W::read(&run, accepted).await {
        Ok(work) => Ok(run.execute(work, accepted.trace.as_deref()).await),
        // It cannot run, but it is cancelled anyway.
        Err(_) if run.stop.is_cancelled() => run.end::<W>(accepted, Status::Cancelled, None).await,
        Err(_) => {
            let warning = missing_versions(&run.catalog, &accepted.games).next().map(|_| MISSING);
            run.fail::<W>(accepted, "this node refused the task", warning).await
        }
    }
}

/// Registers a task to run here; `None` if it runs here already.
async fn register<W: Work>(
    service: &Service,
    cluster: &Cluster,
    task: &JobId,
    accepted: &Accepted,
    seq: u64,
    stop: CancellationToken,
    catalog: Arc<Catalog>,
) -> Result<Option<Run>, StoreError> {
    // For a finished game the first message is final, but not stored yet.
    let mut first = Message { is_final: false, ..accepted.first.message.clone() };
    let mut ended = Vec::new();
    if let Some(parts) = &mut first.parts {
        ended = cluster.parts(task, 0, None).await?;
        *parts = Parts { total: parts.total, ended: ended.clone() }.into();
    }
    // The key, the result and the list entry are on the broker.
    let new = NewJob { job: task, key: None, client: None, is_accepted: true, game: None, first };
    let Ok(registration) = service.registry(W::KIND).enter::<Infallible>(new, || Ok(canceller(&stop)));
    let charges = service.guards.restore_charges(accepted.charged.as_ref());
    let (service, job) = (service.clone(), task.clone());
    Ok((registration == Registration::New).then(|| Run {
        service,
        job,
        catalog,
        charges,
        ended,
        seq,
        stop,
        is_pollable: true,
    }))
}

/// A task in a registry; removed on drop if it is still there.
struct RegisteredTask<'a> {
    registry: &'a Registry,
    job: &'a JobId,
}

impl Drop for RegisteredTask<'_> {
    fn drop(&mut self) {
        self.registry.abandon(self.job);
    }
}

/// Ends a task that no node runs, as cancelled before its start. Does nothing if it has ended.
///
/// # Errors
/// When the broker does not answer.
pub async fn end_waiting<W: Work>(service: &Service, job: &JobId) -> Result<(), Problem> {
    let Some(cluster) = &service.cluster else { return Ok(()) };
    let Some(accepted) = cluster.accepted(job).await? else {
        // A node that was silent may have listed it after its end.
        return Ok(cluster.unlist(job, None).await?);
    };
    let registry = service.registry(W::KIND);
    if registry.live_messages(job).is_some() || cluster.has_ended(job).await? {
        return Ok(());
    }
    let stop = CancellationToken::new();
    stop.cancel();
    let (catalog, _) = catalog_of(service, job, &accepted);
    let Some(run) = register::<W>(service, cluster, job, &accepted, UNRUN_SEQ, stop, catalog).await? else {
        // This node has taken it meanwhile.
        registry.cancel_local(job);
        return Ok(());
    };
    let live = RegisteredTask { registry, job };
    let ended = run_accepted::<W>(run, &accepted).await;
    drop(live);
    Ok(ended.map(drop)?)
}
