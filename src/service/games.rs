//! The games.

use axum::Json;
use axum::extract::State;

use super::path::Name;
use super::problem::Problem;
use super::state::Service;
use tesuji_core::api::{self, Games};
use tesuji_core::catalog::About;

/// `GET /v1/games`
pub async fn list(State(service): State<Service>) -> Json<Games> {
    Json(Games::new(&service.catalog, service.policy))
}

/// `GET /v1/games/{game}`
pub async fn one(State(service): State<Service>, Name(name): Name) -> Result<Json<About>, Problem> {
    Ok(Json(api::game(&service.catalog, &name)?))
}
