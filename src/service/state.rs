//! The state shared by all handlers.

use super::drain::Drain;
use super::guards::Guards;
use super::sharing::follow_uploads;
use crate::cluster::Cluster;
use crate::job::Kind;
use crate::library::Library;
use crate::metrics::Metrics;
use crate::registry::{Registry, Retention};
use crate::scheduler::Scheduler;
use crate::traces::Traces;
use tesuji_core::catalog::Policy;

/// The state shared by all handlers.
#[derive(Clone, Debug)]
pub struct Service {
    /// The games.
    pub library: Library,
    /// Where searches run.
    pub scheduler: Scheduler,
    /// The cluster; `None` on a single machine.
    pub cluster: Option<Cluster>,
    /// Defaults and caps of budgets.
    pub policy: Policy,
    /// Asynchronous searches.
    pub searches: Registry,
    /// Reviews of whole games.
    pub reviews: Registry,
    /// Batches of searches.
    pub batches: Registry,
    /// Access and limits.
    pub guards: Guards,
    /// The phase of shutdown.
    pub drain: Drain,
    /// The metrics.
    pub metrics: Metrics,
    /// The exporter of spans.
    pub traces: Traces,
}

impl Service {
    /// Makes this service a node of a cluster, whose nodes share asynchronous work and uploads.
    pub fn join(&mut self, cluster: Cluster, retention: Retention) {
        let registry = || Registry::in_cluster(cluster.clone(), retention);
        (self.searches, self.reviews, self.batches) = (registry(), registry(), registry());
        self.guards.share_quota(&cluster);
        tokio::spawn(follow_uploads(self.library.clone(), cluster.clone()));
        self.cluster = Some(cluster);
    }

    /// The jobs of a kind.
    #[must_use]
    pub fn registry(&self, kind: Kind) -> &Registry {
        match kind {
            Kind::Search => &self.searches,
            Kind::Review => &self.reviews,
            Kind::Batch => &self.batches,
        }
    }

    /// The policy for a search prepared now.
    #[must_use]
    pub fn policy_now(&self) -> Policy {
        self.policy.under_load(self.scheduler.idle(), self.scheduler.default_memory())
    }

    /// Waits until no search is in progress, here or on other nodes, and none follows in a review or batch. New ones are
    /// refused by then.
    pub async fn ended(&self) {
        // Between two searches of a review or batch, none is in progress.
        self.reviews.wait_until_empty().await;
        self.batches.wait_until_empty().await;
        self.scheduler.wait_until_empty().await;
        if let Some(cluster) = &self.cluster {
            cluster.gathered().await;
        }
    }
}
