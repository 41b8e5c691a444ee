//! The connection to the broker, and the subjects. The client library reconnects without end.

use std::fmt;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, Server, Subscriber};
use serde::Serialize;

use super::wire::{PROTOCOL, VERSION};
use crate::settings::Settings;

/// Why a cluster cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot join the cluster: {0}")]
pub struct CannotConnect(String);

/// The subjects of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Subjects {
    pub prefix: String,
}

impl Subjects {
    /// A node's announcements, received by all versions.
    pub fn announcement(&self, node: &str) -> String {
        format!("{}.nodes.{node}", self.prefix)
    }

    /// The announcements of all nodes.
    pub fn announcements(&self) -> String {
        self.announcement("*")
    }

    /// Shards for a node and their ends, of its version only.
    pub fn work(&self, node: &str, what: &str) -> String {
        format!("{}.work.{}-{PROTOCOL}.{node}.{what}", self.prefix, VERSION.replace('.', "_"))
    }

    /// The queue of a class.
    pub fn queue(&self, class: &str, lane: &str) -> String {
        format!("{}.queue.{class}.{lane}", self.prefix)
    }

    /// Notices that a task waits in a lane.
    pub fn ready(&self, class: &str, lane: &str) -> String {
        format!("{}.ready.{class}.{lane}", self.prefix)
    }

    /// A task's messages.
    pub fn updates(&self, kind: &str, id: &str) -> String {
        format!("{}.told.{kind}.{id}", self.prefix)
    }

    /// Requests to the node that runs a task.
    pub fn running(&self, kind: &str, id: &str, what: &str) -> String {
        format!("{}.running.{kind}.{id}.{what}", self.prefix)
    }

    /// Games of clients: `changed` when an upload is stored or removed, `wanted` to ask who has some.
    pub fn games(&self, what: &str) -> String {
        format!("{}.games.{what}", self.prefix)
    }

    /// Charges to clients' quotas.
    pub fn charges(&self) -> String {
        format!("{}.charges", self.prefix)
    }
}

/// A connection, open or opening.
#[derive(Clone)]
pub(super) struct Connection {
    pub client: Client,
    pub subjects: Subjects,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("subjects", &self.subjects).finish_non_exhaustive()
    }
}

impl Connection {
    /// Starts to connect and returns at once, even if the broker cannot be reached.
    pub async fn open(settings: &Settings, id: &str, name: &str) -> Result<Self, CannotConnect> {
        let cannot = |what: &str, error: &dyn fmt::Display| CannotConnect(format!("{what}: {error}"));
        let prefix = settings.cluster_prefix.clone();
        let mut connect = ConnectOptions::new()
            .name(format!("tesuji {name}"))
            .retry_on_initial_connect()
            .custom_inbox_prefix(format!("{prefix}.replies.{id}"))
            .event_callback(log_event)
            .reconnect_to_server_callback(|servers, _| async move {
                log_failures(&servers);
                None
            });
        if let Some(file) = &settings.cluster_credentials {
            connect = connect.credentials_file(file).await.map_err(|error| cannot("cluster_credentials", &error))?;
        }
        if let Some(file) = &settings.cluster_nkey {
            let seed = std::fs::read_to_string(file).map_err(|error| cannot("cluster_nkey", &error))?;
            connect = connect.nkey(seed.trim().to_owned());
        }
        if let Some(file) = settings.cluster_ca.clone() {
            connect = connect.add_root_certificates(file).require_tls(true);
        }
        if let Some((certificate, key)) = settings.cluster_cert.clone().zip(settings.cluster_key.clone()) {
            connect = connect.add_client_certificate(certificate, key).require_tls(true);
        }
        let client = connect.connect(&settings.cluster).await.map_err(|error| cannot("cluster", &error))?;
        Ok(Self { client, subjects: Subjects { prefix } })
    }

    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Publishes a message if the broker can be reached; late ones would be useless.
    pub async fn publish(&self, subject: String, message: &impl Serialize) {
        // Texts and finite numbers only.
        let payload = serde_json::to_vec(message).expect("messages are JSON");
        if self.is_connected()
            && let Err(error) = self.client.publish(subject, payload.into()).await
        {
            tracing::debug!(%error, "a message to the cluster was not sent");
        }
    }

    /// Publishes a message without a payload.
    pub async fn send(&self, subject: String) {
        if let Err(error) = self.client.publish(subject, bytes::Bytes::new()).await {
            tracing::debug!(%error, "a message to the cluster was not sent");
        }
    }

    /// The messages of a subject, across reconnections; `None` once the connection is closed for good.
    pub async fn subscribe(&self, subject: String) -> Option<Subscriber> {
        self.client.subscribe(subject).await.inspect_err(|error| tracing::error!(%error, "a subscription failed")).ok()
    }

    /// Waits until all published messages are sent.
    pub async fn flush(&self) {
        if self.is_connected()
            && let Err(error) = self.client.flush().await
        {
            tracing::debug!(%error, "the last messages to the cluster were not sent");
        }
    }
}

/// Logs why the last attempt at each broker failed, before the next one: events contain the kind of error only.
fn log_failures(servers: &[Server]) {
    for server in servers {
        if let Some(error) = &server.last_error {
            tracing::warn!(%server, error, "the cluster's broker cannot be reached");
        }
    }
}

/// Logs changes of the connection.
async fn log_event(event: Event) {
    match event {
        Event::Connected => tracing::info!("connected to the cluster's broker"),
        Event::Disconnected => tracing::warn!("the cluster's broker is unreachable: searches run on this node alone"),
        Event::ServerError(error) => tracing::warn!(%error, "the cluster's broker reported an error"),
        Event::ClientError(error) => tracing::debug!(%error, "the cluster's broker cannot be used"),
        Event::SlowConsumer(_) => tracing::warn!("cluster messages were lost: this node is too slow"),
        Event::LameDuckMode | Event::Draining | Event::Closed => {
            tracing::info!(%event, "the cluster's broker changed its state")
        }
    }
}
