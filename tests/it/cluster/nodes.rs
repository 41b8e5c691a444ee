//! Nodes of a cluster: in this process, and the program as a worker.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use tesuji::cluster::Cluster;
use tesuji::registry::Retention;
use tesuji::service::{Phase, Service, router, run_tasks};
use tesuji::settings::Settings;
use tesuji::traces::Traces;
use tesuji_core::catalog::{Catalog, Policy};

use super::broker::Broker;
use super::proxy::Proxy;
use crate::http::{RUNTIME, Server, forgetful, service};
use crate::program::{Process, command};

/// The longest wait for something immediate.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// On a busy machine, searches of a number of simulations would end at the usual limit of a minute.
const LONGEST_SEARCH_MS: u64 = 600_000;

pub const ASYNC: (&str, &str) = ("prefer", "respond-async");

/// A node in this process, with one core.
pub struct Node {
    pub server: Server,
    pub service: Service,
}

impl Node {
    /// A node that does all that a server does.
    pub fn join(url: &str, name: &str) -> Self {
        let node = Self::accept(url, name, Settings::default());
        RUNTIME.spawn(run_tasks(node.service.clone(), node.cluster().clone()));
        node
    }

    /// A node that runs no tasks.
    pub fn accept(url: &str, name: &str, settings: Settings) -> Self {
        let settings = Settings {
            cluster: vec![url.to_owned()],
            cluster_prefix: Broker::prefix(),
            search_threads: Some(1),
            node_name: Some(name.to_owned()),
            kept_memory_mb: Some(0),
            max_time_ms: LONGEST_SEARCH_MS,
            ..settings
        };
        let mut service = service(Catalog::standard(), &settings);
        service.policy = Policy { cores: 1, ..service.policy };
        let (scheduler, catalog, metrics) =
            (service.scheduler.clone(), service.library.shared(), service.metrics.clone());
        let joined = Cluster::join(&settings, scheduler, catalog, metrics, Traces::default(), 1);
        let cluster = RUNTIME.block_on(joined).expect("it joins");
        let _entered = RUNTIME.enter();
        service.join(cluster, Retention::of(&settings));
        Self { server: Server(router(service.clone())), service }
    }

    pub fn cluster(&self) -> &Cluster {
        self.service.cluster.as_ref().expect("it is in a cluster")
    }

    /// Waits until asynchronous work is accepted.
    pub fn wait_for_broker(&self) {
        until(|| self.cluster().storage_error().is_none(), "a broker that stores tasks");
    }

    /// Waits until other nodes have `idle` idle cores.
    pub fn wait_for(&self, idle: u32) {
        until(|| self.cluster().idle_elsewhere() == idle, "idle cores elsewhere");
    }

    pub fn search(&self, request: &Value) -> Value {
        self.server.search(request).ok()
    }

    /// A node that takes requests and leaves their tasks to others.
    pub fn front(broker: &Broker) -> Self {
        let node = Self::accept(&broker.url(), "front", Settings::default());
        node.wait_for_broker();
        node
    }

    /// Starts asynchronous work and returns its path.
    pub fn begin(&self, route: &str, request: &Value) -> String {
        let answer = self.server.ask("POST", route, &[ASYNC], request.to_string());
        assert_eq!(answer.status, 202, "{}", answer.body);
        format!("{route}/{}", answer.body["id"].as_str().expect("it has an id"))
    }

    pub fn get(&self, path: &str) -> Value {
        self.server.ask("GET", path, &[], "").ok()
    }

    /// Waits for a task's result.
    pub fn result(&self, path: &str) -> Value {
        let begin = Instant::now();
        loop {
            let message = self.server.ask("GET", path, &[("prefer", "wait=20")], "").ok();
            if message["final"] == json!(true) {
                return message;
            }
            assert!(begin.elapsed() < TIMEOUT * 3, "{path} does not end");
        }
    }

    /// The messages of a task from now on: their numbers, and the last one.
    pub fn events(&self, path: &str) -> (Vec<u64>, Value) {
        let request = Request::get(format!("{path}/events")).body(Body::empty()).expect("it is a request");
        let text = String::from_utf8(self.server.raw(request).into_body()).expect("it is text");
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let messages = data.map(|line| serde_json::from_str(line).expect("it is JSON")).collect::<Vec<Value>>();
        let ids = text.lines().filter_map(|line| line.strip_prefix("id: "));
        let numbers = ids.map(|id| id.trim().parse().expect("it is a number")).collect();
        (numbers, messages.into_iter().last().expect("there is a message"))
    }

    pub fn runs(&self, path: &str) -> bool {
        self.get(path)["status"] == json!("running")
    }
}

impl Drop for Node {
    /// Ends its threads: hundreds of them, for work that may block.
    fn drop(&mut self) {
        self.service.drain.advance(Phase::Draining);
        RUNTIME.block_on(self.cluster().leave());
    }
}

/// Nodes of one cluster that know each other.
pub fn nodes<const N: usize>(broker: &Broker) -> [Node; N] {
    let nodes: [Node; N] = std::array::from_fn(|index| Node::join(&broker.url(), &format!("node {index}")));
    for node in &nodes {
        node.wait_for(N as u32 - 1);
        node.wait_for_broker();
    }
    nodes
}

/// A node, and another one that it knows, whose way to the broker can be cut.
pub fn near_and_far(broker: &Broker) -> (Node, Node, Proxy) {
    let proxy = Proxy::to(broker.port);
    let node = Node::join(&broker.url(), "node");
    let far = Node::join(&proxy.url(), "far");
    node.wait_for(1);
    (node, far, proxy)
}

/// The program as a worker, with more arguments.
pub fn worker(broker: &Broker, arguments: &[&str]) -> Process {
    let mut command = command(&["serve", "--log", "error", "--role", "worker", "--search-threads", "1"]);
    command.args(["--cluster", &broker.url(), "--cluster-prefix", &Broker::prefix()]).args(arguments);
    Process::start(command).unwrap_or_else(|log| panic!("it refuses to start: {log}")).0
}

#[track_caller]
pub fn until(is_so: impl Fn() -> bool, what: &str) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < TIMEOUT, "{what}: it takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The same search on one machine alone.
pub fn alone(request: &Value) -> Value {
    Server::set_up(&Settings { max_time_ms: LONGEST_SEARCH_MS, ..forgetful(2, 64) }).search(request).ok()
}

/// The parts of a result that do not depend on where and when the search ran.
pub fn lasting(mut result: Value) -> Value {
    for pointer in ["/id", "/timing", "/budget/used/time_ms", "/budget/used/cpu_ms"] {
        *result.pointer_mut(pointer).expect("every result has it") = Value::Null;
    }
    result["threads"].as_object_mut().expect("it is an object").remove("nodes");
    result
}

/// Simulations of `search` in a second of CPU time, on this machine and by this build.
static SPEED: LazyLock<f64> = LazyLock::new(|| {
    let simulations = 20_000;
    let result = alone(&search(simulations));
    simulations as f64 / result["budget"]["used"]["cpu_ms"].as_f64().expect("it is a number") * 1000.0
});

/// How many simulations of `search` take one core this long.
pub fn simulations_in(seconds: f64) -> u64 {
    (*SPEED * seconds) as u64
}

pub fn search(simulations: u64) -> Value {
    json!({
        "game": "connect-four", "engine": "mcts", "seed": 5, "budget": { "simulations": simulations },
    })
}
