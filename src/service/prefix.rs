//! The path under which a proxy publishes the service. Requests are routed without it, whether the proxy removes it or not;
//! addresses in responses begin with it.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{Redirect, Response};
use axum::routing::any;
use tower::ServiceExt as _;

use super::guards::Guards;
use crate::settings::BasePath;

/// Routes requests below a base path like those at the root.
pub fn mount(routes: Router, base: BasePath) -> Router {
    if base == BasePath::default() {
        return routes;
    }
    let (path, root) = (base.as_str().to_owned(), base.root());
    let below = routes.map_request(move |mut request: Request| {
        if let Some(uri) = strip(request.uri(), &base) {
            *request.uri_mut() = uri;
        }
        request
    });
    // The page's relative addresses need the slash.
    let to_root = move || async move { Redirect::permanent(&root) };
    Router::new().route(&path, any(to_root)).fallback_service(below)
}

/// An address below a base path as one below the root; `None` for any other address.
fn strip(uri: &Uri, base: &BasePath) -> Option<Uri> {
    let below = uri.path_and_query()?.as_str().strip_prefix(base.as_str()).filter(|below| below.starts_with('/'))?;
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(below).ok()?);
    Uri::from_parts(parts).ok()
}

/// Puts a request's base path into its extensions, and in front of the path in the response's `Location`.
pub async fn apply_base_path(State(guards): State<Guards>, mut request: Request, next: Next) -> Response {
    let base = guards.base_path_of(request.headers());
    request.extensions_mut().insert(base.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let path = headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
    if let Some(location) = path.and_then(|path| HeaderValue::try_from(format!("{}{path}", base.as_str())).ok()) {
        headers.insert(header::LOCATION, location);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_below_are_stripped() {
        let base: BasePath = "/ai".parse().expect("it is a path");
        let stripped = |uri: &'static str| strip(&Uri::from_static(uri), &base).map(|uri| uri.to_string());
        assert_eq!(stripped("/ai/v1/games?x=/ai/").as_deref(), Some("/v1/games?x=/ai/"));
        assert_eq!(stripped("/ai/").as_deref(), Some("/"));
        assert_eq!(stripped("http://host/ai/v1/games").as_deref(), Some("http://host/v1/games"));
        assert_eq!(["/ai", "/ain/v1", "/v1/games", "*"].map(stripped), [const { None }; 4]);
    }
}
