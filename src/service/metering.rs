//! What the metrics hear of requests and searches, and `GET /metrics`.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::Service;
use super::problem::{Code, Problem, Rendered};
use crate::catalog::{AnySearch, Legacy, Outside, Plan};
use crate::metrics::{Metrics, Reading, Search};
use crate::scheduler::Scheduler;
use crate::search::{Report, StopReason, Turns};

/// How OpenMetrics announces itself.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Metrics that show the scheduler's state as well.
#[must_use]
pub fn metrics(scheduler: &Scheduler) -> Metrics {
    let of = |read: fn(&Scheduler) -> i64| -> Reading {
        let scheduler = scheduler.clone();
        Box::new(move || read(&scheduler))
    };
    let live = of(|scheduler| i64::try_from(scheduler.live()).unwrap_or(i64::MAX));
    let memory = of(|scheduler| i64::try_from(scheduler.memory()).unwrap_or(i64::MAX));
    let kept = of(|scheduler| i64::try_from(scheduler.kept()).unwrap_or(i64::MAX));
    let reuses = of(|scheduler| i64::try_from(scheduler.taken()).unwrap_or(i64::MAX));
    Metrics::new(vec![
        ("searches_live", "Searches running or waiting", live),
        ("kept_bytes", "Bytes of trees and tables that ended searches have left to later ones", kept),
        ("reuses", "Searches that went on with what an earlier one had left", reuses),
        ("granted_bytes", "Bytes of tree and table granted to the searches that have begun", memory),
    ])
}

/// `GET /metrics`
pub async fn text(State(service): State<Service>) -> Result<Response, Problem> {
    let text = service.metrics.text().map_err(|error| {
        tracing::error!(%error, "the metrics cannot be written");
        Problem::new(Code::Internal, "the metrics cannot be written")
    })?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, text).into_response())
}

/// Counts a request and its answer, and tells the client how long it took (`Server-Timing`).
pub async fn meter(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let in_flight = metrics.request();
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let mut response = next.run(request).await;
    drop(in_flight);
    if let Some(Rendered(code)) = response.extensions().get() {
        metrics.refusal(code);
    }
    let took = begin.elapsed();
    metrics.answer(method, route.as_deref().unwrap_or("none"), response.status().as_u16(), took);
    let millis = format!("total;dur={:.3}", took.as_secs_f64() * 1e3);
    if let Ok(value) = HeaderValue::try_from(millis) {
        response.headers_mut().append(HeaderName::from_static("server-timing"), value);
    }
    response
}

/// Clients may invent methods; the metrics know these.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// A search that the metrics hear of when it ends, also when nobody waits for its result any more.
struct Metered {
    search: Arc<dyn AnySearch>,
    game: String,
    metrics: Metrics,
    admitted: Instant,
    started: OnceLock<Instant>,
    told: AtomicBool,
}

/// Has the metrics hear of a search that is about to be admitted.
pub fn metered(metrics: &Metrics, game: &str, search: Arc<dyn AnySearch>) -> Arc<dyn AnySearch> {
    Arc::new(Metered {
        search,
        game: game.to_owned(),
        metrics: metrics.clone(),
        admitted: Instant::now(),
        started: OnceLock::new(),
        told: AtomicBool::new(false),
    })
}

impl AnySearch for Metered {
    fn plan(&self) -> &Plan {
        self.search.plan()
    }

    fn run(&self, worker: u32, outside: Outside<'_>) {
        self.started.get_or_init(Instant::now);
        let slices =
            outside.turns.map(|turns| Slices { turns, since: Cell::new(Instant::now()), metrics: &self.metrics });
        let turns = slices.as_ref().map(|slices| slices as &dyn Turns);
        self.search.run(worker, Outside { turns, ..outside });
    }

    fn finish(&self) -> Option<Report<String>> {
        let report = self.search.finish()?;
        self.told.store(true, Ordering::Relaxed);
        self.tell(name(report.stop), Some(&report));
        Some(report)
    }

    fn leave(&self) -> Option<Legacy> {
        self.search.leave()
    }
}

impl Metered {
    fn tell(&self, stop_reason: &'static str, report: Option<&Report<String>>) {
        let now = Instant::now();
        let started = self.started.get().copied().unwrap_or(now);
        self.metrics.search(&Search {
            game: &self.game,
            engine: self.plan().engine,
            stop_reason,
            queued: started - self.admitted,
            searched: now - started,
            nodes: report.map_or(0, |report| report.nodes),
            simulations: report.and_then(|report| report.visits.map(|visits| visits.saturating_sub(report.reused))),
            bytes: report.map_or(0, |report| report.bytes),
        });
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        // It panicked. One that never began was refused, or given up before.
        if self.started.get().is_some() && !*self.told.get_mut() {
            self.tell("failed", None);
        }
    }
}

/// Turns of which the metrics hear how long each was.
struct Slices<'a> {
    turns: &'a dyn Turns,
    since: Cell<Instant>,
    metrics: &'a Metrics,
}

impl Turns for Slices<'_> {
    fn pass(&self, now: Instant, until: Instant) -> bool {
        let waited = self.turns.pass(now, until);
        if waited {
            self.metrics.slice(now - self.since.replace(Instant::now()));
        }
        waited
    }
}

impl Drop for Slices<'_> {
    fn drop(&mut self) {
        self.metrics.slice(self.since.get().elapsed());
    }
}

/// A stop reason as the API writes it.
fn name(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Time => "time",
        StopReason::Simulations => "simulations",
        StopReason::Nodes => "nodes",
        StopReason::Depth => "depth",
        StopReason::Memory => "memory",
        StopReason::Proven => "proven",
        StopReason::SingleMove => "single_move",
        StopReason::Settled => "settled",
        StopReason::Terminal => "terminal",
        StopReason::Deadline => "deadline",
        StopReason::Cancelled => "cancelled",
        StopReason::Shutdown => "shutdown",
    }
}
