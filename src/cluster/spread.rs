//! The plan of a spread root-parallel search: whether it is worth it, and which node runs which workers.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::gather::{GatherState, Gathering};
use super::members::Idle;
use super::running::Running;
use super::state::Cluster;
use super::wire::Shard;
use super::workers::Workers;
use crate::scheduler::{Class, Observer, Submission, SubmitError, Ticket};
use crate::traces::current_parent;
use tesuji_core::api::{NodeThreads, OpenedSearch, PreparedSearch, SearchRequest};
use tesuji_core::catalog::{AnySearch, Policy};

/// Minimum of simulations or nodes; with fewer, communication takes longer than the search.
const MIN_WORK: u64 = 2_000;
/// Minimum time in milliseconds, for the same reason.
const MIN_TIME_MS: u64 = 10;

/// A search prepared for several nodes.
pub struct Spread {
    cluster: Cluster,
    /// The search's shards without their workers.
    shard: Shard,
    search: Arc<dyn AnySearch>,
}

impl Spread {
    /// Prepares a search for several nodes; `None` if it must run here alone: it has no parts, too little to do, or no more
    /// threads than the policy for `here` has cores. Also `None` if it is refused, which its preparation for one node reports.
    #[must_use]
    pub fn prepare(
        cluster: &Cluster,
        id: &str,
        opened: &OpenedSearch<'_>,
        here: &Policy,
        class: Class,
    ) -> Option<(PreparedSearch, Self)> {
        let request = opened.request();
        let requested = request.threads.unwrap_or(1);
        let elsewhere =
            if requested > here.cores && opened.can_be_distributed() { cluster.idle_elsewhere() } else { 0 };
        if elsewhere == 0 {
            return None;
        }
        let policy = Policy { cores: here.cores + elsewhere, ..*here };
        let prepared = opened.prepare(id.to_owned(), &policy, None).ok()?;
        let plan = prepared.plan();
        let is_short = plan.budget.simulations.is_some_and(|simulations| simulations < MIN_WORK)
            || plan.budget.nodes.is_some_and(|nodes| nodes < MIN_WORK)
            || plan.budget.time_ms.is_some_and(|time| time < MIN_TIME_MS)
            || plan.budget.cpu_ms.is_some_and(|cpu| cpu / u64::from(plan.threads) < MIN_TIME_MS);
        if is_short || plan.threads <= here.cores || !prepared.search.has_parts() || prepared.blank.is_over() {
            return None;
        }
        let request = SearchRequest { seed: Some(plan.seed), threads: Some(plan.threads), ..request.clone() };
        let from = cluster.0.members.own().id;
        let shard =
            Shard { id: id.to_owned(), from, request, policy, workers: 0..0, cores: 1, class, trace: current_parent() };
        let search = Arc::clone(&prepared.search);
        Some((prepared, Self { cluster: cluster.clone(), shard, search }))
    }

    /// Starts the search: here by `submit`, with this node's share, and on other nodes.
    ///
    /// # Errors
    /// Those of `submit`; the search then starts nowhere.
    pub fn begin<E>(
        &self,
        submission: Submission,
        submit: impl FnOnce(Submission) -> Result<Ticket, E>,
    ) -> Result<Running, E> {
        let plan = self.search.plan();
        let idle = self.cluster.0.scheduler.idle().max(1) as u32;
        let (others, own) = self.cluster.0.members.reserve(|others| {
            let cores: Vec<u32> = others.iter().map(|node| node.cores).collect();
            let mut shares = allot(plan.threads, idle, &cores);
            let own = shares.remove(0);
            (shares, own)
        });
        let workers = Arc::new(Workers::new(Arc::clone(&self.search), &(0..own)));
        let observer = submission.observer.clone();
        let own_observer = observer.clone().map(|observer| Arc::new(ShareObserver(observer)) as Arc<dyn Observer>);
        let search = Arc::clone(&workers) as Arc<dyn AnySearch>;
        let ticket = submit(Submission { search, observer: own_observer, ..submission })?;
        let token = CancellationToken::new();
        let this = self.cluster.0.members.own();
        let mut first = own;
        let shards = others.into_iter().map(|(node, workers)| {
            first += workers;
            (node, first - workers..first)
        });
        let shards: Vec<(Idle, Range<u32>)> = shards.collect();
        let share = |id: &str, name: &str, threads| NodeThreads { id: id.to_owned(), name: name.to_owned(), threads };
        let elsewhere = shards.iter().map(|(node, workers)| share(&node.id, &node.name, workers.end - workers.start));
        let nodes = [share(&this.id, &this.name, own)].into_iter().chain(elsewhere).collect();
        let gathering = Gathering {
            cluster: self.cluster.clone(),
            shard: self.shard.clone(),
            search: Arc::clone(&self.search),
            workers,
            observer,
            time: plan.budget.time_ms.map(Duration::from_millis),
            here: ticket.canceller(),
            cancelled: token.clone(),
            state: GatherState::default(),
        };
        Ok(Running::spread(ticket.canceller(), token, nodes, gathering.run(ticket, shards)))
    }
}

/// The number of workers of each node, this one first: each goes to the node with the fewest workers per idle core, the first
/// to this one.
fn allot(workers: u32, own: u32, others: &[u32]) -> Vec<u32> {
    let cores: Vec<u64> = [own].iter().chain(others).map(|cores| u64::from(*cores)).collect();
    let mut shares = vec![0; cores.len()];
    shares[0] = 1;
    for _ in 1..workers {
        let load = |node: usize, other: usize| (u64::from(shares[node]) + 1) * cores[other];
        let next =
            (1..shares.len()).fold(0, |least, node| if load(node, least) < load(least, node) { node } else { least });
        shares[next] += 1;
    }
    shares
}

/// Observes this node's share of a search, except its end, which is that of the whole search.
struct ShareObserver(Arc<dyn Observer>);

impl Observer for ShareObserver {
    fn refused(&self, reason: SubmitError) {
        self.0.refused(reason);
    }

    fn admitted(&self) {
        self.0.admitted();
    }

    fn started(&self, waited: Duration) {
        self.0.started(waited);
    }

    fn slice_ended(&self, time: Duration) {
        self.0.slice_ended(time);
    }
}

#[cfg(test)]
mod tests {
    use super::allot;

    #[test]
    fn workers_go_where_cores_are_idle_the_first_stays_here() {
        for (workers, own, others, shares) in [
            (2, 1, &[1][..], &[1, 1][..]),
            (6, 1, &[1], &[3, 3]),
            (3, 2, &[1], &[2, 1]),
            (9, 2, &[4, 3], &[2, 4, 3]),
            (2, 1, &[8], &[1, 1]),
            (4, 1, &[1, 1], &[2, 1, 1]),
            (1, 1, &[8], &[1, 0]),
        ] {
            assert_eq!(allot(workers, own, others), shares, "{workers} over {own} and {others:?}");
        }
    }
}
