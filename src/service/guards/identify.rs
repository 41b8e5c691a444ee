//! Identifies a request's client by its key or address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use opentelemetry::trace::TraceContextExt as _;
use opentelemetry::{Context, KeyValue};

use super::client::{Client, Peer};
use super::limits::Guards;
use crate::service::problem::{Code, Problem};
use crate::settings::Hash;

/// Whether a route requires a key if keys are set. Open routes reveal nothing about any client's searches: probes, the
/// contract, descriptions of errors, the web page.
fn needs_key(route: &str) -> bool {
    route.starts_with("/v1/") || route == "/metrics" || route == "/mcp"
}

/// Identifies the client; refuses requests without a required key.
pub async fn identify(State(guards): State<Guards>, mut request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let named = guards.owner(request.headers());
    let needed = !guards.keys().is_empty() && route.is_some_and(|route| needs_key(route.as_str()));
    let client = match named {
        Some(name) => Client::Key(name),
        None if needed => return unauthorized(request.headers().contains_key(header::AUTHORIZATION)),
        None => guards.address(&request),
    };
    tracing::Span::current().record("client", tracing::field::display(&client));
    name_client(&client);
    request.extensions_mut().insert(client);
    next.run(request).await
}

fn unauthorized(had_one: bool) -> Response {
    let detail = if had_one { "unknown API key" } else { "this server requires an API key" };
    let problem = Problem::new(Code::Unauthorized, format!("{detail}: expected the header Authorization: Bearer KEY"));
    let mut response = problem.into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

impl Guards {
    /// The owner of a request's key. The time of a look-up reveals nothing about other keys, because clients cannot choose
    /// their hashes.
    fn owner(&self, headers: &HeaderMap) -> Option<Arc<str>> {
        let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, key) = text.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        self.keys().get(&Hash::of(key.trim())).cloned()
    }

    fn address(&self, request: &Request) -> Client {
        let forwarded = self.trusts_forwarded_for().then(|| forwarded_for(request.headers())).flatten();
        let peer = || request.extensions().get::<Peer>().map(|peer| peer.0);
        match forwarded.or_else(peer) {
            Some(address) => Client::Address(network(address)),
            None => Client::Unknown,
        }
    }
}

/// The address seen by the nearest proxy; earlier ones can be forged.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    address(last.rsplit(',').next()?.trim())
}

/// An address as proxies write it, possibly with a port and brackets.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    text.parse().or_else(|_| with_port()).ok().or_else(|| bracketed().map(IpAddr::V6))
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

/// Sets the client on the request's span.
fn name_client(client: &Client) {
    Context::map_current(|context| {
        if !context.has_active_span() {
            return;
        }
        let attribute = match client {
            Client::Key(name) => KeyValue::new("user.name", name.to_string()),
            Client::Address(address) => KeyValue::new("client.address", address.to_string()),
            Client::Unknown => return,
        };
        context.span().set_attribute(attribute);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_addresses_count_by_network() {
        for (address, counted) in
            [("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
        {
            let parse = |text: &str| text.parse::<IpAddr>().expect("it is an address");
            assert_eq!(network(parse(address)), parse(counted));
        }
    }

    #[test]
    fn proxies_write_addresses_with_ports_too() {
        for (text, read) in [
            ("192.0.2.7", Some("192.0.2.7")),
            ("192.0.2.7:51234", Some("192.0.2.7")),
            ("2001:db8::7", Some("2001:db8::7")),
            ("[2001:db8::7]", Some("2001:db8::7")),
            ("[2001:db8::7]:443", Some("2001:db8::7")),
            ("unknown", None),
            ("192.0.2.7:", None),
            ("[192.0.2.7]", None),
        ] {
            assert_eq!(address(text), read.map(|text| text.parse().expect("it is an address")), "{text}");
        }
    }

    #[test]
    fn only_the_last_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded_for(&headers), None);
        headers.append("x-forwarded-for", HeaderValue::from_static("10.0.0.1"));
        headers.append("x-forwarded-for", HeaderValue::from_static("10.0.0.2, 192.0.2.7"));
        assert_eq!(forwarded_for(&headers), Some("192.0.2.7".parse().expect("it is an address")));
    }
}
