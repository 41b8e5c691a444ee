//! From a request to the first message of its job, which runs here at once or waits in the cluster's queue.

use std::sync::Arc;

use axum::response::Response;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::queueing;
use super::reporting::{conflict, respond, with_location};
use super::work::{JobRequest, Run, Work, canceller};
use crate::job::JobId;
use crate::registry::{FoundJob, NewJob, Registration, Registry};
use crate::service::accept::ResponseFormat;
use crate::service::guards::Charges;
use crate::service::problem::{Code, Problem};
use crate::service::state::Service;
use crate::service::storage::{self, full};
use crate::traces::current_parent;

/// `Retry-After`, in seconds, when this server runs the maximum number of jobs of a kind.
const RETRY_AFTER: u32 = 5;

/// Accepts work and responds in the requested format. Work that cannot be polled later ends when the client disconnects.
///
/// # Errors
/// When the work is refused, fails, or has no reportable result.
pub async fn start<W: Work>(
    service: &Service,
    job_request: &JobRequest,
    format: ResponseFormat,
    work: W,
) -> Result<Response, Problem> {
    let stop = CancellationToken::new();
    let is_pollable = job_request.mode.is_pollable();
    let guard = (!is_pollable).then(|| stop.clone().drop_guard());
    let (job, found) = accept(service, job_request, stop, work).await?;
    let response = respond(service.registry(W::KIND), found, format, &job_request.mode, guard).await?;
    if is_pollable { with_location(response, W::PATH, &job.id) } else { Ok(response) }
}

/// Accepts work and charges its client, unless the idempotency key leads to an earlier job. Returns once the job is stored,
/// with its name and messages. `stop` ends a job that runs here.
///
/// # Errors
/// When the work is refused, or the key belongs to a different request.
pub async fn accept<W: Work>(
    service: &Service,
    job_request: &JobRequest,
    stop: CancellationToken,
    work: W,
) -> Result<(JobId, FoundJob), Problem> {
    match &service.cluster {
        Some(cluster) if job_request.mode.is_pollable() => queueing::accept(service, cluster, job_request, work).await,
        _ => accept_here(service, job_request, stop, work).await,
    }
}

/// Accepts work that runs here at once.
async fn accept_here<W: Work>(
    service: &Service,
    job_request: &JobRequest,
    stop: CancellationToken,
    mut work: W,
) -> Result<(JobId, FoundJob), Problem> {
    let registry = service.registry(W::KIND);
    check_room::<W>(registry)?;
    let (job, is_pollable, client) = (
        JobId::new(W::KIND, job_request.client.owner(), work.id()),
        job_request.mode.is_pollable(),
        job_request.client.to_string(),
    );
    let (first, game, mut charges) = (work.first(&job.id), work.game().map(str::to_owned), Charges::new());
    // Twice: the job of a key can expire before it is looked up.
    for _ in 0..2 {
        let key = job_request.mode.key.as_deref().map(|key| (key, &*job_request.body));
        // Only a job that can be polled leaves a result.
        let (client, game) = (is_pollable.then_some(&*client), game.as_deref());
        let new = NewJob { job: &job, key, client, is_accepted: false, game, first: first.clone() };
        let registration = registry.enter(new, || {
            if is_pollable {
                storage::check(registry)?;
            }
            charges = work.charge(service, &job_request.client)?;
            work.admit(service, &mut charges)?;
            Ok::<_, Problem>(canceller(&stop))
        })?;
        match registration {
            Registration::New => {
                let live = registry.live_messages(&job).map(FoundJob::Live);
                let found = live.ok_or_else(|| Problem::new(Code::Internal, "the job has not started"))?;
                let run = Run {
                    service: service.clone(),
                    job: job.clone(),
                    catalog: Arc::clone(&job_request.catalog),
                    charges,
                    ended: Vec::new(),
                    seq: 0,
                    stop,
                    is_pollable,
                };
                store_and_run(run, job_request, work).await?;
                return Ok((job, found));
            }
            Registration::Duplicate(known) => {
                if let Some(found) = registry.find(&known).await? {
                    return Ok((known, found));
                }
            }
            Registration::KeyConflict => return Err(conflict()),
            Registration::ShareFull(wait) => return Err(full(wait)),
        }
    }
    Err(Problem::new(Code::Internal, "the job was not stored"))
}

/// Refuses work if the server runs the maximum number of jobs of this kind.
fn check_room<W: Work>(registry: &Registry) -> Result<(), Problem> {
    if registry.count() < W::MOST {
        return Ok(());
    }
    let (most, name) = (W::MOST, W::PATH.trim_start_matches("/v1/"));
    let detail = format!("{most} {name} are running or waiting, the maximum of this server");
    Err(Problem::new(Code::Overloaded, detail).retry_after(RETRY_AFTER))
}

/// Stores a registered job and runs it. Returns once it is stored.
async fn store_and_run<W: Work>(run: Run, job_request: &JobRequest, work: W) -> Result<(), Problem> {
    let (key, body, trace) = (job_request.mode.key.clone(), job_request.body.clone(), current_parent());
    let (sender, wait) = oneshot::channel();
    // A separate task: a disconnect must not interrupt it halfway.
    let storing = async move {
        let stored = run.registry().persist(&run.job, trace.as_deref(), key.as_deref(), &body).await;
        let is_stored = stored.is_ok();
        // The client may have disconnected.
        let _ = sender.send(stored);
        if is_stored {
            run.execute(work, trace.as_deref()).await;
        }
    };
    tokio::spawn(storing.in_current_span());
    Ok(wait.await.map_err(|_| Problem::new(Code::Internal, "the job could not be stored"))??)
}
