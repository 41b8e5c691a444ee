//! Liveness, readiness, version.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::cluster::Connection;
use super::drain::{Phase, shutting_down};
use super::problem::{Code, Problem};
use super::state::Service;
use super::storage;

/// The process answers.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Health")]
pub struct Status {
    #[schemars(extend("const" = "ok"))]
    status: &'static str,
}

/// `GET /livez`: the process responds.
pub async fn live() -> Json<Status> {
    Json(Status { status: "ok" })
}

/// The server takes searches.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Readiness")]
pub struct Ready {
    #[schemars(extend("const" = "ok"))]
    status: &'static str,
    storage: storage::State,
    cluster: Connection,
}

/// `GET /readyz`: another search would be admitted now. A server whose storage fails is still ready, for searches that are not
/// stored.
pub async fn ready(State(service): State<Service>) -> Result<Json<Ready>, Problem> {
    if service.drain.phase() > Phase::Serving {
        Err(shutting_down())
    } else if service.scheduler.has_room() {
        let cluster = Connection::of(&service);
        Ok(Json(Ready { status: "ok", storage: storage::State::of(&service.searches), cluster }))
    } else {
        Err(Problem::new(Code::Overloaded, "no further search can be admitted").retry_after(1))
    }
}

/// The program and its version.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ProgramVersion")]
pub struct Version {
    #[schemars(extend("const" = "tesuji"))]
    name: &'static str,
    /// Semantic version.
    version: &'static str,
}

/// `GET /version`
pub async fn version() -> Json<Version> {
    Json(Version { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") })
}
