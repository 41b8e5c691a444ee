//! Many searches in one request: admitted as one, searched as batch work a few at a time, reported one by one as they end or
//! collected, cancelled as one. A search that is refused does not refuse the others.

mod request;
mod task;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use self::request::{Batch, BatchRequest};
use self::task::{Progress, Searcher, Task};
use super::accept::Form;
use super::body::JsonFor;
use super::guards::{Charges, Client};
use super::jobs;
use super::path::OwnJob;
use super::problem::{Code, Problem};
use super::response_mode::ResponseMode;
use super::spans::in_job;
use super::state::Service;
use super::tasks::{self, End, NewTask, Run};
use super::trace::request_id;
use crate::cluster::{Cluster, Kind};
use crate::registry::{JobId, New};
use crate::scheduler::Class;
use tesuji_core::api::batch::Item;
use tesuji_core::api::{SearchRequest, parse};
use tesuji_core::catalog::Plan;

/// The most batches under way.
const MOST_BATCHES: usize = 64;

/// `POST /v1/batches`
pub async fn post(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    JsonFor { form, headers, bytes, body }: JsonFor<BatchRequest>,
) -> Result<Response, Problem> {
    let mode = ResponseMode::read(&headers)?;
    let batch = body.check(service.guards.batch_bytes())?;
    let is_kept = mode.is_kept();
    if let Some(cluster) = service.cluster.clone().filter(|_| is_kept) {
        return post_kept(&service, &cluster, client, (form, request_id(&headers)), &batch, bytes, mode).await;
    }
    jobs::check_room(&service.batches, MOST_BATCHES, "batches")?;
    let request_id = request_id(&headers);
    let stop = CancellationToken::new();
    let searcher = Searcher { service, owner: client.owner().to_owned(), request_id, stop: stop.clone() };
    let Read { ended, open, plans } = read(&searcher, &batch, |_| false).await;
    let progress = Progress::new(batch.count()).with(&ended);
    let service = searcher.service.clone();
    let (own, payer) = (JobId::new(client.owner(), progress.id()), client.to_string());
    let key = mode.key.as_deref().map(|key| (key, &*bytes));
    // One that nobody can ask for again leaves no result.
    let new = New { job: &own, key, payer: is_kept.then_some(&*payer), first: progress.message() };
    let mut charges = Charges::new();
    let (job, is_new) = jobs::enter(&service.batches, new, || {
        charges = charge(&service, &client, &places(&open), &plans)?;
        Ok(jobs::canceller(&stop))
    })?;
    // Before it begins: one that nobody asks for again is gone at its end.
    let found = service.batches.find(&job).await?;
    let found = found.ok_or_else(|| Problem::new(Code::Internal, "the batch is not kept"))?;
    if is_new {
        let context = service.traces.begin_job("batch", &job.id, None);
        let task = Task { job: job.clone(), progress, ended: Vec::new(), open, charges, searcher, is_kept };
        tokio::spawn(in_job(context, task.run()).in_current_span());
    }
    if is_kept {
        let response = jobs::respond(&service.batches, found, form, &mode, ()).await?;
        return jobs::located(response, "/v1/batches", &job.id);
    }
    // Whoever hangs up cancels it.
    jobs::respond(&service.batches, found, form, &mode, stop.drop_guard()).await
}

/// The same of a batch that any node of the cluster is to run.
async fn post_kept(
    service: &Service,
    cluster: &Cluster,
    client: Client,
    (form, request_id): (Form, Option<String>),
    batch: &Batch,
    body: Bytes,
    mode: ResponseMode,
) -> Result<Response, Problem> {
    let owner = client.owner().to_owned();
    let stop = CancellationToken::new();
    let searcher = Searcher { service: service.clone(), owner, request_id: request_id.clone(), stop };
    let Read { ended, open, plans } = read(&searcher, batch, |_| false).await;
    let progress = Progress::new(batch.count()).with(&ended);
    let (own, payer, places) = (service.clone(), client.clone(), places(&open));
    let new = NewTask {
        kind: Kind::Batch,
        id: progress.id().to_owned(),
        class: Class::Batch,
        client,
        request_id,
        body,
        first: Box::new(move |id| progress.clone().with_id(id).message()),
        charge: Box::new(move || charge(&own, &payer, &places, &plans)),
    };
    let (id, found) = tasks::accept(service, cluster, &mode, new).await?;
    let response = jobs::respond(&service.batches, found, form, &mode, ()).await?;
    jobs::located(response, "/v1/batches", &id)
}

