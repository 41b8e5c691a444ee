//! Searches that outlive their request: asked for with `Prefer: respond-async` or with an `Idempotency-Key`, told and cancelled
//! under their id, and made again after a crash where there is a file to note them in.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use tokio::sync::{oneshot, watch};

use super::narration::{Narration, Prepared, message_of};
use crate::cluster::{Canceller, Kind};
use crate::registry::{JobId, Message, New, Pending, Registry};
use crate::scheduler::Reservation;
use crate::service::accept::Form;
use crate::service::drain::Phase;
use crate::service::guards::Client;
use crate::service::path::OwnJob;
use crate::service::problem::{Code, Problem};
use crate::service::response_mode::ResponseMode;
use crate::service::spans::{begun_in, in_job};
use crate::service::state::Service;
use crate::service::storage;
use crate::service::tasks::{End, NewTask, Run};
use crate::service::trace::request_id;
use crate::service::{jobs, tasks};
use crate::traces::current_parent;
use tesuji_core::api::{SearchRequest, parse};
use tesuji_core::search::StopReason;

/// `POST /v1/searches` of a search that is to be kept.
pub async fn post(
    service: Service,
    client: &Client,
    (form, headers): (Form, &HeaderMap),
    request: &SearchRequest,
    body: Bytes,
    mode: ResponseMode,
) -> Result<Response, Problem> {
    let prepared = Prepared::read(&service, request, Some(client.owner()))?;
    if let Some(cluster) = &service.cluster {
        let prepared = Arc::new(prepared);
        let (own, payer, payee) = (Arc::clone(&prepared), client.clone(), service.clone());
        let new = NewTask {
            kind: Kind::Search,
            id: prepared.id().to_owned(),
            class: prepared.class(),
            client: client.clone(),
            request_id: request_id(headers),
            body,
            first: Box::new(move |id| prepared.first_under(id)),
            charge: Box::new(move || Ok(own.charge(&payee, &payer)?.map(|charge| (0, charge)).into_iter().collect())),
        };
        let (id, found) = tasks::accept(&service, cluster, &mode, new).await?;
        let response = jobs::respond(&service.searches, found, form, &mode, ()).await?;
        return jobs::located(response, "/v1/searches", &id);
    }
    let (mut job, is_new) = enter(&service, client, &prepared, &body, mode.key.clone()).await?;
    let mut found = service.searches.find(&job).await?;
    if found.is_none() && !is_new {
        // The time of the search that had the key ended in this moment.
        (job, _) = enter(&service, client, &prepared, &body, mode.key.clone()).await?;
        found = service.searches.find(&job).await?;
    }
    let found = found.ok_or_else(|| Problem::new(Code::Internal, "the search is not kept"))?;
    let response = jobs::respond(&service.searches, found, form, &mode, ()).await?;
    jobs::located(response, "/v1/searches", &job.id)
}

/// Has a search begin, unless its key has been seen. Returns its name when it is safe, and whether it is new.
async fn enter(
    service: &Service,
    client: &Client,
    prepared: &Prepared,
    body: &Bytes,
    key: Option<String>,
) -> Result<(JobId, bool), Problem> {
    let own = JobId::new(client.owner(), prepared.id());
    let mut begun: Option<Narration> = None;
    let payer = client.to_string();
    let key_of = key.as_deref().map(|key| (key, &**body));
    let new = New { job: &own, key: key_of, payer: Some(&payer), first: prepared.first() };
    let (job, is_new) = jobs::enter(&service.searches, new, || {
        storage::check(&service.searches)?;
        let narration = prepared.begin(service, client, true)?;
        let canceller = narration.canceller();
        begun = Some(narration);
        Ok(Box::new(move || canceller.iter().for_each(Canceller::cancel)))
    })?;
    let Some(narration) = begun else { return Ok((job, is_new)) };
    // A task of its own, so that a client who hangs up now leaves nothing half done.
    let (safe, wait) = oneshot::channel();
    let (registry, body, trace) = (service.searches.clone(), body.clone(), current_parent());
    tokio::spawn(async move {
        let noted = registry.note(&own, trace.as_deref(), key.as_deref(), &body).await;
        let is_safe = noted.is_ok();
        // Whoever asked may have hung up.
        let _ = safe.send(noted);
        if is_safe {
            narrate(&registry, &own, narration, 0).await;
        }
    });
    wait.await.map_err(|_| Problem::new(Code::Internal, "the search could not be noted"))??;
    Ok((job, is_new))
}

