//! The check of `Host`. HTTP/1.1 requires exactly one well-formed `Host` in each request (RFC 9112, section 3.2): proxies that
//! disagree about a request's host can be exploited.

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::client::Peer;
use crate::service::problem::{Code, Problem};

/// Refuses HTTP/1.1 requests without exactly one well-formed host.
pub async fn check_host(request: Request, next: Next) -> Response {
    match problem(&request) {
        None => next.run(request).await,
        Some(detail) => Problem::new(Code::InvalidHeader, detail).into_response(),
    }
}

fn problem(request: &Request) -> Option<&'static str> {
    // Requests from this process come without a connection.
    if request.version() != Version::HTTP_11 || request.extensions().get::<Peer>().is_none() {
        return None;
    }
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let Some(host) = hosts.next() else {
        return Some("expected the header Host, which HTTP/1.1 requires");
    };
    if hosts.next().is_some() {
        return Some("the header Host is repeated: expected it once");
    }
    // It can be empty if the target has no authority.
    let is_sound = |text: &str| text.is_empty() || (!text.contains('@') && text.parse::<Authority>().is_ok());
    let sound = host.to_str().is_ok_and(is_sound);
    (!sound).then_some("malformed header Host: expected HOST or HOST:PORT")
}
