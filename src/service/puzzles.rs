//! The puzzles: positions in which exactly one move reaches the result.

use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_core::position::shorten;

use super::accept::{Negotiable as _, ResponseFormat};
use super::caching::with_etag;
use super::guards::Client;
use super::paging::{self, MAX_LIMIT};
use super::problem::{Code, Problem};
use super::state::Service;
use crate::puzzles::{HARDEST, Kind, Puzzle};

/// Some puzzles: by game, the easiest first.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PuzzleList")]
pub struct Document {
    /// The puzzles.
    #[schemars(length(max = MAX_LIMIT))]
    puzzles: Vec<&'static Puzzle>,
    /// `after` for the next part of the list; null at its end.
    next: Option<&'static str>,
}

/// The query parameters of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    game: Option<String>,
    kind: Option<Kind>,
    difficulty: Option<u8>,
    after: Option<String>,
    limit: Option<usize>,
}

/// `GET /v1/puzzles`
pub async fn list(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    ResponseFormat::choose(&headers, &[ResponseFormat::Json])?;
    let expected =
        "game, kind (win, draw or points), difficulty (1 to 5), after (a puzzle's id) and limit, each at most once";
    let Query(wanted) = wanted.map_err(|rejection| Problem::of_query(rejection, expected))?;
    let limit = paging::size(wanted.limit)?;
    if let Some(difficulty) = wanted.difficulty.filter(|difficulty| !(1..=HARDEST).contains(difficulty)) {
        return Err(Problem::of_query(format_args!("difficulty {difficulty}"), &format!("1 to {HARDEST}")));
    }
    let catalog = service.library.catalog(client.owner());
    if let Some(game) = wanted.game.as_deref().filter(|&game| catalog.names().all(|name| name != game)) {
        let names: Vec<&str> = catalog.names().collect();
        return Err(Problem::of_query(format!("game {}", shorten(game)), &format!("one of {}", names.join(", "))));
    }
    let mut puzzles = wanted.select()?;
    let is_more = puzzles.len() > limit;
    puzzles.truncate(limit);
    let next = puzzles.last().filter(|_| is_more).map(|last| &*last.id);
    let body = serde_json::to_vec(&Document { puzzles, next });
    let body = body.map_err(|_| Problem::new(Code::Internal, "the puzzles could not be written"))?;
    Ok(with_etag("application/json", body, &headers, "private, no-cache"))
}

impl Wanted {
    /// The puzzles that match the filters, starting after `after`.
    fn select(&self) -> Result<Vec<&'static Puzzle>, Problem> {
        let from = match &self.after {
            None => 0,
            Some(id) => {
                let index = Puzzle::all().iter().position(|puzzle| puzzle.id == *id);
                1 + index.ok_or_else(|| Problem::of_query(format!("after {}", shorten(id)), "the id of a puzzle"))?
            }
        };
        let is_wanted = |puzzle: &&Puzzle| {
            self.game.as_ref().is_none_or(|game| puzzle.game == *game)
                && self.kind.is_none_or(|kind| puzzle.kind == kind)
                && self.difficulty.is_none_or(|difficulty| puzzle.difficulty == difficulty)
        };
        Ok(Puzzle::all()[from..].iter().filter(is_wanted).collect())
    }
}
