//! Messages between nodes, as JSON. Floats survive exactly: `serde_json` has `float_roundtrip`.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{Part, Policy};

use crate::scheduler::Class;
use crate::settings::Role;

/// The program's version. Only nodes of one version search together: merging needs the same searches.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of these messages: nodes with different formats never receive each other's.
pub const PROTOCOL: u32 = 2;

/// A node's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It takes work.
    Serving,
    /// It finishes its work and takes no more.
    Draining,
    /// It has ended.
    Gone,
}

/// A node's announcement, several times a second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Its id, new at each start.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// Its role.
    pub role: Role,
    /// Its search cores.
    pub cores: u32,
    /// Its idle cores.
    pub idle: u32,
    /// Searches running or waiting there.
    pub searches: u64,
    /// How many of these run for other nodes.
    pub shards: u64,
    /// Its state.
    pub state: State,
}

/// Some workers of a search, to run on another node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The search's id.
    pub id: String,
    /// The requesting node; without it, nobody waits for the result.
    pub from: String,
    /// The search with its seed and number of threads, so that every node prepares the same one.
    pub request: SearchRequest,
    /// The policy under which the requesting node prepared the search.
    pub policy: Policy,
    /// The workers.
    pub workers: Range<u32>,
    /// The number of cores that must be idle.
    pub cores: u32,
    /// Whether somebody waits for the result.
    pub class: Class,
    /// The span of the search's request or task, as in a header `traceparent`; `None` without traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// How a shard ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// With the best result so far, on request or because nobody waits.
    Cancelled,
    /// Another worker has proven the result.
    Decided,
}

/// Ends a search's shards on a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The search's id.
    pub id: String,
    /// How they end.
    pub end: End,
}

/// The result of one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// Its number.
    pub worker: u32,
    /// The result.
    pub part: Part,
    /// Whether it proves the search's result, so that the others can end.
    pub decides: bool,
}

/// A node's messages about a shard, in this order: accepted, a piece per worker, done; or a refusal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It has begun, or is running.
    Taken,
    /// A worker has ended.
    Piece(Box<Piece>),
    /// A worker has ended, with a result too large for a message.
    Large(u32),
    /// All have ended; the number of idle cores now.
    Done {
        /// As in an announcement.
        idle: u32,
    },
    /// Too few cores are idle.
    Busy {
        /// As in an announcement.
        idle: u32,
    },
    /// This node cannot run it, for this reason.
    Refused(String),
    /// The search panicked.
    Failed(String),
}
