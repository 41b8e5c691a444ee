//! Several machines that search together, over [NATS](https://nats.io).
//!
//! Each node announces itself and its idle cores a few times a second (`members`). A root-parallel search that asks for more
//! threads than are idle here is spread over the nodes that have some (`spread`): each runs some of its workers (`workers`) for
//! the node that was asked (`asking`, `serving`), and what each worker has found travels back by itself, so that the merged
//! result (`gather`) is that of one machine with as many threads. The node that was asked works too, and does by itself what no
//! other node does, so that a broker or a node that is away costs speed and nothing else. `wire` has the messages, `connection`
//! the broker, `running` what whoever waits for the result holds.
//!
//! Work that outlives its request is a task of the whole cluster: kept on the broker (`jetstream`), it waits in a queue from
//! which any node takes it (`queue`), any node knows what became of it (`records`, and clients' own `keys`, in a `bucket`), and
//! any follows it (`following`). What a task is and how it is run, the service knows.

mod asking;
mod bucket;
mod connection;
mod following;
mod gather;
mod jetstream;
mod keys;
mod members;
mod queue;
mod records;
mod running;
mod serving;
mod spread;
mod wire;
mod workers;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use self::connection::{Connection, Subjects};
use self::gather::Gatherings;
use self::jetstream::JetStream;
use self::members::Members;
use self::serving::Serving;
use self::wire::{Announcement, State};
use crate::metrics::Metrics;
use crate::scheduler::{Class, Scheduler};
use crate::settings::Settings;
use crate::traces::Traces;
use tesuji_core::catalog::Catalog;

pub use self::connection::CannotConnect;
pub use self::following::{Answer, Asked, Follower, Teller, ToldCharge};
pub use self::jetstream::NotKept;
pub use self::keys::{Entry, Known};
pub use self::members::Node;
pub use self::queue::{Delivery, Kind, Taker, Task};
pub use self::records::{Accepted, Attached, Charged, EndedPart, Outcome, Told, Written, hash};
pub use self::running::{Canceller, Found, Running};
pub use self::spread::Spread;

/// How often a node announces itself.
const EVERY: Duration = Duration::from_millis(200);

/// This node's part in a cluster. Clones share everything.
#[derive(Clone, Debug)]
pub struct Cluster(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    connection: Connection,
    jetstream: Arc<JetStream>,
    /// Cancelled when this node leaves.
    leaving: CancellationToken,
    /// Cancelled when it has left: what runs for the cluster ends.
    left: CancellationToken,
    members: Members,
    serving: Serving,
    gathering: Gatherings,
    scheduler: Scheduler,
    catalog: Arc<Catalog>,
    metrics: Metrics,
    traces: Traces,
    cores: u32,
}

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
            version: wire::VERSION.to_owned(),
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

    /// Whether the broker can be reached.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.0.connection.is_connected()
    }

    /// Why tasks cannot be stored at this moment; none when they can.
    #[must_use]
    pub fn failing(&self) -> Option<NotKept> {
        self.0.jetstream.kept().err()
    }

    /// Ends when tasks can be stored, or cannot, as `wanted` says; at once when that is so already. Then, why they cannot.
    pub async fn storing(&self, wanted: bool) -> Option<Arc<str>> {
        let mut state = self.0.jetstream.state();
        // Its sender lives as long as the cluster does.
        state.wait_for(|state| state.is_ok() == wanted).await.ok()?.clone().err()
    }

    /// Tasks of a class that wait or run anywhere, as the broker last said.
    #[must_use]
    pub fn queued(&self, class: Class) -> u64 {
        self.0.jetstream.queued(class)
    }

    /// All nodes that were heard of lately, this one first.
    #[must_use]
    pub fn nodes(&self) -> Vec<Node> {
        let own = self.own();
        self.0.members.nodes(own)
    }

    /// Cores that other nodes have idle, as they last said.
    #[must_use]
    pub fn idle_elsewhere(&self) -> u32 {
        self.0.members.idle_elsewhere()
    }

    /// This node takes no more work of others. What it does for them goes on.
    pub async fn drain(&self) {
        self.0.members.turn(State::Draining);
        self.tell_own().await;
    }

    /// Ends when no search that was asked for here runs on several nodes.
    pub async fn gathered(&self) {
        self.0.gathering.empty().await;
    }

    /// Ends when this node runs nothing for others.
    pub async fn served(&self) {
        while self.0.serving.count() > 0 {
            tokio::time::sleep(EVERY / 10).await;
        }
    }

    /// The program ends: searches on several nodes end with what they have, and whoever follows tasks of other nodes here is
    /// left without a result, and asks another node.
    pub fn let_go(&self) {
        self.0.leaving.cancel();
    }

    /// This node leaves: the others hear of it at once.
    pub async fn leave(&self) {
        self.let_go();
        self.0.members.turn(State::Gone);
        self.tell_own().await;
        self.0.connection.flush().await;
        self.0.left.cancel();
    }

    fn subjects(&self) -> &Subjects {
        &self.0.connection.subjects
    }

    /// What this node tells of itself now.
    fn own(&self) -> Announcement {
        let inner = &self.0;
        Announcement {
            idle: inner.scheduler.idle().min(inner.cores as usize) as u32,
            searches: inner.scheduler.live() as u64,
            shards: inner.serving.count(),
            ..inner.members.own()
        }
    }

    async fn tell_own(&self) {
        let own = self.own();
        self.0.connection.publish(self.subjects().announcement(&own.id), &own).await;
    }

    async fn announce(self) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let nodes = self.nodes();
            let draining = nodes.iter().filter(|node| node.is_draining).count();
            self.0.metrics.cluster_nodes(nodes.len() - draining, draining);
            self.tell_own().await;
        }
    }

    /// Hears what all nodes announce.
    async fn hear(self) {
        use futures_util::StreamExt as _;

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
