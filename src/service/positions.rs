//! The rules alone, without a search: what thin clients need to draw a board and to know what may be played.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Service;
use super::body::Json;
use super::problem::Problem;
use super::strict;
use crate::catalog::{AnySession, Ended, Setup, View};

/// Where a game stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    game: String,
    #[serde(default, deserialize_with = "strict::named")]
    variant: Option<Value>,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Option<Vec<String>>,
}

/// A position, described.
#[derive(Serialize)]
pub struct PositionResponse {
    game: String,
    variant: Value,
    position: String,
    #[serde(flatten)]
    view: Rules,
}

/// What the rules say.
#[derive(Serialize)]
struct Rules {
    to_move: crate::position::Side,
    ply: u32,
    key: String,
    outcome: Option<Ended>,
    legal_moves: Vec<String>,
    #[serde(flatten)]
    facts: Value,
}

/// `POST /v1/positions`
pub async fn describe(
    State(service): State<Service>,
    Json(request): Json<PositionRequest>,
) -> Result<axum::Json<PositionResponse>, Problem> {
    let session = open(&service, &request.game, &request.variant, &request.position, &request.moves)?;
    let View { variant, text, to_move, ply, key, outcome, legal_moves, facts, .. } = session.view();
    let view = Rules { to_move, ply, key, outcome, legal_moves, facts };
    Ok(axum::Json(PositionResponse { game: request.game, variant, position: text, view }))
}

/// Sets up the game that a request describes.
pub fn open(
    service: &Service,
    game: &str,
    variant: &Option<Value>,
    position: &Option<String>,
    moves: &Option<Vec<String>>,
) -> Result<Box<dyn AnySession>, Problem> {
    let setup =
        Setup { variant: variant.as_ref(), position: position.as_deref(), moves: moves.as_deref().unwrap_or_default() };
    Ok(service.catalog.open(game, setup)?)
}
