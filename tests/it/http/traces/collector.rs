//! A collector of traces: an HTTP server that reads what OTLP sends, in protobuf.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::status::StatusCode as Outcome;
use opentelemetry_proto::tonic::trace::v1::{Span as Sent, span::SpanKind};
use prost::Message as _;

use crate::http::RUNTIME;

pub const SERVER: i32 = SpanKind::Server as i32;
pub const INTERNAL: i32 = SpanKind::Internal as i32;

/// A span as it came.
#[derive(Clone, Debug)]
pub struct Span {
    pub name: String,
    pub trace: String,
    pub id: String,
    /// Empty if there is none.
    pub parent: String,
    pub kind: i32,
    /// Nanoseconds since 1970.
    pub begin: u64,
    pub end: u64,
    pub is_error: bool,
    pub events: Vec<String>,
    /// Traces and spans that it has links to.
    pub links: Vec<(String, String)>,
    attributes: BTreeMap<String, String>,
}

impl Span {
    /// An attribute as text; empty when it is absent.
    pub fn attribute(&self, name: &str) -> String {
        self.attributes.get(name).cloned().unwrap_or_default()
    }
}

#[derive(Debug, Default)]
struct Got {
    spans: Vec<Span>,
    resource: BTreeMap<String, String>,
    /// Path and headers of each request.
    requests: Vec<(String, HeaderMap)>,
}

/// The collector, on a free port until the tests end.
#[derive(Clone, Debug)]
pub struct Collector {
    address: SocketAddr,
    got: Arc<Mutex<Got>>,
}

impl Collector {
    pub fn start() -> Self {
        let got = Arc::<Mutex<Got>>::default();
        let app = Router::new().fallback(take).with_state(Arc::clone(&got));
        let address = RUNTIME.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            let address = listener.local_addr().expect("it is bound");
            tokio::spawn(async move {
                loop {
                    let Ok((stream, _)) = listener.accept().await else { continue };
                    let app = hyper_util::service::TowerToHyperService::new(app.clone());
                    let stream = hyper_util::rt::TokioIo::new(stream);
                    tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(stream, app));
                }
            });
            address
        });
        Self { address, got }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    fn got<T>(&self, read: impl Fn(&Got) -> T) -> T {
        read(&self.got.lock().expect("nobody panics with it"))
    }

    /// All spans that have come.
    pub fn spans(&self) -> Vec<Span> {
        self.got(|got| got.spans.clone())
    }

    /// The attributes of the resource that sent the last ones.
    pub fn resource(&self) -> BTreeMap<String, String> {
        self.got(|got| got.resource.clone())
    }

    /// Path and headers of each request.
    pub fn requests(&self) -> Vec<(String, HeaderMap)> {
        self.got(|got| got.requests.clone())
    }
}

async fn take(State(got): State<Arc<Mutex<Got>>>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
    if headers.get("content-type").is_none_or(|media| media != "application/x-protobuf") {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE;
    }
    let Ok(sent) = ExportTraceServiceRequest::decode(body) else { return StatusCode::BAD_REQUEST };
    let mut got = got.lock().expect("nobody panics with it");
    got.requests.push((uri.path().to_owned(), headers));
    for resource in sent.resource_spans {
        got.resource = texts(resource.resource.unwrap_or_default().attributes);
        got.spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans).map(read));
    }
    StatusCode::OK
}

fn read(sent: Sent) -> Span {
    Span {
        name: sent.name,
        trace: hex(&sent.trace_id),
        id: hex(&sent.span_id),
        parent: hex(&sent.parent_span_id),
        kind: sent.kind,
        begin: sent.start_time_unix_nano,
        end: sent.end_time_unix_nano,
        is_error: sent.status.is_some_and(|status| status.code == Outcome::Error as i32),
        events: sent.events.into_iter().map(|event| event.name).collect(),
        links: sent.links.iter().map(|link| (hex(&link.trace_id), hex(&link.span_id))).collect(),
        attributes: texts(sent.attributes),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn texts(attributes: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value: Option<AnyValue>| match value.and_then(|value| value.value) {
        Some(any_value::Value::StringValue(text)) => text,
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    attributes.into_iter().map(|attribute| (attribute.key, text(attribute.value))).collect()
}
