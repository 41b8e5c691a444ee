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
const LOG_INTERVAL: Duration = Duration::from_secs(600);

/// Exports spans, and logs failures.
#[derive(Debug)]
pub(super) struct Exporter {
    otlp: SpanExporter,
    client: Client,
    endpoint: String,
    outage: Mutex<Option<Outage>>,
}

/// A collector that fails.
#[derive(Debug)]
struct Outage {
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
        Ok(Self { otlp, client, endpoint, outage: Mutex::new(None) })
    }

    fn outage(&self) -> MutexGuard<'_, Option<Outage>> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs the beginning, the repetition and the end of a failure.
    fn log_outcome(&self, spans: usize, exported: &OTelSdkResult) {
        let failure = self.client.take_failure();
        let (mut outage, endpoint) = (self.outage(), &self.endpoint);
        let Err(error) = exported else {
            if let Some(Outage { lost, .. }) = outage.take() {
                tracing::info!(endpoint, lost, "traces are exported again");
            }
            return;
        };
        let now = Instant::now();
        let is_due = outage.as_ref().is_none_or(|outage| now - outage.logged >= LOG_INTERVAL);
        let lost = outage.as_ref().map_or(0, |outage| outage.lost) + spans;
        if is_due {
            let error = failure.unwrap_or_else(|| error.to_string());
            tracing::warn!(endpoint, error, lost, "traces cannot be exported");
        }
        let logged = outage.as_ref().filter(|_| !is_due).map_or(now, |outage| outage.logged);
        *outage = Some(Outage { logged, lost });
    }
}

impl Export for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let exported = self.otlp.export(batch).await;
        self.log_outcome(spans, &exported);
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
