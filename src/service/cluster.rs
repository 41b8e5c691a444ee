//! The nodes that search: this one, and the others of its cluster.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::drain::Phase;
use super::state::Service;
use crate::cluster::{Cluster, Node};
use crate::scheduler::Class;
use crate::settings::Role;

/// This node's connection to the cluster's broker.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ClusterConnection")]
pub enum Connection {
    /// No cluster.
    None,
    /// Connected to the broker.
    Connected,
    /// The broker is unreachable, and each node searches alone.
    Disconnected,
}

impl Connection {
    /// The state of a service's connection.
    pub fn of(service: &Service) -> Self {
        match &service.cluster {
            None => Self::None,
            Some(cluster) if cluster.is_connected() => Self::Connected,
            Some(_) => Self::Disconnected,
        }
    }
}

/// The nodes that search together.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Cluster")]
pub struct Document {
    connection: Connection,
    /// The nodes.
    nodes: Vec<NodePart>,
    tasks: Tasks,
}

/// Asynchronous work that waits or runs anywhere in the cluster, by priority; counted about once a second.
#[derive(Default, JsonSchema, Serialize)]
#[schemars(rename = "ClusterTasks")]
struct Tasks {
    /// Searches with the priority `interactive`.
    interactive: u64,
    /// Searches with the priority `batch`, batches and reviews.
    batch: u64,
}

/// One of the nodes that search together.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Node")]
struct NodePart {
    /// Its id, new at each start of the program; `self` without a cluster.
    id: String,
    /// Its name, for people.
    name: String,
    /// Its program's version.
    version: String,
    role: Role,
    /// The number of search threads that run at once.
    #[schemars(range(min = 1))]
    cores: u32,
    /// Cores without a search.
    idle: u32,
    /// Searches running or waiting.
    searches: u64,
    /// Searches among them that it runs for other nodes.
    shards: u64,
    /// Whether it takes no new searches.
    draining: bool,
    /// Whether it is the responding node.
    #[serde(rename = "self")]
    is_self: bool,
    /// Milliseconds since its last announcement.
    heard_ms: u64,
}

impl From<Node> for NodePart {
    fn from(node: Node) -> Self {
        let Node { id, name, version, role, cores, idle, searches, shards, is_draining, is_self, announcement_age } =
            node;
        let heard_ms = announcement_age.as_millis() as u64;
        Self { id, name, version, role, cores, idle, searches, shards, draining: is_draining, is_self, heard_ms }
    }
}

/// `GET /v1/cluster`
pub async fn nodes(State(service): State<Service>) -> Json<Document> {
    let connection = Connection::of(&service);
    Json(match &service.cluster {
        Some(cluster) => of_cluster(connection, cluster),
        None => Document { connection, nodes: vec![alone(&service)], tasks: Tasks::default() },
    })
}

fn of_cluster(connection: Connection, cluster: &Cluster) -> Document {
    let tasks = Tasks { interactive: cluster.queued(Class::Interactive), batch: cluster.queued(Class::Batch) };
    Document { connection, nodes: cluster.nodes().into_iter().map(NodePart::from).collect(), tasks }
}

/// This node outside a cluster, and so without an id.
fn alone(service: &Service) -> NodePart {
    let cores = service.policy.cores;
    NodePart {
        id: "self".to_owned(),
        name: "self".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        role: Role::Server,
        cores,
        idle: (service.scheduler.idle() as u32).min(cores),
        searches: service.scheduler.live() as u64,
        shards: 0,
        draining: service.drain.phase() > Phase::Serving,
        is_self: true,
        heard_ms: 0,
    }
}