/// Tells a search's messages to the registry, from a number on.
async fn narrate(registry: &Registry, job: &JobId, mut narration: Narration, seq: u64) -> End {
    while let Some(mut message) = narration.next().await {
        message.seq += seq;
        let told = message_of(&message);
        let is_cut = registry.is_shared() && message.stop_reason == Some(StopReason::Shutdown);
        if is_cut || narration.was_put_off() && registry.is_durable() {
            // It will be made by another node, or when the program runs again.
            registry.abandon(job);
            return End::HandedOver;
        } else if told.is_final {
            return conclude(registry, job, told, || message_of(&message.unstored())).await;
        }
        registry.tell(job, told);
    }
    End::HandedOver
}

/// Runs a search of the cluster.
pub async fn run(run: Run) -> End {
    let request = parse::<SearchRequest>(run.accepted.request.get().as_bytes()).map_err(Problem::from);
    let prepared = request.and_then(|mut request| {
        // What was told when it was accepted is so, on all nodes.
        let first: serde_json::Value = serde_json::from_str(run.accepted.first.text.get()).unwrap_or_default();
        request.seed = request.seed.or_else(|| first["engine"]["seed"].as_u64());
        Prepared::read(&run.service, &request, Some(&run.job.owner))
    });
    let prepared = match prepared {
        Ok(prepared) => prepared.with_id(&run.job.id),
        Err(_) => return run.fail(Kind::Search, "this node refuses the search").await,
    };
    let Run { service, job, accepted, mut charges, seq, stop, .. } = run;
    let place = tokio::select! {
        biased;
        () = stop.cancelled() => {
            charges.iter().for_each(|(_, charge)| charge.cancel());
            let mut cancelled = prepared.cancelled(StopReason::Cancelled);
            cancelled.seq = seq + 1;
            return tasks::stored(&service.searches, &job, message_of(&cancelled)).await;
        }
        place = service.scheduler.reserve() => place,
    };
    let Ok(place) = place else { return End::HandedOver };
    let context = service.traces.begin_job("search task", &job.id, accepted.trace.as_deref());
    let charge = charges.pop().map(|(_, charge)| charge);
    let narration = begun_in(context.as_ref(), || prepared.begin_reserved(&service, place, charge, true));
    let canceller = narration.canceller();
    let stopping = async {
        stop.cancelled().await;
        canceller.iter().for_each(Canceller::cancel);
        std::future::pending().await
    };
    let telling = in_job(context, narrate(&service.searches, &job, narration, seq));
    tokio::select! {
        end = telling => end,
        end = stopping => end,
    }
}

/// Tells the final message when it is stored; as long as that cannot be, another that is not final.
async fn conclude(registry: &Registry, job: &JobId, message: Message, unstored: impl FnOnce() -> Message) -> End {
    let finish = registry.finish(job, message);
    tokio::pin!(finish);
    let finished = tokio::select! {
        biased;
        finished = &mut finish => finished,
        _ = registry.failing() => {
            registry.tell(job, unstored());
            finish.await
        }
    };
    match finished {
        Ok(()) => End::Told,
        Err(error) => {
            tracing::warn!(%error, id = &*job.id, "a result could not be stored before the end: the search is made again");
            End::HandedOver
        }
    }
}

/// Makes the searches that the program's end cut short. When this returns, all can be asked about; what it returns begins each
/// when there is room.
pub fn resume(service: Service, pending: Vec<Pending>) -> impl Future<Output = ()> {
    let mut queue = Vec::new();
    for Pending { job, is_owned, key, trace, request } in pending {
        // Where nobody knows whose it is, it shares its tree with nobody.
        let scope = is_owned.then_some(&*job.owner);
        let read = parse(&request).map_err(Problem::from);
        let prepared = read.and_then(|request| Prepared::read(&service, &request, scope));
        let refused = |_: &_| tracing::error!(id = &*job.id, "a search from before is refused now");
        let Ok(prepared) = prepared.inspect_err(refused) else { continue };
        let prepared = prepared.with_id(&job.id);
        let stop = Arc::new(Stop::default());
        let own = Arc::clone(&stop);
        let cancel: Box<dyn Fn() + Send + Sync> = Box::new(move || own.cancel());
        let key = key.as_deref().map(|key| (key, &*request));
        // It was accepted before, with its key.
        let new = New { job: &job, key, payer: None, first: prepared.first() };
        let _ = service.searches.enter::<Infallible>(new, || Ok(cancel));
        queue.push(Resumed { job, prepared, stop, trace });
    }
    begin_all(service, queue)
}

