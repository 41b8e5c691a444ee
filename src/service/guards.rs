//! Who may ask, and how much: API keys, quotas, origins, limits of what a request may bring.

mod body;
mod client;
mod cors;
mod host;
mod quota;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub use self::body::{TooLong, TooSlow, limit_body};
pub use self::client::{Client, Peer, identify};
pub use self::host::check_host;
use axum::http::HeaderMap;
use tower_http::cors::CorsLayer;

pub use self::quota::{Charge, Charges, Quota};
use super::prefix::forwarded;
use crate::cluster::{Cluster, ToldCharge};
use crate::settings::{BasePath, Hash, Settings};

/// All guards of a server. Clones share them.
#[derive(Clone, Debug)]
pub struct Guards(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Names of clients by the hashes of their keys; nobody needs a key when there are none.
    keys: HashMap<Hash, Arc<str>>,
    trust_forwarded_for: bool,
    base_path: BasePath,
    quota: Option<Quota>,
    origins: Vec<String>,
    body: BodyLimits,
}

/// The body of a batch may be so many times as long as any other.
const BATCH: usize = 16;

/// How large a request's body may be, and how long it may take to arrive.
#[derive(Clone, Copy, Debug)]
struct BodyLimits {
    /// Bytes.
    bytes: usize,
    /// Time from the head's end to the body's.
    time: Duration,
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
            quota: Quota::new(settings),
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
    pub(super) fn base_path_of(&self, headers: &HeaderMap) -> BasePath {
        let forwarded = self.0.trust_forwarded_for.then(|| forwarded(headers)).flatten();
        forwarded.unwrap_or_else(|| self.0.base_path.clone())
    }

    /// How much a client may ask of the search threads, if that is limited.
    #[must_use]
    pub fn quota(&self) -> Option<&Quota> {
        self.0.quota.as_ref()
    }

    /// Has the nodes of a cluster tell each other what they charge, so that a client's quota is one over all of them. What is
    /// told may be lost, or come late by a few milliseconds: by as much a client may get more.
    pub fn share_quota(&self, cluster: &Cluster) {
        let Some(quota) = self.quota() else { return };
        let mut charges = quota.told();
        let teller = cluster.clone();
        tokio::spawn(async move {
            while let Some((client, price)) = charges.recv().await {
                teller.tell_charge(client, price).await;
            }
        });
        let (guards, cluster) = (self.clone(), cluster.clone());
        tokio::spawn(async move {
            let hear = |charge: ToldCharge| {
                guards.quota().into_iter().for_each(|quota| quota.charged_elsewhere(&charge.client, charge.price));
            };
            cluster.hear_charges(hear).await;
        });
    }

    /// The layer that lets web pages of other origins call the service, where any may.
    pub(super) fn cors(&self) -> Option<CorsLayer> {
        cors::layer(&self.0.origins)
    }

    /// How long the body of a batch may be in bytes, the defaults counted in each of its searches.
    pub(super) fn batch_bytes(&self) -> usize {
        self.0.body.bytes * BATCH
    }

    /// What a body may be.
    fn body(&self) -> BodyLimits {
        self.0.body
    }
}
