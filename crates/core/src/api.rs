//! The types of the HTTP API (`openapi.yaml`) without HTTP: requests, responses, batches, reviews and problems, for programs
//! that serve or print them.
//!
//! Requests are read strictly: an unknown field is an error of the client ([`strict`] rejects what serde alone accepts).
//! Responses, reviews and problems are read tolerantly, because a reader can be older than the writer: unknown fields are
//! ignored, and so are unknown words in texts (reasons, units, codes), but not those of an enum (a stop reason). Reading a
//! value and writing it again gives the same text, byte for byte, floats included.
//!
//! A [`SearchResponse`] is created for a request and its search, and updated by the search's reports; its values are from the
//! client's perspective.
//!
//! All programs with this API share the steps from a body's bytes to a search ready to run, and from a refusal to a problem:
//! [`parse`], then [`PositionRequest::describe`], [`PreparedSearch`] or [`Reviewing`]. Running the searches is up to the
//! program.

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
pub use position::{NoPicture, PositionFacts, PositionRequest, PositionResponse};
pub use prepared::{OpenedSearch, PreparedSearch};
pub use problem::{Problem, ProblemDetails, RefusedPart};
pub use read::parse;
#[cfg(not(target_family = "wasm"))]
pub use record::{RecordRequest, RecordResponse};
pub use request::{ChildrenRequest, Extent, Perspective, Priority, ReportRequest, SearchRequest, TreeRequest};
pub use response::{
    BudgetPart, ChildPart, EnginePart, GradePart, Knowledge, NodeThreads, OffencePart, OutcomePart, PiecePart,
    PositionPart, Proven, ReusePart, RootPart, ScorePart, SearchResponse, ThreadsPart, TimingPart, UsedPart,
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
    /// Whether it is final.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Failed)
    }
}
