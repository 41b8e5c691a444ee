//! CORS: calls from web pages of other origins.

use axum::http::{HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

/// Response headers that scripts can read besides the safelisted ones.
const EXPOSED_HEADERS: [HeaderName; 9] = [
    header::ALLOW,
    header::ETAG,
    header::LOCATION,
    header::RETRY_AFTER,
    HeaderName::from_static("preference-applied"),
    HeaderName::from_static("server-timing"),
    HeaderName::from_static("traceresponse"),
    header::WWW_AUTHENTICATE,
    HeaderName::from_static("x-request-id"),
];

/// Request headers that scripts can send besides the safelisted ones: all that the service reads. By name, since `*` in the
/// Fetch standard excludes `Authorization`.
const ALLOWED_HEADERS: [HeaderName; 13] = [
    header::ACCEPT,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    HeaderName::from_static("idempotency-key"),
    header::IF_NONE_MATCH,
    HeaderName::from_static("last-event-id"),
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("prefer"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
    HeaderName::from_static("x-request-id"),
];

/// The layer that answers preflight requests and adds CORS headers; `None` if no origin is allowed.
///
/// Credentials (cookies) are never allowed: the service has none, and pages send keys in a header.
pub fn layer(origins: &[String]) -> Option<CorsLayer> {
    let allowed = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::from(Any)
    } else {
        let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.parse().ok()).collect();
        if origins.is_empty() {
            return None;
        }
        AllowOrigin::list(origins)
    };
    let layer = CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(ALLOWED_HEADERS)
        .expose_headers(EXPOSED_HEADERS)
        .max_age(Duration::from_secs(60 * 60));
    Some(layer)
}
