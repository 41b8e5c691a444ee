//! Tasks that wait: a work queue for each class, from which every node takes what it has a core for.
//!
//! A queue has lanes. All tasks of a client wait in one, and nodes take from the lanes in turn, so that whoever has a thousand
//! tasks waiting holds up only those whose lane is the same.

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

/// How many lanes a queue has.
pub(super) const LANES: usize = 8;
/// A node that runs a task and has not said so for this long is taken for dead.
const SILENCE: Duration = Duration::from_secs(5);
/// How often a node says that it runs a task.
pub(super) const ALIVE: Duration = Duration::from_secs(2);
/// How long the broker may take to hand out a task.
const PATIENCE: Duration = Duration::from_secs(3);
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

/// The lane of a client's tasks: on all nodes the same.
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
                ack_wait: SILENCE,
                // Deaths are counted by whoever takes the task again.
                max_deliver: -1,
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
        timeout(PATIENCE, take).await.map_err(unavailable)?
    }
}

/// A task that this node is to run.
pub struct Delivery {
    /// The task.
    pub task: JobId,
    /// How often it has been handed out, this time included.
    pub times: u64,
    message: jetstream::Message,
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Delivery").field("task", &self.task).field("times", &self.times).finish_non_exhaustive()
    }
}

impl Delivery {
    /// Reads a message; one that cannot be read is none of ours, and is thrown away.
    pub(super) async fn read(message: jetstream::Message) -> Option<Self> {
        let times = message.info().map_or(1, |info| info.delivered.max(1).cast_unsigned());
        match serde_json::from_slice(&message.payload) {
            Ok(task) => Some(Self { task, times, message }),
            Err(error) => {
                tracing::error!(%error, "a task of the cluster cannot be read");
                drop(message.ack_with(AckKind::Term).await);
                None
            }
        }
    }

    async fn answer(&self, kind: AckKind) {
        // If it does not arrive, the task is handed out once more, and its result is found.
        if let Err(error) = self.message.ack_with(kind).await {
            tracing::debug!(%error, id = &*self.task.id, "the broker does not hear of a task");
        }
    }

    /// Says after a while that the task is being run.
    pub async fn keep_alive(&self) {
        tokio::time::sleep(ALIVE).await;
        self.answer(AckKind::Progress).await;
    }

    /// The task has ended, and its result is stored.
    pub async fn done(self) {
        self.answer(AckKind::Ack).await;
    }

    /// It is to be tried again, by this node or another, after a pause.
    pub async fn put_off(self, pause: Duration) {
        self.answer(AckKind::Nak(Some(pause))).await;
    }

    /// Nobody is to run it.
    pub async fn give_up(self) {
        self.answer(AckKind::Term).await;
    }

    /// Another node is to run it, now.
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
