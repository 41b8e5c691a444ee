//! A root-parallel search spread over nodes, where it was asked for: who runs which workers, what becomes of those that a node
//! does not run to their end, and the merged result.

use std::collections::BTreeSet;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Cluster;
use super::members::Idle;
use super::wire::{End, Ending, Piece, Reply, Shard};
use super::workers::Workers;
use crate::scheduler::{self, Class, Ended, Failure, Finished, Observer, Refused, Submission, Ticket};
use tesuji_core::api::{NodeThreads, PreparedSearch, SearchRequest};
use tesuji_core::catalog::{AnySearch, Policy};
use tesuji_core::search::{Report, StopReason};

/// A node that has not said within this time that it takes a shard does not get it.
const ANSWER: Duration = Duration::from_millis(300);
/// How long results of other nodes are waited for when the time of a search is over.
const GRACE: Duration = Duration::from_millis(250);
/// The same when a search was cancelled.
const ENDING: Duration = Duration::from_secs(1);
/// With fewer simulations the way to other nodes takes longer than the search.
const WORTHWHILE: u64 = 2_000;
/// With less time, likewise.
const WORTHWHILE_MS: u64 = 10;

/// A search that has been prepared for several nodes.
pub struct Spread {
    cluster: Cluster,
    /// The search's shards, apart from their workers.
    shard: Shard,
    search: Arc<dyn AnySearch>,
}

/// A search under way, here alone or on several nodes. Dropping it cancels the search.
pub enum Running {
    /// This node runs all of it.
    Here(Ticket),
    /// Several nodes do.
    Spread(Spreading),
}

/// A search under way on several nodes.
pub struct Spreading {
    answer: oneshot::Receiver<Result<Found, Failure>>,
    canceller: Canceller,
    nodes: Vec<NodeThreads>,
    /// Whoever drops this waits for the result no more.
    _abandoned: DropGuard,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The result.
    pub finished: Finished,
    /// Where its threads were; empty where it was not spread.
    pub nodes: Vec<NodeThreads>,
    /// What the client should know.
    pub warnings: Vec<String>,
}

impl From<Finished> for Found {
    fn from(finished: Finished) -> Self {
        Self { finished, nodes: Vec::new(), warnings: Vec::new() }
    }
}

/// Stops a search from elsewhere.
#[derive(Clone, Debug)]
pub struct Canceller {
    here: scheduler::Canceller,
    everywhere: Option<CancellationToken>,
}

impl Canceller {
    /// Asks the search to stop. The result still comes: the best found so far.
    pub fn cancel(&self) {
        match &self.everywhere {
            Some(token) => token.cancel(),
            None => self.here.cancel(),
        }
    }
}

impl Running {
    /// Something that can stop it from elsewhere.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        match self {
            Self::Here(ticket) => Canceller { here: ticket.canceller(), everywhere: None },
            Self::Spread(spreading) => spreading.canceller.clone(),
        }
    }

    /// How long it has waited, and how long it has searched, so far.
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.canceller().here.times()
    }

    /// Where its threads are meant to be; empty where it is not spread.
    #[must_use]
    pub fn nodes(&self) -> &[NodeThreads] {
        match self {
            Self::Here(_) => &[],
            Self::Spread(spreading) => &spreading.nodes,
        }
    }
}

impl Future for Running {
    type Output = Result<Found, Failure>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Here(ticket) => Pin::new(ticket).poll(context).map_ok(Found::from),
            Self::Spread(spreading) => {
                Pin::new(&mut spreading.answer).poll(context).map(|answer| answer.unwrap_or(Err(Failure::NeverRan)))
            }
        }
    }
}

