//! Runs a spread search to its end: reruns workers that a node did not finish, and merges the results.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::asking::Outcome;
use super::members::Idle;
use super::running::SearchResult;
use super::state::Cluster;
use super::wire::{End, Ending, Piece, Shard};
use super::workers::Workers;
use crate::scheduler::{self, Ended, Failure, Finished, Observer, Ticket};
use tesuji_core::api::NodeThreads;
use tesuji_core::catalog::AnySearch;
use tesuji_core::search::{Report, StopReason};

/// How long to wait for other nodes' results after the time limit.
const GRACE: Duration = Duration::from_millis(250);
/// The same after a cancellation.
const ENDING: Duration = Duration::from_secs(1);

/// A shard sent to a node.
type Pending = BoxFuture<'static, (Idle, Range<u32>, Outcome)>;

/// A spread search in progress.
pub(super) struct Gathering {
    pub cluster: Cluster,
    pub shard: Shard,
    pub search: Arc<dyn AnySearch>,
    /// The workers that run here.
    pub workers: Arc<Workers>,
    pub observer: Option<Arc<dyn Observer>>,
    /// The budget's time limit.
    pub time: Option<Duration>,
    pub here: scheduler::Canceller,
    /// Whether a stop was requested.
    pub cancelled: CancellationToken,
    pub state: GatherState,
}

/// The state of the gathering.
pub(super) struct GatherState {
    began: Instant,
    /// Why the search ended early.
    end: Option<End>,
    /// Cancelled at an early end, for the shards that run here.
    search_ended: CancellationToken,
    /// The nodes that were sent shards.
    contacted: BTreeSet<String>,
    /// The threads whose results have arrived, per node: this node first, then the others in the order of their shards.
    nodes: Vec<NodeThreads>,
    warnings: Vec<String>,
    /// Whether it was ended by shutdown.
    shut_down: bool,
}

impl Default for GatherState {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            end: None,
            search_ended: CancellationToken::new(),
            contacted: BTreeSet::new(),
            nodes: Vec::new(),
            warnings: Vec::new(),
            shut_down: false,
        }
    }
}

impl Gathering {
    /// Runs the search to its end.
    pub async fn run(mut self, ticket: Ticket, shards: Vec<(Idle, Range<u32>)>) -> Result<SearchResult, Failure> {
        let _counted = self.cluster.0.gathering.enter();
        let own = self.cluster.0.members.own();
        self.count_threads(&own.id, &own.name, 0);
        let result = match self.gather(ticket, shards).await {
            Ok(()) => self.merge().await,
            Err(failure) => Err(failure),
        };
        let times = self.here.times();
        if let Some(observer) = &self.observer {
            let (queued, searched) = times;
            observer.ended(&Ended { result: result.as_ref(), queued, searched });
        }
        let finished = Finished { report: result?, queued: times.0, searched: times.1 };
        let nodes = self.state.nodes.into_iter().filter(|node| node.threads > 0).collect();
        Ok(SearchResult { finished, nodes, warnings: self.state.warnings })
    }

    /// Runs every worker on some node, and collects the results.
    async fn gather(&mut self, ticket: Ticket, shards: Vec<(Idle, Range<u32>)>) -> Result<(), Failure> {
        let mut pending: FuturesUnordered<Pending> = FuturesUnordered::new();
        for (node, workers) in shards {
            let shard = Shard { workers, ..self.shard.clone() };
            pending.push(self.send_shard(node, shard));
        }
        let mut own = Some(ticket);
        let leaving = self.cluster.clone();
        let mut deadline: Option<Instant> = None;
        while own.is_some() || !pending.is_empty() {
            tokio::select! {
                biased;
                () = self.cancelled.cancelled(), if self.state.end.is_none() => {
                    self.end(End::Cancelled).await;
                    deadline = Some(Instant::now() + ENDING);
                }
                () = leaving.leaving(), if self.state.end.is_none() => {
                    self.shut_down().await;
                    deadline = Some(Instant::now() + ENDING);
                }
                ended = async { own.as_mut().expect("it is there").await }, if own.is_some() => {
                    own = None;
                    self.own_ended(ended).await?;
                    deadline = self.deadline();
                }
                Some((node, workers, outcome)) = pending.next(), if !pending.is_empty() => {
                    for again in self.shard_ended(node, workers, outcome).await? {
                        pending.push(again);
                    }
                }
                () = async { sleep_until(deadline.expect("it is there")).await }, if deadline.is_some() && own.is_none() => {
                    self.state.warnings.push("the results of some threads arrived too late and are omitted".to_owned());
                    self.end(End::Cancelled).await;
                    break;
                }
            }
        }
        Ok(())
    }

