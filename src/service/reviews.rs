//! Whole games reviewed move by move: every position searched in turn, at the back of the queue, reported ply by ply.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use ulid::Ulid;

use super::Service;
use super::body::Json;
use super::guards::Client;
use super::jobs;
use super::metering::{Known, observer};
use super::path::Name;
use super::positions::open;
use super::problem::{Code, Problem};
use crate::registry::Message;
use crate::scheduler::{Class, Failure, Submission};
use tesuji_core::api::review::Document;
use tesuji_core::api::{SearchRequest, Status, strict};
use tesuji_core::catalog::{AnySession, BudgetRequest, Order};
use tesuji_core::review::{Evaluated, Review, branches, play_all};
use tesuji_core::search::StopReason;

/// A review, as a client asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The game's name.
    game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    variant: Option<Value>,
    /// Where the game begins; the start when absent.
    #[serde(default)]
    position: Option<String>,
    /// The moves played from there.
    moves: Vec<String>,
    /// What the search of each position may spend.
    #[serde(default, deserialize_with = "strict::object")]
    budget: Option<BudgetRequest>,
    /// The engine: a name, or an object with options.
    #[serde(default, deserialize_with = "strict::named")]
    engine: Option<Value>,
    /// Threads of each search.
    #[serde(default)]
    threads: Option<u32>,
    /// Seed of each search.
    #[serde(default)]
    seed: Option<u64>,
}

/// The most moves of a game that is reviewed.
const MOST_MOVES: usize = 1000;
/// The most reviews under way.
const MOST_REVIEWS: usize = 64;

/// Why a review ends before its game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Cancelled,
    ShutDown,
    Failed,
}

/// A review under way.
struct Task {
    service: Service,
    request: SearchRequest,
    game: Box<dyn AnySession>,
    moves: Vec<String>,
    document: Document,
    stop: CancellationToken,
}

/// `POST /v1/reviews`
pub async fn post(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    Json(request): Json<ReviewRequest>,
) -> Result<Response, Problem> {
    let start = || open(&service, &request.game, &request.variant, &request.position, &None);
    let mut game = start()?;
    let moves = play_all(&mut *game, &request.moves).map_err(|(index, illegal)| {
        let pointer = format!("/moves/{index}");
        Problem::new(Code::IllegalMove, format!("{pointer}: {illegal}")).at(pointer, illegal.to_string())
    })?;
    if moves.len() > MOST_MOVES {
        return Err(Problem::new(Code::InvalidRequest, "the game is too long")
            .at("/moves", format!("expected at most {MOST_MOVES} moves, not {}", moves.len())));
    }
    let game = start()?;
    let search = SearchRequest {
        game: request.game,
        budget: request.budget,
        engine: request.engine,
        threads: request.threads,
        seed: request.seed,
        ..SearchRequest::default()
    };
    let plan = game.search(&search.order(None), &service.policy)?.plan().clone();
    jobs::check_room(&service.reviews, MOST_REVIEWS, "reviews")?;
    let stop = CancellationToken::new();
    let document = Document::new(Ulid::generate().to_string(), &search, game.view(), &plan, moves.len());
    let (id, first) = (document.id().to_owned(), message_of(&document));
    jobs::enter(&service.reviews, &id, None, first.clone(), &stop, || {
        let plans = std::iter::repeat_n(&plan, moves.len() + 1);
        service.guards.quota().map_or(Ok(()), |quota| quota.charge(&client, plans, "/budget"))
    })?;
    tokio::spawn(Task { service, request: search, game, moves, document, stop }.run().in_current_span());
    jobs::located((StatusCode::ACCEPTED, jobs::document(&first)).into_response(), "/v1/reviews", &id)
}

/// `GET /v1/reviews/{id}`
pub async fn get(State(service): State<Service>, headers: HeaderMap, Name(id): Name) -> Result<Response, Problem> {
    jobs::tell(&service.reviews, &headers, &id).await
}

/// `DELETE /v1/reviews/{id}`
pub async fn cancel(State(service): State<Service>, headers: HeaderMap, Name(id): Name) -> Result<Response, Problem> {
    jobs::end(&service.reviews, &headers, &id).await
}

/// `GET /v1/reviews/{id}/events`
pub async fn events(State(service): State<Service>, headers: HeaderMap, Name(id): Name) -> Result<Response, Problem> {
    jobs::attend(&service.reviews, &headers, &id).await
}

impl Task {
    /// Looks at one position after the other, and tells the registry after each.
    async fn run(mut self) {
        let mut review = Review::default();
        let mut status = Status::Done;
        for index in 0..=self.moves.len() {
            let played = index.checked_sub(1).map(|index| self.moves[index].clone());
            if let Some(mv) = &played
                && let Err(illegal) = self.game.play(mv)
            {
                tracing::error!(%illegal, mv, "a move that was legal is not");
                status = Status::Failed;
                break;
            }
            match self.look(index).await {
                Ok(position) => review.add(played, position),
                Err(Cut::Failed) => status = Status::Failed,
                Err(Cut::Cancelled | Cut::ShutDown) => status = Status::Cancelled,
            }
            self.document.update(&review);
            if status != Status::Done {
                break;
            }
            if index < self.moves.len() {
                self.document.next(Status::Running);
                self.service.reviews.tell(self.document.id(), message_of(&self.document));
            }
        }
        self.document.next(status);
        if let Err(error) = self.service.reviews.finish(self.document.id(), message_of(&self.document)).await {
            tracing::error!(%error, id = self.document.id(), "a review's result could not be kept");
        }
    }

    /// What the position is worth that the game has come to after so many moves.
    async fn look(&mut self, played: usize) -> Result<Evaluated, Cut> {
        if self.game.outcome().is_some() {
            return Ok(Evaluated::of(&*self.game, None));
        }
        let reservation = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Err(Cut::Cancelled),
            reservation = self.service.scheduler.reserve() => reservation.map_err(|_| Cut::ShutDown)?,
        };
        let policy = self.service.policy.with_idle(self.service.scheduler.idle());
        let branches = branches(&*self.game, self.moves.get(played).map(String::as_str));
        // What was granted at the start of the game is granted later.
        let search =
            self.game.search(&Order { branches, ..self.request.order(None) }, &policy).map_err(|_| Cut::Failed)?;
        let id = Known::Review(self.document.id().to_owned());
        let observer = Some(observer(&self.service.metrics, &self.request.game, id, search.plan()));
        let mut ticket = reservation.submit(Submission { class: Class::Batch, observer, ..Submission::new(search) });
        let result = tokio::select! {
            result = &mut ticket => result,
            () = self.stop.cancelled() => {
                ticket.cancel();
                return Err(Cut::Cancelled);
            }
        };
        match result {
            Ok(finished) if finished.report.stop == StopReason::Shutdown => Err(Cut::ShutDown),
            Ok(finished) => Ok(Evaluated::of(&*self.game, Some(finished.report))),
            Err(Failure::ShutDown) => Err(Cut::ShutDown),
            Err(Failure::NeverRan) => Err(Cut::Cancelled),
            Err(failure) => {
                tracing::error!(%failure, game = self.request.game, id = self.document.id(), "a review's search failed");
                Err(Cut::Failed)
            }
        }
    }
}

/// A review as it is sent.
fn message_of(document: &Document) -> Message {
    // Texts and finite numbers only.
    let text = serde_json::to_string(document).expect("messages are JSON").into();
    let status = document.status();
    Message {
        seq: document.seq(),
        is_final: status.is_final(),
        failed: status == Status::Failed,
        lasts: false,
        text,
        parts: None,
    }
}