fn places(open: &[(usize, SearchRequest)]) -> Vec<usize> {
    open.iter().map(|&(place, _)| place).collect()
}

/// Charges the searches of these places to a client, all or none.
fn charge(service: &Service, client: &Client, places: &[usize], plans: &[Plan]) -> Result<Charges, Problem> {
    let charges = service.guards.charge(client, plans, "/searches")?;
    Ok(places.iter().copied().zip(charges).collect())
}

/// Runs a batch of the cluster: what has not ended before.
pub async fn run(run: Run) -> End {
    let request = parse::<BatchRequest>(run.accepted.request.get().as_bytes());
    let Ok(batch) = request.and_then(|request| request.check(run.service.guards.batch_bytes())) else {
        return run.fail(Kind::Batch, "this node refuses the batch").await;
    };
    let Run { service, job, accepted, charges, ended: stored, stop, .. } = run;
    let (trace, owner) = (accepted.trace, job.owner.to_string());
    let searcher = Searcher { service, owner, request_id: accepted.request_id, stop };
    let mut progress = Progress::new(batch.count()).with_id(&job.id);
    stored.into_iter().for_each(|part| progress.add_part(part));
    let Read { ended, open, .. } = read(&searcher, &batch, |index| progress.has(index)).await;
    let context = searcher.service.traces.begin_job("batch", &job.id, trace.as_deref());
    in_job(context, Task { job, progress, ended, open, charges, searcher, is_kept: true }.run()).await
}

/// The searches of a batch, checked.
#[derive(Default)]
struct Read {
    /// Those that have nothing to search.
    ended: Vec<Item>,
    open: Vec<(usize, SearchRequest)>,
    /// What the open ones are granted.
    plans: Vec<Plan>,
}

/// Checks the searches of a batch, apart from those that have ended before. Those that are refused have ended, and so have
/// those of finished games.
async fn read(searcher: &Searcher, batch: &Batch, has_ended: impl Fn(usize) -> bool) -> Read {
    let mut read = Read::default();
    for (index, search) in batch.searches().enumerate() {
        if has_ended(index) {
            continue;
        }
        // Each may replay a long game: others have this thread between two of them.
        tokio::task::yield_now().await;
        match search.map_err(Problem::from).and_then(|search| Ok((searcher.read(&search)?, search))) {
            Err(problem) => read.ended.push(searcher.refuse(index, &problem)),
            Ok((prepared, _)) if prepared.is_over() => read.ended.push(Item::found(index, prepared.into_response())),
            Ok((prepared, search)) => {
                read.plans.push(prepared.plan().clone());
                read.open.push((index, search));
            }
        }
    }
    read
}

/// `GET /v1/batches/{id}`
pub async fn get(State(service): State<Service>, OwnJob(job): OwnJob, headers: HeaderMap) -> Result<Response, Problem> {
    jobs::tell(&service.batches, &headers, &job).await
}

/// `DELETE /v1/batches/{id}`
pub async fn cancel(
    State(service): State<Service>,
    OwnJob(job): OwnJob,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    jobs::end(&service, Kind::Batch, &headers, &job).await
}

/// `GET /v1/batches/{id}/events`
pub async fn events(
    State(service): State<Service>,
    OwnJob(job): OwnJob,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    jobs::attend(&service.batches, &headers, &job).await
}
