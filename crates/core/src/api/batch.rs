//! A batch: many searches in one request, each reported after its end.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ProblemDetails, SearchResponse, Status};
use crate::schema;

/// The last message of a batch's stream.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "BatchTotals")]
pub struct Totals {
    /// The batch's id (a ULID).
    #[schemars(with = "schema::BatchName")]
    pub id: String,
    /// The batch's state.
    #[schemars(with = "schema::BatchStatus")]
    pub status: Status,
    /// Whether this is the last message.
    #[serde(rename = "final")]
    #[schemars(extend("const" = true))]
    pub is_final: bool,
    /// The message's number; the first search that ended has number 1.
    pub seq: u64,
    /// Searches that have ended, including refused ones.
    #[schemars(range(max = 256))]
    pub done: usize,
    /// All searches of the batch.
    #[schemars(range(min = 1, max = 256))]
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

/// A batch's progress.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Batch", transform = unfinished)]
pub struct Document {
    /// Its state and counts.
    #[serde(flatten)]
    pub totals: Totals,
    /// The searches in the order of the request; null for one that has not ended.
    pub items: Vec<Option<Item>>,
}

/// Unlike the last message of its stream, a batch is not always final.
fn unfinished(schema: &mut Schema) {
    if let Some(field) = schema.pointer_mut("/properties/final").and_then(Value::as_object_mut) {
        field.remove("const");
    }
}

impl Totals {
    /// The totals of a new batch.
    #[must_use]
    pub const fn new(id: String, total: usize) -> Self {
        Self { id, status: Status::Queued, is_final: false, seq: 0, done: 0, total }
    }

    /// Counts another search that has ended.
    pub fn add(&mut self) {
        self.seq += 1;
        self.done += 1;
        self.status = Status::Running;
    }

    /// Marks the end of all searches; `cut`: some were stopped early.
    pub fn finish(&mut self, cut: bool) {
        self.seq += 1;
        self.status = if cut { Status::Cancelled } else { Status::Done };
        self.is_final = true;
    }
}

impl Item {
    /// The result of an admitted search.
    #[must_use]
    pub const fn found(index: usize, search: SearchResponse) -> Self {
        Self { index, search: Some(search), problem: None }
    }

    /// A refused search.
    #[must_use]
    pub const fn refused(index: usize, problem: ProblemDetails) -> Self {
        Self { index, search: None, problem: Some(problem) }
    }

    /// Whether the search was stopped early.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.status == Status::Cancelled)
    }
}
