//! The OTLP exporter. Logs when a collector becomes unreachable, every ten minutes while it is, and when it is reachable again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter as Export};

use super::client::Client;
use super::target::{Invalid, Target};

/// The interval between log lines while the collector is unreachable.
const AGAIN: Duration = Duration::from_secs(600);

/// Exports spans, and logs failures.
#[derive(Debug)]
pub(super) struct Exporter {
    otlp: SpanExporter,
    client: Client,
    endpoint: String,
    away: Mutex<Option<Away>>,
}

/// A collector that fails.
#[derive(Debug)]
struct Away {
    /// The time of the last log line.
    logged: Instant,
    /// Spans lost so far.
    lost: usize,
}

impl Exporter {
    /// # Errors
    /// When the standard variables have values that the exporter does not support.
    pub fn new(target: &Target, client: Client) -> Result<Self, Invalid> {
        let endpoint = target.endpoint.to_string();
        let otlp = SpanExporter::builder()
            .with_http()
            .with_http_client(client.clone())
            .with_endpoint(&endpoint)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(target.timeout)
            .build()
            .map_err(|error| Invalid { name: target.name.clone(), problem: error.to_string() })?;
        Ok(Self { otlp, client, endpoint, away: Mutex::new(None) })
    }

    fn away(&self) -> MutexGuard<'_, Option<Away>> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs the beginning, the repetition and the end of a failure.
    fn note(&self, spans: usize, exported: &OTelSdkResult) {
        let failure = self.client.take_failure();
        let (mut away, endpoint) = (self.away(), &self.endpoint);
        let Err(error) = exported else {
            if let Some(Away { lost, .. }) = away.take() {
                tracing::info!(endpoint, lost, "traces are exported again");
            }
            return;
        };
        let now = Instant::now();
        let is_news = away.as_ref().is_none_or(|away| now - away.logged >= AGAIN);
        let lost = away.as_ref().map_or(0, |away| away.lost) + spans;
        if is_news {
            let error = failure.unwrap_or_else(|| error.to_string());
            tracing::warn!(endpoint, error, lost, "traces cannot be exported");
        }
        let logged = away.as_ref().filter(|_| !is_news).map_or(now, |away| away.logged);
        *away = Some(Away { logged, lost });
    }
}

impl Export for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let exported = self.otlp.export(batch).await;
        self.note(spans, &exported);
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.otlp.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.otlp.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.otlp.set_resource(resource);
    }
}
