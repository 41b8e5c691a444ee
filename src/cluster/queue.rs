//! Waiting tasks: a work queue for each class, from which every node with an idle core takes.
//!
//! A queue has lanes. All tasks of a client wait in one, and nodes take from the lanes in turn: a client with a thousand tasks
//! delays only those in the same lane.

use std::time::Duration;

use async_nats::jetstream::consumer::pull::Config;
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{self, AckKind, Context};
use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;

use super::bucket::unavailable;
use super::connection::Subjects;
use crate::job::{JobId, StoreError};
use crate::scheduler::Class;

/// The number of lanes.
pub(super) const LANES: usize = 8;
/// A node that does not report a task for this long counts as dead.
const DEAD_AFTER: Duration = Duration::from_secs(5);
/// The interval of such reports.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(2);
/// The timeout for the broker to deliver a task.
const FETCH_TIMEOUT: Duration = Duration::from_secs(3);
/// A class's name on the broker.
pub(super) const fn name_of(class: Class) -> &'static str {
    match class {
        Class::Interactive => "interactive",
        Class::Batch => "batch",
    }
}

/// The tasks of a class.
#[derive(Clone)]
pub(super) struct Queue {
    pub stream: Stream,
    pub context: Context,
    lanes: Vec<Consumer<Config>>,
}

/// The lane of a client's tasks, the same on all nodes.
pub(super) fn lane_of(client: &str) -> usize {
    usize::from(Sha256::digest(client)[0]) % LANES
}

impl Queue {
    pub async fn open(context: &Context, subjects: &Subjects, class: &str, stream: Stream) -> Result<Self, StoreError> {
        let lanes = (0..LANES).map(|lane| {
            let config = Config {
                durable_name: Some(format!("lane{lane}")),
                filter_subject: subjects.queue(class, &lane.to_string()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: DEAD_AFTER,
                // The node that takes the task next counts the deaths.
                max_deliver: -1,
                // The queue's length is the limit; tasks that wait for another attempt do not block the lane.
                max_ack_pending: -1,
                ..Config::default()
            };
            let stream = stream.cached_info().config.name.clone();
            async move { context.create_consumer_on_stream(config, stream).await.map_err(unavailable) }
        });
        let lanes = try_join_all(lanes).await?;
        Ok(Self { stream, context: context.clone(), lanes })
    }

    /// The next task of a lane, if one waits.
    pub async fn take(&self, lane: usize) -> Result<Option<jetstream::Message>, StoreError> {
        let take = async {
            let mut batch = self.lanes[lane].fetch().max_messages(1).messages().await.map_err(unavailable)?;
            batch.next().await.transpose().map_err(unavailable)
        };
        timeout(FETCH_TIMEOUT, take).await.map_err(unavailable)?
    }
}

/// A task delivered to this node.
pub struct Delivery {
    /// The task.
    pub task: JobId,
    /// How often it was delivered, including this time.
    pub deliveries: u64,
    message: jetstream::Message,
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Delivery")
            .field("task", &self.task)
            .field("deliveries", &self.deliveries)
            .finish_non_exhaustive()
    }
}

impl Delivery {
    /// Reads a message; discards one that cannot be read.
    pub(super) async fn read(message: jetstream::Message) -> Option<Self> {
        let deliveries = message.info().map_or(1, |info| info.delivered.max(1).cast_unsigned());
        match serde_json::from_slice(&message.payload) {
            Ok(task) => Some(Self { task, deliveries, message }),
            Err(error) => {
                tracing::error!(%error, "a cluster task cannot be read");
                drop(message.ack_with(AckKind::Term).await);
                None
            }
        }
    }

    async fn answer(&self, kind: AckKind) {
        // If this is lost, the task is delivered once more, and its result is found.
        if let Err(error) = self.message.ack_with(kind).await {
            tracing::debug!(%error, id = &*self.task.id, "a task's state could not be reported to the broker");
        }
    }

    /// Reports, after a pause, that the task is running.
    pub async fn keep_alive(&self) {
        tokio::time::sleep(HEARTBEAT).await;
        self.answer(AckKind::Progress).await;
    }

    /// Removes the task, which has ended and whose result is stored.
    pub async fn ack(self) {
        self.answer(AckKind::Ack).await;
    }

    /// Returns it for another attempt, here or elsewhere, after a pause.
    pub async fn retry_after(self, pause: Duration) {
        self.answer(AckKind::Nak(Some(pause))).await;
    }

    /// Discards it.
    pub async fn discard(self) {
        self.answer(AckKind::Term).await;
    }

    /// Returns it for another node, at once.
    pub async fn hand_over(self) {
        self.answer(AckKind::Nak(None)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_tasks_share_a_lane() {
        assert_eq!(lane_of("alice"), lane_of("alice"));
        let clients = (0..200).map(|client| lane_of(&client.to_string()));
        let used = clients.collect::<std::collections::BTreeSet<_>>();
        assert_eq!(used, (0..LANES).collect());
    }
}
