//! A batch under way: its searches, a few at a time, and what is reported of them.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use crate::cluster::Canceller;
use crate::registry::{JobId, Kept, Message, Part, Parts, Registry};
use crate::service::guards::{Charge, Charges};
use crate::service::problem::{Code, Problem};
use crate::service::searches::narration::{Narration, Prepared};
use crate::service::state::Service;
use crate::service::tasks::{self, End};
use tesuji_core::api::batch::{Item, Totals};
use tesuji_core::api::{SearchRequest, SearchResponse};
use tesuji_core::search::StopReason;

/// How many bytes of results a batch may hold. Those of 256 searches fit, every child with its line, but not with large trees.
const MOST_BYTES: usize = 64 << 20;

/// How far a batch is, message by message.
#[derive(Clone, Debug)]
pub struct Progress {
    totals: Totals,
    ended: Arc<Parts>,
    /// The length of their texts.
    bytes: usize,
    /// Whether some of its searches were ended early.
    cut: bool,
}

impl Progress {
    /// That of a batch of which nothing has ended.
    pub fn new(total: usize) -> Self {
        let totals = Totals::new(Ulid::generate().to_string(), total);
        Self { totals, ended: Arc::new(Parts { total, ended: Vec::new() }), bytes: 0, cut: false }
    }

    /// The batch's id.
    pub fn id(&self) -> &str {
        &self.totals.id
    }

    /// The same with another id.
    pub fn with_id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.totals.id);
        self
    }

    /// The same with some searches that have ended.
    pub fn with(mut self, ended: &[Item]) -> Self {
        ended.iter().for_each(|item| self.add(item));
        self
    }

    /// Whether the search of this place has ended.
    pub fn has(&self, place: usize) -> bool {
        self.ended.ended.iter().any(|part| part.place == place)
    }

    /// Another search has ended.
    fn add(&mut self, item: &Item) {
        self.add_text(part_of(item), item.is_cut());
    }

    /// Another search has ended, on some node.
    pub fn add_part(&mut self, part: Part) {
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
    pub fn message(&self) -> Message {
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

/// A batch to be run.
pub struct Task {
    pub job: JobId,
    pub progress: Progress,
    /// Searches that have ended, and are not in the progress yet.
    pub ended: Vec<Item>,
    /// The searches that have not ended, with their places.
    pub open: Vec<(usize, SearchRequest)>,
    /// What those were charged with.
    pub charges: Charges,
    pub searcher: Searcher,
    /// Whether the result can be asked for once it is there.
    pub is_kept: bool,
}

impl Task {
    /// Runs it to its end. Only as many searches have a place at a time as there are cores: the others keep nobody out.
    pub async fn run(self) -> End {
        let Self { job, mut progress, ended, open, charges, searcher, is_kept } = self;
        let mut charges: HashMap<usize, Charge> = charges.into_iter().collect();
        let registry = &searcher.service.batches;
        let at_once = searcher.service.policy.cores.max(1) as usize;
        let searches = open.into_iter().map(|(index, request)| searcher.search(index, request, charges.remove(&index)));
        let mut ends = iter(ended).chain(iter(searches).buffer_unordered(at_once));
        while let Some(item) = ends.next().await {
            if is_kept
                && registry.is_shared()
                && item.search.as_ref().is_some_and(|found| found.stop_reason == SHUTDOWN)
            {
                return End::HandedOver;
            }
            let is_full = progress.bytes > MOST_BYTES;
            let item = if is_full { searcher.refuse(item.index, &too_much()) } else { item };
            if !is_kept {
                progress.add(&item);
            } else if let Err(end) = add(registry, &job, &mut progress, &item).await {
                return end;
            }
            registry.tell(&job, progress.message());
        }
        progress.totals.finish(progress.cut);
        if is_kept {
            return tasks::stored(registry, &job, progress.message()).await;
        }
        // Whoever follows it gets the final message; nobody else knows of it.
        registry.tell(&job, progress.message());
        registry.abandon(&job);
        End::Told
    }
}

const SHUTDOWN: Option<StopReason> = Some(StopReason::Shutdown);

/// Adds a search that has ended, once it is kept: whoever has been told of it is told the same by every node. Where another
/// node runs the batch too, taking this one for dead, and has been faster, its parts are taken over.
///
/// # Errors
/// When the batch ends here: another node has ended it, or this one ends first.
async fn add(registry: &Registry, job: &JobId, progress: &mut Progress, item: &Item) -> Result<(), End> {
    let part = part_of(item);
    while !progress.has(part.place) {
        match registry.keep_part(job, progress.ended.ended.len(), &part).await {
            Ok(Kept::Own) => progress.add_text(part.clone(), item.is_cut()),
            Ok(Kept::Other(other)) => progress.add_part(other),
            Ok(Kept::Over) => {
                return Err(if registry.give_way(job).await.is_ok() { End::Told } else { End::HandedOver });
            }
            Err(_) => return Err(End::HandedOver),
        }
    }
    Ok(())
}

/// The refusal of results that would fill the server's memory.
fn too_much() -> Problem {
    let detail = format!("expected a smaller report: the results of a batch may have {} MiB", MOST_BYTES >> 20);
    Problem::at(Code::InvalidRequest, "/report", detail)
}

/// Makes the searches of a batch, all for one client.
pub struct Searcher {
    pub service: Service,
    /// The client's owner.
    pub owner: String,
    /// The id of the request that brought the batch.
    pub request_id: Option<String>,
    pub stop: CancellationToken,
}

impl Searcher {
    /// Checks a search.
    pub fn read(&self, request: &SearchRequest) -> Result<Prepared, Problem> {
        Prepared::read(&self.service, request, Some(&self.owner))
    }

    /// Tells of a search that is refused, and counts that.
    pub fn refuse(&self, index: usize, problem: &Problem) -> Item {
        self.service.metrics.refusal(problem.code().name());
        Item::refused(index, problem.details(self.request_id.clone()))
    }

    /// Makes a search when there is a place for it.
    async fn search(&self, index: usize, request: SearchRequest, charge: Option<Charge>) -> Item {
        // A brief search ends at once: others have this thread between two of them.
        tokio::task::yield_now().await;
        let place = tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(StopReason::Cancelled),
            place = self.service.scheduler.reserve() => place.map_err(|_| StopReason::Shutdown),
        };
        // Again, since how many threads are granted depends on what is idle now.
        let prepared = match self.read(&request) {
            Ok(prepared) => prepared,
            Err(problem) => {
                charge.iter().for_each(Charge::cancel);
                return self.refuse(index, &problem);
            }
        };
        let found = match place {
            Ok(place) => self.result(prepared.begin_reserved(&self.service, place, charge, false)).await,
            Err(reason) => {
                // Where this node ends, another one searches.
                charge.iter().filter(|_| reason == StopReason::Cancelled).for_each(Charge::cancel);
                prepared.cancelled(reason)
            }
        };
        Item::found(index, found)
    }

    /// A search's result: the best so far where the batch is cancelled meanwhile.
    async fn result(&self, narration: Narration) -> SearchResponse {
        let canceller = narration.canceller();
        let end = narration.end();
        tokio::pin!(end);
        let (found, _) = tokio::select! {
            biased;
            ended = &mut end => ended,
            () = self.stop.cancelled() => {
                canceller.iter().for_each(Canceller::cancel);
                end.await
            }
        };
        found
    }
}
