//! A batch as a job: its searches, a few at a time, and its messages.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use super::request::{Batch, BatchRequest};
use crate::cluster::{Accepted, Canceller};
use crate::job::{Kind, Message, Part, Parts, StoredPart};
use crate::service::guards::{Charge, Charges, Client};
use crate::service::jobs::{End, JobRequest, Run, Work};
use crate::service::problem::{Code, Problem};
use crate::service::searches::narration::{MessageSource, Prepared};
use crate::service::state::Service;
use tesuji_core::api::batch::{Item, Totals};
use tesuji_core::api::{SearchRequest, SearchResponse, Status, parse};
use tesuji_core::catalog::{Catalog, Plan};
use tesuji_core::search::StopReason;

/// The maximum size of a batch's results, in bytes: enough for 256 searches with a line for every child, but not for large
/// trees.
const MOST_BYTES: usize = 64 << 20;

/// The progress of a batch.
#[derive(Clone, Debug)]
struct Progress {
    totals: Totals,
    ended: Arc<Parts>,
    /// The total length of their texts.
    bytes: usize,
    /// Whether some searches were stopped early.
    cut: bool,
}

impl Progress {
    /// The progress of a new batch.
    fn new(total: usize) -> Self {
        let totals = Totals::new(Ulid::generate().to_string(), total);
        Self { totals, ended: Arc::new(Parts { total, ended: Vec::new() }), bytes: 0, cut: false }
    }

    /// The same with another id.
    fn with_id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.totals.id);
        self
    }

    /// Whether the search at this place has ended.
    fn has(&self, place: usize) -> bool {
        self.ended.ended.iter().any(|part| part.place == place)
    }

    /// Adds the end of a search.
    fn add(&mut self, item: &Item) {
        self.add_text(part_of(item), item.is_cut());
    }

    /// Adds the end of a search, on any node.
    fn add_part(&mut self, part: Part) {
        let is_cut = serde_json::from_str::<Item>(&part.text).is_ok_and(|item| item.is_cut());
        self.add_text(part, is_cut);
    }

    fn add_text(&mut self, part: Part, is_cut: bool) {
        self.totals.add();
        self.cut |= is_cut;
        self.bytes += part.text.len();
        Arc::make_mut(&mut self.ended).ended.push(part);
    }

    /// The newest message.
    fn message(&self) -> Message {
        // Texts and numbers only.
        let text = serde_json::to_string(&self.totals).expect("totals are JSON").into();
        let Totals { seq, is_final, .. } = self.totals;
        Message { seq, is_final, failed: false, lasts: false, text, parts: Some(Arc::clone(&self.ended)) }
    }
}

fn part_of(item: &Item) -> Part {
    // Texts and finite numbers only.
    Part { place: item.index, text: serde_json::to_string(item).expect("items are JSON").into() }
}

/// A batch to run.
pub struct BatchJob {
    searcher: BatchSearcher,
    progress: Progress,
    /// Searches that have ended but are not in the progress yet.
    ended: Vec<Item>,
    /// The other searches, with their places.
    open: Vec<(usize, SearchRequest)>,
    /// The plans granted to those searches.
    plans: Vec<Plan>,
}

impl BatchJob {
    /// A new batch. Refused searches and those of finished games have ended.
    pub async fn new(service: &Service, job_request: &JobRequest, batch: &Batch) -> Self {
        let (service, owner) = (service.clone(), job_request.client.owner().to_owned());
        let catalog = Arc::clone(&job_request.catalog);
        let searcher = BatchSearcher { service, owner, catalog, request_id: job_request.request_id.clone() };
        let mut job = Self::read_searches(searcher, batch, Progress::new(batch.count())).await;
        std::mem::take(&mut job.ended).iter().for_each(|item| job.progress.add(item));
        job
    }

    /// Checks the searches that have not ended.
    async fn read_searches(searcher: BatchSearcher, batch: &Batch, progress: Progress) -> Self {
        let (mut ended, mut open, mut plans) = (Vec::new(), Vec::new(), Vec::new());
        for (index, search) in batch.searches().enumerate() {
            if progress.has(index) {
                continue;
            }
            // Each can replay a long game: yield between two.
            tokio::task::yield_now().await;
            match search.map_err(Problem::from).and_then(|search| Ok((searcher.read(&search)?, search))) {
                Err(problem) => ended.push(searcher.refuse(index, &problem)),
                Ok((prepared, _)) if prepared.is_over() => ended.push(Item::found(index, prepared.into_response())),
                Ok((prepared, search)) => {
                    plans.push(prepared.plan().clone());
                    open.push((index, search));
                }
            }
        }
        Self { searcher, progress, ended, open, plans }
    }
}

impl Work for BatchJob {
    const KIND: Kind = Kind::Batch;
    const PATH: &'static str = "/v1/batches";
    const MOST: usize = 64;

    fn id(&self) -> &str {
        &self.progress.totals.id
    }

    fn games(&self) -> Vec<&str> {
        self.open.iter().map(|(_, search)| &*search.game).collect()
    }

    fn first(&self, id: &str) -> Message {
        self.progress.clone().with_id(id).message()
    }

    fn charge(&self, service: &Service, client: &Client) -> Result<Charges, Problem> {
        let charges = service.guards.charge(client, &self.plans, "/searches")?;
        Ok(self.open.iter().map(|&(place, _)| place).zip(charges).collect())
    }