impl Spread {
    /// Prepares a search for several nodes; none where it is to run here alone: it has no parts, too little to do, or no more
    /// threads than there are `idle` cores here. Also none where it is refused, which whoever prepares it for one node hears.
    #[must_use]
    pub fn prepare(
        cluster: &Cluster,
        id: &str,
        request: &SearchRequest,
        policy: &Policy,
        idle: usize,
        class: Class,
    ) -> Option<(PreparedSearch, Self)> {
        let here = policy.with_idle(idle);
        let asked = request.threads.unwrap_or(1);
        let elsewhere = if asked > here.cores { cluster.idle_elsewhere() } else { 0 };
        if elsewhere == 0 {
            return None;
        }
        let policy = Policy { cores: here.cores + elsewhere, ..here };
        let prepared = PreparedSearch::new(id.to_owned(), request, &cluster.0.catalog, &policy, None).ok()?;
        let plan = prepared.plan();
        let is_short = plan.budget.simulations.is_some_and(|simulations| simulations < WORTHWHILE)
            || plan.budget.time_ms.is_some_and(|time| time < WORTHWHILE_MS);
        if is_short || plan.threads <= here.cores || !prepared.search.has_parts() || prepared.blank.is_over() {
            return None;
        }
        let request = SearchRequest { seed: Some(plan.seed), threads: Some(plan.threads), ..request.clone() };
        let shard = Shard { id: id.to_owned(), request, policy, workers: 0..0, cores: 1, class };
        let search = Arc::clone(&prepared.search);
        Some((prepared, Self { cluster: cluster.clone(), shard, search }))
    }

    /// Has the search begin: here by `submit`, which gets its share of the submission, and on other nodes.
    ///
    /// # Errors
    /// Those of `submit`; then it begins nowhere.
    pub fn begin<E>(
        &self,
        submission: Submission,
        submit: impl FnOnce(Submission) -> Result<Ticket, E>,
    ) -> Result<Running, E> {
        let plan = self.search.plan();
        let idle = self.cluster.0.scheduler.idle().max(1) as u32;
        let (others, own) = self.cluster.0.members.take(|others| {
            let cores: Vec<u32> = others.iter().map(|node| node.cores).collect();
            let mut shares = allot(plan.threads, idle, &cores);
            let own = shares.remove(0);
            (shares, own)
        });
        let workers = Arc::new(Workers::new(Arc::clone(&self.search), &(0..own)));
        let observer = submission.observer.clone();
        let own_observer = observer.clone().map(|observer| Arc::new(Share(observer)) as Arc<dyn Observer>);
        let search = Arc::clone(&workers) as Arc<dyn AnySearch>;
        let ticket = submit(Submission { search, observer: own_observer, ..submission })?;
        let token = CancellationToken::new();
        let canceller = Canceller { here: ticket.canceller(), everywhere: Some(token.clone()) };
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
        let task = Task {
            cluster: self.cluster.clone(),
            shard: self.shard.clone(),
            search: Arc::clone(&self.search),
            workers,
            observer,
            time: plan.budget.time_ms.map(Duration::from_millis),
            began: Instant::now(),
            here: ticket.canceller(),
            cancelled: token.clone(),
            end: None,
            over: CancellationToken::new(),
            asked: BTreeSet::new(),
            nodes: Vec::new(),
            warnings: Vec::new(),
        };
        let (sender, answer) = oneshot::channel();
        tokio::spawn(async move {
            // Nobody may be waiting any more.
            drop(sender.send(task.run(ticket, shards).await));
        });
        Ok(Running::Spread(Spreading { answer, canceller, nodes, _abandoned: token.drop_guard() }))
    }
}

/// How many workers each node gets, this one first: each goes to the node that will have the fewest for its idle cores, the
/// first to this one.
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

/// Hears of this node's share of a search, but for its end: that is the whole search's.
struct Share(Arc<dyn Observer>);

impl Observer for Share {
    fn refused(&self, reason: Refused) {
        self.0.refused(reason);
    }

    fn admitted(&self) {
        self.0.admitted();
    }

    fn started(&self, waited: Duration) {
        self.0.started(waited);
    }

    fn had_core(&self, time: Duration) {
        self.0.had_core(time);
    }
}

/// What became of a shard.
enum Outcome {
    /// What its workers have found.
    Found(Vec<Piece>),
    /// The node has not enough idle cores.
    Busy,
    /// The node was lost.
    Lost,
    /// The node does not run it.
    Refused(String),
    /// The search panicked there.
    Failed(String),
}

impl Outcome {
    const fn name(&self) -> &'static str {
        match self {
            Self::Found(_) => "done",
            Self::Busy => "busy",
            Self::Lost => "lost",
            Self::Refused(_) => "refused",
            Self::Failed(_) => "failed",
        }
    }
}

