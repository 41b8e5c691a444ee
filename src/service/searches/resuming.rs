//! Searches interrupted by the end of the process, repeated after a restart.

use std::convert::Infallible;

use tokio_util::sync::CancellationToken;

use super::job::{SearchJob, Start};
use super::narration::Prepared;
use crate::registry::{NewJob, Pending};
use crate::scheduler::Reservation;
use crate::service::drain::Phase;
use crate::service::jobs::{Run, Work as _, canceller};
use crate::service::problem::Problem;
use crate::service::spans::in_job;
use crate::service::state::Service;
use crate::service::storage;
use tesuji_core::api::parse;

/// Registers the interrupted searches: on return, all can be polled. The returned future starts each once there is room.
pub fn resume(service: Service, pending: Vec<Pending>) -> impl Future<Output = ()> {
    let mut queue = Vec::new();
    for Pending { job, client, key, trace, request } in pending {
        let read = parse(&request).map_err(Problem::from);
        let catalog = service.library.catalog(&job.owner);
        let prepared = read.and_then(|request| Prepared::read(&service, &catalog, &request, &job.owner));
        let refused = |_: &_| tracing::error!(id = &*job.id, "a stored search cannot be resumed");
        let Ok(prepared) = prepared.inspect_err(refused) else { continue };
        let search = SearchJob::from(prepared.with_id(&job.id));
        let stop = CancellationToken::new();
        let key = key.as_deref().map(|key| (key, &*request));
        // It was accepted before, with its key.
        let first = search.first(&job.id);
        let new = NewJob { job: &job, key, client: Some(&client), is_accepted: true, game: search.game(), first };
        let _ = service.searches.enter::<Infallible>(new, || Ok(canceller(&stop)));
        let service = service.clone();
        let run =
            Run { service, job, catalog, charges: Vec::new(), ended: Vec::new(), seq: 0, stop, is_pollable: true };
        queue.push((search, run, trace));
    }
    begin_all(service, queue)
}

/// Starts searches one after the other, each once there is room.
async fn begin_all(service: Service, queue: Vec<(SearchJob, Run, Option<String>)>) {
    for (mut search, run, trace) in queue {
        let start = tokio::select! {
            biased;
            // Its run ends at once.
            () = run.stop.cancelled() => Some(Start::Waiting),
            () = service.drain.reached(Phase::Stopping) => None,
            place = reserve(&service) => place.map(Start::Reserved),
        };
        let Some(start) = start else {
            // It runs again after the next restart.
            run.hand_over();
            continue;
        };
        search.start = start;
        let context = service.traces.begin_resumed("search resumed", &run.job.id, trace.as_deref());
        tokio::spawn(in_job(context, search.run(run)));
    }
}

/// Waits for a place for an interrupted search, and until its result can be stored; `None` if the process ends first. No search
/// begins while the server drains.
async fn reserve(service: &Service) -> Option<Reservation> {
    loop {
        // No search begins while its result could not be stored.
        service.searches.storage_available().await;
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
