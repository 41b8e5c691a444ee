//! The web page: files prepared by `build.rs`, served with what browsers need to keep them and to distrust everything else.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::caching::is_fresh;
use super::problem::{Code, Problem};

/// A file in all the forms in which it is sent.
struct File {
    path: &'static str,
    plain: &'static [u8],
    gzip: &'static [u8],
    brotli: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Nothing from elsewhere, nothing inline, and no text that becomes markup.
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// `GET /`
pub async fn home(headers: HeaderMap) -> Result<Response, Problem> {
    send("index.html", &headers, false)
}

/// `GET /docs`
pub async fn docs(headers: HeaderMap) -> Result<Response, Problem> {
    send("docs.html", &headers, false)
}

/// `GET /assets/{version}/{path}`: what lies here never changes.
pub async fn asset(Path((version, path)): Path<(String, String)>, headers: HeaderMap) -> Result<Response, Problem> {
    if version != VERSION {
        return Err(Problem::new(Code::NotFound, "this version of the page is gone; load it again"));
    }
    send(&path, &headers, true)
}

fn send(path: &str, request: &HeaderMap, lasting: bool) -> Result<Response, Problem> {
    let file = FILES
        .iter()
        .find(|file| file.path == path)
        .ok_or_else(|| Problem::new(Code::NotFound, "the page has no such file"))?;
    let (encoding, bytes) = form(file, request);
    // Files change with the version only; each form of a file is another representation.
    let tag = format!("\"{VERSION}-{}\"", encoding.unwrap_or("plain"));
    let fresh = is_fresh(request, &tag);
    let mut response = if fresh { StatusCode::NOT_MODIFIED.into_response() } else { Body::from(bytes).into_response() };
    let headers = response.headers_mut();
    let mut set = |name, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, media(path));
    set(header::CACHE_CONTROL, if lasting { "public, max-age=31536000, immutable" } else { "no-cache" });
    set(header::VARY, "accept-encoding");
    // A 304 carries it too: a browser that finds none there forgets the one it had.
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    if let (Some(encoding), false) = (encoding, fresh) {
        set(header::CONTENT_ENCODING, encoding);
    }
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    Ok(response)
}

/// The smallest form that the client takes.
fn form(file: &File, request: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
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
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a first visit loads, compressed; the reference at `/docs` is another page.
    #[test]
    fn the_page_is_small() {
        // One language and one game are loaded, the larger ones at worst; types are for the checker alone.
        let games = || FILES.iter().filter(|file| file.path.starts_with("games/"));
        let largest = games().max_by_key(|file| file.gzip.len()).expect("there are games").path;
        let other = ["docs", "lang/zh.js", "openapi.json", "types.js"];
        let is_other = |path: &str| other.iter().any(|other| path.starts_with(other));
        let first = FILES
            .iter()
            .filter(|file| file.path == largest || !is_other(file.path) && !file.path.starts_with("games/"));
        let (gzip, brotli) = first.fold((0, 0), |sum, file| (sum.0 + file.gzip.len(), sum.1 + file.brotli.len()));
        println!("{gzip} bytes gzipped, {brotli} in brotli");
        assert!(gzip < 60 * 1024, "{gzip} bytes gzipped");
    }

    #[test]
    fn encodings_are_taken_as_the_client_says() {
        let file = &FILES[0];
        let encoding = |accept: &'static str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            form(file, &headers).0
        };
        assert_eq!(encoding("gzip, deflate, br"), Some("br"));
        assert_eq!(encoding("gzip;q=0.5, br;q=0"), Some("gzip"));
        assert_eq!(encoding("identity"), None);
        assert_eq!(encoding(""), None);
    }
}
