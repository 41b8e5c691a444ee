//! Metrics of requests and searches, and `GET /metrics`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::Span;

use super::accept::{Negotiable, choose};
use super::guards::Charge;
use super::page;
use super::problem::{Code, Problem, Rendered};
use super::spans::{SearchId, SearchSpans};
use super::state::Service;
use super::trace::{Routine, millis};
use crate::library::Library;
use crate::metrics::{Metrics, Reading, Search};
use crate::scheduler::{Ended, Failure, Observer, Scheduler, SubmitError};
use tesuji_core::catalog::Plan;
use tesuji_core::search::{Report, StopReason};

/// The formats of `/metrics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Prometheus' text format, which every scraper reads.
    Plain,
    /// OpenMetrics.
    Open,
}

impl Negotiable for Format {
    fn media_type(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => ("text", "plain"),
            Self::Open => ("application", "openmetrics-text"),
        }
    }
}

impl Format {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Plain => "text/plain; version=0.0.4; charset=utf-8",
            Self::Open => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}

/// The metrics, including those of the scheduler and of games that are not built in.
#[must_use]
pub fn metrics(scheduler: &Scheduler, library: &Library) -> Metrics {
    let of = |read: fn(&Scheduler) -> i64| -> Reading {
        let scheduler = scheduler.clone();
        Box::new(move || read(&scheduler))
    };
    let live = of(|scheduler| i64::try_from(scheduler.live()).unwrap_or(i64::MAX));
    let running = of(|scheduler| i64::try_from(scheduler.running()).unwrap_or(i64::MAX));
    let memory = of(|scheduler| i64::try_from(scheduler.memory()).unwrap_or(i64::MAX));
    let tree_cache_bytes = of(|scheduler| i64::try_from(scheduler.tree_cache_bytes()).unwrap_or(i64::MAX));
    let reuses = of(|scheduler| i64::try_from(scheduler.tree_cache_hits()).unwrap_or(i64::MAX));
    let library = library.clone();
    let failures: Reading = Box::new(move || i64::try_from(library.failures()).unwrap_or(i64::MAX));
    Metrics::new(vec![
        ("searches_live", "Searches running or waiting", live),
        ("searches_running", "Searches started and not ended; other live searches wait for their first core", running),
        (
            "kept_bytes",
            "Bytes in the tree cache: trees and tables of ended searches, kept for later ones",
            tree_cache_bytes,
        ),
        ("reuses", "Searches that resumed from the tree cache", reuses),
        ("granted_bytes", "Bytes of trees and tables granted to running searches", memory),
        ("game_failures", "Failures of games that are not built in, counted from when each was loaded", failures),
    ])
}

/// `GET /metrics`
pub async fn text(State(service): State<Service>, headers: HeaderMap) -> Result<Response, Problem> {
    // Clients that accept neither, such as browsers, get the text format.
    let format = choose(&headers, &[Format::Plain, Format::Open]).unwrap_or(Format::Plain);
    let written = match format {
        Format::Plain => service.metrics.plain_text(),
        Format::Open => service.metrics.text(),
    };
    let text = written.map_err(|error| {
        tracing::error!(%error, "the metrics cannot be written");
        Problem::new(Code::Internal, "the metrics cannot be written")
    })?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(format.content_type())),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::VARY, HeaderValue::from_static("accept")),
    ];
    Ok((headers, text).into_response())
}

/// Counts a request and its response, and adds `Server-Timing`.
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
    let route = route.as_deref().unwrap_or("none");
    metrics.answer(method, route, response.status().as_u16(), took);
    if is_routine(route, response.status()) {
        response.extensions_mut().insert(Routine);
    }
    let millis = format!("total;dur={:.3}", took.as_secs_f64() * 1e3);
    if let Ok(value) = HeaderValue::try_from(millis) {
        response.headers_mut().append(HeaderName::from_static("server-timing"), value);
    }
    response
}

/// Whether a response is routine, and logged at DEBUG only: the page's files, probes, and successful scrapes.
fn is_routine(route: &str, status: StatusCode) -> bool {
    match route {
        "/livez" | "/readyz" => true,
        "/metrics" => status.is_success(),
        _ => page::has(route) && !status.is_client_error() && !status.is_server_error(),
    }
}

