//! Distributed traces: spans of requests, searches and jobs, exported by OTLP over HTTP (OpenTelemetry) if an endpoint is set.
//!
//! Spans are made with OpenTelemetry's API rather than from the log's spans: a log span lives as long as anything that can
//! still log for its request, and the scheduler knows the exact times of a search after its end. Without an endpoint there is
//! no tracer, and nothing is measured or allocated for one.

mod client;
mod exporter;
mod target;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{
    Link, SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;

use self::client::Client;
use self::exporter::Exporter;

pub use self::target::{Invalid, Target, check_endpoint, target};

/// How long the last spans can take to be exported at shutdown.
const LAST_SPANS: Duration = Duration::from_secs(2);

/// The exporter of spans; clones share it. By default there is none.
#[derive(Clone, Debug, Default)]
pub struct Traces(Option<Arc<Exported>>);

#[derive(Debug)]
struct Exported {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// A span recorded after its end.
#[derive(Clone, Debug)]
pub struct FinishedSpan {
    /// The name of the work.
    pub name: &'static str,
    /// Its start.
    pub from: SystemTime,
    /// Its end.
    pub to: SystemTime,
    /// Its attributes.
    pub attributes: Vec<KeyValue>,
    /// Why it failed, if it did.
    pub error: Option<Cow<'static, str>>,
}

impl Traces {
    /// Exports spans to a target, with tasks on a runtime and a dedicated thread. The queue in between is bounded
    /// (`OTEL_BSP_MAX_QUEUE_SIZE`, 2048 by default): further spans are dropped, and nothing waits for them.
    ///
    /// # Errors
    /// When the standard variables have values that the exporter does not support.
    pub fn start(target: &Target, runtime: Handle, instance: &str) -> Result<Self, Invalid> {
        let client = Client::new(target, runtime)?;
        let exporter = Exporter::new(target, client)?;
        let mut resource = Resource::builder();
        if !target.names_service {
            resource = resource.with_service_name(env!("CARGO_PKG_NAME"));
        }
        let own = [("service.version", env!("CARGO_PKG_VERSION")), ("service.instance.id", instance)]
            .into_iter()
            .filter(|(key, _)| !target.attributes.iter().any(|given| given == key))
            .map(|(key, value)| KeyValue::new(key, value.to_owned()));
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.with_attributes(own).build())
            .build();
        let tracer = provider.tracer(env!("CARGO_PKG_NAME"));
        Ok(Self(Some(Arc::new(Exported { provider, tracer }))))
    }

    /// Whether spans are exported.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Begins a span and returns its context, for children. It lasts until [`end`]. `None` without traces.
    #[must_use]
    pub fn begin(&self, span: SpanBuilder, parent: &Context) -> Option<Context> {
        let Exported { tracer, .. } = self.0.as_deref()?;
        Some(parent.with_span(tracer.build_with_context(span, parent)))
    }

    /// Begins the span of a job: a child of the current span, or of the one in the given text.
    #[must_use]
    pub fn begin_job(&self, name: &'static str, id: &str, parent: Option<&str>) -> Option<Context> {
        let Exported { tracer, .. } = self.0.as_deref()?;
        let parent = parent.map_or_else(Context::current, parent_of);
        let span = tracer.span_builder(name).with_kind(SpanKind::Internal);
        self.begin(span.with_attributes([KeyValue::new("tesuji.job.id", id.to_owned())]), &parent)
    }

    /// Begins the span of a job repeated after a restart: a new trace with a link to the request's, which has ended.
    #[must_use]
    pub fn begin_resumed(&self, name: &'static str, id: &str, before: Option<&str>) -> Option<Context> {
        let Exported { tracer, .. } = self.0.as_deref()?;
        let before = before.map(parent_of).map(|before| before.span().span_context().clone());
        let links = before.filter(SpanContext::is_valid).map(|before| Link::new(before, Vec::new(), 0));
        let span = tracer.span_builder(name).with_links(links.into_iter().collect());
        self.begin(span.with_attributes([KeyValue::new("tesuji.job.id", id.to_owned())]), &Context::new())
    }

    /// Records an ended span. Returns its context; `None` without traces.
    pub fn record(&self, span: FinishedSpan, parent: &Context) -> Option<Context> {
        let Exported { tracer, .. } = self.0.as_deref()?;
        let FinishedSpan { name, from, to, attributes, error } = span;
        let span = tracer.span_builder(name).with_start_time(from).with_attributes(attributes);
        let context = self.begin(span, parent)?;
        if let Some(description) = error {
            context.span().set_status(Status::Error { description });
        }
        context.span().end_with_timestamp(to);
        Some(context)
    }

    /// Exports the remaining spans for a short time, then stops. Blocks; the runtime must keep running meanwhile.
    pub fn shut_down(&self) {
        if let Some(exported) = &self.0
            && let Err(error) = exported.provider.shutdown_with_timeout(LAST_SPANS)
        {
            tracing::warn!(%error, "the last spans may not have been exported");
        }
    }
}

/// Ends the span of a context, with the reason if it failed.
pub fn end(context: &Context, error: Option<Cow<'static, str>>) {
    if let Some(description) = error {
        context.span().set_status(Status::Error { description });
    }
    context.span().end();
}

/// The current span for another process or a later time, as in the header `traceparent`; `None` if there is none.
#[must_use]
pub fn current_parent() -> Option<String> {
    Context::map_current(|context| context.has_active_span().then(|| parent_text(context.span().span_context())))
}

/// A span as in the header `traceparent` of W3C's "Trace Context".
#[must_use]
pub fn parent_text(span: &SpanContext) -> String {
    format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags().to_u8() & 1)
}

/// The context of the parent in a text; empty if the text is malformed.
#[must_use]
pub fn parent_of(text: &str) -> Context {
    remote_context(&Headers(text))
}

/// The caller's context, from the headers `traceparent` and `tracestate`; empty if they are malformed.
#[must_use]
pub fn remote_context(headers: &dyn Extractor) -> Context {
    TraceContextPropagator::new().extract_with_context(&Context::new(), headers)
}

/// A `traceparent` without `tracestate`.
struct Headers<'a>(&'a str);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == "traceparent").then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}
