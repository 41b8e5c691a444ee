//! Rules without a search.

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use super::accept::Negotiable;
use super::body::receive;
use super::guards::Client;
use super::pictures::{Format, draw, draw_blocking};
use super::problem::Problem;
use super::state::Service;
use tesuji_core::api::{PositionRequest, parse};

/// The formats of a position.
#[derive(Clone, Copy, Debug)]
enum PositionFormat {
    Json,
    Picture(Format),
}

impl Negotiable for PositionFormat {
    fn media_type(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::Picture(Format::Svg) => ("image", "svg+xml"),
            Self::Picture(Format::Png) => ("image", "png"),
        }
    }
}

/// `POST /v1/positions`
pub async fn describe(
    State(service): State<Service>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Problem> {
    let formats = [PositionFormat::Json, PositionFormat::Picture(Format::Svg), PositionFormat::Picture(Format::Png)];
    let (format, _, bytes) = receive(request, &formats).await?;
    let catalog = service.library.catalog(client.owner());
    match format {
        PositionFormat::Json => Ok(axum::Json(parse::<PositionRequest>(&bytes)?.describe(&catalog)?).into_response()),
        PositionFormat::Picture(format) => {
            let request = parse(&bytes)?;
            let picture = draw_blocking(move || draw(&catalog, &request, format, "/picture")).await?;
            Ok(([(header::CONTENT_TYPE, format.media_type())], picture).into_response())
        }
    }
}
