//! The list of a client's jobs, and their cancellation together.
//!
//! A client's jobs are those of its key's owner; without a key, those started from its address. Any client without a key can
//! look up such a job by its id, but only its own address lists it: nobody else knows the id.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::{Extension, Json};
use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error as InvalidStatus;
use serde::{Deserialize, Serialize};
use tesuji_core::api::Status;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, sleep};
use tracing::Instrument as _;
use ulid::Ulid;

use super::accept::{Negotiable as _, ResponseFormat};
use super::batches::BatchJob;
use super::caching::no_store;
use super::guards::Client;
use super::jobs::{Work, end};
use super::paging::{self, MAX_LIMIT};
use super::problem::{Code, Problem};
use super::reviews::ReviewJob;
use super::searches::SearchJob;
use super::state::Service;
use crate::job::{JobId, Kind};
use crate::registry::{Listed, Selection};
use crate::settings::BasePath;

const KINDS: [Kind; 3] = [Kind::Search, Kind::Review, Kind::Batch];
const UNFINISHED: [&str; 2] = ["queued", "running"];
/// The number of jobs cancelled at the same time.
const AT_ONCE: usize = 32;
/// The longest wait for cancelled jobs to end, and the first pause between two checks; each pause is twice the last.
const ENDING: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(10);

/// Some of a client's jobs, the newest first.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "JobList")]
pub struct Document {
    /// The jobs.
    #[schemars(length(max = MAX_LIMIT))]
    jobs: Vec<Entry>,
    /// `before` for the next part of the list; null at its end.
    next: Option<String>,
}

/// A job in its client's list.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "JobEntry")]
struct Entry {
    /// Its id (a ULID).
    id: String,
    kind: Kind,
    /// Its game; null for a batch with several.
    game: Option<String>,
    status: Status,
    /// The time of its request, in UTC.
    #[schemars(extend("format" = "date-time"))]
    created: String,
    /// Its path, as in `Location`.
    location: String,
}

/// The query parameters of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    kind: Option<Kind>,
    /// States, separated by commas.
    status: Option<String>,
    before: Option<Ulid>,
    limit: Option<usize>,
}

/// The query parameters of a cancellation.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cancelled {
    kind: Option<Kind>,
    before: Option<Ulid>,
}

/// `GET /v1/jobs`
pub async fn list(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    base: Option<Extension<BasePath>>,
    headers: HeaderMap,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Json])?;
    let expected = "kind (search, review or batch), status, before (a job's id) and limit, each at most once";
    let Query(Wanted { kind, status, before, limit }) =
        wanted.map_err(|rejection| Problem::of_query(rejection, expected))?;
    let limit = paging::size(limit)?;
    let statuses: Vec<&str> = status.iter().flat_map(|statuses| statuses.split(',')).collect();
    for &status in &statuses {
        let read = Status::deserialize(status.into_deserializer());
        read.map_err(|invalid: InvalidStatus| {
            Problem::of_query(format!("status: {invalid}"), "states separated by commas")
        })?;
    }
    let part = Part { client: &client, kind, before, limit };
    let (jobs, has_more) = part.select(&service, &statuses).await?;
    Ok(respond(jobs, has_more, base))
}

/// `DELETE /v1/jobs`: ends unfinished jobs, and reports their states once all have ended.
pub async fn cancel(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    base: Option<Extension<BasePath>>,
    headers: HeaderMap,
    wanted: Result<Query<Cancelled>, QueryRejection>,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Json])?;
    let expected = "kind (search, review or batch) and before (a job's id), each at most once";
    let Query(Cancelled { kind, before }) = wanted.map_err(|rejection| Problem::of_query(rejection, expected))?;
    let part = Part { client: &client, kind, before, limit: MAX_LIMIT };
    let (mut jobs, has_more) = part.select(&service, &UNFINISHED).await?;
    let named: Vec<JobId> = jobs.iter().map(|listed| listed.job.clone()).collect();
    if !named.is_empty() {
        // A separate task: a disconnect must not interrupt it halfway.
        let ending = tokio::spawn(cancel_all(service.clone(), named).in_current_span());
        ending.await.map_err(|_| Problem::new(Code::Internal, "the jobs could not be cancelled"))??;
        await_ends(&service, Part { limit: usize::MAX, ..part }, &mut jobs).await?;
    }
    Ok(respond(jobs, has_more, base))
}

