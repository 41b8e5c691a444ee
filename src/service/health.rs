//! Is it alive, is it ready, which version.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::cluster::Connection;
use super::drain::{Phase, shutting_down};
use super::problem::{Code, Problem};
use super::state::Service;
use super::storage;

/// A word about the server's state.
#[derive(Serialize)]
pub struct Status {
    status: &'static str,
}

/// `GET /livez`: the process answers.
pub async fn live() -> Json<Status> {
    Json(Status { status: "ok" })
}

/// What a server that is ready says of itself.
#[derive(Serialize)]
pub struct Ready {
    status: &'static str,
    storage: storage::State,
    /// Its connection to a cluster's broker.
    cluster: Connection,
}

/// `GET /readyz`: another search would be admitted now. A server that cannot store searches is ready all the same, for those
/// that need not be stored.
pub async fn ready(State(service): State<Service>) -> Result<Json<Ready>, Problem> {
    if service.drain.phase() > Phase::Serving {
        Err(shutting_down())
    } else if service.scheduler.has_room() {
        let cluster = Connection::of(&service);
        Ok(Json(Ready { status: "ok", storage: storage::State::of(&service.searches), cluster }))
    } else {
        Err(Problem::new(Code::Overloaded, "no further search would be admitted").retry_after(1))
    }
}

/// The program and its version.
#[derive(Serialize)]
pub struct Version {
    name: &'static str,
    version: &'static str,
}

/// `GET /version`
pub async fn version() -> Json<Version> {
    Json(Version { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") })
}
