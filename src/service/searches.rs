//! The main job: a game state and a budget in, the chosen move and statistics for every child out.

mod response;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::response::SearchResponse;
use super::Service;
use super::body::Json;
use super::positions::open;
use super::problem::{Code, Problem};
use super::strict;
use crate::catalog::{BudgetRequest, Filter, Order};
use crate::search::LONGEST_LINE;

/// A search, as a client asks for it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The game's name.
    pub game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    pub variant: Option<Value>,
    /// The position in the game's notation; the start when absent.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves played from there.
    #[serde(default)]
    pub moves: Option<Vec<String>>,
    /// What the search may spend.
    #[serde(default, deserialize_with = "strict::object")]
    pub budget: Option<BudgetRequest>,
    /// The engine: a name, or an object with options.
    #[serde(default, deserialize_with = "strict::named")]
    pub engine: Option<Value>,
    /// Threads asked for.
    #[serde(default)]
    pub threads: Option<u32>,
    /// Seed, for a reproducible search.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Root moves to consider.
    #[serde(default, deserialize_with = "strict::object")]
    pub moves_filter: Option<Filter>,
    /// From whose view values are told.
    #[serde(default)]
    pub perspective: Option<Perspective>,
    /// How much of the result is told.
    #[serde(default, deserialize_with = "strict::object")]
    pub report: Option<ReportRequest>,
}

impl SearchRequest {
    /// What it asks of the search itself.
    #[must_use]
    pub fn order(&self) -> Order<'_> {
        Order {
            engine: self.engine.as_ref(),
            budget: self.budget.unwrap_or_default(),
            threads: self.threads,
            seed: self.seed,
            filter: self.moves_filter.as_ref(),
        }
    }
}

/// From whose view values are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Perspective {
    /// The side to move in the request's position.
    #[default]
    SideToMove,
    /// The player who moves first from the start position.
    FirstPlayer,
}

/// How much of the result is told.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportRequest {
    max_children: Option<u64>,
    pv_length: Option<u64>,
}

/// How much is told, checked.
#[derive(Clone, Copy)]
struct Extent {
    children: usize,
    line: usize,
}

impl ReportRequest {
    fn check(self) -> Result<Extent, Problem> {
        let check = |field: &str, value: Option<u64>, most: usize| match value {
            None => Ok(most),
            Some(value) if (1..=most as u64).contains(&value) => Ok(value as usize),
            Some(value) => Err(Problem::new(Code::InvalidRequest, "a value is out of range")
                .at(format!("/report/{field}"), format!("expected 1 to {most}, not {value}"))),
        };
        Ok(Extent {
            children: check("max_children", self.max_children, 1000)?,
            line: check("pv_length", self.pv_length, LONGEST_LINE)?,
        })
    }
}

/// `POST /v1/searches`
pub async fn search(State(service): State<Service>, Json(request): Json<SearchRequest>) -> Result<Response, Problem> {
    let session = open(&service, &request.game, &request.variant, &request.position, &request.moves)?;
    let extent = request.report.unwrap_or_default().check()?;
    let search = session.search(&request.order(), &service.policy)?;
    let mut response = SearchResponse::new(&request, session.view(), search.plan());
    if response.is_over() {
        return Ok(no_store(axum::Json(response)));
    }
    let ticket = service
        .scheduler
        .submit(search)
        .map_err(|full| Problem::new(Code::Overloaded, full.to_string()).retry_after(1))?;
    let finished = ticket.await.map_err(|failure| {
        tracing::error!(%failure, game = request.game, "a search failed");
        Problem::new(Code::Internal, "the search failed on the server's side")
    })?;
    response.fill(finished, extent.children, extent.line);
    Ok(no_store(axum::Json(response)))
}

/// What a search found is not the same the next time.
fn no_store(body: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], body).into_response()
}