/// Ends as many jobs as possible; fails if one cannot be ended.
async fn cancel_all(service: Service, jobs: Vec<JobId>) -> Result<(), Problem> {
    let ending = jobs.into_iter().map(|job| cancel_one(&service, job));
    let ended: Vec<Result<(), Problem>> = futures_util::stream::iter(ending).buffer_unordered(AT_ONCE).collect().await;
    ended.into_iter().collect()
}

/// Waits until cancelled jobs have ended, 5 s at most, and then reads their states from the whole list.
async fn await_ends(service: &Service, all: Part<'_>, jobs: &mut [Listed]) -> Result<(), Problem> {
    let named: HashSet<JobId> = jobs.iter().map(|listed| listed.job.clone()).collect();
    let (until, mut pause) = (Instant::now() + ENDING, PAUSE);
    loop {
        let (open, _) = all.select(service, &UNFINISHED).await?;
        if !open.iter().any(|listed| named.contains(&listed.job)) || Instant::now() >= until {
            break;
        }
        sleep(pause).await;
        pause *= 2;
    }
    let (now, _) = all.select(service, &[]).await?;
    let mut now: HashMap<JobId, Listed> = now.into_iter().map(|listed| (listed.job.clone(), listed)).collect();
    for listed in jobs {
        if let Some(newest) = now.remove(&listed.job) {
            *listed = newest;
        }
    }
    Ok(())
}

/// A part of a client's list.
#[derive(Clone, Copy)]
struct Part<'a> {
    client: &'a Client,
    kind: Option<Kind>,
    before: Option<Ulid>,
    limit: usize,
}

impl Part<'_> {
    /// The newest jobs in the given states (in any if empty), and whether there are earlier ones.
    async fn select(self, service: &Service, statuses: &[&str]) -> Result<(Vec<Listed>, bool), Problem> {
        let (client, before) = (self.client.to_string(), self.before.map(|before| before.to_string()));
        let selection = Selection {
            owner: self.client.owner(),
            client: &client,
            statuses,
            before: before.as_deref(),
            limit: self.limit.saturating_add(1),
        };
        let mut jobs = Vec::new();
        for kind in KINDS.into_iter().filter(|kind| self.kind.is_none_or(|wanted| wanted == *kind)) {
            jobs.extend(service.registry(kind).list(kind, selection).await?);
        }
        jobs.sort_unstable_by(|a, b| b.job.id.cmp(&a.job.id));
        let has_more = jobs.len() > self.limit;
        jobs.truncate(self.limit);
        Ok((jobs, has_more))
    }
}

/// Ends a job, whichever node runs it.
async fn cancel_one(service: &Service, job: JobId) -> Result<(), Problem> {
    match job.kind {
        Kind::Search => end::<SearchJob>(service, &job).await,
        Kind::Review => end::<ReviewJob>(service, &job).await,
        Kind::Batch => end::<BatchJob>(service, &job).await,
    }
}

fn respond(jobs: Vec<Listed>, has_more: bool, base: Option<Extension<BasePath>>) -> Response {
    let base = base.map(|Extension(base)| base).unwrap_or_default();
    let next = jobs.last().filter(|_| has_more).map(|last| last.job.id.to_string());
    no_store(Json(Document { jobs: jobs.into_iter().filter_map(|listed| Entry::of(&listed, &base)).collect(), next }))
}

impl Entry {
    /// `None` for a record of another version.
    fn of(Listed { job, game, status }: &Listed, base: &BasePath) -> Option<Self> {
        let status = Status::deserialize((&**status).into_deserializer()).map_err(|_: InvalidStatus| ()).ok()?;
        let created = OffsetDateTime::from(Ulid::from_string(&job.id).ok()?.datetime());
        let path = match job.kind {
            Kind::Search => SearchJob::PATH,
            Kind::Review => ReviewJob::PATH,
            Kind::Batch => BatchJob::PATH,
        };
        Some(Self {
            id: job.id.to_string(),
            kind: job.kind,
            game: game.as_deref().map(str::to_owned),
            status,
            created: created.format(&Rfc3339).ok()?,
            location: format!("{}{path}/{}", base.as_str(), job.id),
        })
    }
}
