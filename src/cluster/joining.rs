//! How a node joins a cluster, announces itself, hears the others, and leaves.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use super::connection::{CannotConnect, Connection};
use super::jetstream::JetStream;
use super::members::Members;
use super::running::Gatherings;
use super::shards::HostedShards;
use super::state::{Cluster, Inner};
use super::wire::{Announcement, State, VERSION};
use crate::metrics::Metrics;
use crate::scheduler::Scheduler;
use crate::settings::Settings;
use crate::traces::Traces;
use tesuji_core::catalog::Catalog;

/// The interval of announcements.
const ANNOUNCEMENT_INTERVAL: Duration = Duration::from_millis(200);

impl Cluster {
    /// Joins the cluster in the settings with this number of search cores; the broker need not be reachable yet.
    ///
    /// # Errors
    /// When a file in the settings cannot be read, or the address is invalid.
    pub async fn join(
        settings: &Settings,
        scheduler: Scheduler,
        catalog: Arc<Catalog>,
        metrics: Metrics,
        traces: Traces,
        cores: u32,
    ) -> Result<Self, CannotConnect> {
        let id = Ulid::generate().to_string();
        let name = settings.node_name.clone().unwrap_or_else(|| id.clone());
        let connection = Connection::open(settings, &id, &name).await?;
        let own = Announcement {
            id,
            name,
            version: VERSION.to_owned(),
            role: settings.role,
            cores,
            idle: cores,
            searches: 0,
            shards: 0,
            state: State::Serving,
        };
        let jetstream = Arc::new(JetStream::new(connection.clone(), settings, metrics.clone()));
        let inner = Inner {
            connection,
            jetstream: Arc::clone(&jetstream),
            leaving: CancellationToken::new(),
            left: CancellationToken::new(),
            members: Members::new(own),
            hosted_shards: HostedShards::default(),
            gathering: Gatherings::default(),
            scheduler,
            catalog,
            metrics,
            traces,
            cores,
        };
        let cluster = Self(Arc::new(inner));
        cluster.spawn(jetstream.maintain());
        cluster.spawn(cluster.clone().receive_announcements());
        cluster.spawn(cluster.clone().announce());
        cluster.spawn(cluster.clone().serve());
        Ok(cluster)
    }

    /// Runs a task until this node has left.
    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let left = self.0.left.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = left.cancelled() => {}
                () = work => {}
            }
        });
    }

    /// Takes no more work for other nodes; work in progress continues.
    pub async fn drain(&self) {
        self.0.members.set_state(State::Draining);
        self.announce_once().await;
    }

    /// Leaves the cluster and announces it at once.
    pub async fn leave(&self) {
        self.begin_leaving();
        self.0.members.set_state(State::Gone);
        self.announce_once().await;
        self.0.connection.flush().await;
        self.0.left.cancel();
    }

    async fn announce(self) {
        let mut ticks = interval(ANNOUNCEMENT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let nodes = self.nodes();
            let draining = nodes.iter().filter(|node| node.is_draining).count();
            self.0.metrics.cluster_nodes(nodes.len() - draining, draining);
            self.announce_once().await;
        }
    }

    /// Receives the announcements of all nodes.
    async fn receive_announcements(self) {
        let Some(mut announcements) = self.0.connection.subscribe(self.subjects().announcements()).await else {
            return;
        };
        while let Some(message) = announcements.next().await {
            // A newer version can send announcements that this one cannot read.
            if let Ok(announcement) = serde_json::from_slice::<Announcement>(&message.payload) {
                self.0.members.record(announcement);
            }
        }
    }
}