    async fn read(run: &Run, accepted: &Accepted) -> Result<Self, Problem> {
        let request: BatchRequest = parse(accepted.request.get().as_bytes())?;
        let batch = request.check(&run.catalog, run.service.guards.batch_bytes())?;
        let (service, owner) = (run.service.clone(), run.job.owner.to_string());
        let catalog = Arc::clone(&run.catalog);
        let searcher = BatchSearcher { service, owner, catalog, request_id: accepted.request_id.clone() };
        let mut progress = Progress::new(batch.count()).with_id(&run.job.id);
        run.ended.iter().for_each(|part| progress.add_part(part.clone()));
        Ok(Self::read_searches(searcher, &batch, progress).await)
    }

    /// At most one search per core holds a place, so that other searches are not kept out.
    async fn run(self, mut run: Run) -> End {
        let Self { searcher, mut progress, ended, open, .. } = self;
        let mut charges: HashMap<usize, Charge> = std::mem::take(&mut run.charges).into_iter().collect();
        let at_once = searcher.service.policy.cores.max(1) as usize;
        let (searcher, stop) = (&searcher, &run.stop.clone());
        let searches =
            open.into_iter().map(|(index, request)| searcher.search(index, request, charges.remove(&index), stop));
        let mut ends = iter(ended).chain(iter(searches).buffer_unordered(at_once));
        while let Some(item) = ends.next().await {
            let is_cut = item.search.as_ref().is_some_and(|found| found.stop_reason == Some(StopReason::Shutdown));
            if is_cut && run.will_rerun(true) {
                return run.hand_over();
            }
            let is_full = progress.bytes > MOST_BYTES;
            let item = if is_full { searcher.refuse(item.index, &results_too_large()) } else { item };
            if let Err(end) = add(&run, &mut progress, &item).await {
                return end;
            }
            run.report(progress.message());
        }
        progress.totals.finish(progress.cut);
        run.finish(progress.message(), || None).await
    }

    fn message_without_run(first: &str, seq: u64, status: Status, _: Option<&str>) -> serde_json::Result<String> {
        let totals: Totals = serde_json::from_str(first)?;
        serde_json::to_string(&Totals { seq, is_final: true, status, ..totals })
    }
}

/// Adds a search that has ended, once its result is stored, so that all nodes report the same one. If another node assumed that
/// this one had died, runs the batch too and was faster, its parts are adopted.
///
/// # Errors
/// When the batch ends here: another node has ended it, or this one shuts down.
async fn add(run: &Run, progress: &mut Progress, item: &Item) -> Result<(), End> {
    if !run.is_pollable {
        progress.add(item);
        return Ok(());
    }
    let (registry, job, part) = (run.registry(), &run.job, part_of(item));
    while !progress.has(part.place) {
        match registry.store_part(job, progress.ended.ended.len(), &part).await {
            Ok(StoredPart::Own) => progress.add_text(part.clone(), item.is_cut()),
            Ok(StoredPart::Other(other)) => progress.add_part(other),
            Ok(StoredPart::Over) => {
                return Err(if registry.adopt_remote_result(job).await.is_ok() { End::Done } else { End::HandedOver });
            }
            Err(_) => return Err(End::HandedOver),
        }
    }
    Ok(())
}

/// The refusal of results that would fill the server's memory.
fn results_too_large() -> Problem {
    let detail = format!("expected a smaller report: the results of a batch are limited to {} MiB", MOST_BYTES >> 20);
    Problem::at(Code::InvalidRequest, "/report", detail)
}

/// Runs the searches of a batch for its client.
struct BatchSearcher {
    service: Service,
    /// The client's owner.
    owner: String,
    /// The client's games when the batch began.
    catalog: Arc<Catalog>,
    /// The id of the batch's request.
    request_id: Option<String>,
}

impl BatchSearcher {
    /// Checks a search.
    fn read(&self, request: &SearchRequest) -> Result<Prepared, Problem> {
        Prepared::read(&self.service, &self.catalog, request, &self.owner)
    }

    /// Reports and counts a refused search.
    fn refuse(&self, index: usize, problem: &Problem) -> Item {
        self.service.metrics.refusal(problem.code().name());
        Item::refused(index, problem.details(self.request_id.clone()))
    }

    /// Runs a search once there is a place for it.
    async fn search(
        &self,
        index: usize,
        request: SearchRequest,
        charge: Option<Charge>,
        stop: &CancellationToken,
    ) -> Item {
        // A brief search ends at once: yield between two.
        tokio::task::yield_now().await;
        let place = tokio::select! {
            biased;
            () = stop.cancelled() => Err(StopReason::Cancelled),
            place = self.service.scheduler.reserve() => place.map_err(|_| StopReason::Shutdown),
        };
        // Prepared again, since the threads granted depend on the idle cores.
        let prepared = match self.read(&request) {
            Ok(prepared) => prepared,
            Err(problem) => {
                charge.iter().for_each(Charge::cancel);
                return self.refuse(index, &problem);
            }
        };
        let found = match place {
            Ok(place) => result(prepared.begin_reserved(&self.service, place, charge, false), stop).await,
            Err(reason) => {
                // When this node shuts down, another one runs it.
                charge.iter().filter(|_| reason == StopReason::Cancelled).for_each(Charge::cancel);
                prepared.cancelled(reason)
            }
        };
        Item::found(index, found)
    }
}

/// A search's result: the best so far if the batch is cancelled.
async fn result(source: MessageSource, stop: &CancellationToken) -> SearchResponse {
    let canceller = source.canceller();
    let end = source.end();
    tokio::pin!(end);
    let (found, _) = tokio::select! {
        biased;
        ended = &mut end => ended,
        () = stop.cancelled() => {
            canceller.iter().for_each(Canceller::cancel);
            end.await
        }
    };
    found
}
