//! HTTP: the only room that knows axum, status codes and the JSON of the API (`openapi.yaml`).
//!
//! One file per resource. tokio's threads never run a search: they hand it to the [`Scheduler`] and wait for the answer. A
//! handler whose client hangs up is dropped, and drops its search's ticket, which stops the search.

mod accept;
mod body;
mod games;
mod health;
mod openapi;
mod page;
mod path;
mod positions;
mod problem;
mod searches;
mod strict;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, Request};
use axum::middleware;
use axum::routing::{get, post};
use tower_http::ServiceBuilderExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestId, RequestId};
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::Level;
use ulid::Ulid;

use crate::catalog::{Catalog, Policy};
use crate::scheduler::Scheduler;

pub use searches::{Extent, SearchRequest, SearchResponse};

/// What all handlers share.
#[derive(Clone, Debug)]
pub struct Service {
    /// The games on offer.
    pub catalog: Arc<Catalog>,
    /// Where searches run.
    pub scheduler: Scheduler,
    /// What they may spend.
    pub policy: Policy,
}

/// The largest request body, in bytes. The longest honest one (a whole game's moves) is a few thousand.
pub const LARGEST_BODY: usize = 64 << 10;

/// Every route of the API; the page has its own. Held against `openapi.yaml` by a test.
pub const ROUTES: &[(&str, &str)] = &[
    ("GET", "/v1/games"),
    ("GET", "/v1/games/{game}"),
    ("POST", "/v1/positions"),
    ("POST", "/v1/searches"),
    ("GET", "/livez"),
    ("GET", "/readyz"),
    ("GET", "/version"),
    ("GET", "/openapi.yaml"),
    ("GET", "/problems/{code}"),
];

/// The whole service as a tower service: ready to be served, or called in a test.
pub fn router(service: Service) -> Router {
    let request_id = HeaderName::from_static("x-request-id");
    let trace =
        TraceLayer::new_for_http().make_span_with(span).on_response(DefaultOnResponse::new().level(Level::INFO));
    let layers = tower::ServiceBuilder::new()
        .set_request_id(request_id.clone(), UlidRequestId)
        .layer(trace)
        .propagate_request_id(request_id)
        .layer(middleware::from_fn(problem::render))
        .layer(CatchPanicLayer::custom(problem::panicked));
    Router::new()
        .route("/v1/games", get(games::list))
        .route("/v1/games/{game}", get(games::one))
        .route("/v1/positions", post(positions::describe))
        .route("/v1/searches", post(searches::search))
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
        .route("/version", get(health::version))
        .route("/openapi.yaml", get(openapi::yaml))
        .route("/problems/{code}", get(problem::describe))
        .route("/", get(page::home))
        .route("/docs", get(page::docs))
        .route("/assets/{version}/{*path}", get(page::asset))
        .fallback(problem::no_route)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(layers)
        .with_state(service)
}

/// Gives each request that brings no id of its own a ULID.
#[derive(Clone, Copy)]
struct UlidRequestId;

impl MakeRequestId for UlidRequestId {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        Ulid::generate().to_string().parse().ok().map(RequestId::new)
    }
}

/// The span in which everything about one request is logged.
fn span<B>(request: &Request<B>) -> tracing::Span {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", id, method = %request.method(), path = request.uri().path())
}
