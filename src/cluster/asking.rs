//! The run of one shard, on another node or here, and its outcome.

use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::state::Cluster;
use super::wire::{End, Ending, Piece, Reply, Shard};

/// A node that does not accept a shard within this time does not get it.
const ACCEPT_TIMEOUT: Duration = Duration::from_millis(300);

/// A shard without a message for this long is lost: its node has lost it, or its result was lost on the way.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(2);

/// The outcome of a shard.
pub(super) enum Outcome {
    /// Its workers have ended.
    Found {
        /// The results that arrived.
        pieces: Vec<Piece>,
        /// The workers whose results are too large for a message.
        large: Vec<u32>,
    },
    /// This node shuts down and takes no more searches.
    Closed,
    /// The node has too few idle cores.
    Busy,
    /// The node was lost.
    Lost,
    /// The node refuses it, for this reason.
    Refused(String),
    /// The search panicked there.
    Failed(String),
}

impl Outcome {
    /// Its name in metrics.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Found { .. } => "done",
            Self::Closed => "closed",
            Self::Busy => "busy",
            Self::Lost => "lost",
            Self::Refused(_) => "refused",
            Self::Failed(_) => "failed",
        }
    }
}

impl Cluster {
    /// Sends a shard to a node and waits for its outcome.
    pub(super) async fn run_on(&self, node: &str, shard: &Shard) -> Outcome {
        let client = &self.0.connection.client;
        // Texts and finite numbers only.
        let payload = serde_json::to_vec(shard).expect("shards are JSON");
        if !self.is_connected() {
            return Outcome::Lost;
        }
        if payload.len() > client.max_payload() {
            return Outcome::Refused("the request is larger than a message".to_owned());
        }
        let inbox = client.new_inbox();
        let Some(mut replies) = self.0.connection.subscribe(inbox.clone()).await else { return Outcome::Lost };
        let subject = self.subjects().work(node, "shard");
        if client.publish_with_reply(subject, inbox, payload.into()).await.is_err() {
            return Outcome::Lost;
        }
        let (mut pieces, mut large) = (Vec::new(), Vec::new());
        let mut wait = ACCEPT_TIMEOUT;
        loop {
            let next = async { timeout(wait, replies.next()).await.ok().flatten() };
            let message = tokio::select! {
                biased;
                message = next => message,
                () = self.0.members.wait_until_lost(node) => None,
            };
            let Some(message) = message else {
                // It may still be running, but nobody waits for it.
                let ending = Ending { id: shard.id.clone(), end: End::Cancelled };
                self.0.connection.publish(self.subjects().work(node, "end"), &ending).await;
                return Outcome::Lost;
            };
            // Without subscribers to the subject, the broker answers with a message without a payload.
            if message.status.is_some() {
                return Outcome::Lost;
            }
            match serde_json::from_slice(&message.payload) {
                Ok(Reply::Taken) => wait = SILENCE_TIMEOUT,
                Ok(Reply::Large(worker)) => large.push(worker),
                Ok(Reply::Piece(piece)) => pieces.push(*piece),
                Ok(Reply::Done { idle }) => {
                    self.0.members.set_idle(node, idle);
                    return Outcome::Found { pieces, large };
                }
                Ok(Reply::Busy { idle }) => {
                    self.0.members.set_idle(node, idle);
                    return Outcome::Busy;
                }
                Ok(Reply::Refused(reason)) => return Outcome::Refused(reason),
                Ok(Reply::Failed(message)) => return Outcome::Failed(message),
                Err(error) => return Outcome::Refused(error.to_string()),
            }
        }
    }

    /// Runs here a shard that another node did not run.
    pub(super) async fn run_locally(&self, shard: &Shard, search_ended: &CancellationToken) -> Outcome {
        let place = tokio::select! {
            biased;
            () = search_ended.cancelled() => return Outcome::Found { pieces: Vec::new(), large: Vec::new() },
            place = self.0.scheduler.reserve() => place,
        };
        let Ok(place) = place else { return Outcome::Closed };
        let running = match self.begin(shard, Some(place)) {
            Ok(running) => running,
            Err(reply) => return Outcome::Failed(format!("{reply:?}")),
        };
        let canceller = running.canceller();
        let end = running.end();
        tokio::pin!(end);
        let ended = tokio::select! {
            ended = &mut end => ended,
            () = search_ended.cancelled() => {
                canceller.cancel();
                end.await
            }
        };
        match ended {
            Ok(pieces) => Outcome::Found { pieces, large: Vec::new() },
            Err(failure) => Outcome::Failed(failure.to_string()),
        }
    }
}
