//! Who searches: this node, and those of its cluster.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::drain::Phase;
use super::state::Service;
use crate::cluster::{Cluster, Node};
use crate::scheduler::Class;
use crate::settings::Role;

/// How this node stands to its cluster.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Connection {
    /// It is in none.
    None,
    /// The broker is there.
    Connected,
    /// The broker is away.
    Disconnected,
}

impl Connection {
    /// How a service stands.
    pub fn of(service: &Service) -> Self {
        match &service.cluster {
            None => Self::None,
            Some(cluster) if cluster.is_connected() => Self::Connected,
            Some(_) => Self::Disconnected,
        }
    }
}

/// The cluster, as this node sees it.
#[derive(Serialize)]
pub struct Document {
    connection: Connection,
    nodes: Vec<NodePart>,
    tasks: Tasks,
}

/// Tasks that wait or run anywhere in the cluster.
#[derive(Default, Serialize)]
struct Tasks {
    interactive: u64,
    batch: u64,
}

/// A node.
#[derive(Serialize)]
struct NodePart {
    id: String,
    name: String,
    version: String,
    role: Role,
    cores: u32,
    idle: u32,
    searches: u64,
    shards: u64,
    draining: bool,
    #[serde(rename = "self")]
    is_self: bool,
    heard_ms: u64,
}

impl From<Node> for NodePart {
    fn from(node: Node) -> Self {
        let Node { id, name, version, role, cores, idle, searches, shards, is_draining, is_self, heard } = node;
        let heard_ms = heard.as_millis() as u64;
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

/// This node, without a cluster, in which it would have an id.
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
