//! Reads and writes game records: from JSON requests, or from record files as the body.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::body::{MediaType, Raw, content_type};
use super::guards::Client;
use super::problem::{Code, Problem};
use super::state::Service;
use crate::encoding::decode;
use tesuji_core::api::{RecordRequest, RecordResponse, parse};

/// The query parameters for a record in the body.
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    game: Option<String>,
    variant: Option<String>,
    format: Option<String>,
    number: Option<u32>,
    write: Option<String>,
}

/// `POST /v1/records`
pub async fn read(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    parameters: Result<Query<Parameters>, QueryRejection>,
    Raw { headers, bytes }: Raw,
) -> Result<axum::Json<RecordResponse>, Problem> {
    let Query(parameters) = parameters.map_err(|rejection| {
        let expected = "game, variant, format, number (from 1) and write, each at most once";
        Problem::of_query(rejection, expected)
    })?;
    let catalog = service.library.catalog(client.owner());
    let request = if is_json(&headers, &bytes)? {
        if parameters != Parameters::default() {
            let problem = "expected no query parameters: a JSON request has its parameters in the body";
            return Err(Problem::at(Code::InvalidRequest, "", problem));
        }
        parse(&bytes)?
    } else if bytes.is_empty() {
        return Err(Problem::at(Code::InvalidRecord, "/text", "expected a record in the body, not an empty body"));
    } else {
        let decoded = decode(&bytes, charset(&headers), |text| catalog.encoded_moves(text))
            .map_err(|undecodable| Problem::new(Code::UnsupportedMediaType, undecodable.to_string()))?;
        let Parameters { game, variant, format, number, write } = parameters;
        let mut request = RecordRequest::of_text(decoded.text, decoded.warning);
        (request.game, request.variant, request.format) = (game, variant.map(Into::into), format);
        (request.number, request.write) = (number, write);
        request
    };
    Ok(axum::Json(request.answer(&catalog)?))
}

/// The encoding given in the request.
fn charset(headers: &HeaderMap) -> Option<&str> {
    let parameters = content_type(headers).split(';').skip(1);
    let mut named = parameters.filter_map(|parameter| parameter.trim().split_once('='));
    let charset = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?.1;
    Some(charset.trim().trim_matches('"'))
}

/// Whether the body is a JSON request rather than a record. The default media types of simple clients do not decide it.
fn is_json(headers: &HeaderMap, bytes: &Bytes) -> Result<bool, Problem> {
    const RECORDS: [&str; 4] =
        ["application/x-go-sgf", "application/x-chess-pgn", "application/vnd.chess-pgn", "application/sgf"];
    let begins_an_object = bytes.trim_ascii_start().starts_with(b"{");
    match MediaType::of(headers) {
        MediaType::Json => Ok(true),
        MediaType::Unspecified => Ok(begins_an_object),
        // A record can begin with a comment in braces.
        MediaType::PlainText => Ok(begins_an_object && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()),
        MediaType::Other(other) if other.starts_with("text/") || RECORDS.contains(&&*other) => Ok(false),
        MediaType::Other(_) => {
            let expected = format!("expected application/json, text/plain, {}", RECORDS.join(", "));
            Err(Problem::new(Code::UnsupportedMediaType, expected))
        }
    }
}
