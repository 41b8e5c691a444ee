//! A batch under way: its searches, a few at a time, and what is reported of them.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use crate::cluster::Canceller;
use crate::registry::{Message, Part, Parts};
use crate::service::Service;
use crate::service::problem::{Code, Problem};
use crate::service::searches::narration::{Narration, Prepared};
use tesuji_core::api::batch::{Item, Totals};
use tesuji_core::api::{SearchRequest, SearchResponse};
use tesuji_core::search::StopReason;

/// How many bytes of results a batch may hold. Those of 256 searches fit, every child with its line, but not with large trees.
const MOST_BYTES: usize = 64 << 20;

/// How far a batch is, message by message.
#[derive(Debug)]
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

    /// Another search has ended.
    pub fn add(&mut self, item: &Item) {
        self.totals.add();
        self.cut |= item.is_cut();
        // Texts and finite numbers only.
        let text: Arc<str> = serde_json::to_string(item).expect("items are JSON").into();
        self.bytes += text.len();
        Arc::make_mut(&mut self.ended).ended.push(Part { place: item.index, text });
    }

    /// The newest message.
    pub fn message(&self) -> Message {
        // Texts and numbers only.
        let text = serde_json::to_string(&self.totals).expect("totals are JSON").into();
        let Totals { seq, is_final, .. } = self.totals;
        Message { seq, is_final, failed: false, lasts: false, text, parts: Some(Arc::clone(&self.ended)) }
    }
}

/// A batch to be run.
pub struct Task {
    pub progress: Progress,
    /// The searches that have not ended, with their places.
    pub open: Vec<(usize, SearchRequest)>,
    pub searcher: Searcher,
    /// Whether the result can be asked for once it is there.
    pub is_kept: bool,
}

impl Task {
    /// Runs it to its end. Only as many searches have a place at a time as there are cores: the others keep nobody out.
    pub async fn run(self) {
        let Self { mut progress, open, searcher, is_kept } = self;
        let service = &searcher.service;
        let at_once = service.policy.cores.max(1) as usize;
        let searches = open.into_iter().map(|(index, request)| searcher.search(index, request));
        let mut ends = iter(searches).buffer_unordered(at_once);
        while let Some(item) = ends.next().await {
            let is_full = progress.bytes > MOST_BYTES;
            progress.add(&if is_full { searcher.refuse(item.index, &too_much()) } else { item });
            service.batches.tell(progress.id(), progress.message());
        }
        progress.totals.finish(progress.cut);
        if !is_kept {
            // Whoever follows it gets the final message; nobody else knows of it.
            service.batches.tell(progress.id(), progress.message());
            service.batches.abandon(progress.id());
        } else if let Err(error) = service.batches.finish(progress.id(), progress.message()).await {
            tracing::error!(%error, id = progress.id(), "a batch's result could not be kept");
        }
    }
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
