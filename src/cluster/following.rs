//! Messages about tasks of other nodes: published on the task's subject as they come, the newest on request. Some can be lost;
//! a task's result is in its record.

use std::time::Duration;

use async_nats::Subscriber;
use async_nats::client::RequestErrorKind;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::bucket::unavailable;
use super::records::Update;
use super::state::Cluster;
use crate::job::{JobId, StoreError};

/// The timeout for an answer of the node that runs a task.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(500);
/// After this long without a message, the record is read: the notice of a result may have been lost.
const POLL: Duration = Duration::from_secs(1);

/// A message on a task's subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Notice {
    /// The newest message.
    Newest(Box<Update>),
    /// The result is stored.
    Ended,
}

/// Publishes the messages of a task of this node.
pub struct Publisher {
    cluster: Cluster,
    task: JobId,
    requests: Option<Subscriber>,
}

/// A request about a task.
#[derive(Debug)]
pub enum TaskRequest {
    /// For its newest message.
    Newest(ReplyTo),
    /// To end soon.
    Cancel(ReplyTo),
}

/// The subject for a reply.
#[derive(Debug)]
pub struct ReplyTo(Option<async_nats::Subject>);

/// Follows a task that another node runs or will run.
pub struct Follower {
    cluster: Cluster,
    task: JobId,
    updates: Subscriber,
}

impl Cluster {
    /// Starts publishing a task's messages.
    pub async fn publisher(&self, task: &JobId) -> Publisher {
        let requests = self.0.connection.subscribe(self.subjects().running(task.kind.name(), &task.id, "*")).await;
        Publisher { cluster: self.clone(), task: task.clone(), requests }
    }

    /// Starts following a task.
    ///
    /// # Errors
    /// When the connection is closed for good.
    pub async fn follow(&self, task: JobId) -> Result<Follower, StoreError> {
        let updates = self.0.connection.subscribe(self.subjects().updates(task.kind.name(), &task.id)).await;
        let updates = updates.ok_or_else(|| unavailable("the connection is closed"))?;
        Ok(Follower { cluster: self.clone(), task, updates })
    }

    /// Publishes that a task's result is stored.
    pub async fn publish_end(&self, task: &JobId) {
        self.0.connection.publish(self.subjects().updates(task.kind.name(), &task.id), &Notice::Ended).await;
    }

    /// Asks the node that runs a task to end it; `false` if none runs it.
    pub async fn request_cancellation(&self, task: &JobId) -> bool {
        self.request(task, "cancel").await.is_some()
    }

    async fn request(&self, task: &JobId, what: &str) -> Option<bytes::Bytes> {
        let subject = self.subjects().running(task.kind.name(), &task.id, what);
        let request = self.0.connection.client.request(subject, bytes::Bytes::new());
        match timeout(REQUEST_TIMEOUT, request).await {
            Ok(Ok(message)) => Some(message.payload),
            Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders => None,
            Ok(Err(error)) => {
                tracing::debug!(%error, id = &*task.id, "a query about a task failed");
                None
            }
            Err(_) => None,
        }
    }
}

impl Publisher {
    /// Publishes the newest message.
    pub async fn publish(&self, update: Update) {
        let subject = self.cluster.subjects().updates(self.task.kind.name(), &self.task.id);
        self.cluster.0.connection.publish(subject, &Notice::Newest(Box::new(update))).await;
    }

    /// The next request; never returns without a subscription.
    pub async fn next_request(&mut self) -> TaskRequest {
        if let Some(requests) = &mut self.requests
            && let Some(message) = requests.next().await
        {
            let reply_to = ReplyTo(message.reply);
            return if message.subject.ends_with(".cancel") {
                TaskRequest::Cancel(reply_to)
            } else {
                TaskRequest::Newest(reply_to)
            };
        }
        std::future::pending().await
    }

    /// Replies to a request.
    pub async fn reply(&self, reply_to: &ReplyTo, update: Update) {
        if let ReplyTo(Some(to)) = reply_to {
            self.cluster.0.connection.publish(to.to_string(), &Notice::Newest(Box::new(update))).await;
        }
    }
}

impl Follower {
    /// The newest message from the node that runs the task; `None` if none does.
    pub async fn newest(&self) -> Option<Update> {
        let answer = self.cluster.request(&self.task, "newest").await?;
        match serde_json::from_slice(&answer) {
            Ok(Notice::Newest(update)) => Some(*update),
            Ok(Notice::Ended) | Err(_) => None,
        }
    }

    /// The next message; `None` if there may be a result, and the record must be read.
    pub async fn next(&mut self) -> Option<Update> {
        let message = timeout(POLL, self.updates.next()).await.ok()??;
        match serde_json::from_slice(&message.payload) {
            Ok(Notice::Newest(update)) if !update.message.is_final => Some(*update),
            _ => None,
        }
    }
}

/// A charge to a client's quota, as published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChargeNotice {
    /// The node that made it.
    node: String,
    /// The client, as the quota names it.
    pub client: String,
    /// Milliseconds of search; negative for a refund at a search's end.
    pub price: f64,
}

impl Cluster {
    /// Publishes a charge.
    pub async fn publish_charge(&self, client: String, price: f64) {
        let node = self.0.members.own().id;
        self.0.connection.publish(self.subjects().charges(), &ChargeNotice { node, client, price }).await;
    }

    /// Calls `on_charge` with each charge of another node until this node has left.
    pub async fn receive_charges(&self, on_charge: impl Fn(ChargeNotice) + Send) {
        let own = self.0.members.own().id;
        let Some(mut charges) = self.0.connection.subscribe(self.subjects().charges()).await else { return };
        while let Some(Some(message)) = self.0.left.run_until_cancelled(charges.next()).await {
            if let Ok(charge) = serde_json::from_slice::<ChargeNotice>(&message.payload)
                && charge.node != own
            {
                on_charge(charge);
            }
        }
    }
}
