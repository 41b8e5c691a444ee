//! The web page, with the headers for caching and security.

use std::borrow::Cow;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::caching::is_fresh;
use super::problem::{Code, Problem};
use super::state::Service;
use crate::page::{File, PAGE};

/// Nothing from other origins, nothing inline, no text turned into markup. WebAssembly may be compiled, for the engine. The
/// only policy for trusted types is the page's, which lets it start workers from its own files (`web/trust.js`).
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default";

/// Cross-origin isolation: the page shares memory with its workers, to stop a search without ending its worker.
const ISOLATION: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
];

/// Files at stable addresses: the page and the reference; the service worker and the manifest, which browsers check for
/// updates; the module that other pages import.
const STABLE_FILES: [(&str, &str); 5] = [
    ("/", "index.html"),
    ("/docs", "docs.html"),
    ("/service-worker.js", "service-worker.js"),
    ("/manifest.webmanifest", "manifest.webmanifest"),
    ("/embed.js", "embed.js"),
];

/// Immutable files, below a path that contains the page's version.
const ASSETS: &str = "/assets/{version}/{*path}";

/// The page's routes.
pub fn routes() -> Router<Service> {
    let files = Router::new().route(ASSETS, get(asset));
    STABLE_FILES.into_iter().fold(files, |routes, (address, path)| {
        routes.route(address, get(move |headers: HeaderMap| async move { send(path, &headers, false) }))
    })
}

/// Whether a route is one of the page's.
pub fn has(route: &str) -> bool {
    route == ASSETS || STABLE_FILES.iter().any(|(address, _)| *address == route)
}

/// `GET /assets/{version}/{path}`: immutable files.
async fn asset(
    State(service): State<Service>,
    Path((version, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if version != PAGE.version {
        return Err(Problem::new(Code::NotFound, "this version of the page is outdated; reload it"));
    }
    match PAGE.data(&service.library.shared(), &path) {
        Some(Cow::Borrowed(bytes)) => Ok(respond(&path, &headers, true, (None, Bytes::from_static(bytes)))),
        Some(Cow::Owned(bytes)) => Ok(respond(&path, &headers, true, (None, bytes.into()))),
        None => send(&path, &headers, true),
    }
}

fn send(path: &str, request: &HeaderMap, lasting: bool) -> Result<Response, Problem> {
    let file = PAGE.file(path).ok_or_else(|| Problem::new(Code::NotFound, "the page has no such file"))?;
    let (encoding, bytes) = encoded(file, request);
    Ok(respond(path, request, lasting, (encoding, Bytes::from_static(bytes))))
}

fn respond(
    path: &str,
    request: &HeaderMap,
    lasting: bool,
    (encoding, bytes): (Option<&'static str>, Bytes),
) -> Response {
    // A file changes only with the version; each encoding of a file is a different representation.
    let tag = format!("\"{}-{}\"", PAGE.version, encoding.unwrap_or("plain"));
    let fresh = is_fresh(request, &tag);
    let mut response = if fresh { StatusCode::NOT_MODIFIED.into_response() } else { Body::from(bytes).into_response() };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, media(path));
    set(header::CACHE_CONTROL, if lasting { "public, max-age=31536000, immutable" } else { "no-cache" });
    set(header::VARY, "accept-encoding");
    // A 304 needs it too: without it, browsers drop the cached policy.
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    for (name, value) in ISOLATION {
        set(name, value);
    }
    if let (Some(encoding), false) = (encoding, fresh) {
        set(header::CONTENT_ENCODING, encoding);
    }
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The smallest encoding that the client accepts.
fn encoded(file: &File, request: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
    let accepted = request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes = |encoding: &str| {
        accepted.split(',').any(|one| {
            let (name, weight) = one.split_once(';').unwrap_or((one, ""));
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).unwrap_or(1.0);
            name.trim().eq_ignore_ascii_case(encoding) && weight > 0.0
        })
    };
    if takes("br") {
        (Some("br"), file.brotli)
    } else if takes("gzip") {
        (Some("gzip"), file.gzip)
    } else {
        (None, file.plain)
    }
}

fn media(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_negotiated() {
        let file = &PAGE.files[0];
        let encoding = |accept: &'static str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            encoded(file, &headers).0
        };
        assert_eq!(encoding("gzip, deflate, br"), Some("br"));
        assert_eq!(encoding("gzip;q=0.5, br;q=0"), Some("gzip"));
        assert_eq!(encoding("identity"), None);
        assert_eq!(encoding(""), None);
    }
}
