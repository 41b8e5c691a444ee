//! HTTP: the only module that knows axum, status codes and the API's JSON (`openapi.yaml`).
//!
//! One file per resource. tokio's threads never run a search: they submit it to the scheduler and wait for the result. When a
//! client disconnects, its handler is dropped and drops the search's ticket, which stops the search.

mod accept;
mod batches;
mod body;
mod caching;
mod cluster;
mod drain;
mod games;
mod guards;
mod health;
mod jobs;
mod listing;
mod metering;
mod openapi;
mod page;
mod paging;
mod path;
mod pictures;
mod positions;
mod prefix;
mod problem;
mod problems;
mod puzzles;
mod records;
mod response_mode;
mod reviews;
mod searches;
mod sharing;
mod spans;
mod state;
mod storage;
mod stream;
mod trace;
mod worker;

use axum::Router;
use axum::http::{HeaderName, Request};
use axum::middleware;
use axum::routing::{MethodFilter, on};
use tower_http::ServiceBuilderExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::request_id::{MakeRequestId, RequestId};
use tower_http::trace::TraceLayer;
use ulid::Ulid;

use self::batches::BatchJob;
use self::reviews::ReviewJob;
use self::searches::SearchJob;

pub use self::batches::BatchRequest;
pub use self::body::Raw;
pub use self::cluster::Document as Cluster;
pub use self::drain::{Drain, Phase};
pub use self::guards::{Client, Guards, Peer, Quota};
pub use self::health::{Ready, Status, Version};
pub use self::listing::Document as JobList;
pub use self::metering::metrics;
pub use self::pictures::Picture;
pub use self::problems::Kind as ProblemKind;
pub use self::puzzles::Document as PuzzleList;
pub use self::searches::resume;
pub use self::state::Service;
pub use self::worker::run_tasks;

/// Declares each route once: for the router, and for the tests that compare it with `openapi.yaml`.
macro_rules! routes {
    ($($method:ident $path:literal => $handler:expr,)+) => {
        /// Every route of the API with its method, without the page's. Tests compare them with `openapi.yaml`.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),+];

        fn api() -> Router<Service> {
            Router::new()$(.route($path, on(MethodFilter::$method, $handler)))+
        }
    };
}

routes! {
    GET "/v1/games" => games::list,
    GET "/v1/games/{game}" => games::one,
    PUT "/v1/games/{game}" => games::upload,
    DELETE "/v1/games/{game}" => games::remove,
    POST "/v1/positions" => positions::describe,
    GET "/v1/positions/picture.svg" => pictures::svg,
    GET "/v1/positions/picture.png" => pictures::png,
    POST "/v1/records" => records::read,
    POST "/v1/searches" => searches::search,
    GET "/v1/searches/{id}" => jobs::poll::<SearchJob>,
    DELETE "/v1/searches/{id}" => jobs::cancel::<SearchJob>,
    GET "/v1/searches/{id}/events" => jobs::events::<SearchJob>,
    POST "/v1/batches" => batches::post,
    GET "/v1/batches/{id}" => jobs::poll::<BatchJob>,
    DELETE "/v1/batches/{id}" => jobs::cancel::<BatchJob>,
    GET "/v1/batches/{id}/events" => jobs::events::<BatchJob>,
    POST "/v1/reviews" => reviews::post,
    GET "/v1/reviews/{id}" => jobs::poll::<ReviewJob>,
    DELETE "/v1/reviews/{id}" => jobs::cancel::<ReviewJob>,
    GET "/v1/reviews/{id}/events" => jobs::events::<ReviewJob>,
    GET "/v1/jobs" => listing::list,
    DELETE "/v1/jobs" => listing::cancel,
    GET "/v1/puzzles" => puzzles::list,
    GET "/v1/cluster" => cluster::nodes,
    GET "/livez" => health::live,
    GET "/readyz" => health::ready,
    GET "/metrics" => metering::text,
    GET "/version" => health::version,
    GET "/openapi.yaml" => openapi::yaml,
    GET "/problems/{code}" => problems::describe,
}

/// The API for callers in this process that have identified the client: each request carries its [`Client`].
pub fn calls(service: Service) -> Router {
    let layers = tower::ServiceBuilder::new()
        .layer(middleware::from_fn(problem::render))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(middleware::from_fn_with_state(service.drain.clone(), drain::refuse_late));
    api().layer(layers).with_state(service)
}

/// The whole service as a tower service: ready to be served, or called in a test.
pub fn router(service: Service) -> Router {
    router_with(service, Router::new())
}

/// The same with further routes behind the same guards.
pub fn router_with(service: Service, more: Router<Service>) -> Router {
    let request_id = HeaderName::from_static("x-request-id");
    let trace = TraceLayer::new_for_http()
        .make_span_with(trace::span)
        .on_response(trace::answered::<axum::body::Body>)
        .on_failure(trace::failed);
    let layers = tower::ServiceBuilder::new()
        .set_request_id(request_id.clone(), UlidRequestId)
        .layer(trace)
        .propagate_request_id(request_id)
        .layer(middleware::from_fn_with_state(service.metrics.clone(), metering::meter))
        .option_layer(service.guards.cors())
        .layer(CompressionLayer::new().compress_when(compressible()))
        .layer(middleware::from_fn_with_state(service.guards.clone(), prefix::apply_base_path))
        .layer(middleware::from_fn(problem::render))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(middleware::from_fn(guards::check_host))
        .layer(middleware::from_fn_with_state(service.guards.clone(), guards::identify))
        .layer(middleware::from_fn_with_state(service.drain.clone(), drain::refuse_late))
        .layer(middleware::from_fn_with_state(service.guards.clone(), guards::limit_body));
    let (traces, base_path) = (service.traces.clone(), service.guards.base_path().clone());
    let routes = api()
        .merge(page::routes())
        .merge(more)
        .fallback(problem::no_route)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(layers)
        .with_state(service);
    let routes = match traces.is_on() {
        true => routes.layer(middleware::from_fn_with_state(traces, spans::in_span)),
        false => routes,
    };
    prefix::mount(routes, base_path)
}

/// Compresses neither small responses nor streams, whose events would wait in the compressor.
fn compressible() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson"))
}

/// Gives each request without an id a ULID.
#[derive(Clone, Copy)]
struct UlidRequestId;

impl MakeRequestId for UlidRequestId {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        Ulid::generate().to_string().parse().ok().map(RequestId::new)
    }
}
