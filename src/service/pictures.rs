//! Pictures of positions: by address, for chats and documents, or in place of the JSON of `POST /v1/positions`.

use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::caching::with_etag;
use super::guards::Client;
use super::problem::{Code, Problem};
use super::state::Service;
use tesuji_core::api::PositionRequest;
use tesuji_core::catalog::{Catalog, Line, Moves, PlayedMove, Refusal};
use tesuji_core::search::LONGEST_LINE;
use tesuji_picture::{Candidate, Options, Subject, Theme};

/// How the picture of a position looks, and what it shows besides the position.
#[derive(Clone, Debug, JsonSchema, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Picture {
    /// The longer side, in pixels.
    #[schemars(range(min = 64, max = 2048))]
    size: u32,
    /// Its colours.
    theme: Theme,
    /// Whether the board has letters and numbers at its edges.
    coordinates: bool,
    /// Whether the last move is marked.
    last_move: bool,
    /// Moves with their labels, the best first. A move without a place on the board, such as a pass, is not shown.
    #[schemars(length(max = 400))]
    candidates: Vec<Candidate>,
    /// Up to 64 moves that continue from the position, shown as numbered pieces or arrows.
    #[schemars(schema_with = "moves")]
    ahead: Option<Moves>,
}

fn moves(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/components/schemas/RequestedMoves" })
}

impl Default for Picture {
    fn default() -> Self {
        let Options { size, theme, coordinates, last_move, candidates } = Options::default();
        Self { size, theme, coordinates, last_move, candidates, ahead: None }
    }
}

/// A file format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Svg,
    Png,
}

impl Format {
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
        }
    }
}

/// The query parameters of a picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    game: String,
    variant: Option<String>,
    position: Option<String>,
    moves: Option<String>,
    size: Option<u32>,
    theme: Option<Theme>,
    coordinates: Option<bool>,
    last_move: Option<bool>,
    candidates: Option<String>,
    ahead: Option<String>,
}

