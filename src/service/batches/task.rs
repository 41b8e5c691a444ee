//! A batch under way: its searches, a few at a time, and what is reported of them.

use std::ops::Range;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use crate::cluster::Canceller;
use crate::registry::{Message, NoStore, Part, Parts, Registry};
use crate::service::Service;
use crate::service::problem::{Code, Problem};
use crate::service::searches::narration::{Narration, Prepared};
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

    /// Whether the search of this place has ended.
    pub fn has(&self, place: usize) -> bool {
        self.ended.ended.iter().any(|part| part.place == place)
    }

    /// Another search has ended.
    pub fn add(&mut self, item: &Item) {
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
    pub progress: Progress,
    /// The searches that have not ended, with their places.
    pub open: Vec<(usize, SearchRequest)>,
    pub searcher: Searcher,
    /// Whether the result can be asked for once it is there.
    pub is_kept: bool,
    /// So many of those that have ended are kept already.
    pub stored: usize,
}

impl Task {
    /// Runs it to its end. Only as many searches have a place at a time as there are cores: the others keep nobody out.
    pub async fn run(self) -> End {
        let Self { mut progress, open, searcher, is_kept, stored } = self;
        let registry = &searcher.service.batches;
        let at_once = searcher.service.policy.cores.max(1) as usize;
        // What has ended because this node refuses it.
        if is_kept && keep(registry, &progress, stored..progress.ended.ended.len()).await.is_err() {
            return End::HandedOver;
        }
        let searches = open.into_iter().map(|(index, request)| searcher.search(index, request));
        let mut ends = iter(searches).buffer_unordered(at_once);
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
            } else if add(registry, &mut progress, &item).await.is_err() {
                return End::HandedOver;
            }
            registry.tell(progress.id(), progress.message());
        }
        progress.totals.finish(progress.cut);
        if is_kept {
            return tasks::stored(registry, progress.id(), progress.message()).await;
        }
        // Whoever follows it gets the final message; nobody else knows of it.
        registry.tell(progress.id(), progress.message());
        registry.abandon(progress.id());
        End::Told
    }
}

const SHUTDOWN: Option<StopReason> = Some(StopReason::Shutdown);

/// Keeps parts that have ended.
async fn keep(registry: &Registry, progress: &Progress, numbers: Range<usize>) -> Result<(), NoStore> {
    for number in numbers {
        registry.keep_part(progress.id(), number, &progress.ended.ended[number]).await?;
    }
    Ok(())
}

/// Adds a search that has ended, once it is kept: whoever has been told of it is told the same by every node. Where another
/// node runs the batch too, taking this one for dead, and has been faster, its parts are taken over.
async fn add(registry: &Registry, progress: &mut Progress, item: &Item) -> Result<(), NoStore> {
    let part = part_of(item);
    while !progress.has(part.place) {
        match registry.keep_part(progress.id(), progress.ended.ended.len(), &part).await? {
            None => progress.add_text(part.clone(), item.is_cut()),
            Some(other) => progress.add_part(other),
        }
    }
    Ok(())
}

/// The refusal of results that would fill the server's memory.
fn too_much() -> Problem {
    let detail = format!("expected a smaller report: the results of a batch may have {} MiB", MOST_BYTES >> 20);
    Problem::new(Code::InvalidRequest, "the results of this batch are larger than this server holds")
        .at("/report", detail)
}

/// Makes the searches of a batch, all for one client.
pub struct Searcher {
    pub service: Service,
    /// The client's scope.
    pub scope: String,
    /// The id of the request that brought the batch.
    pub request_id: Option<String>,
    pub stop: CancellationToken,
}

impl Searcher {
    /// Checks a search.
    pub fn read(&self, request: &SearchRequest) -> Result<Prepared, Problem> {
        Prepared::read(&self.service, request, Some(&self.scope))
    }

    /// Tells of a search that is refused, and counts that.
    pub fn refuse(&self, index: usize, problem: &Problem) -> Item {
        self.service.metrics.refusal(problem.code().name());
        Item::refused(index, problem.details(self.request_id.clone()))
    }

    /// Makes a search when there is a place for it.
    async fn search(&self, index: usize, request: SearchRequest) -> Item {
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
            Err(problem) => return self.refuse(index, &problem),
        };
        let found = match place {
            Ok(place) => self.result(prepared.begin_reserved(&self.service, place, false)).await,
            Err(reason) => prepared.cancelled(reason),
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