    /// How long to wait for other nodes' workers once this node's have ended.
    fn deadline(&self) -> Option<Instant> {
        match self.state.end {
            Some(End::Cancelled) => Some(Instant::now() + ENDING),
            Some(End::Decided) => Some(Instant::now() + GRACE),
            // This node's workers can settle long before the time limit.
            None => self.time.map(|time| {
                let (queued, _) = self.here.times();
                Instant::now().max(self.state.began + queued + time) + GRACE
            }),
        }
    }

    /// At shutdown, ends the search with its results so far.
    async fn shut_down(&mut self) {
        self.state.shut_down = true;
        self.end(End::Cancelled).await;
    }

    /// Handles the end of this node's workers.
    async fn own_ended(&mut self, ended: Result<Finished, Failure>) -> Result<(), Failure> {
        let stop = match ended {
            Ok(finished) => finished.report.stop,
            Err(Failure::NeverRan) if self.state.end.is_some() => StopReason::Cancelled,
            Err(failure) => {
                self.end(End::Cancelled).await;
                return Err(failure);
            }
        };
        let pieces = self.workers.pieces();
        let own = self.cluster.0.members.own();
        self.count_threads(&own.id, &own.name, pieces.len());
        for piece in pieces {
            self.accept_piece(piece);
        }
        if self.state.end.is_none() && stop == StopReason::Shutdown {
            self.shut_down().await;
        } else if self.state.end.is_none() && self.workers.decided() {
            self.end(End::Decided).await;
        }
        Ok(())
    }

    /// Handles a shard's outcome. Returns the shards to run again.
    async fn shard_ended(
        &mut self,
        node: Idle,
        workers: Range<u32>,
        outcome: Outcome,
    ) -> Result<Vec<Pending>, Failure> {
        let reason = match outcome {
            Outcome::Failed(message) => {
                self.end(End::Cancelled).await;
                return Err(Failure::Panicked(message));
            }
            Outcome::Found { pieces, large } => return self.collect_pieces(&node, workers, pieces, &large).await,
            Outcome::Closed => {
                self.shut_down().await;
                return Ok(Vec::new());
            }
            Outcome::Busy => "was busy",
            Outcome::Lost => "was lost",
            Outcome::Refused(reason) => {
                tracing::error!(reason, node = node.name, id = self.shard.id, "a node refused a shard");
                "did not take them"
            }
        };
        Ok(self.rerun(&node, workers, reason).into_iter().collect())
    }

    /// Collects the results of workers that a node has run; those of the `large` ones exceed a message.
    async fn collect_pieces(
        &mut self,
        node: &Idle,
        workers: Range<u32>,
        pieces: Vec<Piece>,
        large: &[u32],
    ) -> Result<Vec<Pending>, Failure> {
        let mut missing: BTreeSet<u32> = workers.collect();
        let decides = pieces.iter().any(|piece| piece.decides);
        let (mut taken, mut was_cut) = (0, false);
        for piece in pieces {
            // A partial result counts only under a time limit, which leaves no time for another attempt, or if the search was
            // ended; not if the node gave up because it lost contact with this one.
            let is_cut = self.state.end.is_none()
                && match piece.part.report().stop {
                    StopReason::Shutdown => self.time.is_none(),
                    StopReason::Cancelled => true,
                    _ => false,
                };
            let worker = piece.worker;
            was_cut |= is_cut;
            if missing.contains(&worker) && !is_cut && self.accept_piece(piece) {
                missing.remove(&worker);
                taken += 1;
            }
        }
        self.count_threads(&node.id, &node.name, taken);
        if decides && self.state.end.is_none() {
            self.end(End::Decided).await;
        }
        let is_own = node.id == self.cluster.0.members.own().id;
        if is_own && was_cut && self.state.end.is_none() {
            self.shut_down().await;
            return Ok(Vec::new());
        }
        if is_own && !missing.is_empty() && self.state.end.is_none() {
            // No other node is left, and another attempt would end the same way.
            return Err(Failure::Panicked("a worker's result cannot be merged".to_owned()));
        }
        let again = missing.into_iter().filter_map(|worker| {
            let workers = worker..worker + 1;
            if large.contains(&worker) && self.state.end.is_none() && self.time.is_none() {
                return Some(self.run_here(Shard { workers, cores: 1, ..self.shard.clone() }));
            }
            self.rerun(
                node,
                workers,
                if large.contains(&worker) { "returned a result larger than a message" } else { "has ended" },
            )
        });
        Ok(again.collect())
    }

