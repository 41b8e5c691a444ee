//! Puts tasks into queues and takes them: interactive tasks first, but every eighth is a batch one.

use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt as _;
use tokio::time::{Instant, sleep_until};
use ulid::Ulid;

use super::bucket::unavailable;
use super::jetstream::Assets;
use super::queue::{Delivery, LANES, lane_of, name_of};
use super::state::Cluster;
use crate::job::{JobId, StoreError};
use crate::scheduler::Class;

/// The longest time until a waiting task is noticed: a dead node's task is not announced.
const POLL: Duration = Duration::from_secs(1);
/// Of this many tasks, one is a batch task even if interactive ones wait.
const BATCH_EVERY: u64 = 8;

/// Takes tasks for this node.
#[derive(Debug)]
pub struct Taker {
    cluster: Cluster,
    announced: Subscriber,
    /// Lanes that may have tasks.
    marked: [[bool; LANES]; 2],
    /// The lane after the last one used.
    next: [usize; 2],
    taken: u64,
    /// The time of the next poll of all lanes, even if tasks are announced before.
    next_sweep: Instant,
}

impl Cluster {
    /// Puts a task into its class's queue; repeats within two minutes count once.
    pub(super) async fn put(&self, assets: &Assets, class: Class, payer: &str, task: &JobId) -> Result<(), StoreError> {
        let lane = lane_of(payer).to_string();
        // Texts only.
        let payload = serde_json::to_vec(task).expect("tasks are JSON");
        let message = PublishMessage::build().payload(payload.into()).message_id(&*task.id);
        let context = &assets.queues[class as usize].context;
        let subject = self.subjects().queue(name_of(class), &lane);
        let refused = |error: &dyn std::fmt::Display| {
            let text = error.to_string();
            if text.contains("exceeded") { StoreError::Full } else { unavailable(text) }
        };
        let sent = context.send_publish(subject, message).await.map_err(|error| refused(&error))?;
        sent.await.map_err(|error| refused(&error))?;
        self.0.connection.send(self.subjects().ready(name_of(class), &lane)).await;
        Ok(())
    }

    /// Starts taking tasks; `None` if the connection is closed for good.
    pub async fn taker(&self) -> Option<Taker> {
        let announced = self.0.connection.subscribe(self.subjects().ready("*", "*")).await?;
        let marked = [[true; LANES]; 2];
        Some(Taker {
            cluster: self.clone(),
            announced,
            marked,
            next: [0; 2],
            taken: 0,
            next_sweep: Instant::now() + POLL,
        })
    }
}

impl Taker {
    /// Waits for the next task; `None` once `stop` is ready. A delivered task is never dropped.
    pub async fn next(&mut self, stop: impl Future<Output = ()>) -> Option<Delivery> {
        tokio::pin!(stop);
        loop {
            if let Some(delivery) = self.take().await {
                return Some(delivery);
            }
            tokio::select! {
                biased;
                () = &mut stop => return None,
                announced = self.announced.next() => self.mark_lane(&announced?.subject),
                () = sleep_until(self.next_sweep) => {}
            }
        }
    }

    /// The classes in the order of the next attempt.
    fn classes(&self) -> [Class; 2] {
        if self.taken % BATCH_EVERY == BATCH_EVERY - 1 {
            [Class::Batch, Class::Interactive]
        } else {
            [Class::Interactive, Class::Batch]
        }
    }

    async fn take(&mut self) -> Option<Delivery> {
        if Instant::now() >= self.next_sweep {
            self.mark_all_lanes();
        }
        let assets = self.cluster.0.jetstream.assets().ok()?;
        // The announcements that have arrived.
        while let Some(Some(announced)) = futures_util::FutureExt::now_or_never(self.announced.next()) {
            self.mark_lane(&announced.subject);
        }
        for class in self.classes() {
            let class_index = class as usize;
            for lane in (0..LANES).map(|lane| (lane + self.next[class_index]) % LANES).collect::<Vec<_>>() {
                if !self.marked[class_index][lane] {
                    continue;
                }
                match assets.queues[class_index].take(lane).await {
                    Ok(Some(message)) => {
                        self.next[class_index] = (lane + 1) % LANES;
                        if let Some(delivery) = Delivery::read(message).await {
                            self.taken += 1;
                            return Some(delivery);
                        }
                    }
                    Ok(None) => self.marked[class_index][lane] = false,
                    Err(error) => {
                        tracing::debug!(%error, "no task could be fetched from the cluster's broker");
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Marks the lane of an announced task.
    fn mark_lane(&mut self, subject: &str) {
        let mut parts = subject.rsplit('.');
        let lane = parts.next().and_then(|lane| lane.parse::<usize>().ok()).filter(|lane| *lane < LANES);
        let class =
            [Class::Interactive, Class::Batch].into_iter().find(|class| Some(name_of(*class)) == parts.clone().next());
        if let (Some(lane), Some(class)) = (lane, class) {
            self.marked[class as usize][lane] = true;
        }
    }

    /// Marks all lanes of nonempty queues: tasks may have been returned, or their nodes have died. The intervals vary: of two
    /// nodes in step, the first would take every returned task, even if it lacks the task's game.
    fn mark_all_lanes(&mut self) {
        let varied = Ulid::generate().random() % 500;
        self.next_sweep = Instant::now() + POLL - Duration::from_millis(varied as u64);
        for class in [Class::Interactive, Class::Batch] {
            if self.cluster.0.jetstream.queued(class) > 0 {
                self.marked[class as usize] = [true; LANES];
            }
        }
    }
}