/// The methods counted by name; clients can invent others.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Counts a search, and logs and traces its end, even after its client has disconnected.
struct SearchObserver {
    metrics: Metrics,
    game: String,
    /// The game's label in metrics.
    label: String,
    id: SearchId,
    engine: &'static str,
    threads: u32,
    /// The span of the request.
    span: Span,
    /// `None` without traces.
    spans: Option<SearchSpans>,
    /// The client's charge; `None` without quotas.
    charge: Option<Charge>,
    /// The CPU time of its workers in nanoseconds: its cost if there is no report.
    cpu_nanos: AtomicU64,
}

/// The observer that counts, logs, traces and settles a search.
pub fn observer(service: &Service, game: &str, id: SearchId, plan: &Plan, charge: Option<Charge>) -> Arc<dyn Observer> {
    Arc::new(SearchObserver {
        metrics: service.metrics.clone(),
        game: game.to_owned(),
        label: label(service, game).to_owned(),
        id,
        engine: plan.engine,
        threads: plan.threads,
        span: Span::current(),
        spans: SearchSpans::new(&service.traces),
        charge,
        cpu_nanos: AtomicU64::new(0),
    })
}

/// A game's label in metrics: all uploads share one, since clients choose their names.
fn label<'a>(service: &Service, game: &'a str) -> &'a str {
    if service.library.shared().names().any(|known| known == game) { game } else { "uploaded" }
}

impl Observer for SearchObserver {
    fn refused(&self, reason: SubmitError) {
        self.spans.iter().for_each(|spans| spans.refused(reason));
    }

    fn admitted(&self) {
        self.spans.iter().for_each(SearchSpans::admitted);
    }

    fn merged(&self, took: Duration) {
        self.spans.iter().for_each(|spans| spans.merged(took));
    }

    fn slice_ended(&self, time: Duration) {
        self.metrics.slice(time);
        self.cpu_nanos.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    fn ended(&self, ended: &Ended<'_>) {
        self.settle_charge(ended.result);
        if let Some(spans) = &self.spans {
            spans.ended(ended, &self.id, &self.game, self.engine, self.threads);
        }
        let (report, stop_reason) = match ended.result {
            Ok(report) => (Some(report), report.stop.name()),
            Err(Failure::Panicked(_) | Failure::GameFailed(_)) => (None, "failed"),
            // It was abandoned before its start.
            Err(Failure::NeverRan | Failure::ShutDown) => return,
        };
        let search = Search {
            game: &self.label,
            engine: self.engine,
            stop_reason,
            queued: ended.queued,
            searched: ended.searched,
            nodes: report.map_or(0, |report| report.nodes),
            simulations: report.and_then(|report| report.visits.map(|visits| visits.saturating_sub(report.reused))),
            bytes: report.map_or(0, |report| report.bytes),
        };
        self.metrics.search(&search);
        let (depth, cpu) = report.map_or_else(Default::default, |report| (report.depth, report.cpu));
        self.log(&search, depth, cpu);
    }
}

impl SearchObserver {
    /// Replaces the client's charge by the search's actual cost; a search that another node repeats is settled there.
    fn settle_charge(&self, result: Result<&Report<String>, &Failure>) {
        let Some(charge) = &self.charge else { return };
        let (is_cut, cpu_time) = match result {
            Ok(report) => (report.stop == StopReason::Shutdown, report.cpu),
            Err(failure) => {
                (*failure == Failure::ShutDown, Duration::from_nanos(self.cpu_nanos.load(Ordering::Relaxed)))
            }
        };
        if is_cut && charge.hand_over() {
            return;
        }
        if cpu_time.is_zero() { charge.cancel() } else { charge.settle(cpu_time, self.threads) }
    }

    /// One line per search; the fields of its cost have the names of `budget.used`.
    fn log(&self, search: &Search<'_>, depth: u32, cpu: Duration) {
        let (search_id, review_id) = match &self.id {
            SearchId::Own(id) => (Some(id.as_str()), None),
            SearchId::OfReview(id) => (None, Some(id.as_str())),
        };
        let _request = self.span.enter();
        tracing::info!(
            search_id,
            review_id,
            game = search.game,
            engine = search.engine,
            stop_reason = search.stop_reason,
            threads = self.threads,
            queued_ms = millis(search.queued),
            time_ms = millis(search.searched),
            cpu_ms = millis(cpu),
            simulations = search.simulations,
            nodes = search.nodes,
            depth,
            memory_mb = (search.bytes as f64 / f64::from(1 << 20) * 1000.0).round() / 1000.0,
            "search ended"
        );
    }
}
