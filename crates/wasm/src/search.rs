//! Searches by one instance of the module, or by several that share no memory: each runs one of the search's workers at a time,
//! and one of them merges the results.

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
    /// The number of workers that can run in separate instances; 1 if one instance runs the whole search.
    workers: u32,
    /// The seed, which all instances must use.
    seed: u64,
}

/// The result of one worker of a search.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    /// None if it was stopped before it began.
    part: Option<Part>,
    /// Whether it has proven the result, so that the others can end.
    decides: bool,
}

/// The input of a merge.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Assembly {
    /// The request's body, the same for all instances.
    body: String,
    /// The number of cores, the same for all instances.
    cores: u32,
    /// The number of the last message.
    seq: u64,
    /// Milliseconds of search.
    searched_ms: f64,
    /// The results of the workers, in order; null for a worker that did not run.
    pieces: Vec<Option<Piece>>,
}

impl Engine {
    /// `POST /v1/searches` for a search with this id. With `streams`, the host receives every message except the final one, as
    /// in the server's stream.
    pub fn search(&self, id: &str, body: &[u8], streams: bool, host: &dyn Host) -> Answer {
        Answer::of(self.prepare(id, body, 1).map(|prepared| {
            if prepared.blank.is_over() {
                return prepared.blank;
            }
            let signals = Signals::default();
            let sent = run_streaming(&prepared, 0..prepared.plan().threads, &signals, streams, host);
            let report = prepared.search.finish();
            last(prepared.blank, report, since(&signals), sent, prepared.extent)
        }))
    }

    /// The number of workers of a search on this many cores, each with a separate instance; or the problem that refuses it.
    pub fn split(&self, body: &[u8], cores: u32) -> Answer {
        Answer::of(self.prepare("", body, cores).map(|prepared| {
            let plan = prepared.plan();
            let is_divided = prepared.search.has_parts() && !prepared.blank.is_over();
            Division { workers: if is_divided { plan.threads } else { 1 }, seed: plan.seed }
        }))
    }

    /// Runs one worker of a search that has been split. With `streams`, the first worker reports the search's progress to the
    /// host, as on the server.
    pub fn part(&self, id: &str, body: &[u8], worker: u32, cores: u32, streams: bool, host: &dyn Host) -> Answer {
        let divided = self.prepare(id, body, cores).and_then(|prepared| {
            let is_one = prepared.search.has_parts() && worker < prepared.plan().threads;
            is_one.then_some(prepared).ok_or_else(|| internal("the search has no such worker"))
        });
        Answer::of(divided.map(|prepared| {
            let signals = Signals::default();
            run_streaming(&prepared, worker..worker + 1, &signals, streams && worker == 0, host);
            Piece { part: prepared.search.part(worker), decides: signals.is_decided() }
        }))
    }

    /// Merges the results of a search's workers into its last message, the response.
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

    /// Prepares the search of a request's body, on this many cores.
    fn prepare(&self, id: &str, body: &[u8], cores: u32) -> Result<PreparedSearch, Problem> {
        let policy = Policy { cores: cores.max(1), ..self.policy };
        PreparedSearch::new(id.to_owned(), &parse::<SearchRequest>(body)?, &self.catalog, &policy, None)
    }
}

/// An error of the package around the module.
fn internal(detail: impl Into<String>) -> Problem {
    Problem::new(Code::Internal, detail)
}

/// Runs some of a search's workers and reports the search's progress to the host. Returns the number of messages.
fn run_streaming(
    prepared: &PreparedSearch,
    workers: Range<u32>,
    signals: &Signals,
    streams: bool,
    host: &dyn Host,
) -> u64 {
    let PreparedSearch { blank, extent, interval, search } = prepared;
    let sent = std::cell::Cell::new(0);
    let send = |message: &SearchResponse| {
        sent.set(sent.get() + 1);
        host.send(&Answer::of(Ok(message)).body);
    };
    if streams {
        send(blank);
    }
    let progress = |report: Report<String>| {
        let mut message = blank.clone();
        message.seq = sent.get();
        message.progress(report, (Duration::ZERO, since(signals)), *extent);
        send(&message);
    };
    run(&**search, workers, signals, host, streams.then_some((*interval, &progress)));
    sent.get()
}

/// The last message of a search; without a report if it was stopped before it began.
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
