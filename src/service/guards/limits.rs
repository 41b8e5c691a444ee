//! What the settings of a server allow its clients.

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
    /// Names of clients by the hashes of their keys; nobody needs a key when there are none.
    keys: HashMap<Hash, Arc<str>>,
    trust_forwarded_for: bool,
    base_path: BasePath,
    quota: Option<Arc<Quota>>,
    origins: Vec<String>,
    body: BodyLimits,
}

/// The body of a batch may be so many times as long as any other.
const BATCH: usize = 16;

/// How large a request's body may be, and how long it may take to arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLimits {
    /// Bytes.
    pub bytes: usize,
    /// Time from the head's end to the body's.
    pub time: Duration,
}

impl Default for Guards {
    fn default() -> Self {
        Self::new(&Settings::default())
    }
}

impl Guards {
    /// The guards that settings ask for.
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
                time: Duration::from_millis(settings.body_timeout_ms),
            },
        }))
    }

    /// The path under which the service is published, as settings have it.
    #[must_use]
    pub fn base_path(&self) -> &BasePath {
        &self.0.base_path
    }

    /// The path under which a request came: as the proxy states it, where proxies are trusted.
    pub(in crate::service) fn base_path_of(&self, headers: &HeaderMap) -> BasePath {
        let forwarded = self.0.trust_forwarded_for.then(|| forwarded(headers)).flatten();
        forwarded.unwrap_or_else(|| self.0.base_path.clone())
    }

    /// Names of clients by the hashes of their keys; nobody needs a key when there are none.
    pub(super) fn keys(&self) -> &HashMap<Hash, Arc<str>> {
        &self.0.keys
    }

    /// Whether proxies are trusted.
    pub(super) fn trusts_forwarded_for(&self) -> bool {
        self.0.trust_forwarded_for
    }

    /// How much a client may ask of the search threads, if that is limited.
    #[must_use]
    pub fn quota(&self) -> Option<&Arc<Quota>> {
        self.0.quota.as_ref()
    }

    /// Charges a client with the price of some searches, where there are quotas: see [`Quota::charge`].
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

    /// The charges of a task's searches, made by the node that has accepted it.
    pub(in crate::service) fn charged_before(&self, charged: Option<&Charged>) -> Charges {
        self.quota().zip(charged).map_or_else(Charges::new, |(quota, charged)| quota.charged_before(charged))
    }

    /// Has the nodes of a cluster tell each other what they charge, so that a client's quota is one over all of them. What is
    /// told may be lost, or come late by a few milliseconds: by as much a client may get more.
    pub fn share_quota(&self, cluster: &Cluster) {
        let Some(quota) = self.quota() else { return };
        let mut charges = quota.told();
        let publisher = cluster.clone();
        tokio::spawn(async move {
            while let Some((client, price)) = charges.recv().await {
                publisher.publish_charge(client, price).await;
            }
        });
        let (guards, cluster) = (self.clone(), cluster.clone());
        tokio::spawn(async move {
            let hear = |charge: ChargeNotice| {
                guards.quota().into_iter().for_each(|quota| quota.charged_elsewhere(&charge.client, charge.price));
            };
            cluster.receive_charges(hear).await;
        });
    }

    /// The layer that lets web pages of other origins call the service, where any may.
    pub(in crate::service) fn cors(&self) -> Option<CorsLayer> {
        cors::layer(&self.0.origins)
    }

    /// How long the body of a batch may be in bytes, the defaults counted in each of its searches.
    pub(in crate::service) fn batch_bytes(&self) -> usize {
        self.0.body.bytes * BATCH
    }

    /// What a body may be.
    pub(super) fn body(&self) -> BodyLimits {
        self.0.body
    }
}

/// The base path that the nearest proxy states.
fn forwarded(headers: &HeaderMap) -> Option<BasePath> {
    headers.get_all("x-forwarded-prefix").iter().next_back()?.to_str().ok()?.trim().parse().ok()
}