    /// Collects a worker's result.
    fn accept_piece(&self, piece: Piece) -> bool {
        let taken = self.search.take(piece.worker, piece.part);
        taken.inspect_err(|error| tracing::error!(%error, id = self.shard.id, "a worker's result was skipped")).is_ok()
    }

    /// Counts workers of a node that have reported.
    fn count_threads(&mut self, id: &str, name: &str, workers: usize) {
        let workers = workers as u32;
        if let Some(node) = self.state.nodes.iter_mut().find(|node| node.id == id) {
            node.threads += workers;
        } else {
            self.state.nodes.push(NodeThreads { id: id.to_owned(), name: name.to_owned(), threads: workers });
        }
    }

    /// Reruns workers that a node did not finish, on another node or here. Does nothing if the search has ended, or if under a
    /// time limit too little time or no idle core is left.
    fn rerun(&mut self, node: &Idle, workers: Range<u32>, reason: &str) -> Option<Pending> {
        if self.state.end.is_some() {
            return None;
        }
        let number = workers.end - workers.start;
        let mut shard = Shard { workers, cores: 1, ..self.shard.clone() };
        if let Some(time) = self.time {
            let left = time.saturating_sub(self.state.began.elapsed());
            let idle_here = self.cluster.0.scheduler.idle() as u32;
            let has_room = idle_here >= number || self.cluster.idle_elsewhere() > 0;
            if left * 5 < time || !has_room {
                self.state.warnings.push(format!("threads left out: {number}; node {} {reason}", node.name));
                return None;
            }
            shard.cores = number;
            let budget = shard.request.budget.get_or_insert_default();
            budget.time_ms = Some(left.as_millis().max(1) as u64);
        }
        let contacted = &self.state.contacted;
        let (taken, ()) = self.cluster.0.members.reserve(|idle| {
            let fits = |other: &&Idle| !contacted.contains(&other.id) && other.cores >= shard.cores;
            let chosen = idle.iter().find(fits).map(|other| other.id.clone());
            (idle.iter().map(|other| if Some(&other.id) == chosen.as_ref() { number } else { 0 }).collect(), ())
        });
        Some(match taken.into_iter().next() {
            Some((other, _)) => self.send_shard(other, shard),
            None => self.run_here(shard),
        })
    }

    /// Sends a shard to another node.
    fn send_shard(&mut self, node: Idle, mut shard: Shard) -> Pending {
        let number = shard.workers.end - shard.workers.start;
        // If only work is limited, there can be more workers than cores.
        shard.cores = if self.time.is_some() { number } else { number.min(node.cores) };
        self.state.contacted.insert(node.id.clone());
        self.count_threads(&node.id, &node.name, 0);
        let (cluster, workers) = (self.cluster.clone(), shard.workers.clone());
        Box::pin(async move {
            let outcome = cluster.run_on(&node.id, &shard).await;
            cluster.0.metrics.shard(outcome.name());
            (node, workers, outcome)
        })
    }

    /// Runs a shard on this node once there is a place for it.
    fn run_here(&self, shard: Shard) -> Pending {
        let (cluster, search_ended) = (self.cluster.clone(), self.state.search_ended.clone());
        let own = cluster.0.members.own();
        let workers = shard.workers.clone();
        let node = Idle { id: own.id, name: own.name, cores: 1 };
        Box::pin(async move {
            let outcome = cluster.run_locally(&shard, &search_ended).await;
            (node, workers, outcome)
        })
    }

    /// Ends all workers.
    async fn end(&mut self, end: End) {
        self.state.end = Some(end);
        match end {
            End::Cancelled => self.here.cancel(),
            End::Decided => self.here.decide(),
        }
        self.state.search_ended.cancel();
        let ending = Ending { id: self.shard.id.clone(), end };
        for node in &self.state.contacted {
            let subject = self.cluster.subjects().work(node, "end");
            self.cluster.0.connection.publish(subject, &ending).await;
        }
    }

    /// Merges the results.
    async fn merge(&self) -> Result<Report<String>, Failure> {
        let (search, began) = (Arc::clone(&self.search), Instant::now());
        match tokio::task::spawn_blocking(move || search.finish()).await {
            Ok(Some(mut report)) => {
                if self.state.shut_down {
                    report.stop = StopReason::Shutdown;
                }
                self.observer.iter().for_each(|observer| observer.merged(began.elapsed()));
                Ok(report)
            }
            Ok(None) => Err(Failure::NeverRan),
            Err(error) => Err(Failure::Panicked(error.to_string())),
        }
    }
}
