//! The types of the HTTP API (`openapi.yaml`) without HTTP: requests, responses, batches and reviews, as whoever serves or
//! prints them needs them.
//!
//! Requests are read strictly: an unknown field is a client's mistake ([`strict`] has what serde alone reads too generously).
//! Responses, reviews and problems are read tolerantly, since their reader may be older than their writer: unknown fields are
//! ignored, unknown words too where they are texts here (reasons, units, codes), but not those of an enum (a stop reason). What
//! is read and written again is the same text, byte for byte; floats too.
//!
//! A [`SearchResponse`] is made for a request and its search's plan, and takes in reports as they come; its values are from the
//! view that the client chose.

mod answering;
pub mod batch;
mod problem;
mod request;
mod response;
pub mod review;
pub mod strict;
mod tolerant;
mod viewpoint;

use serde::{Deserialize, Serialize};

pub use problem::{ProblemDetails, RefusedPart};
pub use request::{ChildrenRequest, Extent, Perspective, Priority, ReportRequest, SearchRequest, TreeRequest};
pub use response::{
    BudgetPart, ChildPart, EnginePart, Knowledge, OffencePart, OutcomePart, PiecePart, PositionPart, Proven, ReusePart,
    RootPart, ScorePart, SearchResponse, ThreadsPart, TimingPart, UsedPart,
};

/// How far some work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for its turn.
    Queued,
    /// It goes on.
    Running,
    /// It has a result.
    Done,
    /// It was ended early, with what it had found.
    Cancelled,
    /// The server failed.
    Failed,
}

impl Status {
    /// Whether nothing follows.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Failed)
    }
}
