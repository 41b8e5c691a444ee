//! The worker of a cluster's queue: takes a task when a core is idle, and runs it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::batches::BatchJob;
use super::drain::Phase;
use super::jobs::{End, MAX_DEATHS, keep_delivery_alive, run_task};
use super::reviews::ReviewJob;
use super::searches::SearchJob;
use super::sharing::{hand_back, serve_game_requests};
use super::state::Service;
use crate::cluster::{Cluster, Delivery};
use crate::job::{Kind, StoreError};

/// The pause before another attempt to begin a task.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// The interval of checks for an idle core.
const POLL: Duration = Duration::from_millis(5);
/// The number of tasks handed back at a time besides those that run.
const MAX_HAND_BACKS: usize = 64;

/// Runs tasks of the cluster, as many at a time as there are idle cores, until the server drains; returns when its tasks have
/// ended or been handed over.
pub async fn run_tasks(service: Service, cluster: Cluster) {
    let Some(mut taker) = cluster.taker().await else { return };
    let answering = tokio::spawn(serve_game_requests(service.library.clone(), cluster.clone()));
    let (mut running, handing) = (JoinSet::new(), Arc::new(Semaphore::new(MAX_HAND_BACKS)));
    while service.drain.phase() == Phase::Serving {
        while running.try_join_next().is_some() {}
        // One task runs even without an idle core: the scheduler gives it its turn.
        let has_core = running.len() < service.policy.cores as usize && service.scheduler.idle() > 0;
        if !running.is_empty() && !has_core {
            tokio::time::sleep(POLL).await;
        } else if let Some(delivery) = taker.next(service.drain.reached(Phase::Draining)).await {
            running.spawn(handle_delivery(service.clone(), cluster.clone(), delivery, Arc::clone(&handing)));
        }
    }
    answering.abort();
    while running.join_next().await.is_some() {}
}

/// Runs a task given to this node. If the run breaks off, the queue delivers the task again after a timeout.
async fn handle_delivery(service: Service, cluster: Cluster, delivery: Delivery, handing: Arc<Semaphore>) {
    let ended = tokio::select! {
        ended = run_with_retries(&service, &cluster, &delivery) => ended,
        () = keep_delivery_alive(&service, &delivery) => Ok(End::Done),
    };
    service.metrics.cluster_run(match &ended {
        Ok(End::Done) => "done",
        Ok(End::HandedOver | End::MissingGames) => "handed_over",
        Err(_) => "not_begun",
    });
    let task = delivery.task.clone();
    match ended {
        // Its record is removed before its queue entry: after a crash in between, it is delivered again, and then removed.
        Ok(End::Done) => match cluster.forget(&task).await {
            Ok(()) => delivery.ack().await,
            Err(error) => tracing::debug!(%error, id = &*task.id, "an ended task could not be removed yet"),
        },
        Ok(End::HandedOver) => {
            if let Err(error) = cluster.count_hand_over(&task).await {
                tracing::debug!(%error, id = &*task.id, "a handed-over task could not be recorded and counts as a node's death");
            }
            delivery.hand_over().await;
        }
        Ok(End::MissingGames) => match handing.try_acquire_owned() {
            Ok(place) => drop(tokio::spawn(async move {
                hand_back(cluster, delivery).await;
                drop(place);
            })),
            // Keeps this task's slot, so the node takes fewer new tasks.
            Err(_) => hand_back(cluster, delivery).await,
        },
        // A node of another version may be able to read it.
        Err(StoreError::Unreadable(record)) if delivery.deliveries <= MAX_DEATHS => {
            tracing::warn!(%record, id = &*task.id, "this node cannot read a task");
            delivery.retry_after(RETRY_PAUSE).await;
        }
        Err(StoreError::Unreadable(record)) => {
            tracing::error!(%record, id = &*task.id, "an unreadable task was discarded");
            drop(cluster.forget(&task).await);
            delivery.discard().await;
        }
        Err(error) => {
            tracing::warn!(%error, id = &*task.id, "a task could not be started");
            delivery.hand_over().await;
        }
    }
}

/// Begins a task. Retries while the broker is unavailable, which must not count as a node's death. Returns the task to the
/// queue if this node drains meanwhile.
async fn run_with_retries(service: &Service, cluster: &Cluster, delivery: &Delivery) -> Result<End, StoreError> {
    let (task, times) = (&delivery.task, delivery.deliveries);
    loop {
        let ended = match task.kind {
            Kind::Search => run_task::<SearchJob>(service, cluster, task, times).await,
            Kind::Review => run_task::<ReviewJob>(service, cluster, task, times).await,
            Kind::Batch => run_task::<BatchJob>(service, cluster, task, times).await,
        };
        match ended {
            Err(StoreError::Unavailable(reason)) if service.drain.phase() == Phase::Serving => {
                tracing::debug!(%reason, id = &*task.id, "a task could not be started and is tried again");
                tokio::time::sleep(RETRY_PAUSE).await;
            }
            ended => return ended,
        }
    }
}
