//! The Model Context Protocol: the API as tools for language models, over HTTP ([`routes`]) and over standard input and output
//! ([`serve`]).
//!
//! A tool calls routes of the API in this process (`caller`), for the client of its own request: admission, quotas, limits and
//! refusals are those of HTTP. There are no sessions: each call carries its position and moves. A call that is cancelled, or
//! whose connection closes, is dropped, which stops its search. Results are short, in words and as data; omitted items are
//! counted.

mod analyses;
mod arguments;
mod caller;
mod described;
mod handler;
mod prompts;
mod refused;
mod resources;
mod rules;
mod schema;
mod tool;
mod tools;
mod words;

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Extension;
use axum::http::request::Parts;
use axum::http::{Request, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use http_body_util::Full;
use rmcp::transport::io::stdio_pipes;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use self::caller::Caller;
use self::handler::Tools;
use crate::service::{Raw, Service};

/// The transport over HTTP.
type Http = StreamableHttpService<Tools, NeverSessionManager>;

/// Origins of web pages on this machine, on any port. Others are refused unless `cors_origins` has them: a page could otherwise
/// reach a server on its visitor's machine through its own host name (DNS rebinding).
const LOCAL_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// An origin with its port.
fn with_port(origin: &str) -> String {
    match origin.parse::<Uri>() {
        Ok(uri) if uri.port().is_none() => match uri.scheme_str() {
            Some("http") => format!("{origin}:80"),
            _ => format!("{origin}:443"),
        },
        _ => origin.to_owned(),
    }
}

/// `POST /mcp`, for the service's router.
pub fn routes(service: &Service) -> Router<Service> {
    // The guards have already checked hosts and sizes.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(usize::MAX)
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let config = match service.guards.origins() {
        origins if origins.iter().any(|origin| origin == "*") => config,
        origins => {
            let local = LOCAL_ORIGINS.map(str::to_owned).into_iter();
            config.with_allowed_origins(local.chain(origins.iter().map(|origin| with_port(origin))))
        }
    };
    let tools = Tools::new(service.clone(), true);
    let http = Http::new(move || Ok(tools.clone()), Arc::default(), config);
    Router::new().route("/mcp", post(answer).layer(Extension(http)))
}

/// `POST /mcp`
async fn answer(Extension(http): Extension<Http>, mut parts: Parts, Raw { bytes, .. }: Raw) -> Response {
    parts.extensions.remove::<Http>();
    Caller::mark(&mut parts);
    let request: Request<Full<Bytes>> = Request::from_parts(parts, bytes.into());
    http.handle(request).await.map(Body::new).into_response()
}

/// Serves one client on standard input and output until it closes its end, or until `stop`.
///
/// # Errors
/// When the client does not speak the protocol.
pub async fn serve(service: Service, stop: CancellationToken) -> Result<(), Box<dyn Error + Send + Sync>> {
    use rmcp::service::ServerInitializeError as Failed;
    match rmcp::service::serve_server_with_ct(Tools::new(service, false), stdio_pipes(), stop).await {
        Ok(session) => drop(session.waiting().await?),
        // A client that disconnects before its first message is not an error.
        Err(Failed::ConnectionClosed(_) | Failed::Cancelled) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
