//! What nodes tell each other, as JSON. Floats come through exactly: `serde_json` has `float_roundtrip`.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{Part, Policy};

use crate::scheduler::Class;
use crate::settings::Role;

/// The version of the program. Only nodes of one version search together: merging needs the same searches on all.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of these messages: nodes that read them otherwise never get each other's.
pub const PROTOCOL: u32 = 2;

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It takes work.
    Serving,
    /// It ends what it has, and takes no more.
    Draining,
    /// It has ended.
    Gone,
}

/// What a node tells of itself, several times a second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Its id, of this run of the program.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// What it does.
    pub role: Role,
    /// Cores that it searches on.
    pub cores: u32,
    /// Those that no search uses.
    pub idle: u32,
    /// Searches running or waiting there.
    pub searches: u64,
    /// Those of them that it runs for other nodes.
    pub shards: u64,
    /// Where it stands.
    pub state: State,
}

/// Some workers of a search, to be run on another node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The search's id.
    pub id: String,
    /// The node that was asked for the search: without it nobody waits for the result.
    pub from: String,
    /// The search, with its seed and its number of threads, so that every node prepares the same one.
    pub request: SearchRequest,
    /// What the node that was asked grants.
    pub policy: Policy,
    /// Which of its workers.
    pub workers: Range<u32>,
    /// How many cores must be idle for them.
    pub cores: u32,
    /// Whether somebody waits for the result.
    pub class: Class,
    /// The span of the request or task that the search is of, as in a header `traceparent`; none where there are no traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// How a shard is to end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// With the best found so far, because that is wanted now, or nobody waits for it.
    Cancelled,
    /// Because another worker has proven the result.
    Decided,
}

/// The end of a search's shards on a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The search's id.
    pub id: String,
    /// How they end.
    pub end: End,
}

/// What one worker has found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// Its number.
    pub worker: u32,
    /// What it has found.
    pub part: Part,
    /// Whether it has proven the result, so that the others may end.
    pub decides: bool,
}

/// What a node answers to a shard, in this order: taken, a piece for each worker that has run, done; or a refusal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It has begun, or goes on.
    Taken,
    /// One worker has ended.
    Piece(Box<Piece>),
    /// One worker has ended, and has found too much for a message.
    Large(u32),
    /// All have ended, and so many cores are idle now.
    Done {
        /// As in an announcement.
        idle: u32,
    },
    /// There are not enough idle cores.
    Busy {
        /// As in an announcement.
        idle: u32,
    },
    /// This node cannot run it, for this reason.
    Refused(String),
    /// The search panicked.
    Failed(String),
}
