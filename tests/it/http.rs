//! What the API promises to its clients. Requests go through the router in this process, or over TCP where the network
//! matters; every answer, good or bad, is held against `openapi.yaml`.

mod bad_requests;
pub mod batches;
mod children;
mod connections;
pub mod contract;
mod crash;
mod details;
mod endurance;
mod failures;
mod games;
mod grades;
mod guards;
mod hang_up;
mod jobs;
mod kept;
mod levels;
mod lines;
mod load;
mod logs;
mod metrics;
mod moves;
mod one_move;
mod owners;
mod pictures;
mod prefix;
mod priors;
mod protocol;
mod puzzles;
mod quota;
mod refused_early;
mod results;
mod reuse;
pub mod reviews;
mod round_trips;
pub mod shutdown;
mod storage;
mod streams;
mod traces;
mod tree;
mod truth;
mod types;
pub mod wire;

use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, Response};
use serde_json::Value;
use tesuji::library::Library;
use tesuji::registry::{Registry, Retention};
use tesuji::scheduler::{Limits, Scheduler};
use tesuji::service::{Drain, Guards, Service, metrics, router};
use tesuji::settings::Settings;
use tesuji::traces::Traces;
use tesuji_core::catalog::{Catalog, Policy};
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the system gives threads"));

/// A service in this process.
#[derive(Clone)]
pub struct Server(pub Router);

/// The parts of a service with these settings: two search threads, unless they say otherwise.
pub fn service(catalog: Catalog, settings: &Settings) -> Service {
    let threads = settings.search_threads.unwrap_or(2) as usize;
    let tree_cache_bytes = settings.kept_memory_mb.unwrap_or(256) << 20;
    let limits = Limits { tree_cache_bytes, ..Limits::of(threads, settings.max_searches as usize) };
    let scheduler = Scheduler::new(limits).expect("the system gives threads");
    let library = Library::open(catalog, settings).expect("the games are valid");
    Service {
        metrics: metrics(&scheduler, &library),
        library,
        scheduler,
        cluster: None,
        searches: Registry::in_memory(Retention::of(settings)),
        reviews: Registry::in_memory(Retention::of(settings)),
        batches: Registry::in_memory(Retention::of(settings)),
        // Two cores on any machine: grants must not depend on where the tests run.
        policy: Policy { cores: 2, ..settings.policy() },
        guards: Guards::new(settings),
        drain: Drain::default(),
        traces: Traces::default(),
    }
}

/// The service that most tests share.
static SHARED: LazyLock<Server> = LazyLock::new(|| Server::new(2, 64));

/// Settings of a service without tree cache, so that tests do not influence each other.
pub fn forgetful(threads: u32, max_searches: u32) -> Settings {
    Settings { search_threads: Some(threads), max_searches, kept_memory_mb: Some(0), ..Settings::default() }
}

/// A response that has been read.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body as JSON (or YAML, where that is its type), a PNG file in base64; null when there is none.
    pub body: Value,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The problem's code; empty if it is not a problem.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// The body of a success.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{:#}", self.body);
        self.body
    }
}

impl Server {
    /// A forgetful service.
    pub fn new(threads: u32, max_searches: u32) -> Self {
        Self::set_up(&forgetful(threads, max_searches))
    }

    /// A service as settings describe it.
    pub fn set_up(settings: &Settings) -> Self {
        Self(router(service(Catalog::standard(), settings)))
    }

    /// Sends a request that the contract says nothing about.
    pub fn raw(&self, request: Request<Body>) -> Response<Vec<u8>> {
        RUNTIME.block_on(async {
            let (parts, body) = self.0.clone().oneshot(request).await.expect("the router does not fail").into_parts();
            let bytes = to_bytes(body, usize::MAX).await.expect("bodies are complete");
            Response::from_parts(parts, bytes.to_vec())
        })
    }

    /// Sends a request, and holds the answer against the contract.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        let answer = self.exchange(method, path, headers, body).await;
        contract::hold(method, path, &answer);
        answer
    }

    /// Sends a request about a game that is not in the contract.
    pub async fn exchange(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        let request = headers
            .iter()
            .fold(Request::builder().method(method).uri(path), |request, (name, value)| request.header(*name, *value));
        let request = request.body(body.into()).expect("tests send requests that are HTTP");
        let (parts, body) = self.0.clone().oneshot(request).await.expect("the router does not fail").into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("bodies are complete");
        let kind = parts.headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let text = match kind {
            "image/png" => data_encoding::BASE64.encode(&bytes),
            _ => String::from_utf8(bytes.to_vec()).expect("bodies are UTF-8"),
        };
        let body = match kind {
            _ if text.is_empty() => Value::Null,
            _ if kind.starts_with("application/openmetrics-text;") || kind.starts_with("text/plain;") => text.into(),
            "text/event-stream" | "application/x-ndjson" | "image/svg+xml" | "image/png" => text.into(),
            // YAML holds JSON.
            _ => serde_saphyr::from_str(&text).expect("bodies are JSON or YAML"),
        };
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// [`Server::send`] for tests that wait.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        RUNTIME.block_on(self.send(method, path, headers, body))
    }

    /// Posts a search.
    pub fn search(&self, body: &Value) -> Answer {
        let answer = self.ask("POST", "/v1/searches", &[], body.to_string());
        if answer.status == 200 {
            results::check(&answer.body);
        }
        answer
    }
}

/// Gets a path of the shared service.
pub fn get(path: &str) -> Answer {
    SHARED.ask("GET", path, &[], Body::empty())
}

/// The id of a search that is kept.
pub fn kept_search() -> String {
    let body = r#"{"game":"tic-tac-toe","budget":{"simulations":10}}"#;
    let answer = SHARED.ask("POST", "/v1/searches", &[("prefer", "respond-async")], body);
    answer.body["id"].as_str().expect("searches have ids").to_owned()
}

/// The status of a bare request to the shared service.
pub fn status_of(method: &str, path: &str) -> u16 {
    SHARED.ask(method, path, &[], Body::empty()).status
}

/// Searches with the shared service; the search must succeed.
#[track_caller]
pub fn search(body: &Value) -> Value {
    SHARED.search(body).ok()
}

/// Has a record read by the shared service.
pub fn record(path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
    SHARED.ask("POST", path, headers, body)
}

/// Has a position described by the shared service; it must be accepted.
#[track_caller]
pub fn position(body: &Value) -> Value {
    SHARED.ask("POST", "/v1/positions", &[], body.to_string()).ok()
}
