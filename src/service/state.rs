//! What all handlers share.

use std::sync::Arc;

use super::drain::Drain;
use super::guards::Guards;
use crate::cluster::Cluster;
use crate::job::Kind;
use crate::metrics::Metrics;
use crate::registry::{Keep, Registry};
use crate::scheduler::Scheduler;
use crate::traces::Traces;
use tesuji_core::catalog::{Catalog, Policy};

/// What all handlers share.
#[derive(Clone, Debug)]
pub struct Service {
    /// The games on offer.
    pub catalog: Arc<Catalog>,
    /// Where searches run.
    pub scheduler: Scheduler,
    /// Other machines that search too; none where this one is alone.
    pub cluster: Option<Cluster>,
    /// What they may spend.
    pub policy: Policy,
    /// Those that outlive their request.
    pub searches: Registry,
    /// Reviews of whole games.
    pub reviews: Registry,
    /// Batches of searches.
    pub batches: Registry,
    /// Who may ask, and how much.
    pub guards: Guards,
    /// Whether the server is about to end.
    pub drain: Drain,
    /// What is counted.
    pub metrics: Metrics,
    /// Where spans go.
    pub traces: Traces,
}

impl Service {
    /// Makes this service a node of a cluster, with which it shares work that outlives its request.
    pub fn join(&mut self, cluster: Cluster, keep: Keep) {
        let registry = || Registry::in_cluster(cluster.clone(), keep);
        (self.searches, self.reviews, self.batches) = (registry(), registry(), registry());
        self.guards.share_quota(&cluster);
        self.cluster = Some(cluster);
    }

    /// The work of a kind.
    #[must_use]
    pub fn registry(&self, kind: Kind) -> &Registry {
        match kind {
            Kind::Search => &self.searches,
            Kind::Review => &self.reviews,
            Kind::Batch => &self.batches,
        }
    }

    /// What a search may spend that is prepared now.
    #[must_use]
    pub fn policy_now(&self) -> Policy {
        self.policy.under_load(self.scheduler.idle(), self.scheduler.default_memory())
    }

    /// Ends when no search is live, here or spread over a cluster, and none follows in a review or batch. New ones are
    /// refused by now.
    pub async fn ended(&self) {
        // Between two searches of a review or a batch none may be live.
        self.reviews.empty().await;
        self.batches.empty().await;
        self.scheduler.empty().await;
        if let Some(cluster) = &self.cluster {
            cluster.gathered().await;
        }
    }
}
