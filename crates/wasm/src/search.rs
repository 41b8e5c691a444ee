//! Searches by one instance of the module alone, or by several together, which share no memory: each runs one of the search's
//! workers at a time, and one of them merges what all have found.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_core::api::{Code, Extent, PreparedSearch, Problem, SearchRequest, SearchResponse, parse};
use tesuji_core::catalog::{Part, Policy};
use tesuji_core::search::{Report, Signals, StopReason};

use crate::engine::{Answer, Engine};
use crate::runner::{Host, run, since};

/// How a search is divided.
#[derive(Debug, Serialize)]
struct Division {
    /// The workers that may run in instances of their own; 1 where one instance runs the whole search.
    workers: u32,
    /// The seed in force, which all instances must be given.
    seed: u64,
}

/// What one worker of a search has found.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    /// None where it was stopped before it began.
    part: Option<Part>,
    /// Whether it has proven the result, so that the others may end.
    decides: bool,
}

/// What is merged.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Assembly {
    /// The request's body, as all instances had it.
    body: String,
    /// The cores, likewise.
    cores: u32,
    /// The number of the last message.
    seq: u64,
    /// Milliseconds of search.
    searched_ms: f64,
    /// What the workers have found, in order; none of one that was not run.
    pieces: Vec<Option<Piece>>,
}

impl Engine {
    /// `POST /v1/searches` of a search with this id. With `telling`, the host is told every message but the final one, as the
    /// server's stream has them.
    pub fn search(&self, id: &str, body: &[u8], telling: bool, host: &dyn Host) -> Answer {
        Answer::of(self.prepare(id, body, 1).map(|prepared| {
            if prepared.blank.is_over() {
                return prepared.blank;
            }
            let signals = Signals::default();
            let told = run_telling(&prepared, 0..prepared.plan().threads, &signals, telling, host);
            let report = prepared.search.finish();
            last(prepared.blank, report, since(&signals), told, prepared.extent)
        }))
    }

    /// Into how many workers a search is divided where there are so many cores, each with an instance of its own; or the
    /// problem that refuses it.
    pub fn split(&self, body: &[u8], cores: u32) -> Answer {
        Answer::of(self.prepare("", body, cores).map(|prepared| {
            let plan = prepared.plan();
            let is_divided = prepared.search.has_parts() && !prepared.blank.is_over();
            Division { workers: if is_divided { plan.threads } else { 1 }, seed: plan.seed }
        }))
    }

    /// Runs one worker of a search that has been split. With `telling`, the host is told of the search's progress if the worker
    /// is the first, as on the server.
    pub fn part(&self, id: &str, body: &[u8], worker: u32, cores: u32, telling: bool, host: &dyn Host) -> Answer {
        let divided = self.prepare(id, body, cores).and_then(|prepared| {
            let is_one = prepared.search.has_parts() && worker < prepared.plan().threads;
            is_one.then_some(prepared).ok_or_else(|| internal("the search has no such worker"))
        });
        Answer::of(divided.map(|prepared| {
            let signals = Signals::default();
            run_telling(&prepared, worker..worker + 1, &signals, telling && worker == 0, host);
            Piece { part: prepared.search.part(worker), decides: signals.is_decided() }
        }))
    }

    /// Merges what the workers of a search have found into its last message, the response.
    pub fn merge(&self, id: &str, assembly: &[u8]) -> Answer {
        let assembly = serde_json::from_slice::<Assembly>(assembly).map_err(|error| internal(error.to_string()));
        Answer::of(assembly.and_then(|Assembly { body, cores, seq, searched_ms, pieces }| {
            let prepared = self.prepare(id, body.as_bytes(), cores)?;
            for (worker, piece) in (0..).zip(pieces) {
                let Some(part) = piece.and_then(|piece| piece.part) else { continue };
                prepared.search.take(worker, part).map_err(|error| internal(error.to_string()))?;
            }
            let searched = Duration::try_from_secs_f64(searched_ms / 1e3).unwrap_or_default();
            Ok(last(prepared.blank, prepared.search.finish(), searched, seq, prepared.extent))
        }))
    }

    /// Prepares the search that a request's body asks for, on so many cores.
    fn prepare(&self, id: &str, body: &[u8], cores: u32) -> Result<PreparedSearch, Problem> {
        let policy = Policy { cores: cores.max(1), ..self.policy };
        PreparedSearch::new(id.to_owned(), &parse::<SearchRequest>(body)?, &self.catalog, &policy, None)
    }
}

/// What the package around the module has done wrong.
fn internal(detail: impl Into<String>) -> Problem {
    Problem::new(Code::Internal, detail)
}

/// Runs some of a search's workers and tells the host of the search's progress. How many messages it was told.
fn run_telling(
    prepared: &PreparedSearch,
    workers: Range<u32>,
    signals: &Signals,
    telling: bool,
    host: &dyn Host,
) -> u64 {
    let PreparedSearch { blank, extent, interval, search } = prepared;
    let told = std::cell::Cell::new(0);
    let tell = |message: &SearchResponse| {
        told.set(told.get() + 1);
        host.tell(&Answer::of(Ok(message)).body);
    };
    if telling {
        tell(blank);
    }
    let progress = |report: Report<String>| {
        let mut message = blank.clone();
        message.seq = told.get();
        message.progress(report, (Duration::ZERO, since(signals)), *extent);
        tell(&message);
    };
    run(&**search, workers, signals, host, telling.then_some((*interval, &progress)));
    told.get()
}

/// The last message about a search; no report where it was stopped before it began.
fn last(
    mut blank: SearchResponse,
    report: Option<Report<String>>,
    searched: Duration,
    seq: u64,
    extent: Extent,
) -> SearchResponse {
    blank.seq = seq;
    match report {
        Some(report) => blank.fill(report, (Duration::ZERO, searched), extent),
        None => blank.cancel(StopReason::Cancelled),
    }
    blank
}
