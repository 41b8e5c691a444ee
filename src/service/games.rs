//! The games: those on offer, and uploads.

use axum::Extension;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Deserialize;

use super::body::Raw;
use super::guards::Client;
use super::path::Name;
use super::problem::{Code, Problem};
use super::state::Service;
use crate::cluster::Added;
use crate::library::UploadError;
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
    let Query(Parameters { dry_run }) =
        parameters.map_err(|rejection| Problem::of_query(rejection, "`dry_run`, true or false, or no parameters"))?;
    let adding = add(service.clone(), client, name, bytes, dry_run);
    let (replaced, about) = with_change_lock(&service, adding).await?;
    let status = if replaced || dry_run { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(about)).into_response())
}

/// Adds a game, or only checks it. Returns its description, and whether it replaces another version.
async fn add(
    service: Service,
    client: Client,
    name: String,
    bytes: Bytes,
    dry_run: bool,
) -> Result<(bool, About), Problem> {
    let library = service.library;
    let (own, owner, named, file) = (library.clone(), client.clone(), name.clone(), bytes.clone());
    let checked = blocking(move || own.check(owner.owner(), &named, &file)).await?;
    let (about, mut replaces) = (checked.about.clone(), checked.replaces);
    if dry_run {
        return Ok((replaces, about));
    }
    if let Some(cluster) = &service.cluster {
        let most = library.most_uploads();
        match cluster.add_game(client.owner(), &name, &bytes, most).await? {
            Added::TooMany => return Err(UploadError::TooMany(most).into()),
            added => replaces = added == Added::Replaced,
        }
    }
    blocking(move || {
        library.store(client.owner(), &name, &bytes)?;
        library.add(client.owner(), checked);
        Ok(())
    })
    .await?;
    Ok((replaces, about))
}

/// `DELETE /v1/games/{game}`
pub async fn remove(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    Name(name): Name,
) -> Result<StatusCode, Problem> {
    let Service { library, cluster, .. } = service.clone();
    let removing = async move {
        // Another node may have added it just now.
        let is_elsewhere = match cluster.filter(|_| library.takes_uploads()) {
            Some(cluster) => cluster.remove_game(client.owner(), &name).await?,
            None => false,
        };
        blocking(move || {
            if !is_elsewhere {
                library.check_removal(client.owner(), &name)?;
            }
            library.remove(client.owner(), &name)
        })
        .await
    };
    with_change_lock(&service, removing).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the library, in a separate task: a disconnect must not interrupt it halfway. Uploads are checked one after the
/// other, so that they use one core at most.
async fn with_change_lock<T: Send + 'static>(
    service: &Service,
    change: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    let lock = service.library.lock_changes().await;
    let change = async move {
        let changed = change.await;
        drop(lock);
        changed
    };
    tokio::spawn(change).await.map_err(|_| Problem::new(Code::Internal, "the game could not be checked"))?
}

/// Runs blocking work of the library.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, UploadError> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::new(Code::Internal, "the game could not be checked"))?.map_err(Problem::from)
}

impl From<UploadError> for Problem {
    fn from(refused: UploadError) -> Self {
        let detail = refused.to_string();
        match refused {
            UploadError::Off | UploadError::TooMany(_) | UploadError::NameTaken(_) | UploadError::NotUploaded(_) => {
                Self::new(Code::Conflict, detail)
            }
            UploadError::Script | UploadError::Invalid(_) => Self::at(Code::InvalidGame, "", detail),
            UploadError::Unknown => Self::new(Code::NotFound, detail),
            UploadError::Storage(_) => Self::new(Code::StorageUnavailable, detail).retry_after(5),
        }
    }
}
