//! This node's state in a cluster, shared by the cluster's modules.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::connection::{Connection, Subjects};
use super::jetstream::JetStream;
use super::members::{Members, Node};
use super::running::Gatherings;
use super::shards::HostedShards;
use super::wire::Announcement;
use crate::job::StoreError;
use crate::metrics::Metrics;
use crate::scheduler::{Class, Scheduler};
use crate::traces::Traces;
use tesuji_core::catalog::Catalog;

/// The interval of checks whether this node runs work for others.
const POLL: Duration = Duration::from_millis(20);

/// This node's state in a cluster; clones share it.
#[derive(Clone, Debug)]
pub struct Cluster(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub connection: Connection,
    pub jetstream: Arc<JetStream>,
    /// Cancelled when this node leaves.
    pub leaving: CancellationToken,
    /// Cancelled once it has left: the cluster's background tasks end.
    pub left: CancellationToken,
    pub members: Members,
    pub hosted_shards: HostedShards,
    pub gathering: Gatherings,
    pub scheduler: Scheduler,
    pub catalog: Arc<Catalog>,
    pub metrics: Metrics,
    pub traces: Traces,
    pub cores: u32,
}

impl Cluster {
    /// Whether the broker can be reached.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.0.connection.is_connected()
    }

    /// Why tasks cannot be stored now; `None` if they can.
    #[must_use]
    pub fn storage_error(&self) -> Option<StoreError> {
        self.0.jetstream.assets().err()
    }

    /// Waits until jobs can be stored (`wanted`) or cannot; returns the reason if they cannot.
    pub async fn wait_for_storage(&self, wanted: bool) -> Option<Arc<str>> {
        let mut state = self.0.jetstream.state();
        // Its sender lives as long as the cluster.
        state.wait_for(|state| state.is_ok() == wanted).await.ok()?.clone().err()
    }

    /// Tasks of a class waiting or running anywhere, as last reported by the broker.
    #[must_use]
    pub fn queued(&self, class: Class) -> u64 {
        self.0.jetstream.queued(class)
    }

    /// All nodes heard from recently, this one first.
    #[must_use]
    pub fn nodes(&self) -> Vec<Node> {
        let own = self.own();
        self.0.members.nodes(own)
    }

    /// Idle cores of other nodes, as last announced.
    #[must_use]
    pub fn idle_elsewhere(&self) -> u32 {
        self.0.members.idle_elsewhere()
    }

    /// Waits until no search of this node is spread.
    pub async fn gathered(&self) {
        self.0.gathering.wait_until_empty().await;
    }

    /// Waits until this node runs nothing for others.
    pub async fn served(&self) {
        while self.0.hosted_shards.count() > 0 {
            tokio::time::sleep(POLL).await;
        }
    }

    /// Signals to this node's tasks that it leaves: its spread searches end with their best result so far, and clients that
    /// follow tasks of other nodes here get no result and turn to another node.
    pub fn begin_leaving(&self) {
        self.0.leaving.cancel();
    }

    /// Waits until this node leaves the cluster.
    pub async fn leaving(&self) {
        self.0.leaving.cancelled().await;
    }

    pub(super) fn subjects(&self) -> &Subjects {
        &self.0.connection.subjects
    }

    /// This node's current announcement.
    pub(super) fn own(&self) -> Announcement {
        let inner = &self.0;
        Announcement {
            idle: inner.scheduler.idle().min(inner.cores as usize) as u32,
            searches: inner.scheduler.live() as u64,
            shards: inner.hosted_shards.count(),
            ..inner.members.own()
        }
    }

    pub(super) async fn announce_once(&self) {
        let own = self.own();
        self.0.connection.publish(self.subjects().announcement(&own.id), &own).await;
    }
}
