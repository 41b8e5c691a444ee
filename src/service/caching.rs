//! Caching by clients and proxies, and revalidation (RFC 9110, section 13; RFC 9111).

use crate::job::Message;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

/// Not cacheable: the response can change.
pub fn no_store(body: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], body).into_response()
}

/// Whether the client has the response with this entity tag.
pub fn is_fresh(request: &HeaderMap, tag: &str) -> bool {
    let known = request.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    known.is_some_and(|known| {
        known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag || one.trim() == "*")
    })
}

/// A proven result under its address never changes: it gets an entity tag and can be cached without limit. `None` for any other
/// message.
pub fn immutable_response(message: &Message, request: &HeaderMap) -> Option<Response> {
    if !message.lasts {
        return None;
    }
    let text = message.text.as_bytes();
    Some(with_etag("application/json", text.to_owned(), request, "private, max-age=31536000, immutable"))
}

/// A response with an entity tag, or 304 where the client has it; `control` is the header `Cache-Control`.
pub fn with_etag(media_type: &'static str, body: Vec<u8>, request: &HeaderMap, control: &'static str) -> Response {
    let tag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&Sha256::digest(&body)[..12]));
    let mut response = if is_fresh(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))], Body::from(body)).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
    headers.extend(HeaderValue::try_from(tag).map(|tag| (header::ETAG, tag)));
    response
}
