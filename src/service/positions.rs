//! The rules alone, without a search: what thin clients need to draw a board, to know what may be played, and to list a line of
//! moves.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Service;
use super::body::Json;
use super::problem::{Code, Problem};
use tesuji_core::api::strict;
use tesuji_core::catalog::{AnySession, Ended, LegalMove, Line, PlayedMove, Setup, View};

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
    #[serde(default)]
    text: Option<String>,
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
    to_move: tesuji_core::position::Side,
    ply: u32,
    key: String,
    outcome: Option<Ended>,
    legal_moves: Vec<String>,
    legal: Vec<LegalMove>,
    start: Option<String>,
    line: Vec<PlayedMove>,
    #[serde(flatten)]
    facts: Value,
}

/// `POST /v1/positions`
pub async fn describe(
    State(service): State<Service>,
    Json(request): Json<PositionRequest>,
) -> Result<axum::Json<PositionResponse>, Problem> {
    let Line { session, start, moves: line } = follow(&service, &request)?;
    let View { variant, text, to_move, ply, key, outcome, legal_moves, facts, .. } = session.view();
    let view = Rules { to_move, ply, key, outcome, legal_moves, legal: session.legal(), start, line, facts };
    Ok(axum::Json(PositionResponse { game: request.game, variant, position: text, view }))
}

/// Sets up the game that a request describes, by `position` and `moves` or by a pasted text, and describes its moves.
fn follow(service: &Service, request: &PositionRequest) -> Result<Line, Problem> {
    let PositionRequest { game, variant, position, moves, text } = request;
    let Some(text) = text else {
        let setup = Setup {
            variant: variant.as_ref(),
            position: position.as_deref(),
            moves: moves.as_deref().unwrap_or_default(),
        };
        return Ok(service.catalog.follow(game, setup)?);
    };
    if position.is_some() || moves.is_some() {
        let problem = Problem::new(Code::InvalidRequest, "`text` conflicts with `position` and `moves`");
        return Err(problem.at("/text", "expected either `text`, or `position` and `moves`"));
    }
    Ok(service.catalog.paste(game, variant.as_ref(), text)?)
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
