//! Messages about tasks that other nodes run: told on a subject of the task's id as they come, the newest at any time on
//! request. What is told there may be lost; what has come out of a task is in its record.

use std::time::Duration;

use async_nats::Subscriber;
use async_nats::client::RequestErrorKind;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::bucket::unavailable;
use super::records::Told;
use super::state::Cluster;
use crate::job::{JobId, StoreError};

/// How long a node that runs a task may take to tell of it.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often it is looked whether there is a result whose announcement was lost.
const LOOK: Duration = Duration::from_secs(1);

/// What is told about a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum News {
    /// How far it is.
    Newest(Box<Told>),
    /// Its result is stored.
    Ended,
}

/// Tells about a task that this node runs.
pub struct Teller {
    cluster: Cluster,
    task: JobId,
    asked: Option<Subscriber>,
}

/// What somebody wants of a task.
#[derive(Debug)]
pub enum Asked {
    /// The newest message.
    Newest(Answer),
    /// That it ends soon.
    Cancel(Answer),
}

/// Where an answer goes.
#[derive(Debug)]
pub struct Answer(Option<async_nats::Subject>);

/// Follows a task that another node runs, or none yet.
pub struct Follower {
    cluster: Cluster,
    task: JobId,
    told: Subscriber,
}

impl Cluster {
    /// Begins to tell about a task.
    pub async fn teller(&self, task: &JobId) -> Teller {
        let asked = self.0.connection.subscribe(self.subjects().running(task.kind.name(), &task.id, "*")).await;
        Teller { cluster: self.clone(), task: task.clone(), asked }
    }

    /// Begins to follow a task.
    ///
    /// # Errors
    /// When the connection is closed for good.
    pub async fn follow(&self, task: JobId) -> Result<Follower, StoreError> {
        let told = self.0.connection.subscribe(self.subjects().told(task.kind.name(), &task.id)).await;
        let told = told.ok_or_else(|| unavailable("the connection is closed"))?;
        Ok(Follower { cluster: self.clone(), task, told })
    }

    /// Tells that a task's result is stored.
    pub async fn tell_end(&self, task: &JobId) {
        self.0.connection.publish(self.subjects().told(task.kind.name(), &task.id), &News::Ended).await;
    }

    /// Asks the node that runs a task to end it; `false` when none runs it.
    pub async fn ask_to_end(&self, task: &JobId) -> bool {
        self.request(task, "cancel").await.is_some()
    }

    async fn request(&self, task: &JobId, what: &str) -> Option<bytes::Bytes> {
        let subject = self.subjects().running(task.kind.name(), &task.id, what);
        let request = self.0.connection.client.request(subject, bytes::Bytes::new());
        match timeout(PATIENCE, request).await {
            Ok(Ok(message)) => Some(message.payload),
            Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders => None,
            Ok(Err(error)) => {
                tracing::debug!(%error, id = &*task.id, "no word of a task");
                None
            }
            Err(_) => None,
        }
    }
}

impl Teller {
    /// Tells the newest message to whoever follows the task.
    pub async fn tell(&self, told: Told) {
        let subject = self.cluster.subjects().told(self.task.kind.name(), &self.task.id);
        self.cluster.0.connection.publish(subject, &News::Newest(Box::new(told))).await;
    }

    /// What somebody wants next. Never ends where nobody can ask.
    pub async fn asked(&mut self) -> Asked {
        if let Some(asked) = &mut self.asked
            && let Some(message) = asked.next().await
        {
            let answer = Answer(message.reply);
            return if message.subject.ends_with(".cancel") { Asked::Cancel(answer) } else { Asked::Newest(answer) };
        }
        std::future::pending().await
    }

    /// Answers.
    pub async fn answer(&self, answer: &Answer, told: Told) {
        if let Answer(Some(to)) = answer {
            self.cluster.0.connection.publish(to.to_string(), &News::Newest(Box::new(told))).await;
        }
    }
}

impl Follower {
    /// The newest message of the node that runs the task; none where none does.
    pub async fn newest(&self) -> Option<Told> {
        let answer = self.cluster.request(&self.task, "newest").await?;
        match serde_json::from_slice(&answer) {
            Ok(News::Newest(told)) => Some(*told),
            Ok(News::Ended) | Err(_) => None,
        }
    }

    /// The next message; none when there may be a result, and the record is to be asked.
    pub async fn next(&mut self) -> Option<Told> {
        let message = timeout(LOOK, self.told.next()).await.ok()??;
        match serde_json::from_slice(&message.payload) {
            Ok(News::Newest(told)) if !told.message.is_final => Some(*told),
            _ => None,
        }
    }
}

/// What is charged to clients' quotas, as nodes tell each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToldCharge {
    /// The node that has charged it.
    node: String,
    /// The client, as the quota names it.
    pub client: String,
    /// Milliseconds of search; below zero what goes back at a search's end.
    pub price: f64,
}

impl Cluster {
    /// Tells the other nodes what was charged to a client.
    pub async fn tell_charge(&self, client: String, price: f64) {
        let node = self.0.members.own().id;
        self.0.connection.publish(self.subjects().charges(), &ToldCharge { node, client, price }).await;
    }

    /// Has `hear` hear what other nodes charge, until this node has left.
    pub async fn hear_charges(&self, hear: impl Fn(ToldCharge) + Send) {
        let own = self.0.members.own().id;
        let Some(mut charges) = self.0.connection.subscribe(self.subjects().charges()).await else { return };
        while let Some(Some(message)) = self.0.left.run_until_cancelled(charges.next()).await {
            if let Ok(charge) = serde_json::from_slice::<ToldCharge>(&message.payload)
                && charge.node != own
            {
                hear(charge);
            }
        }
    }
}
