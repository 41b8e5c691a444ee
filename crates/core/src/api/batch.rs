//! A batch: many searches of one request, each reported when it has ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ProblemDetails, SearchResponse, Status};

/// A batch's progress; the last message of its stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Totals {
    /// The batch's id.
    pub id: String,
    /// The batch's state.
    pub status: Status,
    /// Whether this is the last message.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The message's number, from 0.
    pub seq: u64,
    /// Searches that have ended, including refused ones.
    pub done: usize,
    /// All its searches.
    pub total: usize,
}

/// A search of a batch that has ended; either `search` or `problem` is null.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "BatchItem")]
pub struct Item {
    /// Its place in the request, from 0.
    #[schemars(range(max = 255))]
    pub index: usize,
    /// Its result, as `POST /v1/searches` returns it; `failed` after an error of the server.
    pub search: Option<SearchResponse>,
    /// Why it was refused. Pointers are relative to the search; `request_id` is that of the batch's request.
    pub problem: Option<ProblemDetails>,
}

/// A batch as a whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// How far it is.
    #[serde(flatten)]
    pub totals: Totals,
    /// Its searches in the order of the request; none where one has not ended.
    pub items: Vec<Option<Item>>,
}

impl Totals {
    /// Those of a batch that has just been accepted.
    #[must_use]
    pub const fn new(id: String, total: usize) -> Self {
        Self { id, status: Status::Queued, is_final: false, seq: 0, done: 0, total }
    }

    /// Another search has ended.
    pub fn add(&mut self) {
        self.seq += 1;
        self.done += 1;
        self.status = Status::Running;
    }

    /// All searches have ended; `cut` tells whether some of them were ended early.
    pub fn finish(&mut self, cut: bool) {
        self.seq += 1;
        self.status = if cut { Status::Cancelled } else { Status::Done };
        self.is_final = true;
    }
}

impl Item {
    /// A search that was admitted, with its result.
    #[must_use]
    pub const fn found(index: usize, search: SearchResponse) -> Self {
        Self { index, search: Some(search), problem: None }
    }

    /// A search that was refused.
    #[must_use]
    pub const fn refused(index: usize, problem: ProblemDetails) -> Self {
        Self { index, search: None, problem: Some(problem) }
    }

    /// Whether the search was ended early, with what it had found.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.status == Status::Cancelled)
    }
}
