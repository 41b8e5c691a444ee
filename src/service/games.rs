//! What is on offer.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Service;
use super::path::Name;
use super::problem::{Code, Problem};
use tesuji_core::catalog::{About, Policy};

/// The games, and what a search may spend on this server.
#[derive(Serialize)]
pub struct Games {
    games: Vec<About>,
    budget: Policy,
}

/// `GET /v1/games`
pub async fn list(State(service): State<Service>) -> Json<Games> {
    let games = service.catalog.names().filter_map(|name| service.catalog.about(name)).collect();
    Json(Games { games, budget: service.policy })
}

/// `GET /v1/games/{game}`
pub async fn one(State(service): State<Service>, Name(name): Name) -> Result<Json<About>, Problem> {
    service.catalog.about(&name).map(Json).ok_or_else(|| {
        let names: Vec<&str> = service.catalog.names().collect();
        Problem::new(Code::NotFound, format!("there is no game of this name; expected one of {}", names.join(", ")))
    })
}
