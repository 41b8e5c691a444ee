//! HTTP: the only room that knows axum, status codes and the JSON of the API (`openapi.yaml`).
//!
//! One file per resource. tokio's threads never run a search: they hand it to the [`Scheduler`] and wait for the answer. A
//! handler whose client hangs up is dropped, and drops its search's ticket, which stops the search.

mod accept;
mod body;
mod caching;
mod drain;
mod games;
mod guards;
mod health;
mod metering;
mod openapi;
mod page;
mod path;
mod positions;
mod problem;
mod reviews;
mod searches;
mod strict;
mod trace;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, Request};
use axum::middleware;
use axum::routing::{get, post};
use tower_http::ServiceBuilderExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::request_id::{MakeRequestId, RequestId};
use tower_http::trace::{DefaultOnFailure, DefaultOnResponse, TraceLayer};
use tracing::Level;
use ulid::Ulid;

use crate::catalog::{Catalog, Policy};
use crate::metrics::Metrics;
use crate::registry::Registry;
use crate::scheduler::Scheduler;

pub use self::drain::{Drain, Phase};
pub use self::guards::{Client, Guards, Peer, Quota};
pub use self::metering::metrics;
pub use self::searches::kept::resume;
pub use self::searches::{Extent, SearchRequest, SearchResponse};

/// What all handlers share.
#[derive(Clone, Debug)]
pub struct Service {
    /// The games on offer.
    pub catalog: Arc<Catalog>,
    /// Where searches run.
    pub scheduler: Scheduler,
    /// What they may spend.
    pub policy: Policy,
    /// Those that outlive their request.
    pub searches: Registry,
    /// Reviews of whole games.
    pub reviews: Registry,
    /// Who may ask, and how much.
    pub guards: Guards,
    /// Whether the server is about to end.
    pub drain: Drain,
    /// What is counted.
    pub metrics: Metrics,
}

/// Every route of the API; the page has its own. Held against `openapi.yaml` by a test.
pub const ROUTES: &[(&str, &str)] = &[
    ("GET", "/v1/games"),
    ("GET", "/v1/games/{game}"),
    ("POST", "/v1/positions"),
    ("POST", "/v1/searches"),
    ("GET", "/v1/searches/{id}"),
    ("DELETE", "/v1/searches/{id}"),
    ("GET", "/v1/searches/{id}/events"),
    ("POST", "/v1/reviews"),
    ("GET", "/v1/reviews/{id}"),
    ("DELETE", "/v1/reviews/{id}"),
    ("GET", "/v1/reviews/{id}/events"),
    ("GET", "/livez"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("GET", "/version"),
    ("GET", "/openapi.yaml"),
    ("GET", "/problems/{code}"),
];

/// The whole service as a tower service: ready to be served, or called in a test.
pub fn router(service: Service) -> Router {
    let request_id = HeaderName::from_static("x-request-id");
    let trace = TraceLayer::new_for_http()
        .make_span_with(trace::span)
        .on_response(DefaultOnResponse::new().level(Level::INFO))
        // A full server is no error of the program's; what is one is logged where it happens.
        .on_failure(DefaultOnFailure::new().level(Level::WARN));
    let layers = tower::ServiceBuilder::new()
        .set_request_id(request_id.clone(), UlidRequestId)
        .layer(trace)
        .propagate_request_id(request_id)
        .layer(middleware::from_fn_with_state(service.metrics.clone(), metering::meter))
        .option_layer(service.guards.cors())
        .layer(CompressionLayer::new().compress_when(compressible()))
        .layer(middleware::from_fn(problem::render))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(middleware::from_fn_with_state(service.guards.clone(), guards::identify))
        .layer(middleware::from_fn_with_state(service.drain.clone(), drain::refuse_late))
        .layer(middleware::from_fn_with_state(service.guards.clone(), guards::limit_body));
    Router::new()
        .route("/v1/games", get(games::list))
        .route("/v1/games/{game}", get(games::one))
        .route("/v1/positions", post(positions::describe))
        .route("/v1/searches", post(searches::search))
        .route("/v1/searches/{id}", get(searches::kept::get).delete(searches::kept::cancel))
        .route("/v1/searches/{id}/events", get(searches::kept::events))
        .route("/v1/reviews", post(reviews::post))
        .route("/v1/reviews/{id}", get(reviews::get).delete(reviews::cancel))
        .route("/v1/reviews/{id}/events", get(reviews::events))
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metering::text))
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

/// What is worth compressing: nothing small, and no stream, whose events would wait in the compressor for more of them.
fn compressible() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson"))
}

/// Gives each request that brings no id of its own a ULID.
#[derive(Clone, Copy)]
struct UlidRequestId;

impl MakeRequestId for UlidRequestId {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        Ulid::generate().to_string().parse().ok().map(RequestId::new)
    }
}
