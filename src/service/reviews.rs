//! Whole games reviewed move by move: every position searched in turn, at the back of the queue, reported ply by ply.

use std::collections::VecDeque;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use ulid::Ulid;

use super::accept::Form;
use super::body::JsonFor;
use super::guards::{Charge, Client};
use super::jobs;
use super::metering::observer;
use super::path::OwnJob;
use super::problem::Problem;
use super::response_mode::ResponseMode;
use super::spans::{Known, in_job};
use super::state::Service;
use super::tasks::{self, End, NewTask, Run};
use super::trace::request_id;
use crate::cluster::Kind;
use crate::registry::{JobId, Message, New};
use crate::scheduler::{Class, Failure, Submission};
use tesuji_core::api::review::Document;
use tesuji_core::api::{ReviewRequest, Reviewing, Status, parse};
use tesuji_core::search::{Report, StopReason};

/// The most reviews under way.
const MOST_REVIEWS: usize = 64;

/// Why a review ends before its game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Cancelled,
    ShutDown,
    Failed,
}

/// A review under way.
struct Task {
    service: Service,
    job: JobId,
    review: Reviewing,
    /// What the positions that have not been searched were charged with.
    charges: VecDeque<Charge>,
    stop: CancellationToken,
}

/// `POST /v1/reviews`
pub async fn post(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    JsonFor { headers, bytes, body: request, .. }: JsonFor<ReviewRequest>,
) -> Result<Response, Problem> {
    Form::choose(&headers, &[Form::Json])?;
    let review = Reviewing::new(Ulid::generate().to_string(), request, &service.catalog, &service.policy)?;
    let (id, first) = (review.document().id().to_owned(), message_of(review.document()));
    let charge = || {
        let plans = std::iter::repeat_n(review.plan(), review.positions());
        service.guards.charge(&client, plans, "/budget")
    };
    if let Some(cluster) = &service.cluster {
        tasks::check(cluster)?;
        let charges = charge()?.into_iter().enumerate().collect();
        let own = first.clone();
        let new = NewTask {
            kind: Kind::Review,
            id: id.clone(),
            class: Class::Batch,
            client: client.clone(),
            request_id: request_id(&headers),
            body: bytes,
            first: Box::new(move |_| own.clone()),
            // Without a key it is certain to be new.
            charge: Box::new(|| Ok(charges)),
        };
        let mode = ResponseMode { is_async: true, ..ResponseMode::default() };
        tasks::accept(&service, cluster, &mode, new).await?;
    } else {
        jobs::check_room(&service.reviews, MOST_REVIEWS, "reviews")?;
        let (stop, job, payer) = (CancellationToken::new(), JobId::new(client.owner(), &id), client.to_string());
        let new = New { job: &job, key: None, payer: Some(&payer), first: first.clone() };
        let mut charges = VecDeque::new();
        jobs::enter(&service.reviews, new, || {
            charges = charge()?.into();
            Ok(jobs::canceller(&stop))
        })?;
        let context = service.traces.begin_job("review", &id, None);
        tokio::spawn(in_job(context, Task { service, job, review, charges, stop }.run()).in_current_span());
    }
    jobs::located((StatusCode::ACCEPTED, jobs::document(&first)).into_response(), "/v1/reviews", &id)
}

/// `GET /v1/reviews/{id}`
pub async fn get(State(service): State<Service>, OwnJob(job): OwnJob, headers: HeaderMap) -> Result<Response, Problem> {
    jobs::tell(&service.reviews, &headers, &job).await
}

/// `DELETE /v1/reviews/{id}`
pub async fn cancel(
    State(service): State<Service>,
    OwnJob(job): OwnJob,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    jobs::end(&service, Kind::Review, &headers, &job).await
}

/// `GET /v1/reviews/{id}/events`
pub async fn events(
    State(service): State<Service>,
    OwnJob(job): OwnJob,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    jobs::attend(&service.reviews, &headers, &job).await
}

/// Runs a review of the cluster.
pub async fn run(run: Run) -> End {
    let request = parse::<ReviewRequest>(run.accepted.request.get().as_bytes());
    let Run { service, job, .. } = &run;
    let review =
        request.and_then(|request| Reviewing::new(job.id.to_string(), request, &service.catalog, &service.policy));
    match review {
        Ok(review) => {
            let context = service.traces.begin_job("review", &job.id, run.accepted.trace.as_deref());
            let review = review.numbered_from(run.seq);
            let charges = run.charges.into_iter().map(|(_, charge)| charge).collect();
            let task = Task { service: run.service, job: run.job, review, charges, stop: run.stop };
            in_job(context, task.run()).await
        }
        Err(_) => run.fail(Kind::Review, "this node refuses the review").await,
    }
}

impl Task {
    /// Looks at one position after the other, and tells the registry after each.
    async fn run(mut self) -> End {
        let status = loop {
            let found = match self.look().await {
                Ok(found) => found,
                Err(Cut::Failed) => break Status::Failed,
                Err(Cut::ShutDown) if self.service.reviews.is_shared() => return End::HandedOver,
                Err(Cut::Cancelled | Cut::ShutDown) => break Status::Cancelled,
            };
            let played = self.review.add(found);
            if self.review.is_complete() {
                break Status::Done;
            }
            self.service.reviews.tell(&self.job, message_of(self.review.document()));
            if let Err(illegal) = played {
                tracing::error!(%illegal, id = &*self.job.id, "a move that was legal is not");
                break Status::Failed;
            }
        };
        // Of positions that were not searched.
        self.charges.iter().for_each(Charge::cancel);
        self.review.end(status);
        tasks::stored(&self.service.reviews, &self.job, message_of(self.review.document())).await
    }

    /// What is found in the position that the game has come to; nothing where the game is over.
    async fn look(&mut self) -> Result<Option<Report<String>>, Cut> {
        if self.review.is_over() {
            return Ok(None);
        }
        let reservation = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Err(Cut::Cancelled),
            reservation = self.service.scheduler.reserve() => reservation.map_err(|_| Cut::ShutDown)?,
        };
        let policy = self.service.policy_now();
        // What was granted at the start of the game is granted later.
        let search = self.review.search(&policy).map_err(|_| Cut::Failed)?;
        let id = Known::Review(self.job.id.to_string());
        let observer = Some(observer(&self.service, self.review.game(), id, search.plan(), self.charges.pop_front()));
        let mut ticket = reservation.submit(Submission { class: Class::Batch, observer, ..Submission::new(search) });
        let result = tokio::select! {
            result = &mut ticket => result,
            () = self.stop.cancelled() => {
                ticket.cancel();
                return Err(Cut::Cancelled);
            }
        };
        match result {
            Ok(finished) if finished.report.stop == StopReason::Shutdown => Err(Cut::ShutDown),
            Ok(finished) => Ok(Some(finished.report)),
            Err(Failure::ShutDown) => Err(Cut::ShutDown),
            Err(Failure::NeverRan) => Err(Cut::Cancelled),
            Err(failure) => {
                tracing::error!(%failure, game = self.review.game(), id = &*self.job.id, "a review's search failed");
                Err(Cut::Failed)
            }
        }
    }
}

/// A review as it is sent.
fn message_of(document: &Document) -> Message {
    // Texts and finite numbers only.
    let text = serde_json::to_string(document).expect("messages are JSON").into();
    let status = document.status();
    Message {
        seq: document.seq(),
        is_final: status.is_final(),
        failed: status == Status::Failed,
        lasts: false,
        text,
        parts: None,
    }
}
