//! Reviews of whole games: every position searched in turn, at batch priority, and reported ply by ply.

mod job;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use super::accept::{Negotiable as _, ResponseFormat};
use super::body::JsonFor;
use super::guards::Client;
use super::jobs::{JobRequest, Work as _, accept, document, with_location};
use super::problem::Problem;
use super::response_mode::ResponseMode;
use super::state::Service;
use super::trace::request_id;
use tesuji_core::api::{ReviewRequest, Reviewing};

pub use self::job::ReviewJob;

/// `POST /v1/reviews`
pub async fn post(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    JsonFor { headers, bytes, body: request, .. }: JsonFor<ReviewRequest>,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Json])?;
    let catalog = service.library.catalog(client.owner());
    let review = Reviewing::new(Ulid::generate().to_string(), request, &catalog, &service.policy)?;
    let job = ReviewJob::from(review);
    let first = job.first(job.id());
    let mode = ResponseMode { is_async: true, ..ResponseMode::default() };
    let job_request = JobRequest { client, catalog, mode, request_id: request_id(&headers), body: bytes };
    let (job, _) = accept(&service, &job_request, CancellationToken::new(), job).await?;
    with_location((StatusCode::ACCEPTED, document(&first)).into_response(), ReviewJob::PATH, &job.id)
}