/// A search from before that is to be made again.
struct Resumed {
    job: JobId,
    prepared: Prepared,
    stop: Arc<Stop>,
    /// The span of the request that asked for it.
    trace: Option<String>,
}

/// Begins searches one after the other, each when there is room.
async fn begin_all(service: Service, queue: Vec<Resumed>) {
    for Resumed { job, prepared, stop, trace } in queue {
        let registry = service.searches.clone();
        let place = tokio::select! {
            biased;
            () = stop.asked() => {
                let mut cancelled = prepared.cancelled(StopReason::Cancelled);
                // Number 0 has been told.
                cancelled.seq = 1;
                let message = message_of(&cancelled);
                let unstored = Message { is_final: false, seq: 0, ..prepared.first() };
                tokio::spawn(async move { conclude(&registry, &job, message, || unstored).await });
                continue;
            }
            () = service.drain.reached(Phase::Stopping) => None,
            place = reserve(&service) => place,
        };
        let Some(place) = place else {
            // It will be made when the program runs again.
            registry.abandon(&job);
            continue;
        };
        let context = service.traces.begin_again("search resumed", &job.id, trace.as_deref());
        let narration = begun_in(context.as_ref(), || prepared.begin_reserved(&service, place, None, true));
        stop.attach(narration.canceller());
        tokio::spawn(in_job(context, async move { narrate(&registry, &job, narration, 0).await }));
    }
}

/// A place for a search from before, when its result can be stored; none when the program ends first. While the server drains,
/// none begins.
async fn reserve(service: &Service) -> Option<Reservation> {
    loop {
        // While results cannot be stored, none are made that would have to wait for it.
        service.searches.available().await;
        let place = service.scheduler.reserve().await.ok()?;
        if service.drain.phase() > Phase::Serving {
            drop(place);
            service.drain.reached(Phase::Stopping).await;
            return None;
        }
        if storage::check(&service.searches).is_ok() {
            return Some(place);
        }
    }
}

/// Stops a search whether it has been submitted or not.
struct Stop {
    asked: watch::Sender<bool>,
    canceller: OnceLock<Canceller>,
}

impl Default for Stop {
    fn default() -> Self {
        Self { asked: watch::Sender::new(false), canceller: OnceLock::new() }
    }
}

impl Stop {
    fn cancel(&self) {
        self.asked.send_replace(true);
        self.canceller.get().into_iter().for_each(Canceller::cancel);
    }

    /// Ends when somebody has asked the search to stop.
    async fn asked(&self) {
        // The sender is at hand.
        let _ = self.asked.subscribe().wait_for(|asked| *asked).await;
    }

    /// The search has been submitted.
    fn attach(&self, canceller: Option<Canceller>) {
        if let Some(canceller) = canceller {
            let canceller = self.canceller.get_or_init(|| canceller);
            // In this order, and the other way round in `cancel`: one of them sees what the other has done.
            if *self.asked.borrow() {
                canceller.cancel();
            }
        }
    }
}

/// `GET /v1/searches/{id}`
pub async fn get(State(service): State<Service>, OwnJob(job): OwnJob, headers: HeaderMap) -> Result<Response, Problem> {
    jobs::tell(&service.searches, &headers, &job).await
}

/// `DELETE /v1/searches/{id}`
pub async fn cancel(
    State(service): State<Service>,
    OwnJob(job): OwnJob,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    jobs::end(&service, Kind::Search, &headers, &job).await
}

/// `GET /v1/searches/{id}/events`
pub async fn events(
    State(service): State<Service>,
    OwnJob(job): OwnJob,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    jobs::attend(&service.searches, &headers, &job).await
}
