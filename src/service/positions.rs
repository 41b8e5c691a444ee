//! Rules without a search.

use axum::Extension;
use axum::extract::State;

use super::body::Json;
use super::guards::Client;
use super::problem::Problem;
use super::state::Service;
use tesuji_core::api::{PositionRequest, PositionResponse};

/// `POST /v1/positions`
pub async fn describe(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    Json(request): Json<PositionRequest>,
) -> Result<axum::Json<PositionResponse>, Problem> {
    Ok(axum::Json(request.describe(&service.library.catalog(client.owner()))?))
}