/// A shard that was given to a node.
type Pending = BoxFuture<'static, (Idle, Range<u32>, Outcome)>;

/// A search that is spread, to its end.
struct Task {
    cluster: Cluster,
    shard: Shard,
    search: Arc<dyn AnySearch>,
    /// Those that run here.
    workers: Arc<Workers>,
    observer: Option<Arc<dyn Observer>>,
    /// The budget's.
    time: Option<Duration>,
    began: Instant,
    here: scheduler::Canceller,
    /// Whether somebody has asked it to stop.
    cancelled: CancellationToken,
    /// How it was ended early.
    end: Option<End>,
    /// The same for the shards that run here.
    over: CancellationToken,
    /// The nodes that have been asked.
    asked: BTreeSet<String>,
    nodes: Vec<NodeThreads>,
    warnings: Vec<String>,
}

impl Task {
    async fn run(mut self, ticket: Ticket, shards: Vec<(Idle, Range<u32>)>) -> Result<Found, Failure> {
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
        Ok(Found { finished, nodes: self.nodes, warnings: self.warnings })
    }

    /// Has every worker run somewhere, and takes in what it has found.
    async fn gather(&mut self, ticket: Ticket, shards: Vec<(Idle, Range<u32>)>) -> Result<(), Failure> {
        let mut pending: FuturesUnordered<Pending> = FuturesUnordered::new();
        for (node, workers) in shards {
            let shard = Shard { workers, ..self.shard.clone() };
            pending.push(self.ask(node, shard));
        }
        let mut own = Some(ticket);
        let mut deadline: Option<Instant> = None;
        while own.is_some() || !pending.is_empty() {
            tokio::select! {
                biased;
                () = self.cancelled.cancelled(), if self.end.is_none() => {
                    self.end(End::Cancelled).await;
                    deadline = Some(Instant::now() + ENDING);
                }
                ended = async { own.as_mut().expect("it is there").await }, if own.is_some() => {
                    own = None;
                    self.own_ended(ended).await?;
                    if self.time.is_some() || self.end.is_some() {
                        let grace = if self.end == Some(End::Cancelled) { ENDING } else { GRACE };
                        deadline = Some(Instant::now() + grace);
                    }
                }
                Some((node, workers, outcome)) = pending.next(), if !pending.is_empty() => {
                    for again in self.shard_ended(node, workers, outcome).await? {
                        pending.push(again);
                    }
                }
                () = async { sleep_until(deadline.expect("it is there")).await }, if deadline.is_some() && own.is_none() => {
                    self.warnings.push("the results of some threads came too late and are left out".to_owned());
                    self.end(End::Cancelled).await;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The workers of this node have ended.
    async fn own_ended(&mut self, ended: Result<Finished, Failure>) -> Result<(), Failure> {
        let stop = match ended {
            Ok(finished) => finished.report.stop,
            Err(Failure::NeverRan) if self.end.is_some() => StopReason::Cancelled,
            Err(failure) => {
                self.end(End::Cancelled).await;
                return Err(failure);
            }
        };
        let pieces = self.workers.pieces();
        let own = self.cluster.0.members.own();
        self.count(&own.id, &own.name, pieces.len());
        for piece in pieces {
            self.take(piece);
        }
        if self.end.is_none() && stop == StopReason::Shutdown {
            self.end(End::Cancelled).await;
        } else if self.end.is_none() && self.workers.decided() {
            self.end(End::Decided).await;
        }
        Ok(())
    }

    /// The workers of a shard have ended, or not begun. Returns what is to be done again.
    async fn shard_ended(
        &mut self,
        node: Idle,
        workers: Range<u32>,
        outcome: Outcome,
    ) -> Result<Vec<Pending>, Failure> {
        self.cluster.0.metrics.shard(outcome.name());
        let reason = match outcome {
            Outcome::Failed(message) => {
                self.end(End::Cancelled).await;
                return Err(Failure::Panicked(message));
            }
            Outcome::Found(pieces) => return Ok(self.pieces_came(&node, workers, pieces).await),
            Outcome::Busy => "was busy",
            Outcome::Lost => "was lost",
            Outcome::Refused(reason) => {
                tracing::error!(reason, node = node.name, id = self.shard.id, "a node refuses a shard");
                "did not take them"
            }
        };
        Ok(self.again(&node, workers, reason).into_iter().collect())
    }

    async fn pieces_came(&mut self, node: &Idle, workers: Range<u32>, pieces: Vec<Piece>) -> Vec<Pending> {
        let mut missing: BTreeSet<u32> = workers.collect();
        let decides = pieces.iter().any(|piece| piece.decides);
        let mut taken = 0;
        for piece in pieces {
            // What a node had when it ended is all there is time for; without a limit of time it is not the result.
            let is_cut = piece.part.report().stop == StopReason::Shutdown && self.time.is_none() && self.end.is_none();
            let worker = piece.worker;
            if missing.contains(&worker) && !is_cut && self.take(piece) {
                missing.remove(&worker);
                taken += 1;
            }
        }
        self.count(&node.id, &node.name, taken);
        if decides && self.end.is_none() {
            self.end(End::Decided).await;
        }
        missing.into_iter().filter_map(|worker| self.again(node, worker..worker + 1, "has ended")).collect()
    }

    /// Takes in what a worker has found.
    fn take(&self, piece: Piece) -> bool {
        let taken = self.search.take(piece.worker, piece.part);
        taken.inspect_err(|error| tracing::error!(%error, id = self.shard.id, "a worker's result is left out")).is_ok()
    }

    /// So many workers of a node have been heard of.
    fn count(&mut self, id: &str, name: &str, workers: usize) {
        let workers = workers as u32;
        if let Some(node) = self.nodes.iter_mut().find(|node| node.id == id) {
            node.threads += workers;
        } else if workers > 0 {
            self.nodes.push(NodeThreads { id: id.to_owned(), name: name.to_owned(), threads: workers });
        }
    }

    /// Has workers run that a node has not run: on another one, or here. None where the result does without them, since the
    /// search has ended, or the rest of its time is too short.
    fn again(&mut self, node: &Idle, workers: Range<u32>, reason: &str) -> Option<Pending> {
        if self.end.is_some() {
            return None;
        }
        let number = workers.end - workers.start;
        let mut shard = Shard { workers, cores: 1, ..self.shard.clone() };
        if let Some(time) = self.time {
            let left = time.saturating_sub(self.began.elapsed());
            let idle_here = self.cluster.0.scheduler.idle() as u32;
            let has_room = idle_here >= number || self.cluster.idle_elsewhere() > 0;
            if left * 5 < time || !has_room {
                self.warnings.push(format!("{number} threads are left out: node {} {reason}", node.name));
                return None;
            }
            shard.cores = number;
            let budget = shard.request.budget.get_or_insert_default();
            budget.time_ms = Some(left.as_millis().max(1) as u64);
        }
        let asked = &self.asked;
        let (taken, ()) = self.cluster.0.members.take(|idle| {
            let fits = |other: &&Idle| !asked.contains(&other.id) && other.cores >= shard.cores;
            let chosen = idle.iter().find(fits).map(|other| other.id.clone());
            (idle.iter().map(|other| if Some(&other.id) == chosen.as_ref() { number } else { 0 }).collect(), ())
        });
        Some(match taken.into_iter().next() {
            Some((other, _)) => self.ask(other, shard),
            None => self.run_here(shard),
        })
    }

    /// Gives a shard to another node.
    fn ask(&mut self, node: Idle, mut shard: Shard) -> Pending {
        let number = shard.workers.end - shard.workers.start;
        // Where only work is limited, more workers than cores are fine.
        shard.cores = if self.time.is_some() { number } else { number.min(node.cores) };
        self.asked.insert(node.id.clone());
        let (cluster, workers) = (self.cluster.clone(), shard.workers.clone());
        Box::pin(async move {
            let outcome = cluster.ask(&node.id, &shard).await;
            (node, workers, outcome)
        })
    }

    /// Runs a shard on this node, when there is a place for it.
    fn run_here(&self, shard: Shard) -> Pending {
        let (cluster, over) = (self.cluster.clone(), self.over.clone());
        let own = cluster.0.members.own();
        let workers = shard.workers.clone();
        let node = Idle { id: own.id, name: own.name, cores: 1 };
        Box::pin(async move {
            let outcome = tokio::select! {
                biased;
                () = over.cancelled() => Outcome::Found(Vec::new()),
                outcome = cluster.run_again(&shard, &over) => outcome,
            };
            (node, workers, outcome)
        })
    }

    /// Has all workers end.
    async fn end(&mut self, end: End) {
        self.end = Some(end);
        match end {
            End::Cancelled => self.here.cancel(),
            End::Decided => self.here.decide(),
        }
        self.over.cancel();
        let ending = Ending { id: self.shard.id.clone(), end };
        for node in &self.asked {
            let subject = self.cluster.subjects().work(node, "end");
            self.cluster.0.connection.publish(subject, &ending).await;
        }
    }

    /// Merges what has been found.
    async fn merge(&self) -> Result<Report<String>, Failure> {
        let search = Arc::clone(&self.search);
        match tokio::task::spawn_blocking(move || search.finish()).await {
            Ok(Some(report)) => Ok(report),
            Ok(None) => Err(Failure::NeverRan),
            Err(error) => Err(Failure::Panicked(error.to_string())),
        }
    }
}

impl Cluster {
    /// Gives a shard to a node, and hears what becomes of it.
    async fn ask(&self, node: &str, shard: &Shard) -> Outcome {
        let client = &self.0.connection.client;
        // Texts and finite numbers only.
        let payload = serde_json::to_vec(shard).expect("shards are JSON");
        if payload.len() > client.max_payload() {
            return Outcome::Refused("the request is larger than a message".to_owned());
        }
        let inbox = client.new_inbox();
        let Some(mut replies) = self.0.connection.subscribe(inbox.clone()).await else { return Outcome::Lost };
        let subject = self.subjects().work(node, "shard");
        if client.publish_with_reply(subject, inbox, payload.into()).await.is_err() {
            return Outcome::Lost;
        }
        let mut pieces = Vec::new();
        let mut is_taken = false;
        loop {
            let next = async {
                if is_taken { replies.next().await } else { timeout(ANSWER, replies.next()).await.ok().flatten() }
            };
            let message = tokio::select! {
                biased;
                message = next => message,
                () = self.0.members.lost(node) => None,
            };
            let Some(message) = message else {
                // It may run all the same; then nobody waits for it.
                let ending = Ending { id: shard.id.clone(), end: End::Cancelled };
                self.0.connection.publish(self.subjects().work(node, "end"), &ending).await;
                return Outcome::Lost;
            };
            // Nobody hears that subject: the broker says so in a message without a payload.
            if message.status.is_some() {
                return Outcome::Lost;
            }
            match serde_json::from_slice(&message.payload) {
                Ok(Reply::Taken) => is_taken = true,
                Ok(Reply::Piece(piece)) => pieces.push(*piece),
                Ok(Reply::Done { idle }) => {
                    self.0.members.update(node, idle);
                    return Outcome::Found(pieces);
                }
                Ok(Reply::Busy { idle }) => {
                    self.0.members.update(node, idle);
                    return Outcome::Busy;
                }
                Ok(Reply::Refused(reason)) => return Outcome::Refused(reason),
                Ok(Reply::Failed(message)) => return Outcome::Failed(message),
                Err(error) => return Outcome::Refused(error.to_string()),
            }
        }
    }

    /// Runs a shard here that another node has not run.
    async fn run_again(&self, shard: &Shard, over: &CancellationToken) -> Outcome {
        let Ok(place) = self.0.scheduler.reserve().await else { return Outcome::Found(Vec::new()) };
        let begun = match self.begin(shard, Some(place)) {
            Ok(begun) => begun,
            Err(reply) => return Outcome::Failed(format!("{reply:?}")),
        };
        let canceller = begun.canceller();
        let end = begun.end();
        tokio::pin!(end);
        let ended = tokio::select! {
            ended = &mut end => ended,
            () = over.cancelled() => {
                canceller.cancel();
                end.await
            }
        };
        match ended {
            Ok(pieces) => Outcome::Found(pieces),
            Err(failure) => Outcome::Failed(failure.to_string()),
        }
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
