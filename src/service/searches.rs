//! The main job: a game state and a budget in, the chosen move and statistics for every child out.

mod job;
pub mod narration;
mod resuming;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderName;
use axum::response::Response;

use self::narration::Prepared;
use super::accept::ResponseFormat;
use super::body::JsonFor;
use super::caching::no_store;
use super::guards::Client;
use super::jobs::{JobRequest, start};
use super::problem::Problem;
use super::response_mode::ResponseMode;
use super::state::Service;
use super::stream;
use super::trace::request_id;
use crate::scheduler::Class;
use tesuji_core::api::{Priority, SearchRequest};

pub use self::job::SearchJob;
pub use self::resuming::resume;

impl From<Priority> for Class {
    fn from(priority: Priority) -> Self {
        match priority {
            Priority::Interactive => Self::Interactive,
            Priority::Batch => Self::Batch,
        }
    }
}

/// `POST /v1/searches`
pub async fn search(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    JsonFor { format, headers, bytes, body: request }: JsonFor<SearchRequest>,
) -> Result<Response, Problem> {
    let mode = ResponseMode::read(&headers)?;
    let catalog = service.library.catalog(client.owner());
    let prepared = Prepared::read(&service, &catalog, &request, client.owner())?;
    if mode.is_pollable() {
        let job_request = JobRequest { client, catalog, mode, request_id: request_id(&headers), body: bytes };
        return start(&service, &job_request, format, SearchJob::from(prepared)).await;
    }
    let charge = prepared.charge(&service, &client)?;
    let source = prepared.begin(&service, charge, format != ResponseFormat::Json)?;
    match format {
        ResponseFormat::Json => {
            let response = source.result().await?;
            let timing = [(HeaderName::from_static("server-timing"), response.server_timing())];
            Ok(no_store((timing, axum::Json(response))))
        }
        ResponseFormat::Events => Ok(no_store(stream::events(source.messages()))),
        ResponseFormat::Lines => Ok(no_store(stream::lines(source.messages()))),
    }
}
