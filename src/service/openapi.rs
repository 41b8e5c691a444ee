//! The contract, as it was when this binary was built.

use axum::http::header;
use axum::response::IntoResponse;

const CONTRACT: &str = include_str!("../../openapi.yaml");

/// `GET /openapi.yaml`
pub async fn yaml() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/yaml")], CONTRACT)
}
