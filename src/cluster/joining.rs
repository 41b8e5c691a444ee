//! A node joins a cluster, announces itself to the others, hears them, and leaves.

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
use super::shards::Serving;
use super::state::{Cluster, Inner};
use super::wire::{Announcement, State, VERSION};
use crate::metrics::Metrics;
use crate::scheduler::Scheduler;
use crate::settings::Settings;
use crate::traces::Traces;
use tesuji_core::catalog::Catalog;

/// How often a node announces itself.
const EVERY: Duration = Duration::from_millis(200);

impl Cluster {
    /// Joins the cluster that settings name, with so many cores to search on; whether the broker can be reached now does not
    /// matter.
    ///
    /// # Errors
    /// When the settings name a file that cannot be read, or no server.
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
            serving: Serving::default(),
            gathering: Gatherings::default(),
            scheduler,
            catalog,
            metrics,
            traces,
            cores,
        };
        let cluster = Self(Arc::new(inner));
        cluster.run(jetstream.keep_up());
        cluster.run(cluster.clone().hear());
        cluster.run(cluster.clone().announce());
        cluster.run(cluster.clone().serve());
        Ok(cluster)
    }

    /// Has some work run until this node has left.
    fn run(&self, work: impl Future<Output = ()> + Send + 'static) {
        let left = self.0.left.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = left.cancelled() => {}
                () = work => {}
            }
        });
    }

    /// This node takes no more work of others. What it does for them goes on.
    pub async fn drain(&self) {
        self.0.members.turn(State::Draining);
        self.announce_once().await;
    }

    /// This node leaves: the others hear of it at once.
    pub async fn leave(&self) {
        self.begin_leaving();
        self.0.members.turn(State::Gone);
        self.announce_once().await;
        self.0.connection.flush().await;
        self.0.left.cancel();
    }

    async fn announce(self) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let nodes = self.nodes();
            let draining = nodes.iter().filter(|node| node.is_draining).count();
            self.0.metrics.cluster_nodes(nodes.len() - draining, draining);
            self.announce_once().await;
        }
    }

    /// Hears what all nodes announce.
    async fn hear(self) {
        let Some(mut announcements) = self.0.connection.subscribe(self.subjects().announcements()).await else {
            return;
        };
        while let Some(message) = announcements.next().await {
            // A newer version may tell what this one does not understand.
            if let Ok(announcement) = serde_json::from_slice::<Announcement>(&message.payload) {
                self.0.members.hear(announcement);
            }
        }
    }
}
