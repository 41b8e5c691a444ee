//! Many searches in one request: admitted, charged and cancelled together, searched a few at a time at batch priority, and
//! reported one by one or together. A refused search does not refuse the others.

mod job;
mod request;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub use self::request::BatchRequest;
use super::body::JsonFor;
use super::guards::Client;
use super::jobs::{JobRequest, start};
use super::problem::Problem;
use super::response_mode::ResponseMode;
use super::state::Service;
use super::trace::request_id;

pub use self::job::BatchJob;

/// `POST /v1/batches`
pub async fn post(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    JsonFor { format, headers, bytes, body }: JsonFor<BatchRequest>,
) -> Result<Response, Problem> {
    let (catalog, mode) = (service.library.catalog(client.owner()), ResponseMode::read(&headers)?);
    let batch = body.check(&catalog, service.guards.batch_bytes())?;
    let job_request = JobRequest { client, catalog, mode, request_id: request_id(&headers), body: bytes };
    let job = BatchJob::new(&service, &job_request, &batch).await;
    start(&service, &job_request, format, job).await
}
