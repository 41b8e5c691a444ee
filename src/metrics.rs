//! Prometheus metrics: counters, gauges and histograms, and the text of `/metrics`.
//!
//! Names follow Prometheus' conventions: base units (seconds, bytes), `_total` on counters. Labels have few values, all chosen
//! by the service (games, engines, routes, codes), never a client's text.

mod plain;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

/// All metrics; clones share them.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Registry,
    searches: Family<Ended, Counter>,
    search_seconds: Timings<Searched>,
    queue_seconds: Histogram,
    slice_seconds: Histogram,
    nodes: Family<Searched, Counter>,
    simulations: Family<Searched, Counter>,
    tree_bytes: Histogram,
    refusals: Family<Refused, Counter>,
    shards: Family<Shard, Counter>,
    cluster_runs: Family<Shard, Counter>,
    cluster_queue: Family<Queue, Gauge>,
    cluster_nodes: Family<NodeState, Gauge>,
    requests: Family<Answered, Counter>,
    request_seconds: Timings<Route>,
    requests_in_flight: Gauge,
    connections: Gauge,
}

type Timings<L> = Family<L, Histogram, fn() -> Histogram>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    game: String,
    engine: &'static str,
    stop_reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Searched {
    game: String,
    engine: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Refused {
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Shard {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Queue {
    priority: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct NodeState {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

/// A search that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The engine's name.
    pub engine: &'static str,
    /// Why it stopped; `failed` without a result.
    pub stop_reason: &'static str,
    /// Time from admission to its start.
    pub queued: Duration,
    /// Time from its start to its end.
    pub searched: Duration,
    /// Positions in the tree, or visited.
    pub nodes: u64,
    /// Simulations, for engines with simulations.
    pub simulations: Option<u64>,
    /// Bytes of tree or table.
    pub bytes: u64,
}

/// Reads a gauge's value at each scrape.
pub type Reading = Box<dyn Fn() -> i64 + Send + Sync>;

/// From 0.1 ms to 105 s, each bucket twice as wide as the one before.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 21))
}

/// From 64 KiB to 4 GiB.
fn bytes() -> Histogram {
    Histogram::new(exponential_buckets(65_536.0, 4.0, 9))
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Metrics {
    /// All metrics at zero; `readings` are gauges with name and help, read at each scrape.
    #[must_use]
    pub fn new(readings: Vec<(&'static str, &'static str, Reading)>) -> Self {
        let mut registry = Registry::with_prefix("tesuji");
        let mut inner = Inner {
            searches: Family::default(),
            search_seconds: Family::new_with_constructor(seconds),
            queue_seconds: seconds(),
            slice_seconds: seconds(),
            nodes: Family::default(),
            simulations: Family::default(),
            tree_bytes: bytes(),
            refusals: Family::default(),
            shards: Family::default(),
            cluster_runs: Family::default(),
            cluster_queue: Family::default(),
            cluster_nodes: Family::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(seconds),
            requests_in_flight: Gauge::default(),
            connections: Gauge::default(),
            registry: Registry::default(),
        };
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program's version", version);
        registry.register("searches", "Searches ended, by reason", inner.searches.clone());
        registry.register("search_seconds", "Time from a search's start to its end", inner.search_seconds.clone());
        registry.register("queue_seconds", "Time from a search's admission to its start", inner.queue_seconds.clone());
        let slice = "Time a search's worker held a core before another took it";
        registry.register("slice_seconds", slice, inner.slice_seconds.clone());
        registry.register("nodes", "Positions in the trees of ended searches, or visited by them", inner.nodes.clone());
        registry.register("simulations", "Simulations of ended searches", inner.simulations.clone());
        registry.register("tree_bytes", "Bytes of tree or table filled by a search", inner.tree_bytes.clone());
        registry.register("refusals", "Responses with a problem, by code", inner.refusals.clone());
        let shards = "Shards of searches sent to other cluster nodes, by result";
        registry.register("cluster_shards", shards, inner.shards.clone());
        let runs = "Cluster tasks run by this node, by result";
        registry.register("cluster_runs", runs, inner.cluster_runs.clone());
        let queue = "Asynchronous tasks waiting or running in the whole cluster";
        registry.register("cluster_queue", queue, inner.cluster_queue.clone());
        let nodes = "Cluster nodes heard from recently, including this one";
        registry.register("cluster_nodes", nodes, inner.cluster_nodes.clone());
        registry.register("http_requests", "Requests answered", inner.requests.clone());
        registry.register("http_request_seconds", "Time from a request to its response", inner.request_seconds.clone());
        let in_flight = "Requests without a response yet";
        registry.register("http_requests_in_flight", in_flight, inner.requests_in_flight.clone());
        registry.register("connections", "Open connections", inner.connections.clone());
        for (name, help, read) in readings {
            registry.register_collector(Box::new(Read { name, help, read }));
        }
        inner.registry = registry;
        Self(Arc::new(inner))
    }

    /// Counts a search that has ended.
    pub fn search(&self, search: &Search<'_>) {
        let (inner, engine) = (&self.0, search.engine);
        let game = search.game.to_owned();
        let ended = Ended { game: game.clone(), engine, stop_reason: search.stop_reason };
        inner.searches.get_or_create(&ended).inc();
        let searched = Searched { game, engine };
        inner.search_seconds.get_or_create(&searched).observe(search.searched.as_secs_f64());
        inner.queue_seconds.observe(search.queued.as_secs_f64());
        inner.nodes.get_or_create(&searched).inc_by(search.nodes);
        if let Some(simulations) = search.simulations {
            inner.simulations.get_or_create(&searched).inc_by(simulations);
        }
        inner.tree_bytes.observe(search.bytes as f64);
    }

    /// Counts a worker's time on a core.
    pub fn slice(&self, time: Duration) {
        self.0.slice_seconds.observe(time.as_secs_f64());
    }

    /// Counts a problem response.
    pub fn refusal(&self, code: &'static str) {
        self.0.refusals.get_or_create(&Refused { code }).inc();
    }

    /// Counts a shard sent to another node.
    pub fn shard(&self, result: &'static str) {
        self.0.shards.get_or_create(&Shard { result }).inc();
    }

    /// Counts a task of the cluster run by this node.
    pub fn cluster_run(&self, result: &'static str) {
        self.0.cluster_runs.get_or_create(&Shard { result }).inc();
    }

    /// Sets the number of a priority's tasks in the cluster.
    pub fn cluster_queue(&self, priority: &'static str, tasks: u64) {
        self.0.cluster_queue.get_or_create(&Queue { priority }).set(tasks.cast_signed());
    }

    /// Sets the numbers of serving and draining nodes.
    pub fn cluster_nodes(&self, serving: usize, draining: usize) {
        for (state, nodes) in [("serving", serving), ("draining", draining)] {
            self.0.cluster_nodes.get_or_create(&NodeState { state }).set(nodes.cast_signed() as i64);
        }
    }

    /// Counts a request in progress until the returned guard is dropped.
    #[must_use]
    pub fn request(&self) -> Counted {
        Counted::new(&self.0.requests_in_flight)
    }

    /// Counts a response; `route` is the router's pattern, not the path.
    pub fn answer(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let answered = Answered { method, route: route.to_owned(), status };
        self.0.requests.get_or_create(&answered).inc();
        self.0.request_seconds.get_or_create(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Counts an open connection until the returned guard is dropped.
    #[must_use]
    pub fn connection(&self) -> Counted {
        Counted::new(&self.0.connections)
    }

    /// All metrics in the OpenMetrics text format.
    ///
    /// # Errors
    /// None known: writing to a string cannot fail.
    pub fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.0.registry)?;
        Ok(text)
    }

    /// All metrics in Prometheus' text format.
    ///
    /// # Errors
    /// As [`Metrics::text`].
    pub fn plain_text(&self) -> Result<String, std::fmt::Error> {
        self.text().map(|text| plain::of_open_metrics(&text))
    }
}

/// A guard that counts one in a gauge until it is dropped.
#[derive(Debug)]
pub struct Counted(Gauge);

impl Counted {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

struct Read {
    name: &'static str,
    help: &'static str,
    read: Reading,
}

impl std::fmt::Debug for Read {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Collector for Read {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let gauge = ConstGauge::new((self.read)());
        gauge.encode(encoder.encode_descriptor(self.name, self.help, None, MetricType::Gauge)?)
    }
}
