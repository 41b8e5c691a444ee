//! The types of the HTTP API (`openapi.yaml`) without HTTP: requests, responses, batches, reviews and problems, as whoever
//! serves or prints them needs them.
//!
//! Requests are read strictly: an unknown field is a client's mistake ([`strict`] has what serde alone reads too generously).
//! Responses, reviews and problems are read tolerantly, since their reader may be older than their writer: unknown fields are
//! ignored, unknown words too where they are texts here (reasons, units, codes), but not those of an enum (a stop reason). What
//! is read and written again is the same text, byte for byte; floats too.
//!
//! A [`SearchResponse`] is made for a request and its search's plan, and takes in reports as they come; its values are from the
//! view that the client chose.
//!
//! From a body's bytes to a search that can run, and from a refusal to the problem that tells it, all programs that answer in
//! this API go the same way: [`parse`], then [`PositionRequest::describe`], [`PreparedSearch`] or [`Reviewing`]. How searches
//! are run is theirs.

mod answering;
pub mod batch;
mod code;
mod games;
mod position;
mod prepared;
mod problem;
mod read;
#[cfg(not(target_family = "wasm"))]
mod record;
mod request;
mod response;
pub mod review;
mod reviewing;
pub mod strict;
mod tolerant;
mod viewpoint;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use code::Code;
pub use games::{Games, game};
pub use position::{PositionFacts, PositionRequest, PositionResponse};
pub use prepared::{OpenedSearch, PreparedSearch};
pub use problem::{Problem, ProblemDetails, RefusedPart};
pub use read::parse;
#[cfg(not(target_family = "wasm"))]
pub use record::{RecordRequest, RecordResponse};
pub use request::{ChildrenRequest, Extent, Perspective, Priority, ReportRequest, SearchRequest, TreeRequest};
pub use response::{
    BudgetPart, ChildPart, EnginePart, Knowledge, NodeThreads, OffencePart, OutcomePart, PiecePart, PositionPart,
    Proven, ReusePart, RootPart, ScorePart, SearchResponse, ThreadsPart, TimingPart, UsedPart,
};
pub use reviewing::{ReviewRequest, Reviewing};

/// The state of a search, batch or review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for a core.
    Queued,
    /// In progress; the message holds intermediate results, with several threads those of the first.
    Running,
    /// Finished; the message holds the result.
    Done,
    /// Cancelled; the message holds the best result so far, or none if the search had not begun.
    Cancelled,
    /// Ended without a result.
    Failed,
}

impl Status {
    /// Whether nothing follows.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Failed)
    }
}