/// `GET /v1/positions/picture.svg`
pub async fn svg(
    state: State<Service>,
    client: Extension<Client>,
    headers: HeaderMap,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Response, Problem> {
    by_address(state, client, &headers, parameters, Format::Svg).await
}

/// `GET /v1/positions/picture.png`
pub async fn png(
    state: State<Service>,
    client: Extension<Client>,
    headers: HeaderMap,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Response, Problem> {
    by_address(state, client, &headers, parameters, Format::Png).await
}

async fn by_address(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    headers: &HeaderMap,
    parameters: Result<Query<Parameters>, QueryRejection>,
    format: Format,
) -> Result<Response, Problem> {
    let Query(parameters) = parameters.map_err(|rejection| {
        let expected = "game, variant, position, moves, candidates, ahead, size (a number), theme (light or dark), \
                        coordinates and last_move (true or false), each at most once";
        Problem::of_query(rejection.body_text(), expected)
    })?;
    let catalog = service.library.catalog(client.owner());
    // A game that is not built in can be replaced under its name. Other pictures change only with the program.
    let control = match (&client, catalog.hash(&parameters.game)) {
        (_, Some(_)) => "private, no-cache",
        (Client::Key(_), None) => "private, max-age=86400",
        (_, None) => "public, max-age=86400",
    };
    let picture = draw_blocking(move || draw(&catalog, &parameters.request(&catalog)?, format, "")).await?;
    Ok(with_etag(format.media_type(), picture, headers, control))
}

impl Parameters {
    fn request(self, catalog: &Catalog) -> Result<PositionRequest<Picture>, Problem> {
        let variant = self.variant.map(variant).transpose()?;
        let usual = Picture::default();
        let listed = match self.candidates {
            Some(text) => split(&Moves::Text(text), catalog, &self.game, variant.as_ref(), "/candidates")?,
            None => Vec::new(),
        };
        let candidates = listed.into_iter().map(|mv| Candidate { mv, label: String::new() }).collect();
        let picture = Picture {
            size: self.size.unwrap_or(usual.size),
            theme: self.theme.unwrap_or(usual.theme),
            coordinates: self.coordinates.unwrap_or(usual.coordinates),
            last_move: self.last_move.unwrap_or(usual.last_move),
            candidates,
            ahead: self.ahead.map(Moves::Text),
        };
        let (game, position, moves) = (self.game, self.position, self.moves.map(Moves::Text));
        Ok(PositionRequest { game, variant, position, moves, text: None, picture: Some(picture) })
    }
}

/// A variant by its name, or by its parameters in JSON.
fn variant(text: String) -> Result<Value, Problem> {
    if !text.starts_with('{') {
        return Ok(text.into());
    }
    let invalid = |error| format!("expected a name or a JSON object: {error}");
    serde_json::from_str(&text).map_err(|error| Problem::at(Code::InvalidVariant, "/variant", invalid(error)))
}

/// Splits the moves of an option; refusals point to `place`.
fn split(
    moves: &Moves,
    catalog: &Catalog,
    game: &str,
    variant: Option<&Value>,
    place: &str,
) -> Result<Vec<String>, Refusal> {
    let split = moves.split(catalog, game, variant).map(std::borrow::Cow::into_owned);
    split.map_err(|refusal| Refusal { pointer: refusal.pointer.replacen("/moves", place, 1), ..refusal })
}

/// Draws the position of a request. `base` is the JSON Pointer to its options.
pub fn draw(
    catalog: &Catalog,
    request: &PositionRequest<Picture>,
    format: Format,
    base: &str,
) -> Result<Vec<u8>, Problem> {
    let mut position = request.follow(catalog)?;
    let unknown = || Problem::new(Code::Internal, "a game without a description");
    let about = catalog.about(&request.game).ok_or_else(unknown)?;
    let (view, legal) = (position.session.view(), position.session.legal());
    let Picture { size, theme, coordinates, last_move, mut candidates, ahead } =
        request.picture.clone().unwrap_or_default();
    for candidate in &mut candidates {
        // Illegal moves are refused below.
        if let Ok(mv) = position.session.read_move(&candidate.mv) {
            candidate.mv = mv;
        }
    }
    let ahead = match ahead {
        Some(moves) => play(&moves, catalog, request, &mut position, base)?,
        None => Vec::new(),
    };
    let subject = Subject { about: &about, view: &view, legal: &legal, line: &position.moves, ahead: &ahead };
    let options = Options { size, theme, coordinates, last_move, candidates };
    let picture = tesuji_picture::draw(&subject, &options)
        .map_err(|refused| Problem::at(Code::InvalidRequest, format!("{base}{}", refused.pointer), refused.problem))?;
    Ok(match format {
        Format::Svg => picture.svg().into_bytes(),
        Format::Png => picture.png(),
    })
}

/// Plays the moves `ahead` of a request from its position on.
fn play<P>(
    moves: &Moves,
    catalog: &Catalog,
    request: &PositionRequest<P>,
    position: &mut Line,
    base: &str,
) -> Result<Vec<PlayedMove>, Problem> {
    let place = format!("{base}/ahead");
    let (mut ahead, moves_ahead) =
        (Vec::new(), split(moves, catalog, &request.game, request.variant.as_ref(), &place)?);
    if moves_ahead.len() > LONGEST_LINE {
        let problem = format!("{} moves: expected at most {LONGEST_LINE}", moves_ahead.len());
        return Err(Problem::at(Code::InvalidRequest, place, problem));
    }
    for (index, mv) in moves_ahead.iter().enumerate() {
        position.session.play_described(mv, &mut ahead).map_err(|illegal| {
            let pointer = moves.pointer(index).replacen("/moves", &place, 1);
            Problem::at(Code::IllegalMove, pointer, illegal.to_string())
        })?;
    }
    Ok(ahead)
}

/// Draws on a blocking thread, since that takes milliseconds. At most one picture per core is drawn at a time, which bounds the
/// memory: the largest picture has 12 MiB of pixels.
pub async fn draw_blocking(
    draw: impl FnOnce() -> Result<Vec<u8>, Problem> + Send + 'static,
) -> Result<Vec<u8>, Problem> {
    static PERMITS: LazyLock<Semaphore> =
        LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, |cores| cores.get())));
    let permit = PERMITS.acquire().await.map_err(|_| failed())?;
    let drawn = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        draw()
    });
    // Rules that fail unwind, which ends only this request.
    drawn.await.map_err(|error| error.try_into_panic().map_or_else(|_| failed(), |panic| resume_unwind(panic)))?
}

fn failed() -> Problem {
    Problem::new(Code::Internal, "the picture could not be drawn")
}
