//! The limits in a server's settings.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use tower_http::cors::CorsLayer;

use super::client::Client;
use super::cors;
use super::quota::{Charge, Charges, Quota};
use crate::cluster::{ChargeNotice, Charged, Cluster};
use crate::service::problem::Problem;
use crate::settings::{BasePath, Hash, Settings};
use tesuji_core::catalog::Plan;

/// All guards of a server. Clones share them.
#[derive(Clone, Debug)]
pub struct Guards(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Owners by the hashes of their keys; if empty, no key is required.
    keys: HashMap<Hash, Arc<str>>,
    trust_forwarded_for: bool,
    base_path: BasePath,
    quota: Option<Arc<Quota>>,
    origins: Vec<String>,
    body: BodyLimits,
}

/// The body limit of a batch, as a multiple of that of other requests.
const BATCH: usize = 16;

/// The limits on a request's body: size and time.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLimits {
    /// Bytes.
    pub bytes: usize,
    /// Bytes of an uploaded game.
    pub game: usize,
    /// Time from the end of the headers to the end of the body.
    pub time: Duration,
}

impl Default for Guards {
    fn default() -> Self {
        Self::new(&Settings::default())
    }
}

impl Guards {
    /// The guards for these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let keys = settings.api_keys.iter().map(|key| (key.hash, key.name.as_str().into()));
        Self(Arc::new(Inner {
            keys: keys.collect(),
            trust_forwarded_for: settings.trust_forwarded_for,
            base_path: settings.base_path.clone(),
            quota: Quota::new(settings).map(Arc::new),
            origins: settings.cors_origins.clone(),
            body: BodyLimits {
                bytes: settings.max_body_bytes as usize,
                game: settings.max_game_kb as usize * 1024,
                time: Duration::from_millis(settings.body_timeout_ms),
            },
        }))
    }

    /// The base path in the settings.
    #[must_use]
    pub fn base_path(&self) -> &BasePath {
        &self.0.base_path
    }

    /// The base path of a request: from the proxy's header if proxies are trusted.
    pub(in crate::service) fn base_path_of(&self, headers: &HeaderMap) -> BasePath {
        let forwarded = self.0.trust_forwarded_for.then(|| forwarded(headers)).flatten();
        forwarded.unwrap_or_else(|| self.0.base_path.clone())
    }

    /// Owners by the hashes of their keys; if empty, no key is required.
    pub(super) fn keys(&self) -> &HashMap<Hash, Arc<str>> {
        &self.0.keys
    }

    /// Whether proxies are trusted.
    pub(super) fn trusts_forwarded_for(&self) -> bool {
        self.0.trust_forwarded_for
    }

    /// The quota of each client, if any.
    #[must_use]
    pub fn quota(&self) -> Option<&Arc<Quota>> {
        self.0.quota.as_ref()
    }

    /// Charges a client for some searches, if there are quotas: see [`Quota::charge`].
    ///
    /// # Errors
    /// When the quota is spent.
    pub(in crate::service) fn charge<'a>(
        &self,
        client: &Client,
        searches: impl IntoIterator<Item = &'a Plan>,
        pointer: &str,
    ) -> Result<Vec<Charge>, Problem> {
        self.quota().map_or_else(|| Ok(Vec::new()), |quota| quota.charge(client, searches, pointer))
    }

    /// The charges of a task's searches, made by the node that accepted it.
    pub(in crate::service) fn restore_charges(&self, charged: Option<&Charged>) -> Charges {
        self.quota().zip(charged).map_or_else(Charges::new, |(quota, charged)| quota.restore_charges(charged))
    }

    /// Connects the quotas of a cluster's nodes, so that a client has one quota for all of them. Messages can be lost or some
    /// milliseconds late; the client then gets that much more.
    pub fn share_quota(&self, cluster: &Cluster) {
        let Some(quota) = self.quota() else { return };
        let mut charges = quota.outgoing();
        let publisher = cluster.clone();
        tokio::spawn(async move {
            while let Some((client, price)) = charges.recv().await {
                publisher.publish_charge(client, price).await;
            }
        });
        let (guards, cluster) = (self.clone(), cluster.clone());
        tokio::spawn(async move {
            let apply = |charge: ChargeNotice| {
                guards.quota().into_iter().for_each(|quota| quota.apply_remote_charge(&charge.client, charge.price));
            };
            cluster.receive_charges(apply).await;
        });
    }

    /// The origins of web pages that may call the service.
    #[must_use]
    pub fn origins(&self) -> &[String] {
        &self.0.origins
    }

    /// The CORS layer, if any origin is allowed.
    pub(in crate::service) fn cors(&self) -> Option<CorsLayer> {
        cors::layer(&self.0.origins)
    }

    /// The body limit of a batch in bytes, after its defaults are copied into each search.
    pub(in crate::service) fn batch_bytes(&self) -> usize {
        self.0.body.bytes * BATCH
    }

    /// The limits on bodies.
    pub(super) fn body(&self) -> BodyLimits {
        self.0.body
    }
}

/// The base path in the nearest proxy's header.
fn forwarded(headers: &HeaderMap) -> Option<BasePath> {
    headers.get_all("x-forwarded-prefix").iter().next_back()?.to_str().ok()?.trim().parse().ok()
}
