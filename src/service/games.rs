//! The games: those on offer, and uploads.

use axum::Extension;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

use super::body::Raw;
use super::guards::Client;
use super::path::Name;
use super::problem::{Code, Problem};
use super::state::Service;
use crate::library::{Refused, Uploaded};
use tesuji_core::api::{self, Games};
use tesuji_core::catalog::About;

/// The query parameters of an upload.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Check the game without adding it.
    #[serde(default)]
    dry_run: bool,
}

/// `GET /v1/games`
pub async fn list(State(service): State<Service>, Extension(client): Extension<Client>) -> Json<Games> {
    Json(Games::new(&service.library.catalog(client.owner()), service.policy))
}

/// `GET /v1/games/{game}`
pub async fn one(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    Name(name): Name,
) -> Result<Json<About>, Problem> {
    Ok(Json(api::game(&service.library.catalog(client.owner()), &name)?))
}

/// `PUT /v1/games/{game}`
pub async fn upload(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    Name(name): Name,
    parameters: Result<Query<Parameters>, QueryRejection>,
    Raw { bytes, .. }: Raw,
) -> Result<Response, Problem> {
    let Query(Parameters { dry_run }) = parameters.map_err(|rejection| {
        Problem::at(
            Code::InvalidRequest,
            "",
            format!("{rejection}: expected `dry_run`, true or false, or no parameters"),
        )
    })?;
    let Uploaded { about, replaced } =
        of_library(&service, move |service| service.library.upload(client.owner(), &name, &bytes, dry_run)).await?;
    let status = if replaced || dry_run { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(about)).into_response())
}

/// `DELETE /v1/games/{game}`
pub async fn remove(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    Name(name): Name,
) -> Result<StatusCode, Problem> {
    of_library(&service, move |service| service.library.remove(client.owner(), &name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the library on a thread that may wait. Uploads are checked one after the other, so that they use one core at most.
async fn of_library<T: Send + 'static>(
    service: &Service,
    work: impl FnOnce(&Service) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Problem> {
    let turn = service.library.turn().await;
    let own = service.clone();
    let done = tokio::task::spawn_blocking(move || work(&own)).await;
    drop(turn);
    done.map_err(|_| Problem::new(Code::Internal, "the game could not be checked"))?.map_err(Problem::from)
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let detail = refused.to_string();
        match refused {
            Refused::Off | Refused::TooMany(_) | Refused::NameTaken(_) => Self::new(Code::Conflict, detail),
            Refused::Script | Refused::Invalid(_) => Self::at(Code::InvalidGame, "", detail),
            Refused::Unknown => Self::new(Code::NotFound, detail),
            Refused::Storage(_) => Self::new(Code::StorageUnavailable, detail).retry_after(5),
        }
    }
}
